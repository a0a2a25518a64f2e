/** The embedded database as a serving process has it: in a thread, on disk. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Background } from "@filedrive/core"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { databaseSuite } from "../../../testing/src/DatabaseSuite.ts"
import * as FreshSchema from "../../../testing/src/FreshSchema.ts"
import { jobsSuite } from "../../../testing/src/JobsSuite.ts"
import * as Pglite from "../../src/database/Pglite.ts"
import { watchedWireClient, wireClient } from "../../src/database/PgliteMemory.ts"
import { PgliteThread } from "../../src/database/PgliteThread.ts"

const root = mkdtempSync(join(tmpdir(), "filedrive-pglite-"))

/** Opened once: a new database on disk takes seconds. */
const thread = new PgliteThread({ directory: join(root, "shared") })
const opened = thread.open()
const database = FreshSchema.layerReusedNoDeps.pipe(
  Layer.provideMerge(Layer.unwrap(Effect.as(Effect.promise(() => opened), wireClient(thread.connect)))),
  Layer.provide(FreshSchema.realClock),
  Layer.fresh
)

/** The same with a connection for what nobody waits for. */
const watched = Layer.fresh(
  Layer.unwrap(Effect.as(Effect.promise(() => opened), watchedWireClient(thread.connect, thread.watch)))
)

beforeAll(() => opened, 120_000)

afterAll(async () => {
  await thread.close()
  rmSync(root, { recursive: true, force: true })
})

const crash = Effect.promise(() => thread.crash())

databaseSuite("PGlite in a thread", database, { breakConnections: crash })
jobsSuite("PGlite in a thread", database)

describe("PGlite in a thread", () => {
  it.live(
    "DB-8 statements under way when the thread dies fail as lost connections, and the database opens anew",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        // Inside a transaction, so that every other statement waits its turn.
        const holder = yield* Effect.forkChild(
          sql.withTransaction(Effect.andThen(sql`SELECT 1`, Effect.sleep("1 minute")))
        )
        yield* Effect.sleep("50 millis")
        const waiting = yield* Effect.forkChild(Effect.all([sql`SELECT 1`, sql`SELECT 2`], { concurrency: 2 }))
        yield* Effect.yieldNow
        yield* crash
        const exit = yield* Fiber.await(waiting)
        assert.isTrue(Exit.isFailure(exit))
        const error = yield* Effect.flip(Fiber.join(waiting))
        assert.instanceOf(error, SqlError.SqlError)
        assert.strictEqual(error.reason._tag, "ConnectionError")
        yield* Fiber.interrupt(holder)
        assert.deepStrictEqual(yield* sql<{ readonly one: number }>`SELECT 1::int AS one`, [{ one: 1 }])
      }).pipe(Effect.provide(database)),
    60_000
  )

  it.live(
    "DB-66 when the thread dies in a job's transaction, the jobs that wait for their turn continue in the next thread",
    () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const one = Background.behindOthers(sql<{ readonly one: number }>`SELECT 1::int AS one`)
        const begun = yield* Deferred.make<void>()
        const holder = yield* Effect.forkChild(Background.behindOthers(sql.withTransaction(
          one.pipe(Effect.andThen(Deferred.succeed(begun, undefined)), Effect.andThen(Effect.never))
        )))
        yield* Deferred.await(begun)
        const waiting = yield* Effect.forkChild(
          Effect.all([one, sql.withTransaction(one).pipe(Background.behindOthers), one], { concurrency: "unbounded" })
        )
        yield* Effect.yieldNow
        yield* crash
        yield* Fiber.interrupt(holder)
        assert.deepStrictEqual(yield* Fiber.join(waiting), [[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
        assert.deepStrictEqual(yield* one, [{ one: 1 }])
      }).pipe(Effect.provide(watched)),
    60_000
  )

  it.live("DB-4 closing leaves the directory to the next, in order", () =>
    Effect.gen(function*() {
      const directory = join(root, "closing")
      const layer = Pglite.layer({ directory })
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
      const sql = Context.get(context, PgClient.PgClient)
      yield* sql`CREATE TABLE kept (n int)`
      yield* sql`INSERT INTO kept VALUES (1)`
      yield* Scope.close(scope, Exit.void)
      const again = yield* SqlClient.SqlClient.use((next) => next`SELECT n FROM kept`).pipe(Effect.provide(layer))
      assert.deepStrictEqual(again, [{ n: 1 }])
    }), 120_000)

  it.live("DB-4 a directory that cannot be used is named in the error", () =>
    Effect.gen(function*() {
      const file = join(root, "a file")
      writeFileSync(file, "")
      const directory = join(file, "database")
      const error = yield* Effect.flip(Layer.build(Pglite.layer({ directory })))
      assert.include(error.message, directory)
    }).pipe(Effect.scoped))
})
