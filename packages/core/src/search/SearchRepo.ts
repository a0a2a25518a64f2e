/** What names in a search are, the files of its page, and where pages begin, in SQL. Writes `search_pages` only. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { byIds } from "../database/ByIds.ts"
import { Database } from "../database/Database.ts"
import type { Position } from "../docindex/Ranking.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as StoredFileSql from "../files/StoredFileSql.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import type { PageKey, RequestedPage, Times } from "./PageOffset.ts"
import type { ParsedQuery } from "./ParsedQuery.ts"
import type { ResolvedNames } from "./ResolvedNames.ts"

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const columns = StoredFileSql.columns(database)
  const from = StoredFileSql.from(database)

  const hash = (question: string) => sql`sha256(convert_to(${question}::text, 'UTF8'))`

  /**
   * Resolves the names in a query; undefined when the account has no index yet. Reads only the rows that are needed, and
   * names each tag by itself: then the database plans it once for all times.
   */
  const resolve = (
    accountId: AccountId,
    folderId: FolderId | null,
    { foldedPath, foldedTags }: Pick<ParsedQuery, "foldedPath" | "foldedTags">,
    page: RequestedPage
  ) => {
    const noNos = sql`'{}'::float8[]`
    const inside = (top: Statement.Fragment) =>
      sql`ARRAY(
        SELECT d.no::float8 FROM ${t.folders} top JOIN ${t.folders} d ON d.account_id = top.account_id
          AND ${StoredFileSql.isInside(database, "d", "top")}
        WHERE top.account_id = a.id AND ${top}
      )`
    return sql<ResolvedNames>`
      SELECT a.no AS "accountNo",
        ${
      foldedTags.length === 0
        ? sql`'{}'::text[]`
        : sql`ARRAY(SELECT g.no::text FROM ${t.tags} g WHERE g.account_id = a.id AND ${sql.in("g.folded", foldedTags)})`
    } AS "tagNos",
        ${
      foldedPath === null ? noNos : inside(sql`top.folded_path = ${foldedPath}::text
          AND left(top.folded_path, 400) = left(${foldedPath}::text, 400)`)
    } AS "folderNos",
        ${folderId === null ? noNos : inside(sql`top.id = ${folderId}::uuid`)} AS "limitNos",
        ${
      page.offset === 0 ? sql`NULL` : sql`(
          SELECT jsonb_build_object('key', p.last_key, 'id', p.last_id) FROM ${t.search_pages} p
          WHERE p.account_no = a.no AND p.query_hash = ${hash(page.question)} AND p.next_offset = ${page.offset}::bigint
            AND p.insert_time > ${DateTime.toDateUtc(page.since)}
        )`
    } AS position
      FROM ${t.accounts} a WHERE a.id = ${accountId}
    `.pipe(Effect.map((rows) => rows[0]), Effect.orDie)
  }

  /** These files, but for those that are not in view. */
  const files = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) =>
    sql<StoredFile>`
      SELECT ${columns} FROM ${from}
      WHERE ${byIds(database, "f", accountId, ids)} AND f.trash_time IS NULL
        AND f.derivative_of IS NULL AND ${StoredFileSql.within(database, limits)}
    `.pipe(Effect.orDie)

  /**
   * Records that the page of `offset` begins at `position`, and returns when it was recorded; undefined when the offset stands for
   * another position already, from which a reader may still continue. One that was recorded lately is not written again.
   */
  const note = (
    { accountNo, question }: PageKey,
    offset: number,
    { id, key }: Position,
    { lately, now, since }: Times
  ) =>
    sql<{ readonly insertTime: Date }>`
      WITH there AS (
        SELECT p.insert_time FROM ${t.search_pages} p
        WHERE p.account_no = ${accountNo}::int AND p.query_hash = ${
      hash(question)
    } AND p.next_offset = ${offset}::bigint
          AND (p.last_key, p.last_id) = (${key}::text, ${id}::uuid) AND p.insert_time > ${DateTime.toDateUtc(lately)}
      ), noted AS (
        INSERT INTO ${t.search_pages} AS p (account_no, query_hash, next_offset, last_key, last_id, insert_time)
        SELECT ${accountNo}::int, ${hash(question)}, ${offset}::bigint, ${key}::text, ${id}::uuid,
          ${DateTime.toDateUtc(now)}::timestamptz
        WHERE NOT EXISTS (SELECT 1 FROM there)
        ON CONFLICT (account_no, query_hash, next_offset)
        DO UPDATE SET last_key = excluded.last_key, last_id = excluded.last_id, insert_time = excluded.insert_time
        WHERE (p.last_key, p.last_id) = (excluded.last_key, excluded.last_id)
          OR p.insert_time <= ${DateTime.toDateUtc(since)}
        RETURNING p.insert_time
      )
      SELECT insert_time AS "insertTime" FROM there UNION ALL SELECT insert_time FROM noted
    `.pipe(Effect.map(([noted]) => noted?.insertTime), Effect.orDie)

  /** Deletes positions of all accounts that were recorded before `since`. */
  const forget = (since: DateTime.Utc) =>
    sql`DELETE FROM ${t.search_pages} WHERE insert_time <= ${DateTime.toDateUtc(since)}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  return { resolve, files, note, forget }
})

export class SearchRepo extends Context.Service<SearchRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/search/SearchRepo"
) {
  static readonly layer = Layer.effect(SearchRepo, make)
}
