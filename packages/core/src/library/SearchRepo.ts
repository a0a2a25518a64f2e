/**
 * Search in SQL. Reads what {@link "../files/SearchIndex.ts"} writes; writes `search_pages` only.
 *
 * The statements that find files run unprepared: a prepared one soon gets a plan made for any value, and a plan for any word is a
 * bad one for most (measured: the same mix at p99 181 ms instead of 20).
 */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import * as StoredFile from "../files/StoredFile.ts"
import type { Term } from "../files/Words.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import * as SearchFilters from "./SearchFilters.ts"
import type { SearchQuery, Sort } from "./SearchQuery.ts"
import * as SearchTerms from "./SearchTerms.ts"

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

/** Where a page begins: after a row, by its place in the order of results. */
export interface Position {
  readonly key: string
  readonly id: FileId
}

export interface Names extends Pick<SearchFilters.Resolved, "accountNo" | "tagNos" | "isPending"> {
  readonly folderNo: string | null
  readonly limitNo: string | null
  /** Whole words by the number of their beginning. */
  readonly words: ReadonlyArray<ReadonlyArray<string>>
  /** Where the page of this offset begins, when that is known. */
  readonly position: Position | null
}

/** A question as it is known again when its next page is asked for. */
export interface PageKey {
  readonly accountNo: number
  /** The same for the same question of the same account under the same limits. */
  readonly question: string
}

/** Account numbers that are kept in memory. */
const accountNosMaxCount = 10_000

