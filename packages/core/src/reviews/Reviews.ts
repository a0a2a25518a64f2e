/** Reviews of files, as their owners make and change them. Spec: "Reviews". */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { Events } from "../events/Events.ts"
import * as FrameRate from "../facts/FrameRate.ts"
import { VisibleFiles } from "../files/VisibleFiles.ts"
import * as Limits from "../limits/Limits.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import { InvalidField, NotFound, RateUnknown, Refused, Unavailable } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type AccountId, onceEach, ReviewId } from "../shared/Ids.ts"
import * as NewestFirst from "../shared/NewestFirst.ts"
import { Waits } from "../waits/Waits.ts"
import * as NoteExport from "./NoteExport.ts"
import { NoteList, type NotesPage } from "./NoteList.ts"
import {
  isOpenAt,
  type NewReview,
  type ReviewChange,
  type ReviewItem,
  type ReviewQuery,
  type ReviewsPage,
  type StoredReview
} from "./Review.ts"
import { ReviewedMedia } from "./ReviewedMedia.ts"
import { ReviewsRepo } from "./ReviewsRepo.ts"

export interface ExportedNotes {
  readonly fileName: string
  readonly mimeType: string
  readonly text: string
}

export class Reviews extends Context.Service<Reviews, {
  /**
   * Makes a review of a video or a track of the caller's that is not in trash.
   *
   * Fails with `NotFound` when no such file is the caller's, `InvalidField` naming `fileId` for a file of another kind or `expireTime` for
   * a time that has passed, `Refused` (`token_limit`; `not_allowed` when the account has all reviews that it may), `Unavailable` when too many passwords wait to be hashed. Spec: `/create-file-review`.
   */
  readonly create: (
    given: NewReview
  ) => Effect.Effect<StoredReview, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /**
   * The caller's reviews, newest first, 50 in a page, each with its notes as an edit list. Fails with `InvalidField` naming `cursor`, `Refused`
   * (`token_limit`). Spec: `/select-file-reviews`.
   */
  readonly select: (
    query: ReviewQuery
  ) => Effect.Effect<ReviewsPage, InvalidField | Refused, CurrentAccount>

  /** Changes a review. Whoever has it open is put out when it closes, or gets another password. Fails like {@link create}. */
  readonly update: (
    change: ReviewChange
  ) => Effect.Effect<StoredReview, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /** Deletes a review with its notes. Its file stays. */
  readonly remove: (id: ReviewId) => Effect.Effect<void, NotFound | Refused, CurrentAccount>

  /**
   * A review's notes as a file for other programs, by the frame rate that is given, or else that of the reviewed file. Formats that
   * count in frames fail with `Unavailable` while a video is analysed, so that its rate is not known yet, and with `RateUnknown`
   * when it can't be known.
   */
  readonly exported: (
    id: ReviewId,
    format: NoteExport.ExportFormat,
    rate?: string
  ) => Effect.Effect<ExportedNotes, InvalidField | NotFound | RateUnknown | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/reviews/Reviews") {
  static readonly layerNoDeps = Layer.effect(
    Reviews,
    Effect.gen(function*() {
      const repo = yield* ReviewsRepo
      const list = yield* NoteList
      const files = yield* VisibleFiles
      const media = yield* ReviewedMedia
      const links = yield* PublicLinks
      const events = yield* Events
      const transaction = yield* AccountTransaction
      const waits = yield* Waits
      const random = yield* SecureRandom.SecureRandom
      const { sql } = yield* Database

      const inFuture = Effect.fnUntraced(function*(time: DateTime.Utc | null) {
        if (time === null || DateTime.isGreaterThan(time, yield* DateTime.now)) return time
        return yield* new InvalidField({ code: "invalid_field", field: "expireTime", because: "must be in the future" })
      })

      const hashed = (accountId: AccountId, password: NewReview["password"]) =>
        password === undefined || password === null ? Effect.succeed(null) : links.hash(accountId, password)

      const own = Effect.fnUntraced(function*(id: ReviewId) {
        const { id: accountId, limits } = yield* CurrentAccount
        return (yield* repo.find(accountId, limits, id)) ?? (yield* new NotFound({ resource: "file review", id }))
      })

      const create = Effect.fn("Reviews.create")(function*(given: NewReview) {
        const { id: accountId } = yield* allowed("share")
        const { allowDownload = false, fileId, message = null } = given
        const expireTime = yield* inFuture(given.expireTime ?? null)
        const file = Option.getOrUndefined(yield* files.find(fileId))
        if (file === undefined || !file.isOwn || file.isPicture) {
          return yield* new NotFound({ resource: "file", id: fileId })
        }
        if (file.type !== "Video" && file.type !== "Audio") {
          return yield* new InvalidField({
            code: "invalid_field",
            field: "fileId",
            because: "must be the id of a video or a track"
          })
        }
        const review: StoredReview = {
          // The id is the secret of the link: random as a whole, not ordered by time as other ids are.
          id: ReviewId.make(yield* random.uuidV4()),
          accountId,
          file: { id: file.id, type: file.type, fileName: file.fileName },
          message: message === "" ? null : message,
          isOpen: true,
          allowDownload,
          expireTime,
          passwordHash: yield* hashed(accountId, given.password),
          folderId: file.folderId,
          frameRate: file.frameRate,
          noteCount: 0,
          changeNo: 0,
          insertTime: DateTime.toDateUtc(yield* DateTime.now)
        }
        yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            if (yield* repo.hasAtLeast(accountId, Limits.reviewsOfAccount)) return yield* tooMany
            yield* repo.insert(review)
          }))
        yield* media.prepare(file)
        return review
      })

