/** From a query to conditions in SQL on a row `s` of `search_files`. Every value is a parameter. */
import { DateTime } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../database/Database.ts"
import * as Lexeme from "../files/Lexeme.ts"
import { FileType } from "../shared/FileType.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Box, Sort } from "./SearchQuery.ts"
import type { Wanted } from "./SearchRepo.ts"
import * as SearchTerms from "./SearchTerms.ts"

type Fragment = Statement.Fragment
type Db = Database["Service"]

/** What names in a query turned out to be. */
export interface Resolved {
  readonly accountId: AccountId
  readonly accountNo: number
  readonly tagNos: ReadonlyArray<string>
  /** The folder asked for and the one the call is limited to; none, one or both. */
  readonly folderNos: ReadonlyArray<string>
  readonly text: SearchTerms.TextQuery | null
  /** Some files' rows name folders they were in before; folders are read from the files themselves then. */
  readonly isPending: boolean
}

/** How results are sorted: a column whose order is indexed, then ids the same way round. */
export interface Order {
  readonly column: "insert_time" | "size" | "name_key"
  readonly type: "timestamptz" | "bigint" | "text"
  readonly isDescending: boolean
}

export const orders: Readonly<Record<Sort, Order>> = {
  newest: { column: "insert_time", type: "timestamptz", isDescending: true },
  oldest: { column: "insert_time", type: "timestamptz", isDescending: false },
  largest: { column: "size", type: "bigint", isDescending: true },
  smallest: { column: "size", type: "bigint", isDescending: false },
  name: { column: "name_key", type: "text", isDescending: false }
}

export interface Filters {
  /** On the column results are sorted by: where in its index to begin and end. */
  readonly range: ReadonlyArray<Fragment>
  /** Everything else, to look through rows for. */
  readonly each: ReadonlyArray<Fragment>
  /** The same for rows that are looked up, in one or two parts that have no file in common. */
  readonly lookup: ReadonlyArray<ReadonlyArray<Fragment>>
}

/** Square degrees from which a box has so many files that its index is no help. */
const wideBoxArea = 400

const maxBigint = Number.MAX_SAFE_INTEGER