const noNames: Omit<Names, "accountNo"> = {
  tagNos: [],
  folderNo: null,
  limitNo: null,
  isPending: false,
  words: [],
  position: null
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { sql, tables: t } = database
  const filtersOf = SearchFilters.make(database)
  const columns = StoredFile.columns(database)
  const from = StoredFile.from(database)

  /** Numbers of accounts, which never change: a search that names nothing has nothing else to ask for. */
  const accountNos = new Map<AccountId, number>()
  const remembered = (accountId: AccountId, accountNo: number) => {
    if (accountNos.size >= accountNosMaxCount) accountNos.clear()
    accountNos.set(accountId, accountNo)
  }

  const hash = (question: string) => sql`sha256(convert_to(${question}::text, 'UTF8'))`

  /**
   * What the names in a query are, in one question; undefined when the account has never been here. Prepared: every
   * name is looked up by a whole key, whatever it is.
   */
  const resolve = (
    accountId: AccountId,
    folderId: FolderId | null,
    query: Wanted,
    page: { readonly question: string; readonly offset: number; readonly since: DateTime.Utc }
  ) => {
    const beginnings = SearchTerms.beginnings(query.terms)
    const accountNo = accountNos.get(accountId)
    if (
      accountNo !== undefined && page.offset === 0 && folderId === null && query.foldedPath === null
      && query.foldedTags.length === 0 && beginnings.length === 0
    ) {
      return Effect.succeed<Names | undefined>({ ...noNames, accountNo })
    }
    // What comes after the last character of all comes after every word of the beginning.
    const ends = beginnings.map((word) => `${word}\u{10ffff}`)
    return sql<Names>`
      SELECT a.no AS "accountNo",
        ARRAY(
          SELECT g.no::text FROM ${t.tags} g WHERE g.account_id = a.id AND g.folded = ANY(${query.foldedTags}::text[])
        ) AS "tagNos",
        (
          SELECT d.no::text FROM ${t.folders} d
          WHERE d.account_id = a.id AND d.folded_path = ${query.foldedPath}::text
            AND left(d.folded_path, 400) = left(${query.foldedPath}::text, 400)
        ) AS "folderNo",
        (SELECT d.no::text FROM ${t.folders} d WHERE d.account_id = a.id AND d.id = ${folderId}::uuid) AS "limitNo",
        EXISTS (SELECT 1 FROM ${t.search_pending} p WHERE p.account_id = a.id) AS "isPending",
        (
          SELECT coalesce(
            jsonb_agg(
              ARRAY(
                SELECT w.word FROM ${t.search_words} w
                WHERE w.account_no = a.no AND w.word >= b.first AND w.word < b.last
                ORDER BY w.word LIMIT ${SearchTerms.expansionsMaxCount + 1}::int
              ) ORDER BY b.at
            ),
            '[]'
          )
          FROM unnest(${beginnings}::text[], ${ends}::text[]) WITH ORDINALITY AS b (first, last, at)
        ) AS words,
        (
          SELECT jsonb_build_object('key', p.last_key, 'id', p.last_id) FROM ${t.search_pages} p
          WHERE p.account_no = a.no AND p.query_hash = ${hash(page.question)} AND p.next_offset = ${page.offset}::bigint
            AND p.insert_time > ${DateTime.toDateUtc(page.since)}
        ) AS position
      FROM ${t.accounts} a WHERE a.id = ${accountId}
    `.pipe(
      Effect.map((rows) => rows[0]),
      Effect.tap((names) => Effect.sync(() => names === undefined || remembered(accountId, names.accountNo))),
      Effect.orDie
    )
  }

  const found = (statement: Statement.Statement<Position>) => Effect.orDie(statement.unprepared)

  /** The statements that answer one query. Each gives `count` results in order, from `skip` on after `position`. */
  const plans = (query: Wanted, resolved: SearchFilters.Resolved, position: Position | null) => {
    const { each, lookup, range } = filtersOf(query, resolved)
    const { column, isDescending, type } = SearchFilters.orders[query.sort]
    const direction = isDescending ? "DESC" : "ASC"
    const order = sql.literal(`ORDER BY s.${column} ${direction}, s.file_id ${direction}`)
    const place = sql.literal(`s.file_id, s.${column}`)
    /** Places of the rows of `from`. Only those shown are made text of: of the ones skipped that takes ten times as long as skipping. */
    const shown = (from: Statement.Fragment, count: number, skip: number) =>
      sql<Position>`
        SELECT s.file_id AS id, ${sql.literal(`s.${column}::text AS key`)}
        FROM (SELECT ${place} FROM ${from} ${order} LIMIT ${count}::int OFFSET ${skip}::bigint) s
        ${order}
      `
    const base = sql.and([
      sql`s.account_no = ${resolved.accountNo}::int`,
      ...range,
      ...(position === null ? [] : [
        sql`(${sql.literal(`s.${column}`)}, s.file_id) ${sql.literal(isDescending ? "<" : ">")} (
          ${position.key}${sql.literal(`::${type}`)}, ${position.id}::uuid
        )`
      ])
    ])

    /**
     * All that pass, by the indexes of the filters, and then sorted. OFFSET 0 keeps the two apart: else the planner
     * takes the wish for few sorted rows for a reason to walk the whole account in their order.
     */
    const byFilters = (count: number, skip: number) => {
      const parts = lookup.map((conditions) =>
        sql`SELECT ${place} FROM ${t.search_files} s WHERE ${sql.and([base, ...conditions])}`
      )
      const [first, second] = parts
      const all = second === undefined ? first! : sql`${first!} UNION ALL ${second}`
      return found(shown(sql`(${all} OFFSET 0) s`, count, skip))
    }

    return {
      hasFilters: each.length > 0,

      /** By the index of the sort column, row after row until there are enough; or as the planner thinks, which knows how many pass. */
      inOrder: (count: number, skip: number) => {
        const [conditions, second] = lookup
        return second === undefined ?
          found(shown(sql`${t.search_files} s WHERE ${sql.and([base, ...conditions!])}`, count, skip)) :
          byFilters(count, skip)
      },

      /** By the index of the sort column, among its first `reach` rows only: what most files pass is found there, and if not, that is soon known. */
      amongFirst: (reach: number, count: number, skip: number) => {
        const first = sql`(SELECT * FROM ${t.search_files} s WHERE ${base} ${order} LIMIT ${reach}::int)`
        return found(shown(sql`${first} s WHERE ${sql.and(each)}`, count, skip))
      },

      byFilters
    }
  }

  /**
   * Records of these files, in their order, but for those that are no longer in view. Prepared, unlike the others:
   * looking rows up by their ids has one plan, and making it would take as long as running it.
   */
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
   * where somebody may still go on from; a place noted before `since` is nobody's any more.
   */
  const remember = (
    { accountNo, question }: PageKey,
    offset: number,
    { id, key }: Position,
    now: DateTime.Utc,
    since: DateTime.Utc
  ) =>
    sql`
      INSERT INTO ${t.search_pages} AS p (account_no, query_hash, next_offset, last_key, last_id, insert_time)
      VALUES (${accountNo}::int, ${hash(question)}, ${offset}::bigint, ${key}, ${id}, ${DateTime.toDateUtc(now)})
      ON CONFLICT (account_no, query_hash, next_offset)
      DO UPDATE SET last_key = excluded.last_key, last_id = excluded.last_id, insert_time = excluded.insert_time
      WHERE (p.last_key, p.last_id) = (excluded.last_key, excluded.last_id)
        OR p.insert_time <= ${DateTime.toDateUtc(since)}
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Forgets places noted before `since`, all accounts'. */
  const forget = (since: DateTime.Utc) =>
    sql`DELETE FROM ${t.search_pages} WHERE insert_time <= ${DateTime.toDateUtc(since)}`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  return { resolve, plans, records, remember, forget }
})

export class SearchRepo extends Context.Service<SearchRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/library/SearchRepo"
) {
  static readonly layer = Layer.effect(SearchRepo, make)
}
