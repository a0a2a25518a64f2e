import { assert, it } from "@effect/vitest"
import { Database, Jobs, JobsSql, JobsWorker, PollInterval } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Duration, Effect, Layer, Queue } from "effect"
import { SecureRandom } from "effect/crypto"

/** A worker that never looks unless it is told. */
const worker = JobsWorker.layer.pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide([SecureRandom.layerWebCrypto, Layer.succeed(PollInterval, Duration.days(1_000))])
)

it.live("JOB-11 on PostgreSQL the commit wakes the worker of another process, and a rollback does not", () =>
  Effect.gen(function*() {
    const { sql } = yield* Database
    const ran = yield* Queue.unbounded<string>()
    yield* Jobs.Jobs.use((jobs) => jobs.handle("letters", ({ key }) => Effect.as(Queue.offer(ran, key), Jobs.done)))
    yield* Effect.repeat(sql`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle'`, {
      until: (listening) => listening.length > 0
    })

    // Knows nothing of the worker: what it shares with it is the server.
    const other = yield* Layer.build(Layer.fresh(JobsSql.layer))
    const enqueue = (key: string) =>
      Effect.provide(Jobs.Jobs.use((jobs) => jobs.enqueue({ kind: "letters", key })), other)
    yield* Effect.exit(sql.withTransaction(Effect.andThen(enqueue("rolled back"), Effect.fail("no"))))
    yield* sql.withTransaction(enqueue("kept"))
    assert.strictEqual(yield* Queue.take(ran), "kept")
  }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(worker, TestDatabase.layerPostgres))))
