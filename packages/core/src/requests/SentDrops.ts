/** Drops as the owner of their request sees them. Spec: "Other resources", Drop. */
import { Context, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import type { Limits } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { DroppedFile } from "../events/DriveEvent.ts"
import type { AccountId, DropId, FileId, RequestId } from "../shared/Ids.ts"
import type { ListedDrop } from "./Drop.ts"
import { SentDropsRepo } from "./SentDropsRepo.ts"

/** What was sent to a request. */
export interface Received {
  /** Newest first; without those that have sent nothing. */
  readonly drops: ReadonlyArray<ListedDrop>
  /** Bytes of all its files that are still in the drive, listed or not. */
  readonly receivedBytes: number
}

export interface ListBounds {
  /** The newest drops of each request. */
  readonly dropsPerRequest: number
  /** Files of all these drops together, those of the newest drops first. */
  readonly files: number
}

export class SentDrops extends Context.Service<SentDrops, {
  /**
   * What was sent to each of these requests of the account's, in the same order. Files in trash are not listed, nor counted, nor are those
   * that were moved to where the call sees none.
   */
  readonly received: (
    accountId: AccountId,
    limits: Limits,
    requestIds: ReadonlyArray<RequestId>,
    bounds: ListBounds
  ) => Effect.Effect<ReadonlyArray<Received>>

  /** Notes that the owner has looked at drops. Returns those of the ids that are the account's. Repeating changes nothing. */
  readonly markViewed: (accountId: AccountId, dropIds: ReadonlyArray<DropId>) => Effect.Effect<ReadonlyArray<DropId>>

  /** The same for the drop that a file came in, when its owner opens the file. For any other file it does nothing. */
  readonly onFileOpened: (accountId: AccountId, fileId: FileId) => Effect.Effect<void>
}>()("@filedrive/core/requests/SentDrops") {
  static readonly layerNoDeps = Layer.effect(
    SentDrops,
    Effect.gen(function*() {
      const repo = yield* SentDropsRepo
      const transaction = yield* AccountTransaction

      const received: SentDrops["Service"]["received"] = Effect.fn("SentDrops.received")(
        function*(accountId, limits, requestIds, bounds) {
          if (requestIds.length === 0) return []
          const [drops, bytes] = yield* Effect.all([
            repo.drops(accountId, requestIds, bounds.dropsPerRequest),
            repo.receivedBytes(accountId, limits, requestIds)
          ], { concurrency: "unbounded" })
          const files = yield* repo.files(accountId, limits, drops.map(({ id }) => id), bounds.files)
          const filesOf = Map.groupBy(files, ({ dropId }) => dropId)
          const dropsOf = Map.groupBy(drops, ({ requestId }) => requestId)
          return requestIds.map((id) => ({
            drops: (dropsOf.get(id) ?? []).map((drop) => ({
              ...drop,
              files: (filesOf.get(drop.id) ?? []).map(fileOf)
            })),
            receivedBytes: bytes.get(id) ?? 0
          }))
        }
      )

      const markViewed: SentDrops["Service"]["markViewed"] = Effect.fn("SentDrops.markViewed")(
        (accountId, dropIds) => transaction.share(accountId, () => repo.markViewed(accountId, dropIds)),
        WritePurpose.serving
      )

      const onFileOpened: SentDrops["Service"]["onFileOpened"] = Effect.fn("SentDrops.onFileOpened")(
        function*(accountId, fileId) {
          const dropId = yield* repo.unviewedOf(accountId, fileId)
          if (dropId !== undefined) yield* markViewed(accountId, [dropId])
        }
      )

      return SentDrops.of({ received, markViewed, onFileOpened })
    })
  )
}

const fileOf = ({ fileName, fileSize, id, mimeType, type }: DroppedFile): DroppedFile => ({
  id,
  type,
  fileName,
  fileSize,
  mimeType
})
