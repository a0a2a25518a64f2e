/** What an owner does with the notes on their reviews. Spec: "Reviews". */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Accounts } from "../ports/Accounts.ts"
import { InvalidField, NotFound, type Refused, type Unavailable } from "../shared/DriveError.ts"
import type { NoteId, ReviewId } from "../shared/Ids.ts"
import { NoteChanges } from "./NoteChanges.ts"
import { NoteRemovals } from "./NoteRemovals.ts"
import type { StoredReview } from "./Review.ts"
import type { NoteReply, NoteText, ReviewerName, ReviewNote } from "./ReviewNote.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"
import { shownNote, shownReply, type StoredNote } from "./StoredNote.ts"

/** For an owner of whom the host knows no name. */
const nameless = "Owner"

const onlyNotes = new InvalidField({
  code: "invalid_field",
  field: "noteId",
  because: "must be the id of a note: a reply can't be marked as dealt with"
})

export class OwnedNotes extends Context.Service<OwnedNotes, {
  /**
   * Answers a note on a review of the caller's, whether it is open or not. A reply to a reply is one to its note.
   *
   * Fails with `NotFound` when no such note is on a review of theirs, `InvalidField` naming `noteId` when the note has all replies it may,
   * `Refused` (`token_limit`), `Unavailable` when the host's accounts can't be asked. Spec: `/reply-to-review-note`.
   */
  readonly reply: (
    id: NoteId,
    text: NoteText
  ) => Effect.Effect<NoteReply, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /**
   * Says that a note has been dealt with, or has not. Fails with `InvalidField` naming `noteId` for a reply.
   * Spec: `/set-review-note-resolved`.
   */
  readonly setResolved: (
    id: NoteId,
    isResolved: boolean
  ) => Effect.Effect<ReviewNote, InvalidField | NotFound | Refused, CurrentAccount>

  /** Deletes a note with its replies, or a reply; whoever wrote it. */
  readonly remove: (id: NoteId) => Effect.Effect<void, NotFound | Refused, CurrentAccount>

  /**
   * Deletes all that was left under a name on a review of the caller's until now, notes with their replies, some at a time: a call that is cut
   * off is repeated. Returns how many notes and replies of that name went. Contract: `/delete-review-notes`.
   */
  readonly removeOf: (
    reviewId: ReviewId,
    reviewer: ReviewerName
  ) => Effect.Effect<number, NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/reviews/OwnedNotes") {
  static readonly layerNoDeps = Layer.effect(
    OwnedNotes,
    Effect.gen(function*() {
      const reviews = yield* ReviewsRepo
      const notes = yield* ReviewNotesRepo
      const changes = yield* NoteChanges
      const removals = yield* NoteRemovals
      const accounts = yield* Accounts
      const transaction = yield* AccountTransaction

      /** A note on a review that the caller sees, in a transaction that may change it. */
      const changing = <A, E>(
        { id: accountId, limits }: CurrentAccount["Service"],
        id: NoteId,
        work: (review: StoredReview, note: StoredNote) => Effect.Effect<A, E>
      ) =>
        transaction.share(accountId, () =>
          Effect.gen(function*() {
            const note = yield* notes.find(id)
            const review = note?.accountId === accountId ? yield* reviews.find(accountId, limits, note.reviewId) : null
            if (note === undefined || review === null) return yield* new NotFound({ resource: "review note", id })
            return yield* work(review, note)
          }))

      const reply = Effect.fn("OwnedNotes.reply")(function*(id: NoteId, text: NoteText) {
        const account = yield* allowed("share")
        const owner = Option.getOrUndefined(yield* accounts.find(account.id))
        const author = {
          reviewerHash: null,
          networkHash: null,
          authorName: owner?.displayName ?? owner?.handle ?? nameless
        }
        return yield* changing(account, id, (review, found) =>
          Effect.gen(function*() {
            const note = found.replyTo === null ? found : (yield* notes.find(found.replyTo)) ?? found
            return shownReply(yield* changes.reply(review, author, note, text, "noteId"))
          }))
      })

      const setResolved = Effect.fn("OwnedNotes.setResolved")(function*(id: NoteId, isResolved: boolean) {
        const account = yield* allowed("share")
        return yield* changing(account, id, (review, note) =>
          Effect.gen(function*() {
            if (note.replyTo !== null) return yield* onlyNotes
            yield* changes.setResolved(review, note, isResolved)
            return shownNote({ ...note, isResolved }, yield* notes.replies(review.accountId, [id]))
          }))
      })

      const remove = Effect.fn("OwnedNotes.remove")(
        function*(id: NoteId) {
          yield* changing(
            yield* allowed("share"),
            id,
            (review, note) => changes.remove(review, note, "owner")
          )
        },
        WritePurpose.freeing
      )

      const removeOf = Effect.fn("OwnedNotes.removeOf")(
        function*(reviewId: ReviewId, reviewer: ReviewerName) {
          const { id: accountId, limits } = yield* allowed("share")
          const time = DateTime.toDateUtc(yield* DateTime.now)
          const next = transaction.share(accountId, () =>
            Effect.gen(function*() {
              const review = yield* reviews.find(accountId, limits, reviewId)
              if (review === null) return yield* new NotFound({ resource: "file review", id: reviewId })
              return yield* removals.some({ accountId, id: reviewId, name: reviewer, time })
            }))
          let removed = 0
          for (;;) {
            const count = yield* next
            if (count === 0) return removed
            removed += count
          }
        },
        WritePurpose.freeing
      )

      return OwnedNotes.of({ reply, setResolved, remove, removeOf })
    })
  )
}
