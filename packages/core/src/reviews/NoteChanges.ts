/**
 * Changes the notes of a review: their rows, what the review counts of them, and the news for those who follow it. Each runs inside
 * `AccountTransaction` of the review's owner.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../database/Database.ts"
import { Events } from "../events/Events.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField } from "../shared/DriveError.ts"
import { NoteId } from "../shared/Ids.ts"
import type { OfReview } from "./NoteList.ts"
import { type NetworkDelta, type ReviewBounds, type ReviewDelta, unchanged } from "./ReviewDelta.ts"
import { ReviewNetworksRepo } from "./ReviewNetworksRepo.ts"
import { bytesOf, cleaned, type NoteText, wholeFile } from "./ReviewNote.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"
import type { StoredNote } from "./StoredNote.ts"

/** Who writes: a reviewer by the hash of their token and of the address they call from, or the owner (null). */
interface Author {
  readonly reviewerHash: Uint8Array | null
  readonly networkHash: Uint8Array | null
  readonly authorName: string
}

export interface Place {
  readonly seconds: number | null
  readonly endSeconds: number | null
}

export class NoteChanges extends Context.Service<NoteChanges, {
  /** Leaves a note. Fails with `InvalidField` naming `reviewId` when the review is full, or the part of it that one address may fill. */
  readonly leave: (
    review: OfReview,
    author: Author,
    note: Place & { readonly text: NoteText }
  ) => Effect.Effect<StoredNote, InvalidField>

  /** Answers a note. Fails with `InvalidField` naming `field` when the note or the review is full, or the part of it that one address may fill. */
  readonly reply: (
    review: OfReview,
    author: Author,
    note: StoredNote,
    text: NoteText,
    field: string
  ) => Effect.Effect<StoredNote, InvalidField>

  /** Changes the text of a note or reply. Fails with `InvalidField` naming `text` when the review holds all it may. */
  readonly edit: (review: OfReview, note: StoredNote, text: NoteText) => Effect.Effect<void, InvalidField>

  readonly setResolved: (review: OfReview, note: StoredNote, isResolved: boolean) => Effect.Effect<void>

