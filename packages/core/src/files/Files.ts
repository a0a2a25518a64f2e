/**
 * Files as the other features record and find them.
 *
 * Callers' operations on a file are beside it: {@link "./Downloads.ts"},
 * {@link "./FileDetails.ts"}, {@link "./FileAccess.ts"} and {@link "./Trash.ts"}.
 */
import { Context, DateTime, Effect, Layer, type Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { Events } from "../events/Events.ts"
import { NewObjects } from "../objects/NewObjects.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { type AccountId, FileId, type FolderId, onceEach } from "../shared/Ids.ts"
import { FilesRepo } from "./FilesRepo.ts"
import * as MetadataJob from "./MetadataJob.ts"
import type { CheckedKeyHolder, NewFile } from "./NewFile.ts"
import type { ObjectKey } from "./ObjectKey.ts"
import type { StoredFile } from "./StoredFile.ts"

export class Files extends Context.Service<Files, {
  /**
   * Records a private file, inserted now, adopts its object, queues its extraction and
   * appends it to the feed. The caller charges the account for it.
   *
   * Only inside `AccountTransaction.run`. Fails with `Unavailable` when the object's
   * removal has begun; then the bytes must be stored again.
   */
  readonly record: (file: NewFile) => Effect.Effect<FileId, Unavailable>

  /** Sets the folder of files of the account, in trash or not; null is the top of the drive. Only inside `AccountTransaction.run`. */
  readonly move: (accountId: AccountId, ids: ReadonlyArray<FileId>, folderId: FolderId | null) => Effect.Effect<void>

  /**
   * Those of the ids that are files of the account's and within the limits, in trash or not; each once, in the order
   * asked. Inside `AccountTransaction.run` that can't change.
   */
  readonly own: (
    accountId: AccountId,
    limits: Limits,
    ids: ReadonlyArray<FileId>
  ) => Effect.Effect<ReadonlyArray<FileId>>

  /** The account's file of this key, in trash or not. */
  readonly findByObjectKey: (accountId: AccountId, objectKey: ObjectKey) => Effect.Effect<Option.Option<StoredFile>>

  /** The same, with whether a call with these limits may be told of it. */
  readonly findHolder: (
    accountId: AccountId,
    limits: Limits,
    objectKey: ObjectKey
  ) => Effect.Effect<Option.Option<CheckedKeyHolder>>
}>()("@filedrive/core/files/Files") {
  static readonly layerNoDeps = Layer.effect(
    Files,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const catalog = yield* Catalog
      const events = yield* Events
      const extractions = yield* MetadataJob.metadataJob.queue
      const newObjects = yield* NewObjects
      const random = yield* SecureRandom.SecureRandom

      const record = Effect.fn("Files.record")(function*(file: NewFile) {
        yield* newObjects.adopt(file.accountId, StoreKey.inPrivate(file.storeKey))
        const id = FileId.make(yield* random.uuidV7())
        yield* repo.insert({ ...file, id, insertTime: DateTime.toDateUtc(yield* DateTime.now) })
        yield* catalog.onAdded(file.accountId, [id])
        const { fileName, folderId, type } = file
        if (MetadataJob.isOf(type)) yield* extractions.enqueue({ accountId: file.accountId, fileId: id })
        yield* events.append(file.accountId, [
          { kind: "file", folderId, fileId: id, payload: { file: { id, type, fileName } } }
        ])
        return id
      })

      const move = (accountId: AccountId, ids: ReadonlyArray<FileId>, folderId: FolderId | null) =>
        catalog.whileMoving(accountId, ids, repo.setFolder(accountId, ids, folderId))

      const own = Effect.fnUntraced(function*(accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) {
        const named = onceEach(ids)
        const found = new Set(yield* repo.own(accountId, limits, named))
        return named.filter((id) => found.has(id))
      })

      return Files.of({ record, move, own, findByObjectKey: repo.findByObjectKey, findHolder: repo.findHolder })
    })
  )
}
