/**
 * How long a new job waits for its run while 20,000 accounts have later jobs of its kind, and how often an idle worker
 * asks the database.
 */
import { NodeCrypto } from "@effect/platform-node"
import { Database, Jobs, JobsSql, JobsWorker, migrate } from "@filedrive/core"
import { Effect, Layer, Queue } from "effect"
import { Statement } from "effect/sql"
import { join } from "node:path"
import * as Pglite from "../../packages/adapter-node/src/database/Pglite.ts"
import * as Postgres from "../../packages/adapter-node/src/database/Postgres.ts"
import { withDirectory } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { median } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const kind = "bench.wakes"
const laterAccounts = quick ? 2_000 : 20_000
const rounds = quick ? 3 : 30
const idleSeconds = quick ? 2 : 15
const longestMillis = 500

type Client = ReturnType<typeof Postgres.layer> | ReturnType<typeof Pglite.layer>

const measure = (where: string, client: Client): Promise<ReadonlyArray<Outcome>> => {
  let statements = 0
  const database = Layer.effectDiscard(migrate).pipe(Layer.provideMerge(Database.layer), Layer.provideMerge(client))
  const queue = JobsWorker.layer.pipe(Layer.provideMerge(JobsSql.layer), Layer.provideMerge(database))
  return Effect.runPromise(
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const jobs = yield* Jobs.Jobs
      const ran = yield* Queue.unbounded<string>()
      yield* jobs.handle(kind, ({ key }) => Effect.as(Queue.offer(ran, key), Jobs.done), {
        concurrency: 4,
        concurrencyOfAccount: 2
      })
      yield* sql`
        INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
        SELECT ${kind}::text, gen_random_uuid() || '/later', now() + interval '30 days', now()
        FROM generate_series(1, ${laterAccounts}::int)
      `
      const waits: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        const start = performance.now()
        yield* jobs.enqueue({ kind, key: `new-${round}/now` })
        yield* Queue.take(ran)
        waits.push(performance.now() - start)
      }
      // It looks once more after the last of them.
      yield* Effect.sleep("1 second")
      statements = 0
      yield* Effect.sleep(`${idleSeconds} seconds`)
      const idle = statements / idleSeconds
      const [middle, most] = [median(waits), Math.max(...waits)]
      const accounts = laterAccounts.toLocaleString("en")
      return [{
        what: `a new job runs while ${accounts} accounts have later ones of its kind, ${where}`,
        own: `median ${middle.toFixed(1)} ms, at most ${most.toFixed(1)} ms`,
        against: "",
        result: `median ${middle.toFixed(0)} ms`,
        target: `under ${longestMillis} ms`,
        met: middle < longestMillis
      }, {
        what: `statements of an idle worker beside them, ${where}`,
        own: `${idle.toFixed(2)} a second`,
        against: "",
        result: idle.toFixed(2),
        target: "at most 1",
        met: idle <= 1
      }]
    }).pipe(
      Effect.scoped,
      Effect.provide(queue.pipe(Layer.provide(NodeCrypto.layer))),
      Effect.provideService(Statement.CurrentTransformer, (statement) =>
        Effect.sync(() => {
          statements++
          return statement
        })),
      Effect.orDie
    )
  )
}

export const wakes = async (): Promise<ReadonlyArray<Outcome>> => [
  ...await withPostgres((url) => measure("on PostgreSQL", Postgres.layer({ url, maxConnections: 4 }))),
  ...await withDirectory((directory) =>
    measure("database embedded", Pglite.layer({ directory: join(directory, "database") }))
  )
]
