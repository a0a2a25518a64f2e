/** What the list of features says of itself, against the database. */
import { assert, it, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { Database } from "../src/database/Database.ts"
import type { Feature } from "../src/Feature.ts"
import * as Features from "../src/Features.ts"

const features: ReadonlyArray<Feature> = Features.features

layer(TestDatabase.layer)("The tables of all features", (it) => {
  it.effect("DB-77 every table of the drive is owned by one feature", () =>
    Effect.gen(function*() {
      const { schema, sql } = yield* Database
      const found = yield* sql<{ readonly name: string }>`
        SELECT tablename AS name FROM pg_tables WHERE schemaname = ${schema} AND tablename <> 'migrations'
      `
      assert.deepStrictEqual(
        features.flatMap(({ tables = [] }) => tables as ReadonlyArray<string>).toSorted(),
        found.map(({ name }) => name).toSorted()
      )
    }))
})

it("have names of their own, and operations in one group each", () => {
  assert.strictEqual(new Set(features.map(({ name }) => name)).size, features.length)
  const groups = Features.groups.map(({ identifier }) => identifier)
  assert.strictEqual(new Set<string>(groups).size, groups.length)
})
