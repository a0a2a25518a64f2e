/** Many files, few at a time. */
import type { Progress, Upload, UploadedFile, UploadOptions, UploadSource } from "./Upload.ts"

/** A file of a queue with options of its own. */
export interface QueueItem extends Omit<UploadOptions, "onProgress" | "onState" | "signal" | "parallel"> {
  readonly source: UploadSource
}

/** A directory: its files are uploaded into folders of the same names. In Node, Deno and Bun its path is. */
export interface Directory {
  readonly directory: string | FileSystemDirectoryHandle | FileSystemDirectoryEntry
}

export type QueueEntry = UploadSource | QueueItem | Directory | FileSystemHandle | FileSystemEntry | DataTransferItem

/** What a queue is given: one file or directory, or many of them. */
export type QueueList = QueueEntry | Iterable<QueueEntry> | AsyncIterable<QueueEntry> | FileList | DataTransfer

/** What became of a file of a queue. */
export interface QueueResult {
  readonly source: UploadSource
  /** Its name, with its path in the directory that it came with; `list[3]` of an entry that is not a file. */
  readonly name: string
  /** Where it was uploaded, now or by an earlier run of the same queue. */
  readonly file?: UploadedFile | undefined
  readonly error?: unknown
}

/**
 * A file of a queue: the same object from its beginning to its end. By its upload it is paused (another one takes its place), retried, or
 * taken out of the queue: one that is cancelled counts as neither done nor failed.
 */
export interface QueueFile extends QueueResult {
  /** None of what could not be begun, since it is not a file, nor of a failure behind the first thousand that has given its bytes back. */
  readonly upload?: Upload | undefined
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
  /** A file is done, or has failed. */
  readonly onFile?: (file: QueueFile) => void
  /** A file has begun, has sent more (at most ten times a second), or its state is another one. */
  readonly onChange?: (file: QueueFile) => void
}

export interface QueueSummary {
  readonly doneFiles: number
  readonly failedFiles: number
  readonly sentBytes: number
  /** The first thousand; `onFile` tells all. */
  readonly failures: ReadonlyArray<QueueFile>
}

export interface UploadQueue {
  /**
   * Adds a file or a directory, or a list of them, which may be endless: it is read as files are sent. Throws `invalid_option` for anything
   * else. What is neither inside of a list fails as a file does, and stops no other. Null, as a field of a page may have, adds nothing.
   */
  readonly add: (list: QueueList | null) => void
  /**
   * When everything that was added is done or has failed; at once while nothing was. Ask for it after `add`: what is added to a queue that is
   * done is another promise. It is never rejected, but by `cancel`.
   */
  readonly done: Promise<QueueSummary>
  readonly progress: QueueProgress
  /** Those under way or waiting to be tried again, and then those that have failed, of which there are a thousand at most. */
  readonly files: ReadonlyArray<QueueFile>
  readonly pause: () => void
  readonly resume: () => void
  /** Cancels what is being sent and what has failed, and forgets what waits. */
  readonly cancel: () => Promise<void>
  /** Forgets what this queue's `name` has sent. Fails if the store does. */
  readonly forget: () => Promise<void>
}
