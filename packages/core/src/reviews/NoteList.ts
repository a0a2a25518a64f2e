/** Reads the notes of reviews, page by page, with their replies. */
import { Context, Effect, Layer } from "effect"
import * as Limits from "../limits/Limits.ts"
import { InvalidField } from "../shared/DriveError.ts"
import type { AccountId, ReviewId } from "../shared/Ids.ts"
import { formatCursor, parseCursor, type ReviewNote } from "./ReviewNote.ts"
import { ReviewNotesRepo } from "./ReviewNotesRepo.ts"
import { type NoteRow, shownNotes } from "./StoredNote.ts"

/** Whose review. */
export interface OfReview {
  readonly id: ReviewId
  readonly accountId: AccountId
}

export interface NotesPage {
  readonly notes: ReadonlyArray<ReviewNote>
  /** Null at the end. */
  readonly nextCursor: string | null
}

export interface PageOptions {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly maxBytes?: number
  /** The hash of the token of the reviewer who asks. */
  readonly asking?: Uint8Array | null
}

/** How many of an export are read at a time. */
const exportPage = 500

/** The notes of a page, and where the next begins. One more was asked for than it may have. */
const cut = (rows: ReadonlyArray<NoteRow>, limit: number) => {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, nextCursor: last !== undefined && last.found > shown.length ? formatCursor(last) : null }
}

export class NoteList extends Context.Service<NoteList, {
  /**
   * Notes of a review in the order of the edit list, after `cursor`. A page ends early where its texts have more than `maxBytes`.
   * Fails with `InvalidField` naming `cursor`.
   */
  readonly page: (review: OfReview, options: PageOptions) => Effect.Effect<NotesPage, InvalidField>

  /** The first notes of several reviews of an account; of each as many as fit in what one call may list. */
  readonly ofEach: (
    accountId: AccountId,
    reviewIds: ReadonlyArray<ReviewId>
  ) => Effect.Effect<(id: ReviewId) => NotesPage>

  /** All notes of a review. */
  readonly all: (review: OfReview) => Effect.Effect<ReadonlyArray<ReviewNote>>
}>()("@filedrive/core/reviews/NoteList") {
  static readonly layerNoDeps = Layer.effect(
    NoteList,
    Effect.gen(function*() {
      const repo = yield* ReviewNotesRepo

      const withReplies = Effect.fnUntraced(
        function*(accountId: AccountId, rows: ReadonlyArray<NoteRow>, asking: Uint8Array | null) {
          const replied = rows.filter(({ ownerReplies, reviewerReplies }) => ownerReplies + reviewerReplies > 0)
          const replies = replied.length === 0 ? [] : yield* repo.replies(accountId, replied.map(({ id }) => id))
          return shownNotes(rows, replies, asking)
        }
      )

      const page: NoteList["Service"]["page"] = Effect.fn("NoteList.page")(
        function*({ accountId, id }, { asking = null, cursor, limit, maxBytes = Limits.reviewNotesPageBytes }) {
          const after = cursor === undefined ? null : parseCursor(cursor)
          if (after === undefined) return yield* wrongCursor
          const { nextCursor, shown } = cut(
            yield* repo.page(accountId, id, after, { limit: limit + 1, maxBytes, withHashes: asking !== null }),
            limit
          )
          return { notes: yield* withReplies(accountId, shown, asking), nextCursor }
        }
      )

      const ofEach: NoteList["Service"]["ofEach"] = Effect.fn("NoteList.ofEach")(function*(accountId, reviewIds) {
        const { maxBytes, maxCount } = Limits.listedNotes
        const limit = Math.floor(maxCount / Math.max(1, reviewIds.length))
        const rows = reviewIds.length === 0 ? [] : yield* repo.firstOfEach(accountId, reviewIds, {
          limit: limit + 1,
          maxBytes: Math.floor(maxBytes / reviewIds.length)
        })
        const byReview = Map.groupBy(rows, ({ reviewId }) => reviewId)
        const pages = new Map(reviewIds.map((id) => [id, cut(byReview.get(id) ?? [], limit)]))
        const shown = [...pages.values()].flatMap(({ shown }) => shown)
        const notes = new Map((yield* withReplies(accountId, shown, null)).map((note) => [note.id, note]))
        return (id) => {
          const { nextCursor, shown } = pages.get(id) ?? { shown: [], nextCursor: null }
          return { notes: shown.map(({ id }) => notes.get(id)!), nextCursor }
        }
      })

      const all = Effect.fn("NoteList.all")(function*(review: OfReview) {
        const notes: Array<ReviewNote> = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const next: NotesPage = yield* Effect.orDie(page(review, { cursor, limit: exportPage }))
          notes.push(...next.notes)
          cursor = next.nextCursor
        }
        return notes
      })

      return NoteList.of({ page, ofEach, all })
    })
  )
}

const wrongCursor = new InvalidField({
  code: "invalid_field",
  field: "cursor",
  because: "must be a `nextCursor` as it was answered"
})
