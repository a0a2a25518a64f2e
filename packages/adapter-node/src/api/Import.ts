/** Bringing in many files at once whose bytes lie in storage already. */
import { BulkImport, type ImportedFile, type ImportProgress } from "@filedrive/core"
import { Effect, Stream } from "effect"
import type { Call } from "./Call.ts"

export interface ImportManyOptions {
  /** Whether storage is asked for each object: that it is there, its size and etag. Default true; else each row needs an `etag`. */
  readonly verify?: boolean
  /** Whether images, tracks and videos that come without `media` are looked into, in the background. Default true. */
  readonly extract?: boolean
  /** Told after each batch of rows; the next is written when it has ended. */
  readonly onProgress?: (progress: ImportProgress) => void | Promise<void>
}

export interface ImportApi {
  /**
   * Records files whose bytes the host has put into the private bucket, at `imported/{userId}/{storedAs}`, with all that is
   * known of them: when they came, folder, tags, what is inside. Thousands a second, in batches that each are kept whole;
   * for any number of rows in little memory. Repeating is safe: what is recorded is skipped.
   *
   * Rejects with the drive's error for the first row it can't take (`rows[1204].fileName`); batches before it are kept, and
   * `onProgress` has told of them.
   */
  readonly importMany: (
    rows: Iterable<ImportedFile> | AsyncIterable<ImportedFile>,
    options?: ImportManyOptions
  ) => Promise<ImportProgress>
}

/** What the host's own rows or callback threw, handed back to it as it is. */
class HostFailed {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

export const importApi = (call: Call): ImportApi => ({
  importMany: async (rows, { extract, onProgress, verify }: ImportManyOptions = {}) => {
    const told = (progress: ImportProgress) =>
      onProgress === undefined ? Effect.void : Effect.promise(async () => onProgress(progress))
    const stream = Symbol.asyncIterator in rows
      ? Stream.fromAsyncIterable(rows, (cause) => new HostFailed(cause))
      : Stream.fromIterable(rows)
    return call(
      Effect.flatMap(
        BulkImport,
        (bulk) =>
          bulk.run(stream, {
            onProgress: told,
            ...(verify === undefined ? {} : { verify }),
            ...(extract === undefined ? {} : { extract })
          })
      ).pipe(
        Effect.catchIf(
          (error): error is HostFailed => error instanceof HostFailed,
          ({ cause }) => Effect.die(cause)
        )
      )
    )
  }
})
