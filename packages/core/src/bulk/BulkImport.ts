/**
 * Bringing in many files at once whose bytes lie in storage already: for hosts
 * whose users have their files elsewhere today.
 *
 * Rows are recorded in batches, each in one transaction under the account's lock
 * by statements over the whole batch. While one is written the next is read, checked and, if requested, looked up in storage.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { fits } from "../accounts/Balance.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import { Quota } from "../accounts/Quota.ts"
import * as Pace from "../database/Pace.ts"
import * as StatementTime from "../database/StatementTime.ts"
import { FileBatches } from "../files/FileBatches.ts"
import { Folders } from "../organize/Folders.ts"
import { TagBatches } from "../organize/TagBatches.ts"
import { type Account, Accounts } from "../ports/Accounts.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { type InvalidField, Refused, type Unavailable } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { LeftUploads } from "../uploads/LeftUploads.ts"
import { type ImportedFile, prepare, type PreparedFile, wrong } from "./ImportedFile.ts"

/** Rows that are prepared together. */
const readSize = 1_000

/** Rows that are one transaction. Fewer would cost more in statements than they save in waiting. */
const written: Pace.Range = { least: 300, most: readSize }

/** Those of the first. */
const writtenFirst = 100

/** Rows that are read before others of this process continue. */
const turnSize = 10

/** Objects that storage is asked for at once. */
const looksAtOnce = 32

/** How far an import has come. Batches are kept whole, so an import that stops has done exactly this. */
export interface ImportProgress {
  /** Rows done, of which `recorded` are new files and `skipped` were recorded before. */
  readonly rows: number
  readonly recorded: number
  readonly skipped: number
  /** Bytes of the new files. */
  readonly bytes: number
}

export interface ImportOptions {
  /** Whether storage is asked for each object: that it is there, its size and etag. Default true. */
  readonly verify?: boolean
  /**
   * Whether metadata is extracted, in the background, from images, tracks and videos that come without `media`. Default true. Those
   * that come with it are recorded as the host gives it.
   */
  readonly extract?: boolean
  /** Told after each batch. */
  readonly onProgress?: (progress: ImportProgress) => Effect.Effect<void>
}

