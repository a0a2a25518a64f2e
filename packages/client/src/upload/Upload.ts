/** What is uploaded, how, and what is told of it. */
import type { FileRecord } from "../generated/DriveCalls.ts"

/** A stream whose length is known. It is read once, so it does not go on after a crash. */
export interface StreamOfLength {
  readonly stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
  readonly size: number
  readonly name: string
  readonly type?: string
}

/** A file, bytes, a path (in Node, Deno and Bun), or a stream of known length. */
export type UploadSource = Blob | ArrayBuffer | ArrayBufferView | string | URL | StreamOfLength

export type UploadState =
  /** Its bytes are not being sent yet: it is begun, or others of its queue are first. */
  | "waiting"
  | "sending"
  /** The network is away; it goes on by itself. */
  | "offline"
  | "paused"
  | "done"
  | "failed"
  | "cancelled"

export interface Progress {
  readonly sentBytes: number
  readonly totalBytes: number
  /** Of the last seconds; 0 while nothing is sent. */
  readonly bytesPerSecond: number
  /** Null while it is not known. */
  readonly secondsLeft: number | null
}

export interface UploadOptions {
  /** Default: the file's. Needed for bytes. */
  readonly fileName?: string
  /** Default: the file's. The drive detects it from the bytes, too. */
  readonly mimeType?: string
  /** Default: by the media type. The drive detects it from the bytes, too. */
  readonly type?: FileRecord["type"]
  /** Path of the folder, whose missing parents are made. Default: the top of the drive. Not for deliveries. */
  readonly folder?: string
  /** Id of the folder, instead of its path. */
  readonly folderId?: string
  readonly tags?: ReadonlyArray<string>
  readonly description?: string
  /**
   * The sender's own name of the file: the same again goes on with the same upload. Default: the source's own (its name, size, time of change
   * and some of its bytes), kept by the client's `store` until the file is in the drive.
   */
  readonly key?: string
  /** Parts that are sent at once. Default 4. */
  readonly parallel?: number
  /** At most ten times a second, and at the end. */
  readonly onProgress?: (progress: Progress) => void
  readonly onState?: (state: UploadState) => void
  /** Cancels the upload. */
  readonly signal?: AbortSignal
}

export interface UploadedFile {
  readonly id: string
  /** As the drive keeps it: without characters that show a name as another one. */
  readonly fileName: string
  readonly fileSize: number
}

/** An upload under way: a promise of the file that can be held up and given up. */
export interface Upload extends PromiseLike<UploadedFile> {
  readonly state: UploadState
  readonly progress: Progress
  readonly catch: Promise<UploadedFile>["catch"]
  readonly finally: Promise<UploadedFile>["finally"]
  /** Ends what is being sent; parts that have arrived stay. */
  readonly pause: () => void
  readonly resume: () => void
  /** Gives the upload up, and its bytes back to the quota, also after it has failed; the promise is rejected with an `AbortError`. */
  readonly cancel: () => Promise<void>
  /** Tries again what has failed, and from then on is a promise of that: what is stored is not sent again. */
  readonly retry: () => void
}
