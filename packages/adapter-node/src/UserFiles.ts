/** A host's operations on files that JSON can't express: bytes, and lists of any length. */
import {
  BulkImport,
  Callers,
  Choice,
  CurrentAccount,
  Downloads,
  Extraction,
  type FileRecord,
  FolderPath,
  Given,
  HostFile,
  HostUploads,
  Ids,
  type ImportedFile,
  type ImportProgress,
  Library
} from "@filedrive/core"
import { Effect, Schema, Stream } from "effect"
import { exactObject } from "./arguments.ts"
import { refuse } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import { type FileSource, openSource } from "./FileSource.ts"
import { abandon, type HostFailed, hostFailed, hostsOwn, hostsRows, isAsyncIterable, isIterable } from "./HostFailed.ts"
import { iterate, type Run, toldByStream } from "./Run.ts"

export interface PutOptions {
  /** Default: the last part of the path. Needed for bytes and streams. */
  readonly fileName?: string
  /** Bytes that a stream has. Of other sources it is known. */
  readonly fileSize?: number
  /** Default: detected from the bytes. */
  readonly mimeType?: string
  /** Path of the folder, whose missing parents are made. Default: the top of the drive, or the folder of the call's limits. */
  readonly folder?: string
  /** Id of the folder, instead of its path. */
  readonly folderId?: string | null
}

/** Bytes of a file, from the first to the last one; both are included. */
export interface FileRange {
  readonly start: number
  readonly end: number
}

export interface OpenedFile {
  readonly fileName: string
  readonly mimeType: string
  /** Of the whole file. */
  readonly fileSize: number
  /** The file, or the range that was asked for; it is opened when it is first read. It fails with a `DriveError` when storage does. */
  readonly stream: ReadableStream<Uint8Array>
}

export interface ImportManyOptions {
  /** Whether storage is asked for each object: that it is there, its size and etag. Default true; else each row needs an `etag`. */
  readonly verify?: boolean
  /** Whether metadata of images, tracks and videos that come without `media` is extracted, in the background. Default true. */
  readonly extract?: boolean
  /** Called after each batch of rows; the next is written when it has ended. */
  readonly onProgress?: (progress: ImportProgress) => void | Promise<void>
}

export interface UserFiles {
  /**
   * Stores a file and returns its id. Memory stays small whatever its size; a call that fails or is interrupted leaves no file.
   * Rejects with `size_mismatch` when a stream does not have `fileSize` bytes.
   */
  readonly put: (source: FileSource, options?: PutOptions) => Promise<{ readonly id: string }>
  /** Opens a file that the user sees, as `/generate-download-url` lets them; a range has both its ends. */
  readonly get: (id: string, range?: FileRange) => Promise<OpenedFile>
  /**
   * `/select-user-files`, one after the other: a library of any size takes little memory. It fails with `unavailable` when
   * the drive is closed before its end.
   */
  readonly list: () => AsyncIterable<FileRecord>
  /** `/select-trashed-files`, likewise. */
  readonly listTrash: () => AsyncIterable<FileRecord>
  /**
   * Records files whose bytes the host has put into the private bucket, at `imported/{userId}/{storedAs}`, with all that is
   * known of them: when they came, folder, tags, metadata. Thousands a second, in batches that each are kept whole;
   * for any number of rows in little memory. Repeating is safe: what is recorded is skipped.
   *
   * Rejects with the drive's error for the first row it can't take (`rows[1204].fileName`); batches before it are kept, and
   * `onProgress` was called for them.
   */
  readonly importMany: (
    rows: Iterable<ImportedFile> | AsyncIterable<ImportedFile>,
    options?: ImportManyOptions
  ) => Promise<ImportProgress>
  /**
   * Queues files for another extraction of their metadata, as after ffmpeg was installed; what is known of them stays until
   * then. Returns how many were queued: texts and the like are skipped.
   */
  readonly reextract: (ids: ReadonlyArray<string>) => Promise<number>
}

const optional = <const Name extends string, A>(name: Name, value: A | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: A }

const putNames = ["fileName", "fileSize", "mimeType", "folder", "folderId"] as const
const importNames = ["verify", "extract", "onProgress"] as const

const importOptions = (given: ImportManyOptions): ImportManyOptions => {
  const options = exactObject(given, "options", importNames)
  for (const name of ["verify", "extract"] as const) {
    if (!["undefined", "boolean"].includes(typeof options[name])) refuse(name, "must be true or false")
  }
  if (!["undefined", "function"].includes(typeof options.onProgress)) refuse("onProgress", "must be a function")
  return options
}

const readDestination = Given.checkingExactly(
  Schema.Struct({
    folder: Schema.optionalKey(FolderPath.Path),
    folderId: Schema.optionalKey(Schema.NullOr(Ids.FolderId))
  })
)

const readFile = Given.checking(HostFile)