export class BulkImport extends Context.Service<BulkImport, {
  /**
   * Records the rows as private files of the caller's, in their order. Repeating is safe: a row whose `objectKey` is
   * recorded with its size is skipped. Memory is bounded however many there are.
   *
   * Stops at the first row it can't take, with the batch that holds it not recorded and those before it kept. Fails with
   * `InvalidField` naming it (`rows[1204].fileName`): `storage_limit_reached` when its batch does not fit the account as a
   * whole, `object_not_found` and `size_mismatch` by what storage says, `missing_field` without an etag where it is not
   * asked; with `Refused` for another user's `objectKey`, an account that may not store, a caller with limits.
   */
  readonly run: <E, R>(
    rows: Stream.Stream<ImportedFile, E, R>,
    options?: ImportOptions
  ) => Effect.Effect<ImportProgress, E | InvalidField | Refused | Unavailable, CurrentAccount | R>
}>()("@filedrive/core/bulk/BulkImport") {
  static readonly layer = Layer.effect(
    BulkImport,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const files = yield* FileBatches
      const leftUploads = yield* LeftUploads
      const folders = yield* Folders
      const transaction = yield* AccountTransaction
      const quota = yield* Quota
      const store = yield* ObjectStore
      const tags = yield* TagBatches

      /** The rows that are not files yet. Fails when a row is not what is recorded under its key, or has another file's object. */
      const missing = Effect.fnUntraced(function*(account: Account, rows: ReadonlyArray<PreparedFile>) {
        const known = yield* files.holders(account.id, rows)
        const byObjectKey = new Map(known.map((file) => [file.objectKey, file]))
        const byStoreKey = new Map(known.map((file) => [file.storeKey, file]))
        const fresh: Array<PreparedFile> = []
        for (const row of rows) {
          const there = byObjectKey.get(row.objectKey)
          if (there !== undefined) {
            if (there.sizeBytes === row.fileSize) continue
            const because = `a file of ${there.sizeBytes} bytes is recorded under this objectKey`
            return yield* wrong(row.index, "fileSize", because, "size_mismatch")
          }
          if (byStoreKey.has(row.storeKey)) {
            return yield* wrong(row.index, "storedAs", "must not be another file's object")
          }
          const file = { objectKey: row.objectKey, storeKey: row.storeKey, sizeBytes: row.fileSize }
          byObjectKey.set(row.objectKey, file)
          byStoreKey.set(row.storeKey, file)
          fresh.push(row)
        }
        return fresh
      })

      /** The row with the etag of its object. */
      const looked = Effect.fnUntraced(function*(row: PreparedFile) {
        const stored = Option.getOrUndefined(yield* store.head({ bucket: "private", key: row.storeKey }))
        if (stored === undefined) {
          const because = `nothing is stored in the private bucket at ${row.storeKey}`
          return yield* wrong(row.index, "storedAs", because, "object_not_found")
        }
        if (stored.sizeBytes !== row.fileSize) {
          return yield* wrong(row.index, "fileSize", `${stored.sizeBytes} bytes are stored`, "size_mismatch")
        }
        if (row.etag !== undefined && row.etag !== stored.etag) {
          return yield* wrong(row.index, "etag", `must be that of the stored bytes, ${stored.etag}`)
        }
        return { ...row, etag: stored.etag }
      })

      const read = Effect.fnUntraced(
        function*(account: Account, given: ReadonlyArray<ImportedFile>, start: number, verify: boolean) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const rows: Array<PreparedFile> = []
          for (const [at, row] of given.entries()) {
            rows.push(yield* Effect.fromResult(prepare(account.id, row, start + at, now)))
            // The answer to a statement of the batch before is not kept waiting.
            if (at % turnSize === 0) yield* Effect.yieldNow
          }
          if (!verify) {
            const bare = rows.find(({ etag }) => etag === undefined)
            return bare === undefined
              ? rows
              : yield* wrong(bare.index, "etag", "is missing, and storage is not asked for it", "missing_field")
          }
          // Of a repeated import only the new rows are looked up.
          const fresh = new Set(yield* missing(account, rows))
          return yield* Effect.forEach(rows, (row) => fresh.has(row) ? looked(row) : Effect.succeed(row), {
            concurrency: looksAtOnce
          })
        }
      )

      const write = Effect.fn("BulkImport.write")(
        function*(account: Account, rows: ReadonlyArray<PreparedFile>, extract: boolean, pace: Pace.Pace) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const { ended, ...written } = yield* transaction.run(account.id, (balance) =>
            pace.timed(
              Effect.gen(function*() {
                const fresh = yield* missing(account, rows)
                const [first] = fresh
                if (first === undefined) return { recorded: 0, bytes: 0, ended: undefined }
                const bytes = fresh.reduce((sum, { fileSize }) => sum + fileSize, 0)
                if (!fits(balance, account.quotaBytes, bytes)) {
                  const because =
                    `the account's storage limit would be passed by the ${fresh.length} files from this one on`
                  return yield* wrong(first.index, "fileSize", because, "storage_limit_reached")
                }
                const [folderIds, tagsByText] = yield* Effect.all([
                  folders.ensureAll(account.id, fresh.map(({ folderPath }) => folderPath)),
                  tags.ensure(account.id, fresh.flatMap(({ tagTexts }) => tagTexts))
                ], { concurrency: "unbounded" })
                const tagsOf = (row: PreparedFile) => row.tagTexts.map(({ folded }) => tagsByText.get(folded)!)
                yield* files.record(
                  account.id,
                  fresh.map((row) => ({
                    objectKey: row.objectKey,
                    storeKey: row.storeKey,
                    etag: row.etag!,
                    fileName: row.fileName,
                    type: row.type,
                    mimeType: row.mimeType,
                    sizeBytes: row.fileSize,
                    folderId: row.folderPath.length === 0 ? null : folderIds.get(FolderPath.fold(row.folderPath))!,
                    description: row.description || null,
                    insertTime: row.insertTime ?? now,
                    media: row.media,
                    extractDue: extract && row.media === null,
                    tags: tagsOf(row)
                  })),
                  (ids) => tags.attach(account.id, ids.map((id, at) => ({ id, tags: tagsOf(fresh[at]!) })))
                )
                yield* quota.add(account.id, { usedBytes: bytes })
                const ended = yield* leftUploads.end(account.id, fresh.map(({ objectKey }) => objectKey))
                return { recorded: fresh.length, bytes, ended }
              }),
              () => rows.length
            ))
          if (ended !== undefined) yield* leftUploads.clear(account.id, ended)
          return written
        }
      )

      const run = Effect.fn("BulkImport.run")(function*<E, R>(
        rows: Stream.Stream<ImportedFile, E, R>,
        { extract = true, onProgress = () => Effect.void, verify = true }: ImportOptions = {}
      ) {
        const { id, limits } = yield* allowed("add")
        if (limits.folderId !== null) {
          return yield* new Refused({
            code: "token_limit",
            because: "An import needs the whole drive, not one folder."
          })
        }
        // Asked for each batch: a plan may end while an import runs.
        const storing = Plan.storing(accounts, id)
        yield* storing
        const pace = Pace.make(written, writtenFirst)
        const none: ImportProgress = { rows: 0, recorded: 0, skipped: 0, bytes: 0 }
        return yield* rows.pipe(
          Stream.grouped(readSize),
          Stream.mapAccum(() => 0, (start, batch) => [start + batch.length, [{ start, batch }]]),
          Stream.mapEffect(({ batch, start }) =>
            Effect.flatMap(
              storing,
              (account) =>
                Effect.map(StatementTime.patiently(read(account, batch, start, verify)), (rows) => ({ account, rows }))
            )
          ),
          // The next batch is prepared while this one is written.
          Stream.buffer({ capacity: 1 }),
          Stream.runFoldEffect(() => none, (done, { account, rows }) =>
            Effect.gen(function*() {
              let progress = done
              for (let at = 0; at < rows.length;) {
                const batch = rows.slice(at, at + pace.size())
                at += batch.length
                const { bytes, recorded } = yield* StatementTime.patiently(write(account, batch, extract, pace))
                progress = {
                  rows: progress.rows + batch.length,
                  recorded: progress.recorded + recorded,
                  skipped: progress.skipped + batch.length - recorded,
                  bytes: progress.bytes + bytes
                }
                yield* onProgress(progress)
              }
              return progress
            }))
        )
      })

      return BulkImport.of({ run })
    })
  )
}
