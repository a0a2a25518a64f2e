/** Removes the notes and replies of one reviewer on a review, some at a time, inside `AccountTransaction` of the review's owner. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import type { NoteId } from "../shared/Ids.ts"
import type { OfReviewer, ReviewDelta } from "./ReviewDelta.ts"
import { ReviewNetworksRepo } from "./ReviewNetworksRepo.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"

/** Replies, and notes of which each may have two hundred replies, that one transaction removes. */
const atOnce = { replies: 500, notes: 50 }

export class NoteRemovals extends Context.Service<NoteRemovals, {
  /** Deletes some replies of a reviewer, or some notes with their replies. Returns how many of these were the reviewer's; 0 when none are left. */
  readonly some: (from: OfReviewer) => Effect.Effect<number>
}>()("@filedrive/core/reviews/NoteRemovals") {
  static readonly layerNoDeps = Layer.effect(
    NoteRemovals,
    Effect.gen(function*() {
      const { sql } = yield* Database
      const events = yield* Events
      const networks = yield* ReviewNetworksRepo
      const notes = yield* ReviewNotesRepo
      const reviews = yield* ReviewsRepo

      /** Subtracts the deleted rows from the counts of the review; returns the number of the last change. Nothing can refuse it. */
      const counted = Effect.fnUntraced(function*({ accountId, id }: OfReviewer, delta: ReviewDelta) {
        const changeNo = yield* reviews.change({ accountId, id }, delta, Limits.reviewHoldsWithOwner)
        yield* sql.afterCommit(events.announce(id))
        return changeNo ?? 0
      })

      const replies = Effect.fnUntraced(function*(from: OfReviewer) {
        const gone = yield* notes.removeRepliesOf(from, atOnce.replies)
        if (gone.length === 0) return 0
        const ofNotes = new Map<NoteId, { count: number; bytes: number }>()
        for (const { replyTo, textBytes } of gone) {
          const sum = ofNotes.get(replyTo) ?? { count: 0, bytes: 0 }
          ofNotes.set(replyTo, { count: sum.count + 1, bytes: sum.bytes + textBytes })
        }
        const textBytes = gone.reduce((sum, one) => sum + one.textBytes, 0)
        let changeNo = yield* counted(from, {
          notes: 0,
          held: -gone.length,
          textBytes: -textBytes,
          changes: ofNotes.size
        })
        for (const [noteId, { bytes, count }] of ofNotes) {
          yield* notes.countReplies(from.accountId, noteId, changeNo--, {
            byReviewers: -count,
            byOwner: 0,
            bytes: -bytes
          })
        }
        yield* networks.giveBack(from.accountId, from.id, gone)
        return gone.length
      })

      const withReplies = Effect.fnUntraced(function*(from: OfReviewer) {
        const found = yield* notes.ofReviewer(from, atOnce.notes)
        if (found.length === 0) return 0
        const count = found.reduce((sum, { replies }) => sum + replies, found.length)
        const changeNo = yield* counted(from, {
          notes: -found.length,
          held: -count,
          textBytes: -found.reduce((sum, { bytes }) => sum + bytes, 0),
          changes: found.length
        })
        const gone = yield* notes.remove(from.accountId, found.map(({ id }) => id), {
          changeNo,
          keepsPlace: false,
          now: from.time
        })
        const own = found.map(({ networkHash, ownBytes }) => ({ networkHash, held: 1, textBytes: ownBytes }))
        yield* networks.giveBack(from.accountId, from.id, [...own, ...gone])
        return found.length
      })

      const some: NoteRemovals["Service"]["some"] = Effect.fn("NoteRemovals.some")(function*(from) {
        const count = yield* replies(from)
        return count > 0 ? count : yield* withReplies(from)
      })

      return NoteRemovals.of({ some })
    })
  )
}
