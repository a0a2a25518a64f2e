import { assert, it } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Deferred, Duration, Effect, Exit, Layer, Queue } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../database/Database.ts"
import { done, Jobs } from "./Jobs.ts"
import { PollInterval } from "./JobSignals.ts"
import * as JobsSql from "./JobsSql.ts"
import { JobsWorker } from "./JobsWorker.ts"

const kind = "letters"

const start = (key: string, ready?: unknown) => Jobs.use((jobs) => jobs.start({ kind, key, ready }))

const left = Database.use(({ sql, tables: t }) => sql<{ readonly key: string }>`SELECT key FROM ${t.jobs}`)

/** A worker that never looks unless it is told. */
const drive = JobsWorker.layer.pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide([SecureRandom.layerWebCrypto, Layer.succeed(PollInterval, Duration.days(1_000))]),
  Layer.provideMerge(TestDatabase.layer)
)

it.effect("TASK-310 a job that is started runs in its process with the commit, with what it was given, and never after a rollback", () =>
  Effect.gen(function*() {
    const { sql } = yield* Database
    const ran = yield* Queue.unbounded<readonly [string, unknown]>()
    yield* Jobs.use((jobs) => jobs.handle(kind, ({ key, ready }) => Effect.as(Queue.offer(ran, [key, ready]), done)))
    const refused = yield* Effect.exit(sql.withTransaction(Effect.andThen(start("rolled back"), Effect.fail("no"))))
    assert.isTrue(Exit.isFailure(refused))
    yield* sql.withTransaction(start("kept", { page: 1 }))
    assert.deepStrictEqual(yield* Queue.take(ran), ["kept", { page: 1 }])
    yield* Effect.repeat(left, { until: (rows) => rows.length === 0 })
    assert.strictEqual(yield* Queue.size(ran), 0)
  }).pipe(Effect.scoped, Effect.provide(drive)))

it.effect("TASK-310 where there is no room a started job waits as any other, and one that runs already runs once more", () =>
  Effect.gen(function*() {
    const ran = yield* Queue.unbounded<string>()
    const mayEnd = yield* Deferred.make<void>()
    yield* Jobs.use((jobs) =>
      jobs.handle(
        kind,
        ({ key }) => Effect.andThen(Queue.offer(ran, key), Effect.as(Deferred.await(mayEnd), done)),
        { concurrency: 1 }
      )
    )
    const hasRoom = Jobs.use((jobs) => jobs.hasRoom(kind, "second"))
    assert.isTrue(yield* hasRoom)
    yield* start("first")
    assert.strictEqual(yield* Queue.take(ran), "first")
    assert.isFalse(yield* hasRoom)
    yield* start("second")
    yield* start("first")
    yield* Deferred.succeed(mayEnd, undefined)
    const others = [yield* Queue.take(ran), yield* Queue.take(ran)]
    assert.deepStrictEqual(others.toSorted(), ["first", "second"])
    yield* Effect.repeat(left, { until: (rows) => rows.length === 0 })
  }).pipe(Effect.scoped, Effect.provide(drive)))
