/** What names in a search are, the records of its page, and where pages begin, in SQL. Writes `search_pages` only. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFile from "../files/StoredFile.ts"
import type { Position } from "../search/Ranking.ts"
import type { Term } from "../search/Words.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import { Recent } from "../shared/Recent.ts"
import type { SearchQuery, Sort } from "./SearchQuery.ts"

/** A query that was read: nothing in it can be wrong any more. */
export interface Wanted
  extends Omit<SearchQuery, "text" | "types" | "type" | "tags" | "folder" | "key" | "sort" | "limit" | "offset">
{
  readonly terms: ReadonlyArray<Term>
  /** Null: any. */
  readonly types: ReadonlyArray<FileType> | null
  readonly foldedTags: ReadonlyArray<string>
  /** Null: anywhere. */
  readonly foldedPath: string | null
  readonly keys: ReadonlyArray<number> | null
  readonly sort: Sort
}

/** What names in a query turned out to be. */
export interface Names {
  readonly accountNo: number
  readonly tagNos: ReadonlyArray<string>
  /** The folder asked for and all inside it; empty when there is none such, or none was asked for. */
  readonly folderNos: ReadonlyArray<number>
  /** The same for the one that the call is limited to. */
  readonly limitNos: ReadonlyArray<number>
  /** Where the page of this offset begins, when that is known. */
  readonly position: Position | null
}

/** A question as it is known again when its next page is asked for. */
export interface PageKey {
  readonly accountNo: number
  /** The same for the same question of the same account under the same limits. */
  readonly question: string
}

/** Bytes of places that this process knows to be noted. */
const placesMaxBytes = 2 * 1024 * 1024

/** Account numbers that are kept in memory. */
const accountNosMaxCount = 10_000

/** What a place takes in memory besides its question and its key, about. */
const placeBytes = 400

/** When a place is noted, and as of when one was noted `lately` or is still somebody's. */
interface Times {
  readonly now: DateTime.Utc
  readonly lately: DateTime.Utc
  readonly since: DateTime.Utc
}

const noNames: Omit<Names, "accountNo"> = {
  tagNos: [],
  folderNos: [],
  limitNos: [],
  position: null
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { isInTransaction, sql, tables: t } = database
  const columns = StoredFile.columns(database)
  const from = StoredFile.from(database)

  /** Numbers of accounts, which never change: a search that names nothing has nothing else to ask for. */
  const accountNos = new Map<AccountId, number>()
  const remembered = (accountId: AccountId, accountNo: number) => {
    if (accountNos.size >= accountNosMaxCount) accountNos.clear()
    accountNos.set(accountId, accountNo)
  }

  const hash = (question: string) => sql`sha256(convert_to(${question}::text, 'UTF8'))`

  /** Places that were noted, and when, by account, offset and question. */
  const places = new Recent<string, Position & { readonly insertTime: Date }>(placesMaxBytes)
  const nameOf = ({ accountNo, question }: PageKey, offset: number) => `${accountNo} ${offset} ${question}`

  /**
   * What the names in a query are, in one question; undefined when the account has never been here. It asks for what
   * is there and nothing else, and names each tag by itself: then the database plans it once for all times.
   */
  const resolve = (
    accountId: AccountId,
    folderId: FolderId | null,
    query: Wanted,
    page: { readonly question: string; readonly offset: number; readonly since: DateTime.Utc }
  ) => {
    const accountNo = accountNos.get(accountId)
    const { foldedPath, foldedTags } = query
    if (
      accountNo !== undefined && page.offset === 0 && folderId === null && foldedPath === null &&
      foldedTags.length === 0
    ) {
      return Effect.succeed<Names | undefined>({ ...noNames, accountNo })
    }
    const noNos = sql`'{}'::float8[]`
    const inside = (top: Statement.Fragment) =>
      sql`ARRAY(
        SELECT d.no::float8 FROM ${t.folders} top JOIN ${t.folders} d ON d.account_id = top.account_id
          AND ${StoredFile.isInside(database, "d", "top")}
        WHERE top.account_id = a.id AND ${top}
      )`
    return sql<Names>`
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
    `.pipe(
      Effect.map((rows) => rows[0]),
      Effect.tap((names) =>
        Effect.sync(() => {
          if (names === undefined) return
          remembered(accountId, names.accountNo)
          // A database that lost its last moments, lost places too.
          if (names.position === null) {
            places.delete(nameOf({ accountNo: names.accountNo, question: page.question }, page.offset))
          }
        })
      ),
      Effect.orDie
    )
  }

  /** Records of these files, in their order, but for those that are no longer in view. */
  const records = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) =>
    sql<StoredFile.StoredFile>`
      SELECT ${columns} FROM ${from}
      WHERE f.account_id = ${accountId} AND f.id = ANY(${ids}::uuid[]) AND f.trash_time IS NULL
        AND f.derivative_of IS NULL AND ${StoredFile.within(database, limits)}
    `.pipe(
      Effect.map((files) => {
        const byId = new Map(files.map((file) => [file.id, file]))
        return ids.flatMap((id) => byId.get(id) ?? [])
      }),
      Effect.orDie
    )

  /**
   * Notes that the page of `offset` begins at `position`. False when the offset stands for another place already,
   * where somebody may still go on from; a place noted before `since` is nobody's any more. One that was noted `lately` is
   * not written again, and not asked for where this process knows of it: most searches that are repeated write nothing.
   */
  const remember = Effect.fnUntraced(function*(page: PageKey, offset: number, { id, key }: Position, times: Times) {
    const { accountNo, question } = page
    const { lately, now, since } = times
    const name = nameOf(page, offset)
    const known = places.get(name)
    if (known !== undefined && known.id === id && known.key === key && known.insertTime > DateTime.toDateUtc(lately)) {
      return true
    }
    const [noted] = yield* sql<{ readonly insertTime: Date }>`
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
    `.pipe(Effect.orDie)
    if (noted === undefined) return false
    if (!(yield* isInTransaction)) places.set(name, { id, key, ...noted }, placeBytes + name.length + key.length)
    return true
  })

  /** Forgets places noted before `since`, all accounts'. */
  const forget = (since: DateTime.Utc) =>
    sql`DELETE FROM ${t.search_pages} WHERE insert_time <= ${DateTime.toDateUtc(since)}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  return { resolve, records, remember, forget }
})

export class SearchRepo extends Context.Service<SearchRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/library/SearchRepo"
) {
  static readonly layer = Layer.effect(SearchRepo, make)
}
