/** A schema that a test of a migration has for itself, without the drive's tables. */
import { Effect, Layer } from "effect"
import { Database, DatabaseSchema } from "../src/database/Database.ts"

/** Runs `work` with a `Database` of an empty schema, which is dropped when the test ends. */
export const inSchemaOfItsOwn = Effect.fnUntraced(function*<A, E, R>(name: string, work: Effect.Effect<A, E, R>) {
  const schema = `${name}_${process.pid}`
  const { sql } = yield* Database
  yield* Effect.addFinalizer(() => Effect.orDie(sql`DROP SCHEMA ${sql(schema)} CASCADE`))
  yield* sql`CREATE SCHEMA ${sql(schema)}`
  return yield* Effect.provide(work, Database.layer.pipe(Layer.provide(Layer.succeed(DatabaseSchema, schema))))
})
