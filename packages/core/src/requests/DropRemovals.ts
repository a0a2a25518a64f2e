/** Files that senders take back. Contract: `/remove-drop-file`. */
import { Context, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Trash } from "../files/Trash.ts"
import type { InvalidField, Refused } from "../shared/DriveError.ts"
import type { FileId } from "../shared/Ids.ts"
import type { Drop, RemovedFile } from "./Drop.ts"
import { DropsRepo } from "./DropsRepo.ts"
import * as DropState from "./DropState.ts"

const batch = 200

export class DropRemovals extends Context.Service<DropRemovals, {
  /** Deletes a file of a drop for good; false when the drop has no such file, or is finished. */
  readonly remove: (drop: Drop, fileId: FileId) => Effect.Effect<boolean, InvalidField | Refused>

  /** Deletes what calls that have ended on the way left, of any account; for the job. */
  readonly sweep: Effect.Effect<void, InvalidField | Refused>
}>()("@filedrive/core/requests/DropRemovals") {
  static readonly layerNoDeps = Layer.effect(
    DropRemovals,
    Effect.gen(function*() {
      const repo = yield* DropsRepo
      const transaction = yield* AccountTransaction
      const trash = yield* Trash

      /** The file goes after it was taken out of the drop, so that no event names it; its row stays until then. */
      const complete = Effect.fnUntraced(function*({ accountId, dropId, fileId }: RemovedFile) {
        yield* Effect.provideService(trash.delete([fileId]), CurrentAccount, {
          id: accountId,
          tokenId: null,
          limits: unlimited
        })
        yield* transaction.share(accountId, () => repo.forgetRemoved({ accountId, dropId, fileId }))
      })

      const remove = Effect.fn("DropRemovals.remove")(function*(drop: Drop, fileId: FileId) {
        const { accountId, id: dropId } = drop
        const isTakenOut = yield* transaction.share(accountId, () => repo.takeOut(drop, fileId))
        // A call before this one may have been cut off after it took the file out.
        const now = isTakenOut ? undefined : yield* repo.removal({ accountId, dropId, fileId })
        const isLeft = isTakenOut || now?.isLeft === true
        if (isLeft) yield* complete({ accountId, dropId, fileId })
        else if (now !== undefined) yield* Effect.fromResult(DropState.changeable(now))
        return isLeft
      }, WritePurpose.freeing)

      const sweep = Effect.gen(function*() {
        const left = yield* repo.removed(batch)
        yield* Effect.forEach(left, complete, { discard: true })
        return left.length
      }).pipe(
        Effect.repeat({ while: (count) => count === batch }),
        Effect.asVoid,
        WritePurpose.freeing,
        Effect.withSpan("DropRemovals.sweep")
      )

      return DropRemovals.of({ remove, sweep })
    })
  )
}
