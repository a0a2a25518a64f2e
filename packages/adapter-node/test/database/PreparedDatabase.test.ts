/** What the prepared database holds: it must be made anew when a migration is added or changed. */
import { assert, it } from "@effect/vitest"
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { PgliteMemory } from "../../src/database/PgliteMemory.ts"
import { preparedFile, preparedSchema } from "../../src/database/PreparedDatabase.ts"
import { shape } from "./Shape.ts"

const howTo = "Run node_modules/.bin/node --conditions=@filedrive/source scripts/prepareDatabase.ts"

/** How many rows each table of the schema has, of those that have any. */
const counts = Effect.gen(function*() {
  const { schema, sql } = yield* Database
  const tables = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = ${schema}::regnamespace AND relkind = 'r' ORDER BY relname
  `
  const counted = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(
      sql<{ readonly rows: number }>`SELECT count(*)::int AS rows FROM ${sql(`${schema}.${name}`)}`,
      ([found]) => ({ name, rows: found!.rows })
    ))
  return counted.filter(({ rows }) => rows > 0)
})

it.layer(PgliteMemory.client.pipe(Layer.provide(PgliteMemory.layer({ prepared: preparedFile }))))(
  "the prepared database",
  (it) => {
    const inSchema = <A, E>(schema: string, work: Effect.Effect<A, E, Database | SqlClient.SqlClient>) =>
      Effect.provide(work, Layer.provide(Database.layer, Layer.succeed(DatabaseSchema, schema)))

    it.effect("DB-111 has every migration, and the tables that they make", () =>
      Effect.gen(function*() {
        const [found] = yield* SqlClient.SqlClient.use((sql) =>
          sql`SELECT 1 FROM pg_namespace WHERE nspname = ${preparedSchema}`
        )
        assert.isDefined(found, howTo)
        assert.lengthOf(yield* inSchema(preparedSchema, migrate), 0, howTo)
        const made = yield* inSchema("made_now", Effect.andThen(migrate, Effect.all({ shape, counts })))
        assert.deepStrictEqual(yield* inSchema(preparedSchema, Effect.all({ shape, counts })), made, howTo)
      }))
  }
)
