/** Deliveries that their owner deletes, with the files that came in them. Contract: `/delete-drops`. */
import { Context, DateTime, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Trash } from "../files/Trash.ts"
import * as Choice from "../organize/Choice.ts"
import { InvalidField, NotFound, type Refused } from "../shared/DriveError.ts"
import { type DropId, onceEach } from "../shared/Ids.ts"
import { Deliveries } from "../uploads/Deliveries.ts"
import type { ChosenDrop, DropSelection, DropsOfSender } from "./Drop.ts"
import { DropsRepo } from "./DropsRepo.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import { SentDropsRepo } from "./SentDropsRepo.ts"

/** Drops that one transaction deletes, and files that it puts in trash. */
const atOnce = { drops: 50, files: 200 }

export class DropDeletions extends Context.Service<DropDeletions, {
  /**
   * Deletes drops, those of ids or those that one sender started until now, some at a time: a call that is cut off is repeated. Their files
   * go to trash, what is under way in them ends, and their requests have room for as much again. Returns how many there were.
   *
   * Fails with `InvalidField` when the selection names none or names them twice, `NotFound` for a request that the call does not see,
   * `Refused` (`token_limit`).
   */
  readonly remove: (
    selection: DropSelection
  ) => Effect.Effect<number, InvalidField | NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/requests/DropDeletions") {
  static readonly layerNoDeps = Layer.effect(
    DropDeletions,
    Effect.gen(function*() {
      const deliveries = yield* Deliveries
      const drops = yield* DropsRepo
      const requests = yield* RequestsRepo
      const sent = yield* SentDropsRepo
      const transaction = yield* AccountTransaction
      const trash = yield* Trash

      /** Some of those that are selected and that the call sees. */
      const choose = Effect.fnUntraced(function*(
        { id: accountId, limits }: CurrentAccount["Service"],
        which: ReadonlyArray<DropId> | DropsOfSender
      ) {
        if (!("senderName" in which)) {
          return yield* sent.chosen(accountId, yield* requests.dropsSeen(accountId, limits, which), atOnce.drops)
        }
        const { requestId } = which
        if ((yield* requests.find(accountId, limits, requestId)) === undefined) {
          return yield* new NotFound({ resource: "file request", id: requestId })
        }
        return yield* sent.chosen(accountId, which, atOnce.drops)
      })

      /** Within the account's transaction: undefined when none are left, else what follows after the commit, and how many have gone. */
      const removeSome = Effect.fnUntraced(function*(
        account: CurrentAccount["Service"],
        which: ReadonlyArray<DropId> | DropsOfSender
      ) {
        const { id: accountId, limits } = account
        const some = fitting(yield* choose(account, which))
        if (some.length === 0) return undefined
        const underWay = some.filter(({ isUnderWay }) => isUnderWay)
        const ended = yield* Effect.forEach(
          underWay,
          ({ id, requestId }) => deliveries.end(accountId, requestId, id)
        )
        const files = yield* sent.untrashed(accountId, limits, some.map(({ id }) => id), atOnce.files)
        const takeLinks = yield* trash.putWithin(files.map(({ id }) => id))
        // Of the last drop, and of those after it, there may be more.
        const last = files.length < atOnce.files ? undefined : files.at(-1)?.dropId
        const [gone, left] = last === undefined
          ? [some, []]
          : [some.filter(({ id }) => id < last), underWay.filter(({ id }) => id >= last)]
        // It takes nothing more. There is no event of it: its owner knows.
        const now = yield* DateTime.now
        yield* Effect.forEach(left, ({ id }) => drops.finish(accountId, id, now), { discard: true })
        const count = yield* sent.remove(accountId, gone.map(({ id }) => id))
        const settle = Effect.andThen(
          takeLinks,
          Effect.forEach(ended, (one) => deliveries.clear(accountId, one), { discard: true })
        )
        return { count, settle }
      })

      const remove = Effect.fn("DropDeletions.remove")(function*(selection: DropSelection) {
        const account = yield* allowed("delete")
        const which = yield* selected(selection, DateTime.toDateUtc(yield* DateTime.now))
        let removed = 0
        for (;;) {
          const batch = yield* transaction.run(account.id, () => removeSome(account, which))
          if (batch === undefined) return removed
          yield* batch.settle
          removed += batch.count
        }
      }, WritePurpose.freeing)

      return DropDeletions.of({ remove })
    })
  )
}

const noSender = new InvalidField({
  code: "missing_field",
  field: "senderName",
  because: "is missing: the name under which the deliveries of requestId were started"
})

/** What a payload selects. */
const selected = Effect.fnUntraced(function*({ dropIds, requestId, senderName }: DropSelection, time: Date) {
  yield* Choice.oneOf({ dropIds, requestId }, "dropIds", "requestId")
  yield* Choice.atMostOne({ dropIds, senderName }, "dropIds", "senderName")
  if (requestId === undefined) return onceEach(dropIds ?? [])
  return senderName === undefined ? yield* noSender : { requestId, senderName, time }
})

/** The first, with as many others as one transaction has room for by their files. */
const fitting = (chosen: ReadonlyArray<ChosenDrop>): ReadonlyArray<ChosenDrop> => {
  let files = 0
  return chosen.filter(({ fileCount }, index) => (files += fileCount) <= atOnce.files || index === 0)
}
