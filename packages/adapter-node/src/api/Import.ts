/** Bringing in many files at once whose bytes lie in storage already. */
import { BulkImport, type ImportedFile, type ImportProgress } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { type Call, object, wrong } from "./Call.ts"

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

const isRows = (given: unknown): boolean =>
  typeof given === "object" && given !== null && (Symbol.asyncIterator in given || Symbol.iterator in given)

const checkedOptions = (given: ImportManyOptions): ImportManyOptions => {
  const options = object(given)
  for (const name of ["verify", "extract"] as const) {
    if (!["undefined", "boolean"].includes(typeof options[name])) throw wrong(name, "must be true or false")
  }
  if (!["undefined", "function"].includes(typeof options.onProgress)) throw wrong("onProgress", "must be a function")
  return options
}

/** What the host's own rows or callback threw, handed back to it as it is. */
class HostFailed {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

export const importApi = (call: Call): ImportApi => ({
  importMany: async (rows, options: ImportManyOptions = {}) => {
    const { extract, onProgress, verify } = checkedOptions(options)
    if (!isRows(rows)) throw wrong("rows", "must be a list, or an iterable of rows")
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