      const select: Reviews["Service"]["select"] = Effect.fn("Reviews.select")(
        function*({ cursor, fileId, folder, reviewIds }) {
          const { id: accountId, limits } = yield* allowed("read")
          const ids = reviewIds === undefined ? undefined : onceEach(reviewIds)
          if (cursor !== undefined && ids !== undefined && ids.length !== 1) return yield* needsOneReview
          const after = cursor === undefined || ids !== undefined ? null : NewestFirst.parseCursor(cursor)
          if (after === undefined) return yield* NewestFirst.wrongCursor
          const most = Limits.reviewsPerCall.max
          const wanted = { ids, fileId, foldedPath: FolderPath.folded(folder), after, limit: most + 1 }
          const { items: reviews, nextCursor } = NewestFirst.pageOf(
            yield* repo.select(accountId, limits, wanted),
            most
          )
          const { maxBytes, maxCount } = Limits.listedNotes
          const [only] = reviews
          const notesOf: (id: ReviewId) => NotesPage = cursor === undefined || ids === undefined || only === undefined
            ? yield* list.ofEach(accountId, reviews.map(({ id }) => id))
            : yield* Effect.map(list.page(only, { cursor, limit: maxCount, maxBytes }), (page) => () => page)
          const now = yield* DateTime.now
          return { reviews: reviews.map((review) => itemOf(review, notesOf(review.id), now)), nextCursor }
        }
      )

      const change = Effect.fnUntraced(function*(given: ReviewChange) {
        const { id: accountId, limits } = yield* allowed("share")
        yield* own(given.reviewId)
        const expireTime = yield* inFuture(given.expireTime ?? null)
        const passwordHash = yield* hashed(accountId, given.password)
        return yield* transaction.run(accountId, () =>
          Effect.gen(function*() {
            const before = yield* repo.find(accountId, limits, given.reviewId)
            if (before === null) return yield* new NotFound({ resource: "file review", id: given.reviewId })
            const after: StoredReview = {
              ...before,
              message: given.message === undefined ? before.message : given.message === "" ? null : given.message,
              allowDownload: given.allowDownload ?? before.allowDownload,
              isOpen: given.open ?? before.isOpen,
              expireTime: given.expireTime === undefined ? before.expireTime : expireTime,
              passwordHash: given.password === undefined ? before.passwordHash : passwordHash
            }
            yield* repo.update(after)
            yield* waits.onChanged(accountId, ["review_note"], [before.id])
            if (given.password !== undefined) yield* links.forget(accountId, before.id)
            yield* sql.afterCommit(events.announce(before.id))
            return after
          }))
      })

      /** What closes a review, or keeps people out of it, works on a full disk. */
      const takesAccess = ({ allowDownload, expireTime, open, password }: ReviewChange) =>
        open === false || allowDownload === false || (expireTime ?? null) !== null || (password ?? null) !== null

      const update = Effect.fn("Reviews.update")((given: ReviewChange) =>
        takesAccess(given) ? WritePurpose.freeing(change(given)) : change(given)
      )

      const remove = Effect.fn("Reviews.remove")(
        function*(id: ReviewId) {
          const { id: accountId } = yield* allowed("share")
          const review = yield* own(id)
          const removed = yield* transaction.run(accountId, () =>
            Effect.gen(function*() {
              yield* links.forget(accountId, review.id)
              yield* waits.onChanged(accountId, ["review_note"], [review.id])
              yield* sql.afterCommit(events.announce(review.id))
              return yield* repo.remove(accountId, review.id)
            }))
          if (!removed) return yield* new NotFound({ resource: "file review", id })
        },
        WritePurpose.freeing
      )

      const exported: Reviews["Service"]["exported"] = Effect.fn("Reviews.exported")(function*(id, format, rate) {
        yield* allowed("read")
        const review = yield* own(id)
        const file = yield* repo.file(review)
        if (rate !== undefined && FrameRate.parse(rate) === undefined) return yield* wrongRate
        const written = NoteExport.write({
          fileName: review.file.fileName,
          type: review.file.type,
          rate: NoteExport.rateOf(rate ?? file?.frameRate ?? review.frameRate, review.file.type),
          durationSeconds: file?.duration ?? null,
          width: file?.width ?? null,
          height: file?.height ?? null,
          notes: yield* list.all(review)
        }, format)
        if (written !== null) return written
        return yield* file?.metadataStatus === "pending" ? rateNotKnownYet : new RateUnknown()
      })

      return Reviews.of({ create, select, update, remove, exported })
    })
  )
}

const needsOneReview = new InvalidField({
  code: "invalid_field",
  field: "cursor",
  because: "must be given without reviewIds, or with the id of one review"
})

/** A review as its owner sees it, with some of its notes. */
const itemOf = (review: StoredReview, { nextCursor, notes }: NotesPage, now: DateTime.Utc): ReviewItem => ({
  id: review.id,
  message: review.message,
  insertTime: review.insertTime.toISOString(),
  expireTime: review.expireTime,
  allowDownload: review.allowDownload,
  open: isOpenAt(review, now),
  hasPassword: review.passwordHash !== null,
  file: review.file,
  frameRate: FrameRate.numberOf(review.frameRate),
  noteCount: review.noteCount,
  notes,
  nextCursor
})

const wrongRate = new InvalidField({
  code: "invalid_field",
  field: "rate",
  because: "must be frames a second, as a whole number or a fraction, like 25 or 30000/1001"
})

const rateNotKnownYet = new Unavailable({
  code: "unavailable",
  cause: "the frame rate of the video is not known yet: it is still being analysed",
  because: "This video is still being analysed; call again in 5 seconds, or name its frame rate as `rate`.",
  retryAfterSeconds: 5
})

const tooMany = new Refused({
  code: "not_allowed",
  because: `An account has at most ${Limits.reviewsOfAccount} file reviews; delete some of them first.`
})
