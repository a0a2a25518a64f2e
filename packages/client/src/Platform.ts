/** What differs between browsers and Node: `#platform` is one of `web/platform.ts` and `node/platform.ts`. */
import type { DownloadToOptions } from "./Client.ts"
import type { Fetch, Store } from "./Options.ts"
import type { UploadSource } from "./upload/Upload.ts"

/** Bytes that are read while they are sent. Each read chunk is used before the next but one is read. */
export interface Streamed {
  readonly size: number
  readonly read: () => AsyncIterable<Uint8Array<ArrayBuffer>>
}

export type Piece = Blob | Uint8Array<ArrayBuffer> | Streamed

export const sizeOf = (piece: Piece): number => piece instanceof Uint8Array ? piece.byteLength : piece.size

export interface Sending {
  readonly method: "POST" | "PUT"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: ReadonlyArray<Piece>
  readonly signal: AbortSignal
  /** How many bytes of all pieces have been sent. */
  readonly onSent: (bytes: number) => void
}

/** An answer of storage. */
export interface Sent {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/** Fails with a `DriveError` of the code `network` where no answer comes. */
export type Send = (sending: Sending) => Promise<Sent>

/** A file that is to be sent. */
export interface Source {
  readonly name: string
  readonly size: number
  /** Its media type; empty where it is not known. */
  readonly type: string
  /** What tells it from other files, and is the same after a reload; undefined where nothing is. */
  readonly print: () => Promise<string | undefined>
  /** Whether slices must be taken from the first to the last, one at a time. */
  readonly isSequential?: boolean
  readonly slice: (start: number, end: number) => Piece | Promise<Piece>
  /** Fails when the file has changed, or can't be read. */
  readonly check?: () => Promise<void>
  readonly close?: () => Promise<void>
}

/** A file of a directory. */
export interface Walked {
  readonly source: Blob | string
  /** Its path in the directory, with the directory's name first. */
  readonly path: string
}

/** A file to download. */
export interface Download {
  readonly size: number
  /** A link to it; another one each time. */
  readonly link: () => Promise<string>
  readonly path: string | URL
  readonly fetch: Fetch
  readonly options: DownloadToOptions
}

export interface Platform {
  /** How calls are made where the host gives no `fetch` and the platform's would be slow. Its answer has a status, headers to get, and a text. */
  readonly ask?: Fetch
  /** How bytes are sent: by the `fetch` that the host has given, or as is best. */
  readonly sendBy: (fetch: Fetch | undefined) => Send
  readonly openPath: (path: string | URL) => Promise<Source>
  /** Bytes of the file of a path, where there is one. */
  readonly sizeOf?: (path: UploadSource) => Promise<number | undefined>
  readonly walkPath: (path: string) => AsyncIterable<Walked>
  readonly downloadTo: (download: Download) => Promise<void>
  readonly fileStore: (path: string) => Store
}
