/**
 * Files as the other features record and find them.
 *
 * Callers' operations on a file are beside it: {@link "./Downloads.ts"},
 * {@link "./FileDetails.ts"}, {@link "./FileAccess.ts"} and {@link "./Trash.ts"}.
 */
import { Context, Effect, Layer, type Option } from "effect"
import { type Limits, unlimited } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { type AccountId, type FileId, type FolderId, onceEach } from "../shared/Ids.ts"
import { Waits } from "../waits/Waits.ts"
import { FileBatches } from "./FileBatches.ts"
import { FilesRepo } from "./FilesRepo.ts"
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

  /** A file of the account's (no derivative), in trash or not. */
  readonly find: (accountId: AccountId, id: FileId) => Effect.Effect<Option.Option<StoredFile>>

  /** The account's file of this key, in trash or not. */
  readonly findByObjectKey: (accountId: AccountId, objectKey: ObjectKey) => Effect.Effect<Option.Option<StoredFile>>

  /** The account's files with these keys, and for each whether a call with these limits may know of it. */
  readonly findHolders: (
    accountId: AccountId,
    limits: Limits,
    objectKeys: ReadonlyArray<ObjectKey>
  ) => Effect.Effect<ReadonlyArray<CheckedKeyHolder>>
}>()("@filedrive/core/files/Files") {
  static readonly layerNoDeps = Layer.effect(
    Files,
    Effect.gen(function*() {
      const repo = yield* FilesRepo
      const batches = yield* FileBatches
      const catalog = yield* Catalog
      const waits = yield* Waits

      const record: Files["Service"]["record"] = (file) =>
        Effect.map(batches.recordNew(file.accountId, [file]), ([id]) => id!)

      const move = (accountId: AccountId, ids: ReadonlyArray<FileId>, folderId: FolderId | null) =>
        Effect.tap(
          catalog.whileMoving(accountId, ids, repo.setFolder(accountId, ids, folderId)),
          () => waits.onMoved(accountId, ids)
        )

      const own = Effect.fnUntraced(function*(accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) {
        const named = onceEach(ids)
        const found = new Set(yield* repo.own(accountId, limits, named))
        return named.filter((id) => found.has(id))
      })

      return Files.of({
        record,
        move,
        own,
        find: (accountId, id) => repo.find(accountId, unlimited, id),
        findByObjectKey: repo.findByObjectKey,
        findHolders: repo.findHolders
      })
    })
  )
}
