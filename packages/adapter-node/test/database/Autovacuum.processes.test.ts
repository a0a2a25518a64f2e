/** Tables of the embedded database as they grow and change, with the clock moved by the test. */
import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { PgliteMemory } from "@filedrive/adapter-node/pglite-memory"
import { Database, Lists, ListTitle } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { addManyFiles } from "../../../core/test/addManyFiles.ts"
import { as, eventually, layer as filesLayer, newAccount } from "../../../core/test/FilesTest.ts"
import * as FreshSchema from "../../../testing/src/FreshSchema.ts"
import * as Autovacuum from "../../src/database/Autovacuum.ts"
import * as Pglite from "../../src/database/Pglite.ts"

/** Starts the upkeep of the client in context, before the first look; the warnings it gives. */
const startAutovacuum = Effect.fnUntraced(function*(asked = () => 0, sizes?: Autovacuum.Sizes) {
  const warnings: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && warnings.push(String(message))))
  yield* Layer.build(Layer.provide(Layer.fresh(Autovacuum.layerNoDeps({ asked }, sizes)), Logger.layer([logger])))
  return warnings
})

/** What the database knows of a table, the last moments included. */
const stateOf = Effect.fnUntraced(function*(table: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()::text`
  const [row] = yield* sql<{
    readonly analysed: boolean
    readonly vacuumed: boolean
    readonly rows: number
    readonly dead: number
    readonly bytes: number
    readonly scans: number
    readonly read: number
  }>`
    SELECT pg_stat_get_last_analyze_time(oid) IS NOT NULL AS analysed,
      pg_stat_get_last_vacuum_time(oid) IS NOT NULL AS vacuumed,
      reltuples::float8 AS rows, pg_stat_get_dead_tuples(oid)::float8 AS dead, pg_relation_size(oid)::float8 AS bytes,
      pg_stat_get_numscans(oid)::float8 AS scans,
      (pg_stat_get_tuples_returned(oid) + pg_stat_get_tuples_fetched(oid))::float8 AS read
    FROM pg_class WHERE oid = ${table}::regclass
  `
  return row!
})

type State = Effect.Success<ReturnType<typeof stateOf>>

/** Lets seconds go by until the table is as it should be. */
const untilTable = (table: string, right: (state: State) => boolean) =>
  eventually(Effect.andThen(TestClock.adjust("1 second"), stateOf(table)), right)

/** Lets time go by, with time for the database to answer. */
const pass = (seconds: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (let second = 0; second < seconds; second++) {
      yield* TestClock.adjust("1 second")
      yield* sql`SELECT 1`
    }
  })

/** As {@link startAutovacuum}, and past the first look, which alone asks what earlier runs left. */
const runAutovacuum = Effect.tap(startAutovacuum(), () => pass(15))

const withClient = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Database.use(({ sql }) => Effect.provideService(test, SqlClient.SqlClient, sql))

testLayer(filesLayer(TestDatabase.layerMemory), { timeout: "120 seconds" })("Autovacuum of a drive", (it) => {
  it.effect(
    "DB-13 plans made while a playlist was small are made anew when it has grown",
    () =>
      Database.use(Effect.fnUntraced(function*({ schema, sql }) {
        const lists = yield* Lists
        const me = yield* newAccount
        const warnings = yield* runAutovacuum
        const [files, items] = [`${schema}.files`, `${schema}.list_items`]
        const audio = yield* addManyFiles(me, 20_000, { type: "Audio" })
        const { list } = yield* lists.create("playlist", { title: ListTitle.make("Long") }).pipe(as(me))

        /** Rows of the playlist that are read while parts of 500 are added to it. */
        const readWhileAdding = Effect.fnUntraced(function*(first: number, end: number) {
          const { read } = yield* stateOf(items)
          for (let part = first; part < end; part++) {
            const { added } = yield* lists.add("playlist", list.id, audio.slice(part * 500, part * 500 + 500)).pipe(
              as(me)
            )
            assert.strictEqual(added.length, 500)
          }
          return (yield* stateOf(items)).read - read
        })

        // Nobody knows how long it is, so each part is compared with all that is there.
        assert.isAtLeast(yield* readWhileAdding(0, 8), 8 * 7 / 2 * 500)

        for (const table of [files, items]) {
          const { rows } = yield* untilTable(table, ({ analysed, vacuumed }) => analysed && vacuumed)
          assert.strictEqual(rows, table === files ? 20_000 : 4_000)
        }
        const known = yield* sql`SELECT 1 FROM pg_stats WHERE schemaname = ${schema} AND tablename = 'files'`
        assert.isAtLeast(known.length, 10)

        // Now what is there already is looked up, but where reading the list is as quick.
        const { scans } = yield* stateOf(files)
        assert.isBelow(yield* readWhileAdding(8, 20), 12 * 8 * 500 / 10)
        assert.strictEqual((yield* stateOf(files)).scans, scans)
        assert.deepStrictEqual(warnings, [])
      })).pipe(withClient, Effect.scoped),
    120_000
  )
})

let template: Promise<Blob> | undefined

/** Made once: a new database takes seconds, one from a dump a fraction of one. */
const empty = Effect.promise(() =>
  template ??= Effect.runPromise(
    PgliteMemory.use(({ dump }) => dump).pipe(Effect.provide(PgliteMemory.layer()))
  )
)

/** A database of its own in memory. */
const database = (dump: Effect.Effect<Blob> = empty) =>
  PgliteMemory.client.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(dump, (dump) => PgliteMemory.layer({ dump })))),
    Layer.provide(FreshSchema.realClock),
    Layer.fresh
  )

const makeTable = SqlClient.SqlClient.use((sql) => sql`CREATE TABLE things (n int PRIMARY KEY, of text NOT NULL)`)

const fill = (first: number, last: number) =>
  SqlClient.SqlClient.use((sql) =>
    sql`INSERT INTO things SELECT n, repeat('x', 100) FROM generate_series(${first}::int, ${last}::int) n`
  )

describe("Autovacuum", () => {
  it.effect("DB-14 the room of dead rows is used again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      const warnings = yield* runAutovacuum
      yield* fill(1, 2_000)
      const full = yield* untilTable("things", ({ analysed, vacuumed }) => analysed && vacuumed)
      for (let round = 0; round < 10; round++) {
        // Changes what is indexed, so that nothing but a vacuum makes room.
        yield* sql`UPDATE things SET n = -n`
        assert.isAtLeast((yield* stateOf("things")).dead, 2_000)
        yield* untilTable("things", ({ dead }) => dead === 0)
      }
      assert.isAtMost((yield* stateOf("things")).bytes, full.bytes * 2.5)
      assert.deepStrictEqual(warnings, [])
    }).pipe(Effect.provide(database()), Effect.scoped), 60_000)

  it.effect(
    "DB-14 a table that only grows is vacuumed too, so that an index alone can answer",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* makeTable
        yield* runAutovacuum
        yield* fill(1, 2_000)
        yield* untilTable("things", ({ vacuumed }) => vacuumed)
        const [visible] = yield* sql`
        SELECT relallvisible = relpages AS all FROM pg_class WHERE oid = 'things'::regclass
      `
        assert.deepStrictEqual(visible, { all: true })
      }).pipe(Effect.provide(database()), Effect.scoped),
    60_000
  )

  it.effect(
    "DB-25 a large table is vacuumed when nobody has asked for much for five seconds, or when it is huge and mostly dead rows",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE things (n int PRIMARY KEY, of text NOT NULL, much text NOT NULL)`
        const fill = sql`
          INSERT INTO things SELECT n, '', translate(repeat('xxxxxxxxxx', 130), 'x', chr(65 + n % 50))
          FROM generate_series(1, 30000) n
        `
        yield* sql`ALTER TABLE things ALTER much SET STORAGE PLAIN`
        yield* fill
        assert.isAbove((yield* stateOf("things")).bytes, 32 * 1_024 * 1_024)
        let asked = 0
        yield* startAutovacuum(() => asked, { largeBytes: 32 * 1_024 ** 2, hugeBytes: 128 * 1_024 ** 2 })
        const busily = Effect.gen(function*() {
          asked += 30
          yield* sql`SELECT pg_stat_force_next_flush()::text`
          yield* TestClock.adjust("1 second")
        })
        yield* Effect.repeat(busily, { times: 60 })
        assert.isFalse((yield* stateOf("things")).vacuumed)
        yield* Effect.repeat(Effect.andThen(sql`UPDATE things SET n = -n`, busily), { times: 7 })
        yield* Effect.repeat(busily, { times: 30 })
        assert.isTrue((yield* stateOf("things")).vacuumed)
        yield* sql`UPDATE things SET n = -n`
        assert.isAtLeast((yield* stateOf("things")).dead, 20_000)
        yield* Effect.repeat(busily, { times: 30 })
        assert.isAtLeast((yield* stateOf("things")).dead, 20_000)
        yield* untilTable("things", ({ dead }) => dead === 0)
      }).pipe(Effect.provide(database()), Effect.scoped),
    60_000
  )

  it.effect("DB-24 ANALYZE looks at 3,000 rows, however large a table is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      yield* fill(1, 20_000)
      yield* sql`ANALYZE things`.unprepared
      const [row] = yield* sql`
        SELECT cardinality(string_to_array(histogram_bounds::text, ',')) AS bounds FROM pg_stats
        WHERE tablename = 'things' AND attname = 'n'
      `
      // It looks at 300 rows for each step of what it notes.
      assert.deepStrictEqual(row, { bounds: 3_000 / 300 + 1 })
    }).pipe(Effect.provide(database()), Effect.scoped), 60_000)

  it.effect("DB-15 what earlier runs left is done, and nothing twice or without need", () =>
    Effect.gen(function*() {
      const dump = yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* makeTable
        yield* fill(1, 2_000)
        yield* sql`CREATE TABLE tended AS SELECT * FROM things`
        yield* sql`VACUUM ANALYZE tended`.unprepared
        return yield* (yield* PgliteMemory).dump
      }).pipe(Effect.provide(database()), Effect.scoped)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // A few more, which alone would be no reason.
        yield* fill(2_001, 2_010)
        assert.isFalse((yield* stateOf("things")).analysed)
        yield* startAutovacuum()
        yield* untilTable("things", ({ analysed, vacuumed }) => analysed && vacuumed)
        yield* fill(2_011, 2_100)
        yield* pass(120)
        const counts = yield* sql`
          SELECT relname::text AS name, analyze_count::int AS analysed, vacuum_count::int AS vacuumed
          FROM pg_stat_user_tables ORDER BY relname
        `
        assert.deepStrictEqual(counts, [
          { name: "tended", analysed: 0, vacuumed: 0 },
          { name: "things", analysed: 1, vacuumed: 1 }
        ])
      }).pipe(Effect.provide(database(Effect.succeed(dump))), Effect.scoped)
    }), 60_000)

  it.effect(
    "DB-16 a transaction is left alone, and the tables have their turn when it is over",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* makeTable
        const warnings = yield* startAutovacuum()
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`SET LOCAL stats_fetch_consistency = none`
          yield* fill(1, 2_000)
          yield* pass(60)
          assert.isFalse((yield* stateOf("things")).analysed)
        }))
        yield* untilTable("things", ({ analysed, rows }) => analysed && rows === 2_000)
        assert.deepStrictEqual(warnings, [])
      }).pipe(Effect.provide(database()), Effect.scoped),
    60_000
  )

  it.effect("DB-16 it ends without a word, also while it waits for a transaction", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeTable
      yield* fill(1, 2_000)
      const scope = yield* Scope.make()
      const warnings = yield* Effect.provideService(startAutovacuum(), Scope.Scope, scope)
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* pass(60)
        yield* Scope.close(scope, Exit.void)
        yield* fill(2_001, 2_100)
      }))
      yield* pass(60)
      const state = yield* stateOf("things")
      assert.deepStrictEqual([state.analysed, warnings], [false, []])
    }).pipe(Effect.provide(database()), Effect.scoped), 60_000)

  it.effect(
    "DB-16 a table that fails is warned of now and then, and keeps no other from its turn",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* makeTable
        yield* sql`
        CREATE FUNCTION refuses(n int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
        'BEGIN IF current_setting(''upkeep.refuses'', true) = ''yes'' THEN RAISE EXCEPTION ''refused''; END IF; RETURN n; END'
      `
        yield* sql`CREATE TABLE broken (n int)`
        yield* sql`CREATE INDEX ON broken (refuses(n))`
        yield* sql`INSERT INTO broken SELECT * FROM generate_series(1, 5000)`
        yield* fill(1, 2_000)
        yield* sql`SET upkeep.refuses = 'yes'`
        const warnings = yield* startAutovacuum()
        yield* untilTable("things", ({ analysed }) => analysed)
        yield* pass(120)
        assert.deepStrictEqual(warnings.filter((warning) => warning.startsWith("ANALYZE of broken")).length, 1)
        yield* sql`SET upkeep.refuses = 'no'`
        yield* untilTable("broken", ({ analysed }) => analysed)
      }).pipe(Effect.provide(database()), Effect.scoped),
    60_000
  )

  it.effect(
    "DB-13 the database of a serving process is looked after, and closes in the middle of it",
    () =>
      Effect.gen(function*() {
        const root = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "filedrive-upkeep-"))),
          (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
        )
        const layer = Layer.fresh(Pglite.layer({ directory: join(root, "database") }))
        yield* Effect.provide(
          Effect.gen(function*() {
            yield* makeTable
            yield* fill(1, 2_000)
            yield* untilTable("things", ({ analysed }) => analysed)
          }),
          layer
        )
        const kept = yield* Effect.provide(stateOf("things"), layer)
        assert.deepStrictEqual([kept.analysed, kept.rows], [false, 2_000])
      }).pipe(Effect.scoped),
    60_000
  )
})
