import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Column from "./Column.ts"
import { Database } from "./Database.ts"

testLayer(TestDatabase.layer)("Column", (it) => {
  it.effect("BULK-1 PostgreSQL reads every list of texts and nulls as it was", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const special = fc.constantFrom("", "NULL", "null", "{", "}", ",", "\"", "\\", " ", "\n", "'", "é", "\u{1f600}")
      const text = fc.array(fc.oneof(special, fc.string()), { maxLength: 4 }).map((parts) =>
        parts.join("").replaceAll("\u0000", "")
      )
      for (const given of fc.sample(fc.array(fc.option(text), { maxLength: 6 }), 200)) {
        const [row] = yield* sql<{ readonly found: ReadonlyArray<string | null> }>`
          SELECT ${Column.of(given)}::text::text[] AS found
        `
        assert.deepStrictEqual(row!.found, given)
      }
    }))

  it.effect("BULK-1 PostgreSQL reads numbers, times and truths as they were", () =>
    Effect.gen(function*() {
      const { sql } = yield* Database
      const numbers = [0, -1.5, 1e-7, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER, null]
      const times = [new Date(0), null, new Date("1969-07-20T20:17:40.123Z")]
      const [row] = yield* sql`
        SELECT ${Column.of(numbers)}::text::float8[] AS numbers, ${Column.of(times)}::text::timestamptz[] AS times,
          ${Column.of([true, null, false])}::text::boolean[] AS truths
      `
      assert.deepStrictEqual(row, { numbers, times, truths: [true, null, false] })
    }))
})