  /**
   * Deletes a reply, or a note with its replies. The place of a note is free at once where the owner deletes it, and a day later where a
   * reviewer does: else one who leaves and deletes notes all the time would leave rows without end.
   */
  readonly remove: (review: OfReview, note: StoredNote, by: "owner" | "reviewer") => Effect.Effect<void>
}>()("@filedrive/core/reviews/NoteChanges") {
  static readonly layerNoDeps = Layer.effect(
    NoteChanges,
    Effect.gen(function*() {
      const { sql } = yield* Database
      const reviews = yield* ReviewsRepo
      const notes = yield* ReviewNotesRepo
      const networks = yield* ReviewNetworksRepo
      const events = yield* Events
      const random = yield* SecureRandom.SecureRandom

      /** Counts the change, and tells of it once it is committed. */
      const counted = (review: OfReview, delta: ReviewDelta, field: string, most: ReviewBounds = Limits.reviewHolds) =>
        reviews.change(review, delta, most).pipe(
          Effect.filterOrFail((changeNo) => changeNo !== undefined, () =>
            new InvalidField({
              code: "invalid_field",
              field,
              because: "is refused: this review holds as many notes, or as much text, as a review may hold"
            })),
          Effect.tap(sql.afterCommit(events.announce(review.id)))
        )

      /** Counts the same change for the address that it came from. */
      const sharing = Effect.fnUntraced(
        function*(review: OfReview, networkHash: Uint8Array | null, delta: NetworkDelta, field: string) {
          if (networkHash === null) return
          const taken = yield* networks.take(
            review.accountId,
            review.id,
            networkHash,
            delta,
            Limits.reviewHoldsOfAddress
          )
          if (!taken) {
            return yield* new InvalidField({
              code: "invalid_field",
              field,
              because: "is refused: your network has left its share of the notes and text that this review may hold"
            })
          }
        }
      )

      /** A change that makes nothing more: nothing can refuse it. */
      const less = (review: OfReview, delta: ReviewDelta) => Effect.orDie(counted(review, delta, "noteId"))

      const written = Effect.fnUntraced(function*(author: Author, text: NoteText) {
        const shown = cleaned(text)
        return {
          id: NoteId.make(yield* random.uuidV7()),
          ...author,
          text: shown,
          bytes: bytesOf(shown, author.authorName),
          insertTime: DateTime.toDateUtc(yield* DateTime.now),
          editTime: null,
          deleteTime: null,
          isResolved: false,
          reviewerReplies: 0,
          ownerReplies: 0
        }
      })

      const leave: NoteChanges["Service"]["leave"] = Effect.fnUntraced(
        function*(review, author, { endSeconds, seconds, text }) {
          const note = yield* written(author, text)
          const changeNo = yield* counted(review, { notes: 1, held: 1, textBytes: note.bytes }, "reviewId")
          yield* sharing(review, author.networkHash, { held: 1, textBytes: note.bytes }, "reviewId")
          const stored = {
            ...note,
            reviewId: review.id,
            replyTo: null,
            place: seconds ?? wholeFile,
            endSeconds,
            changeNo
          }
          yield* notes.insert(review.accountId, stored)
          return stored
        }
      )

      const reply: NoteChanges["Service"]["reply"] = Effect.fnUntraced(function*(review, author, note, text, field) {
        const byOwner = author.reviewerHash === null
        const { repliesPerNote } = Limits
        const isFull = byOwner
          ? note.ownerReplies >= repliesPerNote.byOwner
          : note.reviewerReplies >= repliesPerNote.byReviewers
        if (isFull) {
          return yield* new InvalidField({
            code: "invalid_field",
            field,
            because: "is a note that has as many replies as a note may have"
          })
        }
        const { networkHash } = author
        // The rows of one note: a hundred at most.
        const isShareFull = networkHash !== null &&
          (yield* notes.repliesFrom(review.accountId, note.id, networkHash)) >= repliesPerNote.fromAddress
        if (isShareFull) {
          return yield* new InvalidField({
            code: "invalid_field",
            field,
            because: "is a note to which your network has left as many replies as one may"
          })
        }
        const answer = yield* written(author, text)
        // The owner can answer, however much strangers wrote.
        const most = byOwner ? Limits.reviewHoldsWithOwner : Limits.reviewHolds
        const changeNo = yield* counted(review, { notes: 0, held: 1, textBytes: answer.bytes }, field, most)
        yield* sharing(review, networkHash, { held: 1, textBytes: answer.bytes }, field)
        const stored = {
          ...answer,
          reviewId: review.id,
          replyTo: note.id,
          place: note.place,
          endSeconds: null,
          changeNo
        }
        yield* notes.insert(review.accountId, stored)
        yield* notes.countReplies(review.accountId, note.id, changeNo, {
          byReviewers: byOwner ? 0 : 1,
          byOwner: byOwner ? 1 : 0,
          bytes: answer.bytes
        })
        return stored
      })

      const edit: NoteChanges["Service"]["edit"] = Effect.fnUntraced(function*(review, note, text) {
        const shown = cleaned(text)
        if (shown === note.text) return
        const bytes = bytesOf(shown) - bytesOf(note.text)
        const changeNo = yield* counted(review, { ...unchanged, textBytes: bytes }, "text")
        yield* sharing(review, note.networkHash, { held: 0, textBytes: bytes }, "text")
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* notes.edit(review.accountId, note.id, { text: shown, bytes, now, changeNo })
        if (note.replyTo === null) return
        yield* notes.countReplies(review.accountId, note.replyTo, changeNo, { byReviewers: 0, byOwner: 0, bytes })
      })

      const setResolved: NoteChanges["Service"]["setResolved"] = Effect.fnUntraced(function*(review, note, isResolved) {
        if (note.isResolved === isResolved) return
        yield* notes.setResolved(review.accountId, note.id, isResolved, yield* less(review, unchanged))
      })

      const remove: NoteChanges["Service"]["remove"] = Effect.fnUntraced(function*(review, note, by) {
        const { accountId, id } = review
        const { networkHash } = note
        if (note.replyTo === null) {
          const keepsPlace = by === "reviewer"
          const replies = note.ownerReplies + note.reviewerReplies
          const changeNo = yield* less(review, {
            notes: -1,
            held: -replies - (keepsPlace ? 0 : 1),
            textBytes: -note.bytes
          })
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const gone = yield* notes.remove(accountId, [note.id], { changeNo, keepsPlace, now })
          const own = { networkHash, held: keepsPlace ? 0 : 1, textBytes: bytesOf(note.text, note.authorName) }
          return yield* networks.giveBack(accountId, id, [own, ...gone])
        }
        const changeNo = yield* less(review, { notes: 0, held: -1, textBytes: -note.bytes })
        yield* notes.removeReply(accountId, note.id)
        yield* networks.giveBack(accountId, id, [{ networkHash, held: 1, textBytes: note.bytes }])
        const byOwner = note.reviewerHash === null
        yield* notes.countReplies(review.accountId, note.replyTo, changeNo, {
          byReviewers: byOwner ? 0 : -1,
          byOwner: byOwner ? -1 : 0,
          bytes: -note.bytes
        })
      })

      return NoteChanges.of({ leave, reply, edit, setResolved, remove })
    })
  )
}
