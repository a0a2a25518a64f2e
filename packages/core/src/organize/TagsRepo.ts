/** Tags in SQL. The only module that writes `tags` and `file_tags`, but for counts as files come and go. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId, TagId } from "../shared/Ids.ts"
import type { Spelling, StoredTag } from "./Tag.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = sql.literal(`g.id, g.text, g.folded, g.file_count AS "fileCount"`)
  const fileIds = (rows: ReadonlyArray<{ readonly id: FileId }>) => rows.map(({ id }) => id)

  const find = (accountId: AccountId, id: TagId) =>
    sql<StoredTag>`
      SELECT ${columns} FROM ${t.tags} g WHERE g.account_id = ${accountId} AND g.id = ${id}
    `.pipe(Effect.map((rows) => Option.fromUndefinedOr(rows[0])), Effect.orDie)

  const findByText = (accountId: AccountId, folded: ReadonlyArray<string>) =>
    sql<StoredTag>`
      SELECT ${columns} FROM ${t.tags} g WHERE g.account_id = ${accountId} AND g.folded = ANY(${folded}::text[])
    `.pipe(Effect.orDie)

  const insert = (accountId: AccountId, { folded, id, text }: Spelling & { readonly id: TagId }, now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
      VALUES (${id}, ${accountId}, ${text}, ${folded}, ${DateTime.toDateUtc(now)})
    `.pipe(Effect.asVoid, Effect.orDie)

  const setText = (accountId: AccountId, id: TagId, { folded, text }: Spelling) =>
    sql`
      UPDATE ${t.tags} SET text = ${text}, folded = ${folded} WHERE account_id = ${accountId} AND id = ${id}
    `.pipe(Effect.asVoid, Effect.orDie)

  const remove = (accountId: AccountId, id: TagId) =>
    sql`DELETE FROM ${t.tags} WHERE account_id = ${accountId} AND id = ${id}`.pipe(Effect.asVoid, Effect.orDie)

  /** The rest of a statement whose `changed` are added or removed taggings: counts those of files in view. */
  const counted = (accountId: AccountId, sign: 1 | -1) =>
    sql`
      , counted AS (
        UPDATE ${t.tags} AS g SET file_count = g.file_count + c.files * ${sign}::int
        FROM (
          SELECT changed.tag_id, count(*)::int AS files FROM changed JOIN ${t.files} f ON f.id = changed.file_id
          WHERE f.trash_time IS NULL AND f.derivative_of IS NULL GROUP BY changed.tag_id
        ) c
        WHERE g.id = c.tag_id AND g.account_id = ${accountId}
      )
      SELECT DISTINCT file_id AS id FROM changed
    `

  /** Tags each of the account's files with each of its tags. Returns the files that lacked one. */
  const tag = (accountId: AccountId, files: ReadonlyArray<FileId>, tags: ReadonlyArray<TagId>) =>
    sql<{ readonly id: FileId }>`
      WITH changed AS (
        INSERT INTO ${t.file_tags} (file_id, tag_id)
        SELECT file_id, tag_id FROM unnest(${files}::uuid[]) file_id CROSS JOIN unnest(${tags}::uuid[]) tag_id
        ON CONFLICT DO NOTHING RETURNING file_id, tag_id
      ) ${counted(accountId, 1)}
    `.pipe(Effect.map(fileIds), Effect.orDie)

  /** Whether one of the files has more than `count` tags besides these. */
  const anyWithMoreTags = (files: ReadonlyArray<FileId>, tags: ReadonlyArray<TagId>, count: number) =>
    sql`
      SELECT 1 FROM ${t.file_tags} WHERE file_id = ANY(${files}::uuid[]) AND tag_id <> ALL(${tags}::uuid[])
      GROUP BY file_id HAVING count(*) > ${count}::int LIMIT 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Removes the account's tags from its files. Returns the files that had one. */
  const untag = (accountId: AccountId, files: ReadonlyArray<FileId>, tags: ReadonlyArray<TagId>) =>
    sql<{ readonly id: FileId }>`
      WITH changed AS (
        DELETE FROM ${t.file_tags} WHERE file_id = ANY(${files}::uuid[]) AND tag_id = ANY(${tags}::uuid[])
        RETURNING file_id, tag_id
      ) ${counted(accountId, -1)}
    `.pipe(Effect.map(fileIds), Effect.orDie)

  /** Some of the files that carry a tag, in trash or not, by id after `after`. */
  const filesOf = (tagId: TagId, after: FileId | null, limit: number) =>
    sql<{ readonly id: FileId }>`
      SELECT file_id AS id FROM ${t.file_tags}
      WHERE tag_id = ${tagId} AND ${after === null ? sql`TRUE` : sql`file_id > ${after}`}
      ORDER BY file_id LIMIT ${limit}::int
    `.pipe(Effect.map(fileIds), Effect.orDie)

  /** Whether a call with these limits sees files with the tag, and whether others have it. Without limits it sees every tag. */
  const sees = (tagId: TagId, limits: Limits) =>
    limits.folderId === null
      ? Effect.succeed({ isSeen: true, hasOthers: false })
      : sql<{ readonly isSeen: boolean; readonly hasOthers: boolean }>`
      SELECT EXISTS (
          SELECT 1 FROM ${t.file_tags} ft JOIN ${t.files} f ON f.id = ft.file_id
          WHERE ft.tag_id = ${tagId} AND ${StoredFileSql.within(database, limits)}
        ) AS "isSeen",
        EXISTS (
          SELECT 1 FROM ${t.file_tags} ft JOIN ${t.files} f ON f.id = ft.file_id
          WHERE ft.tag_id = ${tagId} AND (${StoredFileSql.within(database, limits)}) IS NOT TRUE
        ) AS "hasOthers"
    `.pipe(Effect.map((rows) => rows[0]!), Effect.orDie)

  /** Those of the account's tags that a file carries which a call with these limits sees, or all of them without limits. */
  const seen = (accountId: AccountId, tags: ReadonlyArray<TagId>, limits: Limits) =>
    limits.folderId === null ? Effect.succeed(new Set(tags) as ReadonlySet<TagId>) : sql<{ readonly id: TagId }>`
      SELECT g.id FROM ${t.tags} g
      WHERE g.account_id = ${accountId} AND g.id = ANY(${tags}::uuid[]) AND EXISTS (
        SELECT 1 FROM ${t.file_tags} ft JOIN ${t.files} f ON f.id = ft.file_id
        WHERE ft.tag_id = g.id AND ${StoredFileSql.within(database, limits)}
      )
    `.pipe(Effect.map((rows): ReadonlySet<TagId> => new Set(rows.map(({ id }) => id))), Effect.orDie)

  return { find, findByText, insert, setText, remove, tag, anyWithMoreTags, untag, filesOf, sees, seen }
})

export class TagsRepo extends Context.Service<TagsRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/organize/TagsRepo"
) {
  static readonly layer = Layer.effect(TagsRepo, make)
}
