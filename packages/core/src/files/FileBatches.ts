/** Files that are recorded many at a time, with all that is known of them. */
import { Context, DateTime, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Catalog } from "../catalog/Catalog.ts"
import type { KnownSearchableFile } from "../catalog/SearchIndex.ts"
import * as Pipeline from "../database/Pipeline.ts"
import { Events } from "../events/Events.ts"
import * as MediaFact from "../facts/MediaFact.ts"
import * as PendingDeletion from "../objects/PendingDeletion.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { type AccountId, FileId, type FolderId } from "../shared/Ids.ts"
import { Waits } from "../waits/Waits.ts"
import { FileBatchesRepo } from "./FileBatchesRepo.ts"
import { MediaFactsRepo } from "./MediaFactsRepo.ts"
import { metadataJob } from "./MetadataJob.ts"
import { type KeyHolder, type KnownFile, type NewFile, statusAtFirst } from "./NewFile.ts"

export class FileBatches extends Context.Service<FileBatches, {
  /** The account's files, in trash or not, that have one of these object keys or these objects. */
  readonly holders: (
    accountId: AccountId,
    keys: ReadonlyArray<Pick<KeyHolder, "objectKey" | "storeKey">>
  ) => Effect.Effect<ReadonlyArray<KeyHolder>>

  /**
   * Records private files, adopts their objects, queues them for extraction and appends them to the feed; `complete` adds the tags they come with. The
   * caller charges the account and has made sure that their keys are free.
   *
   * Only inside `AccountTransaction.run`. Fails with `Unavailable` when the removal of one of the objects has begun.
   */
  readonly record: <E, R>(
    accountId: AccountId,
    files: ReadonlyArray<KnownFile>,
    complete: (ids: ReadonlyArray<FileId>) => Effect.Effect<void, E, R>
  ) => Effect.Effect<ReadonlyArray<FileId>, Unavailable | E, R>

  /**
   * Records private files in the same way, inserted now, of objects that were listed for deletion. When a file's folder was deleted
   * during the upload, the file is at the top of the drive. The caller charges the account and has checked that the keys are free.
   *
   * Only inside `AccountTransaction.run`. Fails with `Unavailable` when the removal of one of the objects has begun; then its bytes must be stored again.
   */
  readonly recordNew: (
    accountId: AccountId,
    files: ReadonlyArray<NewFile>
  ) => Effect.Effect<ReadonlyArray<FileId>, Unavailable>
}>()("@filedrive/core/files/FileBatches") {
  static readonly layerNoDeps = Layer.effect(
    FileBatches,
    Effect.gen(function*() {
      const repo = yield* FileBatchesRepo
      const facts = yield* MediaFactsRepo
      const catalog = yield* Catalog
      const waits = yield* Waits
      const deletions = yield* PendingDeletions
      const events = yield* Events
      const extractions = yield* metadataJob.queue
      const random = yield* SecureRandom.SecureRandom

      const adopt = Effect.fnUntraced(function*(accountId: AccountId, files: ReadonlyArray<KnownFile>) {
        const going = yield* deletions.adopt(
          accountId,
          files.map(({ storeKey }) => PendingDeletion.ofObject(StoreKey.inPrivate(storeKey)))
        )
        if (going.length === 0) return
        return yield* beingRemoved(going[0]!.storeKey)
      })

      /** Records files, after their objects were adopted. */
      const insertAll = Effect.fnUntraced(function*<E, R>(
        accountId: AccountId,
        files: ReadonlyArray<KnownFile>,
        complete: (ids: ReadonlyArray<FileId>) => Effect.Effect<void, E, R>
      ) {
        if (files.length === 0) return []
        const rows: Array<KnownFile & { readonly id: FileId }> = []
        for (const file of files) rows.push({ ...file, id: FileId.make(yield* random.uuidV7()) })
        const ids = rows.map(({ id }) => id)
        // One statement at a time runs; meanwhile the next ones are prepared.
        const insert = Effect.gen(function*() {
          const inserted = yield* Effect.forkChild(Pipeline.unawaited(repo.insert(accountId, rows)), {
            startImmediately: true
          })
          const media = rows.flatMap(({ id, media }) => media === null ? [] : [{ ...media, fileId: id }])
          const insertMedia = media.length === 0 ? Effect.void : facts.insert(accountId, media)
          yield* Fiber.join(inserted)
          yield* Effect.all([insertMedia, complete(ids)], { concurrency: "unbounded", discard: true })
        })
        const append = events.append(
          accountId,
          rows.filter(({ isDelivered }) => isDelivered !== true).map(({ fileName, folderId, id, type }) => ({
            kind: "file",
            folderId,
            fileId: id,
            payload: { file: { id, type, fileName } }
          }))
        )
        yield* catalog.whileAdding(
          accountId,
          rows.map(known),
          Effect.all([insert, append], { concurrency: "unbounded", discard: true })
        )
        yield* waits.onArrived(accountId, rows)
        const pending = rows.filter((row) => statusAtFirst(row) === "pending")
        if (pending.length > 0) yield* extractions.enqueueAll(pending.map(({ id }) => ({ accountId, fileId: id })))
        return ids
      })

      const record: FileBatches["Service"]["record"] = (accountId, files, complete) =>
        Effect.andThen(adopt(accountId, files), insertAll(accountId, files, complete))

      const recordNew = Effect.fn("FileBatches.recordNew")(
        function*(accountId: AccountId, files: ReadonlyArray<NewFile>) {
          const listed = files.map(({ storeKey }) => PendingDeletion.ofObject(StoreKey.inPrivate(storeKey)))
          // Where delivered files go was found in this transaction.
          const unsure = files.filter(({ isDelivered }) => isDelivered !== true)
          const folderIds = [...new Set(unsure.flatMap(({ folderId }) => folderId ?? []))]
          const folders = folderIds.length === 0 ? new Set<FolderId>() : yield* repo.folders(accountId, folderIds)
          const insertTime = DateTime.toDateUtc(yield* DateTime.now)
          const described = files.map((file) => ({
            ...file,
            folderId: file.folderId !== null && (file.isDelivered === true || folders.has(file.folderId))
              ? file.folderId
              : null,
            description: file.description ?? null,
            insertTime,
            media: null,
            extractDue: true,
            tags: []
          }))
          const [adopted, ids] = yield* Effect.all([
            deletions.cancelAll(accountId, listed),
            insertAll(accountId, described, () => Effect.void)
          ], { concurrency: "unbounded" })
          const keys = new Set(adopted.map(({ storeKey }) => storeKey))
          const gone = files.find(({ storeKey }) => !keys.has(storeKey))
          // The transaction is rolled back then.
          return gone === undefined ? ids : yield* beingRemoved(gone.storeKey)
        }
      )

      return FileBatches.of({
        holders: (accountId, keys) =>
          repo.holders(accountId, keys.map(({ objectKey }) => objectKey), keys.map(({ storeKey }) => storeKey)),
        record,
        recordNew
      })
    })
  )
}

const beingRemoved = (storeKey: string) =>
  new Unavailable({ code: "storage_unavailable", cause: new Error(`the object ${storeKey} is being removed`) })

const known = (file: KnownFile & { readonly id: FileId }): KnownSearchableFile => ({
  id: file.id,
  insertTime: file.insertTime,
  type: file.type,
  isPublic: false,
  sizeBytes: file.sizeBytes,
  fileName: file.fileName,
  description: file.description,
  folderId: file.folderId,
  tags: file.tags,
  ...(file.media ?? MediaFact.unknown)
})
