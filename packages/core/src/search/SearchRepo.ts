/** What names in a search are, the records of its page, and where pages begin, in SQL. Writes `search_pages` only. */
import { Context, DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import type { Position } from "../docindex/Ranking.ts"
import type { Term } from "../docindex/Words.ts"
import * as StoredFile from "../files/StoredFile.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import { LruCache } from "../shared/LruCache.ts"
import { RevisionCache } from "./RevisionCache.ts"
import type { SearchQuery, Sort } from "./SearchQuery.ts"

/** A query that was read: nothing in it can be wrong any more. */
export interface ParsedQuery
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
  readonly isCached: boolean
}

/** A page as its place is looked up; places noted before `since` are nobody's any more. */
export interface PlacedPage {
  readonly question: string
  readonly offset: number
  readonly since: DateTime.Utc
}

/** A question as it is known again when its next page is asked for. */
export interface PageKey {
  readonly accountNo: number
  /** The same for the same question of the same account under the same limits. */
  readonly question: string
}

/** Records of a page, and whether any of them was remembered. */
export interface PageRecords {
  readonly files: ReadonlyArray<StoredFile.StoredFile>
  readonly isCached: boolean
}

/** Bytes of names, with all folders inside them, that a process remembers. */
const namesMaxBytes = 4 * 1024 * 1024

/** Bytes of records that a process remembers, some ten thousand of them. */
const recordsMaxBytes = 16 * 1024 * 1024

/** What a record takes in memory besides its longer texts, about. */
const recordBytes = 1_500

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
  position: null,
  isCached: false
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { isInTransaction, sql, tables: t } = database
  const columns = StoredFile.columns(database)
  const from = StoredFile.from(database)

  /** Numbers of accounts, which never change: a search that names nothing has nothing else to ask for. */
  const accountNos = new Map<AccountId, number>()
  const keepNo = (accountId: AccountId, accountNo: number) => {
    if (accountNos.size >= accountNosMaxCount) accountNos.clear()
    accountNos.set(accountId, accountNo)
  }

  const hash = (question: string) => sql`sha256(convert_to(${question}::text, 'UTF8'))`

  /** Places that were noted, and when, by account, offset and question. */
  const places = new LruCache<string, Position & { readonly insertTime: Date }>(placesMaxBytes)
  const nameOf = ({ accountNo, question }: PageKey, offset: number) => `${accountNo} ${offset} ${question}`

  const names = new RevisionCache<string, Names>(namesMaxBytes)

  /** Asks for what is there and nothing else, and names each tag by itself: then the database plans it once for all times. */
  const readNames = (
    accountId: AccountId,
    folderId: FolderId | null,
    { foldedPath, foldedTags }: Pick<ParsedQuery, "foldedPath" | "foldedTags">,
    page: PlacedPage
  ) => {
    const noNos = sql`'{}'::float8[]`
    const inside = (top: Statement.Fragment) =>
      sql`ARRAY(
        SELECT d.no::float8 FROM ${t.folders} top JOIN ${t.folders} d ON d.account_id = top.account_id
          AND ${StoredFile.isInside(database, "d", "top")}
        WHERE top.account_id = a.id AND ${top}
      )`
    return sql<Omit<Names, "isCached">>`
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
    `.pipe(Effect.map((rows) => rows[0] && { ...rows[0], isCached: false }), Effect.orDie)
  }

  /**
   * What the names in a query are, in one question at most; undefined when the account has never been here. Those of a
   * first page may be remembered as of `revision`.
   */
  const resolve = Effect.fnUntraced(
    function*(accountId: AccountId, folderId: FolderId | null, query: ParsedQuery, page: PlacedPage, revision: number) {
      const accountNo = accountNos.get(accountId)
      const { foldedPath, foldedTags } = query
      const isFirst = page.offset === 0
      if (accountNo !== undefined && isFirst && folderId === null && foldedPath === null && foldedTags.length === 0) {
        return { ...noNames, accountNo } satisfies Names
      }
      const isShared = isFirst && !(yield* isInTransaction)
      const key = JSON.stringify([accountId, folderId, foldedPath, foldedTags])
      const known = isShared ? names.get(key, revision) : undefined
      if (known !== undefined) return known
      const found = yield* readNames(accountId, folderId, query, page)
      if (found === undefined) return undefined
      keepNo(accountId, found.accountNo)
      if (isShared) names.set(key, revision, { ...found, isCached: true }, bytesOfNames(key, found))
      // A database that lost its last moments, lost places too.
      if (found.position === null) {
        places.delete(nameOf({ accountNo: found.accountNo, question: page.question }, page.offset))
      }
      return found
    }
  )

  /** Records as they were read. */
  const kept = new RevisionCache<FileId, StoredFile.StoredFile>(recordsMaxBytes)

  const readRecords = (accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>) =>
    sql<StoredFile.StoredFile>`
      SELECT ${columns} FROM ${from}
      WHERE f.account_id = ${accountId} AND f.id = ANY(${ids}::uuid[]) AND f.trash_time IS NULL
        AND f.derivative_of IS NULL AND ${StoredFile.within(database, limits)}
    `.pipe(Effect.orDie)

  /**
   * Records of these files, in their order, but for those that are no longer in view: as of this revision or a later one,
   * those that are remembered as of this one.
   */
  const records = Effect.fnUntraced(
    function*(accountId: AccountId, limits: Limits, ids: ReadonlyArray<FileId>, revision: number) {
      const byId = new Map<FileId, StoredFile.StoredFile>()
      // What a call in a folder may see, and what a transaction has changed, is for the database to say.
      const isShared = limits.folderId === null && !(yield* isInTransaction)
      for (const id of isShared ? ids : []) {
        const file = kept.get(id, revision)
        if (file !== undefined) byId.set(id, file)
      }
      const isCached = byId.size > 0
      const others = isCached ? ids.filter((id) => !byId.has(id)) : ids
      for (const file of others.length === 0 ? [] : yield* readRecords(accountId, limits, others)) {
        byId.set(file.id, file)
        // How far a move has come is not counted in revisions.
        if (isShared && file.moveToPublic === null) kept.set(file.id, revision, file, bytesOf(file))
      }
      return { files: ids.flatMap((id) => byId.get(id) ?? []), isCached } satisfies PageRecords
    }
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

/** Texts that may be long count twice, for scripts that take two bytes a character. */
const bytesOf = ({ artists, description, fileName, tagLines, title }: StoredFile.StoredFile): number =>
  recordBytes + 2 * [fileName, description, title, ...artists ?? [], ...tagLines].reduce(
      (sum, text) => sum + (text?.length ?? 0),
      0
    )

const bytesOfNames = (key: string, { folderNos, limitNos, tagNos }: Omit<Names, "isCached">): number =>
  2 * key.length + 8 * (folderNos.length + limitNos.length) + 32 * tagNos.length + 400

export class SearchRepo extends Context.Service<SearchRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/search/SearchRepo"
) {
  static readonly layer = Layer.effect(SearchRepo, make)
}
