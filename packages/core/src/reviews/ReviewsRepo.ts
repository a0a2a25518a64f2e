/** Reviews in SQL. The only module that reads or writes `file_reviews`. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, ReviewId } from "../shared/Ids.ts"
import type { ListedItem } from "../shared/NewestFirst.ts"
import type { StoredReview } from "./Review.ts"
import type { ReviewBounds, ReviewDelta } from "./ReviewDelta.ts"

interface Row extends Omit<StoredReview, "expireTime" | "file"> {
  readonly expireTime: Date | null
  readonly fileId: FileId
  readonly fileType: FileType
  readonly fileName: string
}

const utc = (date: Date | null) => date === null ? null : DateTime.fromDateUnsafe(date)

const stored = ({ expireTime, fileId, fileName, fileType, ...row }: Row): StoredReview => ({
  ...row,
  expireTime: utc(expireTime),
  file: { id: fileId, type: fileType, fileName }
})

/** Which reviews of an account. */
interface Wanted {
  readonly ids?: ReadonlyArray<ReviewId> | undefined
  readonly fileId?: FileId | undefined
  /** Null: wherever its file is. */
  readonly foldedPath: string | null
  /** Only those after this one; null: from the newest on. */
  readonly after: ListedItem | null
  readonly limit: number
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database

  const columns = sql.literal(`
    r.id, r.account_id AS "accountId", r.file_id AS "fileId", coalesce(f.type, r.file_type) AS "fileType",
    coalesce(f.file_name, r.file_name) AS "fileName", coalesce(m.frame_rate, r.frame_rate) AS "frameRate",
    f.folder_id AS "folderId", r.message, r.is_open AS "isOpen", r.allow_download AS "allowDownload",
    r.expire_time AS "expireTime", r.password_hash AS "passwordHash", r.note_count AS "noteCount",
    r.change_no::float8 AS "changeNo", r.insert_time AS "insertTime"
  `)

  const from = sql`
    ${t.file_reviews} r LEFT JOIN ${t.files} f ON f.id = r.file_id AND f.account_id = r.account_id
    LEFT JOIN ${t.file_media} m ON m.file_id = f.id
  `

  const one = (rows: ReadonlyArray<Row>) => rows[0] === undefined ? null : stored(rows[0])

  /** Condition that a call with these limits sees the review: one limited to a folder, those of files in it. */
  const visible = (limits: Limits) => StoredFileSql.within(database, limits)

  /** The review whose link has this id, whoever's it is. */
  const findByLink = (id: ReviewId) =>
    sql<Row>`SELECT ${columns} FROM ${from} WHERE r.id = ${id}`.pipe(Effect.map(one), Effect.orDie)

  const find = (accountId: AccountId, limits: Limits, id: ReviewId) =>
    sql<Row>`SELECT ${columns} FROM ${from} WHERE r.id = ${id} AND r.account_id = ${accountId} AND ${visible(limits)}`
      .pipe(Effect.map(one), Effect.orDie)

  /** Newest first. */
  const select = (accountId: AccountId, limits: Limits, { after, fileId, foldedPath, ids, limit }: Wanted) =>
    sql<Row>`
      SELECT ${columns} FROM ${from}
      WHERE ${
      sql.and([
        sql`r.account_id = ${accountId}`,
        visible(limits),
        ...(ids === undefined ? [] : [sql`r.id = ANY(${ids}::uuid[])`]),
        ...(after === null
          ? []
          : [sql`(r.insert_time, r.id) < (${after.insertTime}::timestamptz, ${after.id}::uuid)`]),
        ...(fileId === undefined ? [] : [sql`r.file_id = ${fileId}`]),
        ...(foldedPath === null ? [] : [StoredFileSql.inPath(database, accountId, foldedPath)])
      ])
    }
      ORDER BY r.insert_time DESC, r.id DESC LIMIT ${limit}::int
    `.pipe(Effect.map((rows) => rows.map(stored)), Effect.orDie)

  /** The file of a review, in trash or not; null when it was deleted. */
  const file = ({ accountId, file: { id } }: Pick<StoredReview, "accountId" | "file">) =>
    sql<StoredFile>`
      SELECT ${StoredFileSql.columns(database)} FROM ${StoredFileSql.from(database)}
      WHERE f.id = ${id} AND f.account_id = ${accountId} AND f.derivative_of IS NULL
    `.pipe(Effect.map(([row]) => row ?? null), Effect.orDie)

