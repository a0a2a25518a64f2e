import { assert, describe, it } from "@effect/vitest"
import { Database } from "@filedrive/core"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../src/TestDatabase.ts"

const files = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  yield* sql`INSERT INTO ${t.accounts} (id) VALUES (gen_random_uuid())`
  const rows = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM ${t.accounts}`
  return { schema, count: rows[0]!.n }
})

const freshEachTime = <E>(name: string, layer: Layer.Layer<Database, E>) =>
  describe(name, () => {
    it.effect("gives each layer a migrated database of its own", () =>
      Effect.gen(function*() {
        const first = yield* Effect.provide(files, layer)
        const second = yield* Effect.provide(files, layer)
        assert.deepStrictEqual([first.count, second.count], [1, 1])
        assert.notStrictEqual(first.schema, second.schema)
      }))

    it.effect("does not mind a test that moves its clock", () =>
      Effect.gen(function*() {
        const { sql } = yield* Database
        yield* TestClock.adjust("30 days")
        assert.deepStrictEqual(yield* sql`SELECT 1::int AS one`, [{ one: 1 }])
      }).pipe(Effect.provide(layer)))
  })

freshEachTime("memory", TestDatabase.layerMemory)
freshEachTime("postgres", TestDatabase.layerPostgres)
