/** Every statement that the searches of the mix run, as the service runs it, explained by the database. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, type Layer } from "effect"
import { Statement } from "effect/sql"
import { searchMix } from "../../../bench/SearchMix.ts"
import { Database } from "../src/database/Database.ts"
import { Search } from "../src/library/Search.ts"
import * as SearchQuery from "../src/library/SearchQuery.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { as, layer, newAccount } from "./FilesTest.ts"

const files = 40_000

/** One in so many has the word, most of them among the newest or the oldest. */
const words = {
  img: 3,
  vacation: 8,
  beach: 20,
  sunset: 40,
  remix: 50,
  flac: 30,
  befi: 4_000,
  "20180301": 900,
  "20190704": 60
}

/** Folders in folders, the first of all the largest. */
const folders = ["/Peledoze", "/Medi 2020", "/Peledoze/Sofi", "/Peledoze/Sofi/Fate 2020"]

/** An account as large as it takes for plans to matter, by statements over all of it at once. */
const seed = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const me = yield* newAccount
  yield* sql`
    INSERT INTO ${t.folders} (id, account_id, name, folded_name, path, folded_path, depth, insert_time)
    SELECT gen_random_uuid(), ${me}, path, lower(path), path, lower(path), 1, '2020-01-01'
    FROM unnest(${folders}::text[]) AS path
  `
  yield* sql`
    INSERT INTO ${t.tags} (id, account_id, text, folded, insert_time)
    SELECT gen_random_uuid(), ${me}, text, text, '2020-01-01' FROM unnest(ARRAY['vacation', 'beach', 'sunset']) AS text
  `
  yield* sql`
    INSERT INTO ${t.search_words} SELECT no, word FROM ${t.accounts}, unnest(${Object.keys(words)}::text[]) AS word
    WHERE id = ${me} AND word !~ '[0-9]'
  `
  // Words of which there are very many that begin alike.
  yield* sql`
    INSERT INTO ${t.search_words} SELECT no, start || n FROM ${t.accounts}, unnest(ARRAY['ma', 've', 'x', 'be']) AS start,
      generate_series(100, 400) n WHERE id = ${me}
  `
  yield* sql`
    INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
    SELECT md5(${me}::text || n)::uuid, ${me}, 'Image', 'f' || n, 'image/jpeg', n, n::text, ${me}::text || n, '',
      '2018-01-01'::timestamptz + make_interval(hours => n * 2)
    FROM generate_series(1, ${files}::int) n
  `
  const one = (each: number, salt: number) => sql`hashint4(n + ${salt * 1_000_003}::int) % ${each}::int = 0`
  const lexemes = [
    ...Object.entries(words).map(([word, each], at) =>
      sql`CASE WHEN ${one(each, at)} THEN a.no || ':' || ${word}::text END`
    ),
    sql`CASE WHEN ${one(4, 20)} THEN a.no || ':ma' || (100 + abs(hashint4(n) % 300)) END`,
    sql`CASE WHEN ${one(4, 21)} THEN a.no || ':be' || (100 + abs(hashint4(n + 5) % 300)) END`,
    sql`a.no || '!' || CASE WHEN n % 10 < 6 THEN 'Image' WHEN n % 10 < 8 THEN 'Audio' WHEN n % 10 = 8 THEN 'Video'
      WHEN n % 100 = 9 THEN 'Archive' ELSE 'Document' END`,
    sql`a.no || CASE WHEN ${one(12, 22)} THEN '+' ELSE '-' END`,
    ...folders.map((_, at) =>
      sql`CASE WHEN n % 8 < ${4 - at}::int THEN '/' || (${sql.literal("f.nos")})[${at + 1}::int] END`
    ),
    ...[6, 15, 30].map((each, at) =>
      sql`CASE WHEN ${one(each, 30 + at)} THEN '#' || (${sql.literal("g.nos")})[${at + 1}::int] END`
    )
  ]
  yield* sql`
    INSERT INTO ${t.search_files} (file_id, account_no, type, key, is_public, duration, tempo, latitude, longitude,
      insert_time, size, taken_time, name_key, lexemes)
    SELECT md5(${me}::text || n)::uuid, a.no,
      CASE WHEN n % 10 < 6 THEN 3 WHEN n % 10 < 8 THEN 2 WHEN n % 10 = 8 THEN 1 WHEN n % 100 = 9 THEN 6 ELSE 4 END,
      CASE WHEN n % 10 IN (6, 7) THEN abs(hashint4(n) % 24) END, ${one(12, 22)},
      CASE WHEN n % 10 BETWEEN 6 AND 8 THEN abs(hashint4(n + 1) % 4000) END,
      CASE WHEN n % 10 IN (6, 7) THEN 60 + abs(hashint4(n + 2) % 120) END,
      CASE WHEN n % 2 = 0 THEN abs(hashint4(n / 50) % 170) - 85 END,
      CASE WHEN n % 2 = 0 THEN abs(hashint4(n / 50 + 3) % 360) - 180 END,
      '2018-01-01'::timestamptz + make_interval(hours => n * 2), abs(hashint4(n + 4)::bigint) * 16,
      CASE WHEN n % 10 IN (0, 1, 2, 3, 4, 5, 8) THEN '2018-01-01'::timestamptz + make_interval(hours => n * 2 - 30) END,
      'f' || abs(hashint4(n + 5)), array_to_tsvector(array_remove(ARRAY[${sql.csv(lexemes)}], NULL))
    FROM generate_series(1, ${files}::int) n
    CROSS JOIN (SELECT no FROM ${t.accounts} WHERE id = ${me}) a
    CROSS JOIN (SELECT array_agg(no::text ORDER BY no) AS nos FROM ${t.folders} WHERE account_id = ${me}) f
    CROSS JOIN (SELECT array_agg(no::text ORDER BY no) AS nos FROM ${t.tags} WHERE account_id = ${me}) g
  `
  for (const table of [t.search_files, t.search_words, t.files, t.folders, t.tags]) yield* sql`ANALYZE ${table}`
  return me
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