  /** Whether the account has so many reviews. Reads as many entries of an index, and no rows. */
  const hasAtLeast = (accountId: AccountId, count: number) =>
    sql`SELECT 1 FROM ${t.file_reviews} WHERE account_id = ${accountId} OFFSET ${count - 1}::int LIMIT 1`.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie
    )

  const insert = (
    { accountId, allowDownload, expireTime, file, frameRate, id, insertTime, isOpen, message, passwordHash }:
      StoredReview
  ) =>
    sql`
      INSERT INTO ${t.file_reviews}
        (id, account_id, file_id, file_type, file_name, frame_rate, message, is_open, allow_download, expire_time, password_hash, insert_time)
      VALUES (${id}, ${accountId}, ${file.id}, ${file.type}, ${file.fileName}, ${frameRate}, ${message}, ${isOpen}, ${allowDownload},
        ${expireTime && DateTime.toDateUtc(expireTime)}::timestamptz, ${passwordHash}, ${insertTime}::timestamptz)
    `.pipe(Effect.asVoid, Effect.orDie)

  const update = (
    { accountId, allowDownload, expireTime, id, isOpen, message, passwordHash }: Pick<
      StoredReview,
      "accountId" | "allowDownload" | "expireTime" | "id" | "isOpen" | "message" | "passwordHash"
    >
  ) =>
    sql`
      UPDATE ${t.file_reviews}
      SET message = ${message}, is_open = ${isOpen}, allow_download = ${allowDownload},
        expire_time = ${expireTime && DateTime.toDateUtc(expireTime)}::timestamptz, password_hash = ${passwordHash}
      WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  const remove = (accountId: AccountId, id: ReviewId) =>
    sql`DELETE FROM ${t.file_reviews} WHERE id = ${id} AND account_id = ${accountId} RETURNING id`.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie
    )

  /**
   * Counts a change of a review's notes, and returns its number, the last one of several; undefined when the review would hold more than `most` then. Notes
   * down what the file is called now and its frame rate, which is all that remains of it once it is deleted.
   */
  const change = (
    { accountId, id }: Pick<StoredReview, "accountId" | "id">,
    { changes = 1, held, notes, textBytes }: ReviewDelta,
    most: ReviewBounds
  ) =>
    sql<{ readonly changeNo: number }>`
      UPDATE ${t.file_reviews} r
      SET change_no = r.change_no + ${changes}::int, note_count = r.note_count + ${notes}::int, held_notes = r.held_notes + ${held}::int,
        text_bytes = r.text_bytes + ${textBytes}::int, file_type = coalesce(f.type, r.file_type),
        file_name = coalesce(f.file_name, r.file_name), frame_rate = coalesce(m.frame_rate, r.frame_rate)
      FROM ${t.file_reviews} same
      LEFT JOIN ${t.files} f ON f.id = same.file_id AND f.account_id = same.account_id
      LEFT JOIN ${t.file_media} m ON m.file_id = same.file_id
      WHERE same.id = r.id AND r.id = ${id} AND r.account_id = ${accountId}
        AND (${held}::int <= 0 OR r.held_notes + ${held}::int <= ${most.notes}::int)
        AND (${textBytes}::int <= 0 OR r.text_bytes + ${textBytes}::int <= ${most.textBytes}::int)
      RETURNING r.change_no::float8 AS "changeNo"
    `.pipe(Effect.map(([row]) => row?.changeNo), Effect.orDie)

  /** Gives back the places of notes whose rows have gone. */
  const release = (accountId: AccountId, id: ReviewId, held: number) =>
    sql`
      UPDATE ${t.file_reviews} SET held_notes = held_notes - ${held}::int WHERE id = ${id} AND account_id = ${accountId}
    `.pipe(Effect.asVoid, Effect.orDie)

  return { findByLink, find, select, file, hasAtLeast, insert, update, remove, change, release }
})

export class ReviewsRepo extends Context.Service<ReviewsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/reviews/ReviewsRepo"
) {
  static readonly layer = Layer.effect(ReviewsRepo, make)
}
