/** Every statement that the searches of the mix run, as the service runs it, explained by the database. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, type Layer } from "effect"
import { Statement } from "effect/sql"
import { searchMix } from "../../../bench/SearchMix.ts"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Database } from "../src/database/Database.ts"
import { type Doc, tag } from "../src/docindex/Doc.ts"
import { DocIndex } from "../src/docindex/DocIndex.ts"
import { changingParts, fixedParts } from "../src/docindex/Segment.ts"
import { Search } from "../src/search/Search.ts"
import * as SearchQuery from "../src/search/SearchQuery.ts"
import type { AccountId, FileId } from "../src/shared/Ids.ts"
import { as, layer, newAccount } from "./FilesTest.ts"

const files = 40_000

/** One in so many has the word. */
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

const growing = ["files", "folders", "search_docs", "search_segments"] as const

/** Numbers from 0 to below 1, the same each time. */
const randomNumbers = (seed: number) => {
  let state = seed
  return () => (state = state * 48_271 % 2_147_483_647) / 2_147_483_647
}

const numbers = <E, R>(rows: Effect.Effect<ReadonlyArray<{ readonly no: number }>, E, R>) =>
  Effect.map(rows, (found) => found.map(({ no }) => no))

/** An account as large as it takes for plans to matter, by statements over all of it at once. */
const seed = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const index = yield* DocIndex
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
    INSERT INTO ${t.files} (id, account_id, type, file_name, mime_type, size, object_key, store_key, etag, insert_time)
    SELECT md5(${me}::text || n)::uuid, ${me}, 'Image', 'f' || n, 'image/jpeg', n, n::text, ${me}::text || n, '',
      '2018-01-01'::timestamptz + make_interval(hours => n * 2)
    FROM generate_series(1, ${files}::int) n
  `
  const ids = yield* sql<{ readonly id: FileId; readonly time: number }>`
    SELECT id, extract(epoch FROM insert_time)::float8 * 1000 AS time FROM ${t.files} WHERE account_id = ${me} ORDER BY 2
  `
  const folderNos = yield* numbers(
    sql<{ readonly no: number }>`SELECT no::float8 AS no FROM ${t.folders} WHERE account_id = ${me} ORDER BY no`
  )
  const tagNos = yield* numbers(
    sql<{ readonly no: number }>`SELECT no::float8 AS no FROM ${t.tags} WHERE account_id = ${me} ORDER BY no`
  )
  const chance = randomNumbers(5)
  const happens = (each: number) => chance() * each < 1
  const docs = ids.map(({ id, time }, n): Doc => ({
    id,
    time,
    type: n % 10 < 6 ? 2 : n % 10 < 8 ? 1 : n % 10 === 8 ? 0 : 3,
    isPublic: n % 13 === 0,
    size: Math.floor(chance() * 4e10),
    nameKey: `f${n * 7_919 % 10_007}`,
    folderNo: happens(3) ? null : folderNos[n % folderNos.length]!,
    taken: n % 10 < 6 ? time - 1e8 : null,
    duration: n % 10 > 5 ? chance() * 4_010 : null,
    tempo: n % 10 > 5 ? 60 + chance() * 120 : null,
    latitude: happens(2) ? chance() * 180 - 90 : null,
    longitude: chance() * 360 - 180,
    key: n % 10 > 5 ? n % 24 : null,
    lexemes: [
      ...Object.entries(words).flatMap(([word, each]) => happens(each) ? [word] : []),
      ...tagNos.flatMap((no) => happens(15) ? [tag(String(no))] : []),
      `${["ma", "ve", "x", "be"][n % 4]}${100 + n % 300}`
    ]
  }))
  yield* (yield* AccountTransaction).run(me, () => index.put(me, docs))
  // Others' folders and indexes: small tables are read from end to end, and rightly so.
  const parts = [...fixedParts, ...changingParts]
  yield* sql`
    INSERT INTO ${t.search_segments} (account_no, doc_count, dead_count, extents, ${sql.literal(parts.join(", "))})
    SELECT 1000000 + n, 1, 0, '{}', ${sql.literal(parts.map(() => "''").join(", "))} FROM generate_series(1, 5000) n
  `
  yield* sql`
    INSERT INTO ${t.search_docs} (account_no, file_id, seq, time)
    SELECT 1000000 + n % 100, gen_random_uuid(), n, 0 FROM generate_series(1, 20000) n
  `
  yield* sql`
    INSERT INTO ${t.folders} (id, account_id, name, folded_name, path, folded_path, depth, insert_time)
    SELECT gen_random_uuid(), ${yield* newAccount}, n, n, '/' || n, '/' || n, 1, '2020-01-01' FROM generate_series(1, 5000) n
  `
  for (const name of growing) yield* sql`ANALYZE ${t[name]}`
  return me
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Node>
}

/** Tables that grow with an account, where they are read from end to end. */
const scanned = (node: Node): ReadonlyArray<string> => [
  ...(node["Node Type"] === "Seq Scan" && growing.some((name) => name === node["Relation Name"])
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
        // Some names are unknown, and of some searches parts of segments are read.
        assert.isAbove(steps.size, 2)
        const [text, parameters] = sql`SELECT 1 FROM ${t.files} WHERE size + 0 > 5`.compile()
        assert.deepStrictEqual(yield* explain(text, parameters), ["files"], "a scan is seen for what it is")
      }), 120_000)
  })

tests("in memory", TestDatabase.layerMemory)
tests("PostgreSQL", TestDatabase.layerPostgresNew)
