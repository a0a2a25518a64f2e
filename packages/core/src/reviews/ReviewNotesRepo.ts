/** Notes and replies in SQL. The only module that reads or writes `review_notes`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { AccountId, NoteId, ReviewId } from "../shared/Ids.ts"
import type { FromNetwork, GoneReply, OfReviewer } from "./ReviewDelta.ts"
import type { NotePlace } from "./ReviewNote.ts"
import type { NoteRow, ReplyRow, StoredNote } from "./StoredNote.ts"

/** A page ends after so many notes, or where their texts have so many bytes. */
interface PageSize {
  readonly limit: number
  readonly maxBytes: number
}

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  const columns = sql.literal(`
    n.id, n.review_id AS "reviewId", n.reply_to AS "replyTo", n.reviewer_hash AS "reviewerHash", n.network_hash AS "networkHash", n.author_name AS "authorName",
    n.place, n.end_seconds AS "endSeconds", n.text, n.bytes, n.insert_time AS "insertTime", n.edit_time AS "editTime",
    n.delete_time AS "deleteTime", n.is_resolved AS "isResolved", n.reviewer_replies AS "reviewerReplies",
    n.owner_replies AS "ownerReplies", n.change_no::float8 AS "changeNo"
  `)

  /**
   * Those that are shown, as `l`: a page has a hundred notes, and each value that is read of it becomes garbage. `withHashes`: whether
   * somebody asks which notes are theirs.
   */
  const shownColumns = (withHashes: boolean) =>
    sql.literal(`
      l.id, l."authorName", l.place, l."endSeconds", l.text, l."insertTime", l."editTime", l."isResolved", l."reviewerReplies",
      l."ownerReplies", ${withHashes ? "l.\"reviewerHash\"" : "NULL::bytea AS \"reviewerHash\""}
    `)

  const isListed = sql.literal("n.reply_to IS NULL AND n.delete_time IS NULL")

  const gone = sql.literal(`reply_to AS "replyTo", network_hash AS "networkHash", 1 AS held, bytes AS "textBytes"`)

  /** Condition that a row is a note or reply of a reviewer who had this name there, from before `time`. */
  const isOf = (accountId: AccountId, id: ReviewId, name: string, time: Date) =>
    sql`
      n.account_id = ${accountId} AND n.review_id = ${id} AND n.author_name = ${name} AND n.reviewer_hash IS NOT NULL
        AND n.insert_time <= ${time}::timestamptz
    `

  /** The notes of a review in the order of the edit list: a walk along its index. */
  const page = (
    accountId: AccountId,
    reviewId: ReviewId,
    after: NotePlace | null,
    { limit, maxBytes, withHashes }: PageSize & { readonly withHashes: boolean }
  ) => {
    const beyond = after === null ? sql`TRUE` : sql`
      (n.place, n.insert_time, n.id) >
        (${after.place}::float8, ${after.insertTime}::timestamptz, ${after.id}::uuid)
    `
    return sql<NoteRow>`
      SELECT ${shownColumns(withHashes)}, l.found FROM (
        SELECT l.*, count(*) OVER ()::int AS found,
          sum(l.bytes) OVER (ORDER BY l.place, l."insertTime", l.id) - l.bytes AS before FROM (
          SELECT ${columns} FROM ${t.review_notes} n
          WHERE n.review_id = ${reviewId} AND n.account_id = ${accountId} AND ${isListed} AND ${beyond}
          ORDER BY n.place, n.insert_time, n.id LIMIT ${limit}::int
        ) l
      ) l WHERE l.before < ${maxBytes}::int ORDER BY l.place, l."insertTime", l.id
    `.pipe(Effect.orDie)
  }

  /** The first notes of several reviews. */
  const firstOfEach = (accountId: AccountId, reviewIds: ReadonlyArray<ReviewId>, { limit, maxBytes }: PageSize) =>
    sql<NoteRow & { readonly reviewId: ReviewId }>`
      SELECT p.* FROM unnest(${reviewIds}::uuid[]) AS r (id) CROSS JOIN LATERAL (
        SELECT l.*, count(*) OVER ()::int AS found,
          sum(l.bytes) OVER (ORDER BY l.place, l."insertTime", l.id) - l.bytes AS before FROM (
          SELECT ${columns} FROM ${t.review_notes} n
          WHERE n.review_id = r.id AND n.account_id = ${accountId} AND ${isListed}
          ORDER BY n.place, n.insert_time, n.id LIMIT ${limit}::int
        ) l
      ) p WHERE p.before < ${maxBytes}::int ORDER BY p."reviewId", p.place, p."insertTime", p.id
    `.pipe(Effect.orDie)

  /** Notes that were left, changed or deleted after one change, in the order of their last changes. */
  const changed = (accountId: AccountId, reviewId: ReviewId, after: number, { limit, maxBytes }: PageSize) =>
    sql<StoredNote & Pick<NoteRow, "found">>`
      SELECT p.* FROM (
        SELECT l.*, count(*) OVER ()::int AS found, sum(l.bytes) OVER (ORDER BY l."changeNo") - l.bytes AS before FROM (
          SELECT ${columns} FROM ${t.review_notes} n
          WHERE n.review_id = ${reviewId} AND n.account_id = ${accountId} AND n.reply_to IS NULL AND n.change_no > ${after}::bigint
          ORDER BY n.change_no LIMIT ${limit}::int
        ) l
      ) p WHERE p.before < ${maxBytes}::int ORDER BY p."changeNo"
    `.pipe(Effect.orDie)

  /** The replies to notes, first written first. */
  const replies = (accountId: AccountId, noteIds: ReadonlyArray<NoteId>) =>
    sql<ReplyRow>`
      SELECT ${columns} FROM ${t.review_notes} n
      WHERE n.reply_to = ANY(${noteIds}::uuid[]) AND n.account_id = ${accountId}
      ORDER BY n.reply_to, n.insert_time, n.id
    `.pipe(Effect.orDie)

  /** How many replies to a note came from an address. */
  const repliesFrom = (accountId: AccountId, noteId: NoteId, networkHash: Uint8Array) =>
    sql<{ readonly count: number }>`
      SELECT count(*)::int AS count FROM ${t.review_notes}
      WHERE reply_to = ${noteId} AND account_id = ${accountId} AND network_hash = ${networkHash}
    `.pipe(Effect.map(([row]) => row?.count ?? 0), Effect.orDie)

  /** A note or reply that is not deleted, with the account whose review it is on. */
  const find = (id: NoteId) =>
    sql<StoredNote & { readonly accountId: AccountId }>`
      SELECT ${columns}, n.account_id AS "accountId" FROM ${t.review_notes} n WHERE n.id = ${id} AND n.delete_time IS NULL
    `.pipe(Effect.map(([row]) => row), Effect.orDie)

  const insert = (
    accountId: AccountId,
    note: Omit<StoredNote, "isResolved" | "editTime" | "deleteTime" | "reviewerReplies" | "ownerReplies">
  ) =>
    sql`
      INSERT INTO ${t.review_notes}
        (id, account_id, review_id, reply_to, reviewer_hash, network_hash, author_name, place, end_seconds, text, bytes, insert_time, change_no)
      VALUES (${note.id}, ${accountId}, ${note.reviewId}, ${note.replyTo}, ${note.reviewerHash}, ${note.networkHash},
        ${note.authorName}, ${note.place}::float8, ${note.endSeconds}::float8, ${note.text}, ${note.bytes}::int, ${note.insertTime}::timestamptz,
        ${note.changeNo}::bigint)
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Notes on a note that its replies changed, by how much, and the number of that change. */
  const countReplies = (
    accountId: AccountId,
    id: NoteId,
    changeNo: number,
    delta: { readonly byReviewers: number; readonly byOwner: number; readonly bytes: number }
  ) =>
    sql`
      UPDATE ${t.review_notes}
      SET change_no = ${changeNo}::bigint, bytes = bytes + ${delta.bytes}::int,
        reviewer_replies = reviewer_replies + ${delta.byReviewers}::int, owner_replies = owner_replies + ${delta.byOwner}::int
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const edit = (
    accountId: AccountId,
    id: NoteId,
    { bytes, changeNo, now, text }: {
      readonly text: string
      readonly bytes: number
      readonly now: Date
      readonly changeNo: number
    }
  ) =>
    sql`
      UPDATE ${t.review_notes}
      SET text = ${text}, bytes = bytes + ${bytes}::int, edit_time = ${now}::timestamptz, change_no = ${changeNo}::bigint
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const setResolved = (accountId: AccountId, id: NoteId, isResolved: boolean, changeNo: number) =>
    sql`
      UPDATE ${t.review_notes} SET is_resolved = ${isResolved}, change_no = ${changeNo}::bigint
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Deletes notes with their replies; what remains says only that there were some, with numbers of changes that end at `changeNo`. A note
   * that keeps its place keeps its address. Returns what the replies counted.
   */
  const remove = (
    accountId: AccountId,
    ids: ReadonlyArray<NoteId>,
    { changeNo, keepsPlace, now }: { readonly changeNo: number; readonly keepsPlace: boolean; readonly now: Date }
  ) =>
    sql<GoneReply>`
      DELETE FROM ${t.review_notes} WHERE reply_to = ANY(${ids}::uuid[]) AND account_id = ${accountId} RETURNING ${gone}
    `.pipe(
      Effect.tap(sql`
        UPDATE ${t.review_notes} n
        SET text = '', author_name = '', reviewer_hash = NULL, bytes = 0, delete_time = ${now}::timestamptz,
          keeps_place = ${keepsPlace}, network_hash = CASE WHEN ${keepsPlace}::boolean THEN n.network_hash END,
          change_no = ${changeNo}::bigint - g.at + 1
        FROM unnest(${ids}::uuid[]) WITH ORDINALITY g (id, at)
        WHERE n.id = g.id AND n.account_id = ${accountId}
      `),
      Effect.orDie
    )

  /** Some notes that were left under a name before `time`, with what their own texts count. */
  const ofReviewer = ({ accountId, id, name, time }: OfReviewer, limit: number) =>
    sql<
      {
        readonly id: NoteId
        readonly bytes: number
        readonly ownBytes: number
        readonly replies: number
        readonly networkHash: Uint8Array | null
      }
    >`
      SELECT n.id, n.bytes, octet_length(n.text) + octet_length(n.author_name) AS "ownBytes",
        n.reviewer_replies + n.owner_replies AS replies, n.network_hash AS "networkHash"
      FROM ${t.review_notes} n WHERE ${isOf(accountId, id, name, time)} AND ${isListed} LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  /** Deletes some replies that were left under a name before `time`; the notes that they are to still count them. */
  const removeRepliesOf = ({ accountId, id, name, time }: OfReviewer, limit: number) =>
    sql<GoneReply>`
      DELETE FROM ${t.review_notes} WHERE account_id = ${accountId} AND id IN (
        SELECT n.id FROM ${t.review_notes} n
        WHERE ${isOf(accountId, id, name, time)} AND n.reply_to IS NOT NULL LIMIT ${limit}::int
      ) RETURNING ${gone}
    `.pipe(Effect.orDie)

  const removeReply = (accountId: AccountId, id: NoteId) =>
    sql`DELETE FROM ${t.review_notes} WHERE id = ${id} AND account_id = ${accountId}`.pipe(Effect.asVoid, Effect.orDie)

  /** Reviews with notes that were deleted before `time`, of any account. */
  const withDeleted = (time: Date, limit: number) =>
    sql<{ readonly accountId: AccountId; readonly reviewId: ReviewId }>`
      SELECT DISTINCT account_id AS "accountId", review_id AS "reviewId" FROM (
        SELECT account_id, review_id FROM ${t.review_notes} WHERE delete_time < ${time}::timestamptz
        ORDER BY delete_time LIMIT ${limit}::int
      ) oldest
    `.pipe(Effect.orDie)

  /** Removes what remains of a review's notes that were deleted before `time`. Returns what those of them counted that kept their places. */
  const forgetDeleted = (accountId: AccountId, reviewId: ReviewId, time: Date) =>
    sql<FromNetwork & { readonly keepsPlace: boolean }>`
      DELETE FROM ${t.review_notes}
      WHERE review_id = ${reviewId} AND account_id = ${accountId} AND delete_time < ${time}::timestamptz
      RETURNING keeps_place AS "keepsPlace", network_hash AS "networkHash", 1 AS held, 0 AS "textBytes"
    `.pipe(Effect.map((rows) => rows.filter(({ keepsPlace }) => keepsPlace)), Effect.orDie)

  return {
    page,
    firstOfEach,
    changed,
    replies,
    repliesFrom,
    find,
    insert,
    countReplies,
    edit,
    setResolved,
    remove,
    removeReply,
    ofReviewer,
    removeRepliesOf,
    withDeleted,
    forgetDeleted
  }
})

export class ReviewNotesRepo extends Context.Service<ReviewNotesRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/reviews/ReviewNotesRepo"
) {
  static readonly layer = Layer.effect(ReviewNotesRepo, make)
}
