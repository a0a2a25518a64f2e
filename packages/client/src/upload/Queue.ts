/** Many files, few at a time. */
import type { Progress, UploadedFile, UploadOptions, UploadSource } from "./Upload.ts"

/** A file of a queue with options of its own. */
export interface QueueItem extends Omit<UploadOptions, "onProgress" | "onState" | "signal" | "parallel"> {
  readonly source: UploadSource
}

/** A directory: its files are uploaded into folders of the same names. In Node, Deno and Bun its path is. */
export interface Directory {
  readonly directory: string | FileSystemDirectoryHandle | FileSystemDirectoryEntry
}

export type QueueEntry = UploadSource | QueueItem | Directory | FileSystemHandle | DataTransferItem

/** What became of a file of a queue. */
export interface QueueResult {
  readonly source: UploadSource
  /** Its name, with its path in the directory that it came with. */
  readonly name: string
  /** Where it was uploaded, now or by an earlier run of the same queue. */
  readonly file?: UploadedFile
  readonly error?: unknown
}

export interface QueueProgress extends Progress {
  readonly doneFiles: number
  readonly failedFiles: number
  /** Files found so far: directories are read while others are sent. */
  readonly totalFiles: number
  /** Whether all that was added has been read. */
  readonly isComplete: boolean
}

export interface QueueOptions extends Omit<UploadOptions, "fileName" | "onProgress" | "onState" | "key"> {
  /** Files that are sent at once. Default 4. */
  readonly files?: number
  /**
   * A name for the queue, with which the client's `store` keeps what it has sent: added again, as after a reload, the same
   * files are not sent again. `forget` ends that.
   */
  readonly name?: string
  readonly onProgress?: (progress: QueueProgress) => void
  readonly onFile?: (result: QueueResult) => void
}

export interface QueueSummary {
  readonly doneFiles: number
  readonly failedFiles: number
  readonly sentBytes: number
  /** The first thousand; `onFile` tells all. */
  readonly failures: ReadonlyArray<QueueResult>
}

export interface UploadQueue {
  /** Adds files and directories; a list may be endless, it is read as files are sent. */
  readonly add: (list: Iterable<QueueEntry> | AsyncIterable<QueueEntry> | FileList | DataTransfer) => void
  /** When everything that was added is done or has failed. It is never rejected, but by `cancel`. */
  readonly done: Promise<QueueSummary>
  readonly progress: QueueProgress
  readonly pause: () => void
  readonly resume: () => void
  /** Cancels what is being sent, and forgets what waits. */
  readonly cancel: () => Promise<void>
  /** Forgets what this queue's `name` has sent. */
  readonly forget: () => Promise<void>
}
