/**
 * Brings the database to the shape this version needs. Safe to run from many
 * processes at once and on every start.
 */
import { Effect } from "effect"
import { Migrator } from "effect/sql"
import { Database } from "./Database.ts"
import drive from "./migrations/0001_drive.ts"

export const migrate = Effect.gen(function*() {
  const database = yield* Database
  const { schema, sql } = database
  yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(schema)}`
  return yield* Migrator.make({})({
    loader: Migrator.fromRecord({
      "0001_drive": Effect.provideService(drive, Database, database)
    }),
    table: `${schema}.migrations`
  })
})