export const make = (database: Db) => {
  const { sql, tables: t } = database
  const match = (query: string) => sql`s.lexemes @@ ${query}::tsquery`
  /** The same, but never by the index. */
  const lookThrough = (query: string) => sql`ts_match_vq(s.lexemes, ${query}::tsquery)`

  const box = ({ east, north, south, west }: Box): ReadonlyArray<Fragment> => {
    const width = west <= east ? east - west : 360 - west + east
    const isWide = width * (north - south) > wideBoxArea
    const latitude = sql.literal(isWide ? "s.latitude + 0" : "s.latitude")
    const longitude = sql.literal(isWide ? "s.longitude + 0" : "s.longitude")
    const between = sql`${longitude} BETWEEN ${west}::float8 AND ${east}::float8`
    const inside = west > east
      ? sql`(${longitude} >= ${west}::float8 OR ${longitude} <= ${east}::float8)`
      // 180 east and 180 west are one meridian.
      : east === 180
      ? sql`(${between} OR s.longitude = -180)`
      : west === -180
      ? sql`(${between} OR s.longitude = 180)`
      : between
    return [
      sql`s.latitude IS NOT NULL AND ${latitude} BETWEEN ${south}::float8 AND ${north}::float8`,
      inside
    ]
  }

  /** The file's own folder is in or inside all of these. */
  const isReallyIn = (accountId: AccountId, folderNos: ReadonlyArray<string>, fileId: Fragment) =>
    sql.and(folderNos.map((no) =>
      sql`EXISTS (
        SELECT 1 FROM ${t.files} f
        JOIN ${t.folders} inner_folder ON inner_folder.id = f.folder_id
        JOIN ${t.folders} top_folder ON top_folder.no = ${no}::bigint AND top_folder.account_id = ${accountId}
        WHERE f.id = ${fileId} AND f.account_id = ${accountId}
          AND (inner_folder.id = top_folder.id
            OR starts_with(inner_folder.folded_path, top_folder.folded_path || '/'))
      )`
    ))

  const filters = (query: Wanted, resolved: Resolved): Filters => {
    const { accountId, accountNo, folderNos, isPending, tagNos, text } = resolved
    const order = orders[query.sort]
    const range: Array<Fragment> = []
    const columns: Array<Fragment> = []
    const compare = (column: string, operator: string, type: string, value: number | Date | undefined) => {
      if (value === undefined) return
      const condition = sql`${sql.literal(`s.${column} ${operator}`)} ${value}${sql.literal(`::${type}`)}`
      ;(column === order.column ? range : columns).push(condition)
    }
    const date = (time: DateTime.Utc | undefined) => time === undefined ? undefined : DateTime.toDateUtc(time)
    const whole = (size: number | undefined) => size === undefined ? undefined : Math.min(size, maxBigint)
    compare("insert_time", ">=", "timestamptz", date(query.uploadedAfter))
    compare("insert_time", "<", "timestamptz", date(query.uploadedBefore))
    compare("taken_time", ">=", "timestamptz", date(query.takenAfter))
    compare("taken_time", "<", "timestamptz", date(query.takenBefore))
    compare("size", ">=", "bigint", whole(query.minSize))
    compare("size", "<=", "bigint", whole(query.maxSize))
    compare("duration", ">=", "float8", query.minDuration)
    compare("duration", "<=", "float8", query.maxDuration)
    compare("tempo", ">=", "float8", query.minTempo)
    compare("tempo", "<=", "float8", query.maxTempo)
    if (query.keys !== null) columns.push(sql`s.key = ANY(${query.keys}::smallint[])`)
    if (query.within !== undefined) columns.push(...box(query.within))

    const types = query.types === null ? [] : [
      sql`s.type = ANY(${query.types.map((type) => FileType.literals.indexOf(type) + 1)}::smallint[])`
    ]
    const access = query.isPublic === undefined ? [] : [query.isPublic ? sql`s.is_public` : sql`NOT s.is_public`]
    const tags = tagNos.map((no) => Lexeme.quoted(Lexeme.tag(no)))
    const folders = folderNos.map((no) => Lexeme.quoted(Lexeme.folder(no)))
    // Of these most files have each. Beside a word, tag or folder the index skips through them; alone it reads them all.
    const facts = [
      ...(query.types === null ? [] : [
        SearchTerms.anyOf(query.types.map((type) => Lexeme.quoted(Lexeme.type(accountNo, type))))
      ]),
      ...(query.isPublic === undefined ? [] : [Lexeme.quoted(Lexeme.access(accountNo, query.isPublic))])
    ]
    const words = text === null ? [] : [text.filter]
    const together = (parts: ReadonlyArray<string>, by: typeof match) =>
      parts.length === 0 ? [] : [by(SearchTerms.allOf(parts))]

    const moves = isPending && folders.length > 0
    const pending = sql`EXISTS (
      SELECT 1 FROM ${t.search_pending} p WHERE p.account_id = ${accountId} AND p.file_id = s.file_id
    )`
    const inFolders = moves
      ? [sql`CASE WHEN ${pending} THEN ${isReallyIn(accountId, folderNos, sql.literal("s.file_id"))}
          ELSE ${lookThrough(SearchTerms.allOf(folders))} END`]
      : []
    const each = [
      ...columns,
      ...types,
      ...access,
      ...together([...words, ...tags, ...(moves ? [] : folders)], lookThrough),
      ...inFolders
    ]

    /** By the index, with what it cannot tell looked through for. */
    const lookedUp = (more: ReadonlyArray<string>) => {
      const named = [...tags, ...more, ...(text?.lookup ?? [])]
      const known = named.length === 0 ? [] : [...named, ...facts]
      // With nothing else to go by, the beginning of a word still leads to fewer files than there are.
      const all = known.length === 0 && columns.length === 0 ? words : known
      return [
        ...columns,
        ...(known.length === 0 ? [...types, ...access] : []),
        ...together(all, match),
        ...(text !== null && text.isPartial && all !== words ? [lookThrough(text.filter)] : [])
      ]
    }
    const lookup = !moves ? [lookedUp(folders)] : [
      [...lookedUp(folders), sql`NOT ${pending}`],
      [
        ...lookedUp([]),
        sql`s.file_id IN (
          SELECT p.file_id FROM ${t.search_pending} p
          WHERE p.account_id = ${accountId} AND ${isReallyIn(accountId, folderNos, sql.literal("p.file_id"))}
        )`
      ]
    ]
    return { range, each, lookup }
  }

  return filters
}
