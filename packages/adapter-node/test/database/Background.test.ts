/** What callers and jobs wait for, who share the one session of the embedded database. */
import { assert, it, layer as testLayer } from "@effect/vitest"
import { Background, Jobs, JobsSql, JobsWorker } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { PgliteMemory, watchedWireClient } from "../../src/database/PgliteMemory.ts"
import type { StatementWatch } from "../../src/database/WatchedClient.ts"

const watch: StatementWatch = {
  know: () => {},
  forget: () => {},
  asked: (_, limitMillis) => ({ limitMillis, since: 0, abandoned: false }),
  answered: () => {}
}

const database = Layer.unwrap(
  Effect.map(PgliteMemory, ({ wire }) => watchedWireClient(wire.connect, watch))
).pipe(Layer.provide(PgliteMemory.layer()))

testLayer(database, { timeout: "60 seconds" })("The embedded database's callers and jobs", (it) => {
  it.effect("DB-66 of many jobs one statement or transaction at a time is before the database, callers' go between", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE ran (n int GENERATED ALWAYS AS IDENTITY, what text)`
      const note = (what: string) => sql`INSERT INTO ran (what) VALUES (${what})`
      const job = (name: string) => Background.behindOthers(note(name))
      // So that every connection is there.
      yield* Effect.all([job("start"), note("start")], { concurrency: "unbounded" })
      const jobs = yield* Effect.forEach(["job 1", "job 2", "job 3"], (name) => Effect.forkChild(job(name)))
      const both = yield* Effect.forkChild(
        Background.behindOthers(sql.withTransaction(Effect.andThen(note("in one 1"), note("in one 2"))))
      )
      yield* Effect.yieldNow
      yield* note("caller")
      yield* Effect.forEach([...jobs, both], Fiber.join)
      const ran = (yield* sql<{ readonly what: string }>`SELECT what FROM ran ORDER BY n`).map(({ what }) => what)
      assert.include(ran.slice(2, 4), "caller")
      assert.deepStrictEqual(ran.filter((what) => /^job|^in/.test(what)), [
        "job 1",
        "job 2",
        "job 3",
        "in one 1",
        "in one 2"
      ])
    }))

  it.effect("DB-66 a transaction of many statements at once, and a statement that fails, keep no job from its statements", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const answer = Background.behindOthers(sql<{ readonly n: number }>`SELECT 1::int AS n`)
      yield* Background.behindOthers(sql.withTransaction(Effect.all([answer, answer], { concurrency: "unbounded" })))
      yield* Effect.all([answer, answer, answer], { concurrency: "unbounded" })
      const rows = yield* Effect.ignore(Background.behindOthers(sql`SELECT 1 FROM nothing`)).pipe(
        Effect.andThen(answer)
      )
      assert.deepStrictEqual(rows.map(({ n }) => n), [1])
    }))
})

const jobs = JobsWorker.layerManual.pipe(
  Layer.provideMerge(JobsSql.layer),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provideMerge(TestDatabase.layerMemory)
)

it.effect("DB-66 what a job does is work that nobody waits for", () =>
  Effect.gen(function*() {
    const { enqueue, handle } = yield* Jobs.Jobs
    let isBehind = false
    yield* handle("letters", () =>
      Effect.map(Background.Background, (isBackground) => {
        isBehind = isBackground
        return Jobs.done
      }))
    yield* enqueue({ kind: "letters", key: "a" })
    yield* Effect.flatMap(JobsWorker, ({ runDue }) => runDue)
    assert.isTrue(isBehind)
    assert.isFalse(yield* Background.Background)
  }).pipe(Effect.scoped, Effect.provide(jobs)))
