/**
 * Search as one would write it at first: joins over the tables that hold the truth, words by ILIKE, with the ordinary
 * indexes. What the drive's own is held against.
 */
import type { SearchQuery } from "@filedrive/core"
import type { Client } from "pg"

type Request = SearchQuery.SearchRequest

/** Longest that a query of this design is waited for, in milliseconds; it then counts as this. */
export const patienceMillis = 20_000

const orders = {
  newest: "f.insert_time DESC, f.id DESC",
  oldest: "f.insert_time, f.id",
  largest: "f.size DESC, f.id DESC",
  smallest: "f.size, f.id",
  name: "lower(f.file_name), f.id"
}

const pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

/** The statement and its parameters. */
export const statement = (accountId: string, query: Request): readonly [string, ReadonlyArray<unknown>] => {
  const parameters: Array<unknown> = [accountId]
  const given = (value: unknown) => `$${parameters.push(value)}`
  const filters = ["f.account_id = $1", "f.trash_time IS NULL", "f.derivative_of IS NULL"]
  const compare = (column: string, operator: string, value: unknown) => {
    if (value !== undefined) filters.push(`${column} ${operator} ${given(value)}`)
  }
  for (const word of query.text?.split(/[\s_.]+/).filter(Boolean) ?? []) {
    const like = `ILIKE ${given(`%${word.replace(/[%_\\]/g, "\\$&")}%`)}`
    const columns = ["f.file_name", "f.description", "m.title", "array_to_string(m.artists, ' ')", "m.album", "m.genre"]
    const inTags =
      `EXISTS (SELECT 1 FROM file_tags ft JOIN tags g ON g.id = ft.tag_id WHERE ft.file_id = f.id AND g.text ${like})`
    filters.push(`(${[...columns.map((column) => `${column} ${like}`), inTags].join(" OR ")})`)
  }
  for (const tag of query.tags ?? []) {
    filters.push(
      `EXISTS (SELECT 1 FROM file_tags ft JOIN tags g ON g.id = ft.tag_id WHERE ft.file_id = f.id AND lower(g.text) = lower(${
        given(tag)
      }))`
    )
  }
  const types = [...(query.types ?? []), ...(query.type === undefined ? [] : [query.type])]
  if (types.length > 0) filters.push(`f.type = ANY(${given(types)})`)
  if (query.folder !== undefined) {
    const path = given(query.folder.toLowerCase())
    filters.push(`(lower(d.path) = ${path} OR lower(d.path) LIKE ${path} || '/%')`)
  }
  compare("f.is_public", "=", query.isPublic)
  compare("f.insert_time", ">=", query.uploadedAfter)
  compare("f.insert_time", "<", query.uploadedBefore)
  compare("m.taken_time", ">=", query.takenAfter)
  compare("m.taken_time", "<", query.takenBefore)
  compare("m.duration", ">=", query.minDuration)
  compare("m.duration", "<=", query.maxDuration)
  compare("f.size", ">=", query.minSize)
  compare("f.size", "<=", query.maxSize)
  compare("coalesce(m.tempo, m.tagged_tempo)", ">=", query.minTempo)
  compare("coalesce(m.tempo, m.tagged_tempo)", "<=", query.maxTempo)
  if (query.key !== undefined) {
    const pitch = pitches.indexOf(query.key.replace(/m$/, "")) * 2
    filters.push(`m.key = ANY(${given(query.key.endsWith("m") ? [pitch + 1] : [pitch, pitch + 1])})`)
  }
  if (query.within !== undefined) {
    const { east, north, south, west } = query.within
    filters.push(`m.latitude BETWEEN ${given(south)} AND ${given(north)}`)
    const [from, to] = [given(west), given(east)]
    filters.push(
      west <= east ? `m.longitude BETWEEN ${from} AND ${to}` : `(m.longitude >= ${from} OR m.longitude <= ${to})`
    )
  }
  return [
    `SELECT f.*, m.*, d.path FROM files f LEFT JOIN file_media m ON m.file_id = f.id LEFT JOIN folders d ON d.id = f.folder_id
     WHERE ${filters.join(" AND ")} ORDER BY ${orders[query.sort ?? "newest"]}
     LIMIT ${(query.limit ?? 50) + 1} OFFSET ${query.offset ?? 0}`,
    parameters
  ]
}

/** Runs `work` while the tables have the indexes this design would: they are gone afterwards. */
export const withPlainIndexes = async <A>(client: Client, work: () => Promise<A>): Promise<A> => {
  await client.query("SET search_path = filedrive")
  await client.query("BEGIN")
  try {
    await client.query("CREATE INDEX plain_size ON files (account_id, size, id)")
    await client.query("CREATE INDEX plain_name ON files (account_id, lower(file_name), id)")
    await client.query("CREATE INDEX plain_type ON files (account_id, type, insert_time)")
    await client.query("CREATE INDEX plain_taken ON file_media (account_id, taken_time)")
    await client.query("CREATE INDEX plain_key ON file_media (account_id, key)")
    await client.query("CREATE INDEX plain_place ON file_media (account_id, latitude, longitude)")
    await client.query(`SET LOCAL statement_timeout = ${patienceMillis}`)
    return await work()
  } finally {
    await client.query("ROLLBACK")
  }
}

/** Milliseconds one query takes. */
export const measure = async (client: Client, accountId: string, query: Request): Promise<number> => {
  const [text, parameters] = statement(accountId, query)
  await client.query("SAVEPOINT before")
  const start = performance.now()
  try {
    await client.query(text, [...parameters])
    return performance.now() - start
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "57014") throw error
    return patienceMillis
  } finally {
    await client.query("ROLLBACK TO before")
  }
}
