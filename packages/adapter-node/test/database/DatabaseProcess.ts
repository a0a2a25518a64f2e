/**
 * A process of its own on a database, for tests that start many or kill one:
 * `node DatabaseProcess.ts <command> <database> [<schema>]`, the database being a
 * URL or a directory. Commands:
 *
 * - `migrate` brings the schema up to date and prints how many steps that took;
 * - `write` inserts rows forever, printing each number once it is acknowledged;
 * - `open` opens the database, prints `open`, and holds it;
 * - `work` runs the jobs of the race test until killed.
 */
import { Database, DatabaseSchema, Jobs, JobsSql, JobsWorker, LeaseLifetime, migrate } from "@filedrive/core"
import { Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Pglite from "../../src/database/Pglite.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import { printLine } from "../printLine.ts"

const [command, place, schema = "filedrive"] = process.argv.slice(2) as [string, string, string?]

const print = (line: string) => Effect.sync(() => printLine(line))

const client = place.startsWith("postgres") ? Postgres.layer({ url: place }) : Pglite.layer({ directory: place })
const database = Database.layer.pipe(
  Layer.provideMerge(client),
  Layer.provide(Layer.succeed(DatabaseSchema, schema))
)

const write = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS acknowledged (n bigint GENERATED ALWAYS AS IDENTITY, filler text)`
  const insert = sql<{ readonly n: string }>`
    INSERT INTO acknowledged (filler) VALUES (repeat('x', 200)) RETURNING n::text AS n
  `
  return yield* Effect.forever(Effect.flatMap(insert, ([row]) => print(row!.n)))
})

/** The effect of a job is one row; `done_by` says who made it visible. */
const work = Effect.gen(function*() {
  const { sql } = yield* Database
  const jobs = yield* Jobs.Jobs
  yield* jobs.handle(
    "race",
    ({ key }) =>
      sql`INSERT INTO ${
        sql(`${schema}.effects`)
      } (key, done_by) VALUES (${key}, ${process.pid}::int) ON CONFLICT DO NOTHING`
        .pipe(
          Effect.andThen(sql`INSERT INTO ${sql(`${schema}.runs`)} (key) VALUES (${key})`),
          Effect.as(Jobs.done)
        ),
    { concurrency: 8 }
  )
  yield* print("working")
  return yield* Effect.never
})

const worker = JobsWorker.layer.pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide([SecureRandom.layerWebCrypto, Layer.succeed(LeaseLifetime, Duration.seconds(3))])
)

const commands: Record<string, Effect.Effect<unknown, unknown, Database | SqlClient.SqlClient>> = {
  migrate: Effect.flatMap(migrate, (steps) => print(String(steps.length))),
  write,
  open: Effect.andThen(print("open"), Effect.never),
  work: Effect.scoped(Effect.provide(work, worker))
}

await Effect.runPromise(Effect.provide(commands[command]!, database)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