/** Tables that grow with an account, where they are read from end to end. */
const scanned = (node: Node): ReadonlyArray<string> => [
  ...(node["Node Type"] === "Seq Scan" && ["search_files", "search_words", "files"].includes(node["Relation Name"]!)
    ? [node["Relation Name"]!]
    : []),
  ...(node.Plans ?? []).flatMap(scanned)
]

const explain = Effect.fnUntraced(function*(statement: string, parameters: ReadonlyArray<unknown>) {
  const { sql } = yield* Database
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Node }> }>(
    `EXPLAIN (FORMAT JSON) ${statement}`,
    parameters
  ).unprepared
  return scanned(row!["QUERY PLAN"][0]!.Plan)
})

/** The statements of a call, as they were sent. */
const statementsOf = Effect.fnUntraced(function*<A, E, R>(call: Effect.Effect<A, E, R>) {
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  yield* Effect.provideService(call, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      sent.push(statement.compile())
      return statement
    }))
  return sent
})

const tests = <E>(name: string, database: Layer.Layer<Database, E>) =>
  testLayer(layer(database), { timeout: "120 seconds" })(`Search plans (${name})`, (it) => {
    it.effect("SRCH-22 no search of the mix scans a table", () =>
      Effect.gen(function*() {
        const { search } = yield* Search
        const { sql, tables: t } = yield* Database
        const me: AccountId = yield* seed
        const steps = new Set<number>()
        for (const [name, request] of searchMix({ files, folders })) {
          const query = yield* SearchQuery.decode(request)
          const sent = yield* statementsOf(search(query).pipe(as(me)))
          steps.add(sent.length)
          for (const [statement, parameters] of sent) {
            assert.deepStrictEqual(yield* explain(statement, parameters), [], `${name}: ${statement}`)
          }
        }
        // Some names are unknown, some pages full at the first look, some sought out, most followed by another page.
        assert.isAbove(steps.size, 3)
        const [text, parameters] = sql`SELECT 1 FROM ${t.search_files} WHERE size + 0 > 5`.compile()
        assert.deepStrictEqual(yield* explain(text, parameters), ["search_files"], "a scan is seen for what it is")
      }), 120_000)
  })

tests("in memory", TestDatabase.layerMemory)
tests("PostgreSQL", TestDatabase.layerPostgres)
