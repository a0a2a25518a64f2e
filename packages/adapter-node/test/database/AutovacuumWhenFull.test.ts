/** Autovacuum of the embedded database's tables while its disk is full, with the clock moved by the test. */
import { assert, describe, it } from "@effect/vitest"
import { layerMemory } from "@filedrive/adapter-node/pglite-memory"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../../core/test/FilesTest.ts"
import * as Autovacuum from "../../src/database/Autovacuum.ts"

/** What the database knows of the table, the last moments included. */
const things = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()::text`
  const [row] = yield* sql<{ readonly dead: number; readonly bytes: number }>`
    SELECT pg_stat_get_dead_tuples(oid)::float8 AS dead, pg_relation_size(oid)::float8 AS bytes
    FROM pg_class WHERE oid = 'things'::regclass
  `
  return row!
})

const untilVacuumed = eventually(Effect.andThen(TestClock.adjust("1 second"), things), ({ dead }) => dead === 0)

describe("Autovacuum while the disk is full", () => {
  it.effect(
    "DB-47 while the disk is full a table is vacuumed however busy the database is and however large the table",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE things (n int PRIMARY KEY, of text NOT NULL)`
        yield* sql`INSERT INTO things SELECT n, '' FROM generate_series(1, 20000) n`
        let asked = 0
        let isFull = false
        const options = { asked: () => asked, isFull: () => isFull }
        yield* Layer.build(Layer.fresh(Autovacuum.layerNoDeps(options, { largeBytes: 1_024, hugeBytes: 1_024 ** 3 })))
        const busily = Effect.gen(function*() {
          asked += 200
          yield* sql`SELECT pg_stat_force_next_flush()::text`
          yield* TestClock.adjust("1 second")
        })
        // A twentieth of its rows, in a table that is large here: it has time.
        yield* sql`UPDATE things SET of = 'changed' WHERE n <= 1000`
        yield* Effect.repeat(busily, { times: 30 })
        assert.isAtLeast((yield* things).dead, 1_000)
        isFull = true
        yield* untilVacuumed
        const { bytes } = yield* things
        for (let round = 0; round < 5; round++) {
          yield* sql`UPDATE things SET of = 'again' WHERE n <= 1000`
          yield* untilVacuumed
        }
        assert.isAtMost((yield* things).bytes, bytes + 10 * 8_192)
      }).pipe(Effect.provide(layerMemory), Effect.scoped),
    60_000
  )
})
