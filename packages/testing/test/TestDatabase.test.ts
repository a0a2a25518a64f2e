import { assert, describe, it } from "@effect/vitest"
import { Database } from "@filedrive/core"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as TestDatabase from "../src/TestDatabase.ts"

const files = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  yield* sql`INSERT INTO ${t.accounts} (id) VALUES (gen_random_uuid())`
  const rows = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM ${t.accounts}`
  return { schema, count: rows[0]!.n }
})

it.effect("HOST-122 layers in memory that live at the same time begin with prepared schemas, and the seventh with a new one", () =>
  Effect.gen(function*() {
    const take = Effect.map(Layer.build(TestDatabase.layerMemory), (built) => Context.get(built, Database).schema)
    const taken = yield* Effect.replicateEffect(take, 7)
    assert.deepStrictEqual(taken.slice(0, 6).map((name) => name.replace(/\d/, "")), Array(6).fill("prepared_"))
    assert.notInclude(taken[6], "prepared")
    assert.strictEqual(new Set(taken).size, 7)
  }).pipe(Effect.scoped))

const freshEachTime = <E>(name: string, layer: Layer.Layer<Database, E>) =>
  describe(name, () => {
    it.effect("gives each layer an empty, migrated database", () =>
      Effect.gen(function*() {
        const counts = yield* Effect.replicateEffect(Effect.map(Effect.provide(files, layer), ({ count }) => count), 3)
        assert.deepStrictEqual(counts, [1, 1, 1])
      }))

    it.effect("keeps layers that live at the same time apart", () =>
      Effect.gen(function*() {
        const outer = yield* files
        const inner = yield* Effect.provide(files, layer)
        assert.deepStrictEqual([outer.count, inner.count], [1, 1])
        assert.notStrictEqual(outer.schema, inner.schema)
      }).pipe(Effect.provide(layer)))

    it.effect("does not hand on what a test has altered", () =>
      Effect.gen(function*() {
        const alter = Database.use(({ sql, tables: t }) => sql`ALTER TABLE ${t.accounts} ADD COLUMN altered int`)
        yield* Effect.provide(alter, layer)
        yield* Effect.replicateEffect(Effect.provide(alter, layer), 3)
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
