/**
 * Notes of a review as they are left, changed and deleted, on the machinery of the feed. The position in this stream is the number of the
 * review's last change: numbers are given under the account's lock, so they become visible in their order.
 */
import { Context, DateTime, Effect, Layer, type Stream } from "effect"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField } from "../shared/DriveError.ts"
import type { NoteId } from "../shared/Ids.ts"
import type { StoredReview } from "./Review.ts"
import { isOpenAt } from "./Review.ts"
import type { ReviewNote } from "./ReviewNote.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"
import { shownNotes } from "./StoredNote.ts"

/** A note that was left or changed, as it is now with its replies, or one that was deleted. */
export type NoteEvent =
  & { readonly cursor: string }
  & (
    | { readonly kind: "note"; readonly note: ReviewNote }
    | { readonly kind: "deleted"; readonly noteId: NoteId }
  )

export interface NoteNews {
  readonly events: ReadonlyArray<NoteEvent>
  /** The position after them. */
  readonly cursor: string
}

/** How many notes are read at a time. */
const page = { limit: 100, maxBytes: Limits.reviewNotesPageBytes } as const

export class LiveNotes extends Context.Service<LiveNotes, {
  /** Fails with `InvalidField` naming `after`. */
  readonly follow: (
    review: StoredReview,
    after: string | undefined,
    until: Effect.Effect<void>
  ) => Effect.Effect<Stream.Stream<NoteNews>, InvalidField>
}>()("@filedrive/core/reviews/LiveNotes") {
  static readonly layerNoDeps = Layer.effect(
    LiveNotes,
    Effect.gen(function*() {
      const reviews = yield* ReviewsRepo
      const notes = yield* ReviewNotesRepo
      const events = yield* Events

      const read = Effect.fnUntraced(function*({ accountId, id, passwordHash }: StoredReview, after: number) {
        const review = yield* reviews.findByLink(id)
        const isOver = review === null || review.passwordHash !== passwordHash
          || !isOpenAt(review, yield* DateTime.now)
        if (isOver || review.changeNo <= after) {
          return {
            page: { events: [], cursor: String(after) },
            isEmpty: true,
            last: after,
            more: false,
            isOver,
            readAgain: review?.expireTime?.epochMilliseconds ?? null
          }
        }
        const changed = yield* notes.changed(accountId, id, after, page)
        const replies = yield* notes.replies(accountId, changed.map(({ id }) => id))
        const shown = new Map(shownNotes(changed, replies).map((note) => [note.id, note]))
        const last = changed.at(-1)?.changeNo
        const more = (changed[0]?.found ?? 0) > changed.length || changed.length === page.limit
        // Where nothing follows, also what left no trace has been read, like a note that was forgotten.
        const position = more && last !== undefined ? last : review.changeNo
        return {
          page: {
            events: changed.map(({ changeNo, deleteTime, id }): NoteEvent =>
              deleteTime === null
                ? { cursor: String(changeNo), kind: "note", note: shown.get(id)! }
                : { cursor: String(changeNo), kind: "deleted", noteId: id }
            ),
            cursor: String(position)
          },
          isEmpty: changed.length === 0,
          last: position,
          more,
          isOver: false
        }
      })

      const follow: LiveNotes["Service"]["follow"] = Effect.fn("LiveNotes.follow")(function*(review, given, until) {
        const after = given === undefined ? review.changeNo : positionOf(given)
        // Only a position of another review is past the last change of this one.
        if (after === undefined || after > review.changeNo) return yield* wrongAfter
        return events.followOther<NoteNews>({
          topic: review.id,
          accountId: review.accountId,
          after,
          key: (after) => `${review.id} ${after} ${review.passwordHash}`,
          read: (after) => read(review, after),
          heartbeat: Limits.eventsHeartbeat,
          until
        })
      })

      return LiveNotes.of({ follow })
    })
  )
}

const positionOf = (text: string): number | undefined => /^\d{1,15}$/.test(text) ? Number(text) : undefined

const wrongAfter = new InvalidField({
  code: "invalid_field",
  field: "after",
  because: "must be `followAfter` of the opened review, or the `id` of an event of this stream"
})