const readRange = Given.checkingExactly(
  Schema.Struct({ range: Schema.optionalKey(Schema.Struct({ start: Schema.Number, end: Schema.Number })) })
)

const FileRef = Schema.Struct({ id: Ids.FileId })
const readRef = Given.checking(FileRef)
const readRefs = Given.checking(Schema.Array(FileRef).check(Schema.isMinLength(1)))

const destination = (given: unknown) => Effect.flatMap(readDestination(given), Choice.destinationOf)

/** A stream that opens nothing until it is read: nobody would ever close what a host leaves unread. */
const readLater = (open: () => ReadableStream<Uint8Array>): ReadableStream<Uint8Array> => {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      reader ??= open().getReader()
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader?.cancel(reason)
  }, { highWaterMark: 0 })
}

export const userFiles = (run: Run, caller: CurrentAccount.CurrentAccount["Service"]): UserFiles => {
  const asCaller = <A, E>(effect: Effect.Effect<A, E, DriveServices | CurrentAccount.CurrentAccount>) =>
    Callers.use(({ check }) => check(caller)).pipe(
      Effect.andThen(effect),
      Effect.provideService(CurrentAccount.CurrentAccount, caller)
    )

  const call = <A, E>(effect: Effect.Effect<A, E | HostFailed, DriveServices | CurrentAccount.CurrentAccount>) =>
    run(asCaller(effect))

  /** What a call takes that fails is ended. */
  const taking = async <A>(given: unknown, work: () => Promise<A>): Promise<A> => {
    try {
      return await work()
    } catch (error) {
      void abandon(given)
      throw error
    }
  }

  const list = (scope: "files" | "trash"): AsyncIterable<FileRecord> =>
    iterate(run, {
      open: asCaller(Library.use((library) => library.list(scope))),
      valuesOf: (page) => page,
      whenClosed: "fails"
    })

  return {
    put: (source, options = {}) =>
      taking(source, async () => {
        const { fileName, fileSize, mimeType, ...to } = exactObject(options, "options", putNames)
        const put = Effect.gen(function*() {
          const uploads = yield* HostUploads
          // Opened within the call, so that closing the drive waits for it.
          const bytes = yield* Effect.tryPromise({ try: () => openSource(source), catch: hostFailed })
          if (fileSize !== undefined && bytes.fileSize !== undefined && fileSize !== bytes.fileSize) {
            refuse("fileSize", `must be left out, or ${bytes.fileSize}`)
          }
          const file = {
            fileName: fileName ?? bytes.fileName ?? refuse("fileName", "must be given"),
            fileSize: fileSize ?? bytes.fileSize ?? refuse("fileSize", "must be given for a stream"),
            ...optional("mimeType", mimeType)
          }
          const folder = yield* destination(to)
          return { id: yield* uploads.put(yield* readFile(file), bytes.body, folder) }
        })
        return call(put)
      }),
    get: async (id, range) => {
      const { context, opened } = await call(
        Effect.all({
          opened: Effect.flatMap(
            Effect.all([readRef({ id }), readRange({ range })]),
            ([file, { range }]) => Downloads.use((downloads) => downloads.open(file.id, range))
          ),
          context: Effect.context<DriveServices>()
        })
      )
      const bytes = toldByStream(opened.bytes)
      return {
        fileName: opened.fileName,
        mimeType: opened.mimeType,
        fileSize: opened.sizeBytes,
        stream: readLater(() => Stream.toReadableStreamWith(bytes, context))
      }
    },
    list: () => list("files"),
    listTrash: () => list("trash"),
    importMany: (rows, options = {}) =>
      taking(rows, async () => {
        const { extract, onProgress, verify } = importOptions(options)
        const stream = isAsyncIterable(rows)
          ? Stream.fromAsyncIterable(hostsOwn(rows), hostFailed)
          : isIterable(rows)
          ? Stream.fromIterable(hostsRows(rows))
          : refuse("rows", "must be a list, or an iterable of rows")
        return call(
          BulkImport.use((bulk) =>
            bulk.run(stream, {
              onProgress: (progress) =>
                onProgress === undefined
                  ? Effect.void
                  : Effect.orDie(Effect.tryPromise({ try: async () => onProgress(progress), catch: hostFailed })),
              ...optional("verify", verify),
              ...optional("extract", extract)
            })
          )
        )
      }),
    reextract: async (ids) => {
      // A list may claim any length, which is compared before it is copied.
      if (Array.isArray(ids) && ids.length > Given.entriesMaxCount) {
        refuse("", `must have at most ${Given.entriesMaxCount} items`)
      }
      return call(
        // There is no such route; its files are named as those to be restored are.
        Effect.flatMap(
          readRefs(Array.isArray(ids) ? ids.map((id) => ({ id })) : ids),
          (files) => Extraction.use((extraction) => extraction.request(files.map(({ id }) => id)))
        )
      )
    }
  }
}
