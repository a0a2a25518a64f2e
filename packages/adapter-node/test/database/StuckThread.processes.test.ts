/** The embedded database when its thread, its disk or its files fail it. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { DatabaseFault, StatementTime } from "@filedrive/core"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Pglite from "../../src/database/Pglite.ts"
import { whyNotOpened } from "../../src/database/PgliteDirectory.ts"
import { watchedWireClient } from "../../src/database/PgliteMemory.ts"
import { PgliteThread, type ThreadOptions } from "../../src/database/PgliteThread.ts"
import { nextSegment } from "../../src/database/WriteAheadLog.ts"
import { cannotMount, freeBytes, smallDisk } from "../disk/SmallDisk.ts"

const root = mkdtempSync(join(tmpdir(), "filedrive-stuck-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const module = new URL("./StuckWorker.ts", import.meta.url)

/** A client on a thread, and the thread. */
const client = (options: ThreadOptions) =>
  Effect.gen(function*() {
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => new PgliteThread(options)),
      (thread) => Effect.promise(() => thread.close())
    )
    yield* Effect.promise(() => thread.open())
    const context = yield* Layer.build(Layer.fresh(watchedWireClient(thread.connect, thread.watch)))
    return { thread, sql: yield* Effect.provide(SqlClient.SqlClient, context) }
  })

const codeOf = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.isFailure(exit) ? DatabaseFault.ofCause(exit.cause)?.code : "succeeded"

const withoutTmpfs = cannotMount("tmpfs")

const fillDisk = (place: string, leave: number) => {
  const chunk = Buffer.alloc(64 * 1_024)
  while (freeBytes(place) > leave) appendFileSync(join(place, "ballast"), chunk)
}

describe("the embedded database in trouble", () => {
  it.live(
    "DB-18 a thread that gives no answer is ended, its callers are told, and the database opens anew",
    () =>
      Effect.gen(function*() {
        const { sql } = yield* client({ directory: join(root, "spinning"), module, patienceMillis: 2_000 })
        yield* sql`CREATE TABLE kept (n int)`
        yield* sql`INSERT INTO kept VALUES (1)`
        // Work on whole tables is given its time.
        yield* StatementTime.patiently(sql`SELECT pg_sleep(3)::text`)
        const spinning = yield* Effect.forkChild(sql`SELECT 'spin for ever'`, { startImmediately: true })
        const behind = yield* Effect.forkChild(sql`SELECT 1`, { startImmediately: true })
        for (const exit of [yield* Fiber.await(spinning), yield* Fiber.await(behind)]) {
          assert.strictEqual(codeOf(exit), "unavailable")
        }
        const kept = yield* Effect.retry(sql<{ readonly n: number }>`SELECT n FROM kept`, { times: 200 })
        assert.deepStrictEqual(kept, [{ n: 1 }])

        const failed = yield* Effect.exit(sql`SELECT 'fail the wire', pg_sleep(60)::text`)
        assert.strictEqual(codeOf(failed), "unavailable")
        assert.deepStrictEqual(yield* Effect.retry(sql`SELECT n FROM kept`, { times: 2_000 }), [{ n: 1 }])
      }).pipe(Effect.scoped),
    180_000
  )

  it.live("DB-18 closing ends a thread that does not answer", () =>
    Effect.gen(function*() {
      const { sql, thread } = yield* client({ directory: join(root, "closing"), module, closeMillis: 500 })
      const spinning = yield* Effect.forkChild(sql`SELECT 'spin for ever'`, { startImmediately: true })
      yield* Effect.yieldNow
      yield* Effect.promise(() => thread.close())
      assert.strictEqual(codeOf(yield* Fiber.await(spinning)), "unavailable")
    }).pipe(Effect.scoped), 120_000)

  it.live(
    "DB-110 after a PANIC of PostgreSQL the database is no longer used: callers get an error, and the next statement opens it again",
    () =>
      Effect.gen(function*() {
        const directory = join(root, "given-up")
        const { sql } = yield* client({ directory })
        yield* sql`CREATE TABLE kept (n int)`
        // A checkpoint that can't remove this file is a PANIC.
        const obstacle = join(directory, "data/pg_logical/replorigin_checkpoint.tmp")
        mkdirSync(obstacle)
        const checkpoint = yield* Effect.exit(sql`CHECKPOINT`)
        rmSync(obstacle, { recursive: true })
        assert.strictEqual(codeOf(checkpoint), "unavailable")
        assert.include(
          Exit.isFailure(checkpoint) ? Cause.pretty(checkpoint.cause) : "",
          "PANIC:  could not remove file"
        )
        yield* Effect.retry(sql`INSERT INTO kept VALUES (1)`, { times: 2_000 })
        assert.lengthOf(yield* sql`SELECT n FROM kept`, 1)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live.skipIf(withoutTmpfs !== undefined)(
    "DB-19 a full disk is answered by an error, and nothing hangs; with room again the database continues (needs root on Linux: mounts a tmpfs)",
    () =>
      Effect.gen(function*() {
        const disk = yield* smallDisk("tmpfs", 260 * 1_024 * 1_024)
        yield* Effect.gen(function*() {
          const { sql } = yield* client({ directory: join(disk, "database") })
          yield* sql`CREATE TABLE kept (id int PRIMARY KEY, text text)`
          yield* sql`INSERT INTO kept SELECT n, repeat(md5(n::text), 10) FROM generate_series(1, 3000) n`
          fillDisk(disk, 128 * 1_024)
          // Far more than the log that is kept ahead: it has to be used again and again.
          const codes = yield* Effect.forEach(
            Array.from({ length: 120 }, (_, round) => round),
            (round) =>
              Effect.map(Effect.exit(sql`UPDATE kept SET text = repeat(md5(id::text || ${round}::text), 10)`), codeOf)
          )
          assert.include(codes, "no_space")
          assert.sameMembers([...new Set(["succeeded", "no_space", ...codes])], ["succeeded", "no_space"])
          assert.lengthOf(yield* sql`SELECT id FROM kept`, 3_000)
          // Deleting makes room, so it must not need any.
          yield* sql`DELETE FROM kept WHERE id > 2000`
          rmSync(join(disk, "ballast"))
          // The checkpoint after the deletion may have found no room for a file of its own.
          yield* Effect.retry(sql`UPDATE kept SET text = 'with room again'`, { times: 2_000 })
        }).pipe(Effect.scoped)
        const { sql } = yield* client({ directory: join(disk, "database") })
        const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM kept`
        assert.strictEqual(row!.count, 2_000)
      }).pipe(Effect.scoped),
    180_000
  )

  it.live.skipIf(withoutTmpfs !== undefined)(
    "DB-19 a database is opened on a disk without a byte left, and says that it is in use only when it is (needs root on Linux: mounts a tmpfs)",
    () =>
      Effect.gen(function*() {
        const disk = yield* smallDisk("tmpfs", 260 * 1_024 * 1_024)
        const directory = join(disk, "database")
        yield* Effect.scoped(Effect.flatMap(client({ directory }), ({ sql }) => sql`CREATE TABLE kept (n int)`))
        fillDisk(disk, 64 * 1_024)
        try {
          for (;;) appendFileSync(join(disk, "ballast"), Buffer.alloc(512))
        } catch (error) {
          assert.strictEqual((error as { readonly code?: string }).code, "ENOSPC")
        }
        const { sql } = yield* client({ directory })
        yield* sql`INSERT INTO kept VALUES (1)`
        assert.lengthOf(yield* sql`SELECT n FROM kept`, 1)
      }).pipe(Effect.scoped),
    120_000
  )

  it("DB-19 segments of the log are numbered as PostgreSQL does", () => {
    assert.strictEqual(nextSegment("000000010000000000000009"), "00000001000000000000000A")
    assert.strictEqual(nextSegment("0000000100000001000000FF"), "000000010000000200000000")
  })

  it.live("DB-20 a damaged data directory is refused with the file and what to do", () =>
    Effect.gen(function*() {
      const directory = join(root, "damaged")
      const data = join(directory, "data")
      yield* Effect.scoped(client({ directory }))
      const segment = readdirSync(join(data, "pg_wal")).find((name) => name.length === 24)
      const damages: ReadonlyArray<readonly [string, () => void]> = [
        [join("pg_wal", segment!), () => truncateSync(join(data, "pg_wal", segment!), 1_000)],
        ["global/pg_control", () => writeFileSync(join(data, "global/pg_control"), Buffer.alloc(8_192))],
        ["global/pg_control", () => truncateSync(join(data, "global/pg_control"), 100)],
        ["base", () => rmSync(join(data, "base"), { recursive: true })],
        ["PG_VERSION", () => rmSync(join(data, "PG_VERSION"))]
      ]
      for (const [file, damage] of damages) {
        damage()
        const error = yield* Effect.flip(Layer.build(Layer.fresh(Pglite.layer({ directory }))))
        assert.include(error.message, join(data, file))
        assert.include(error.message, "Restore the directory from a backup")
        assert.notMatch(error.message, /\n\s+at /)
      }
    }).pipe(Effect.scoped), 120_000)

  it.live(
    "DB-20 damage that only PGlite notices is told with the directory and what to do",
    () =>
      Effect.gen(function*() {
        const whole = join(root, "whole")
        yield* Effect.scoped(client({ directory: whole }))
        const randomly = (name: string) => (data: string) => {
          const { size } = statSync(join(data, name))
          writeFileSync(join(data, name), randomBytes(size))
        }
        const damages: ReadonlyArray<(data: string) => void> = [
          randomly("global/pg_control"),
          (data) =>
            readdirSync(join(data, "pg_wal")).forEach((name) => name.length === 24 && randomly(`pg_wal/${name}`)(data)),
          // The catalogs of relations and of columns, and where catalogs are.
          randomly("base/5/1259"),
          randomly("base/5/1249"),
          randomly("base/5/pg_filenode.map"),
          randomly("global/1262"),
          (data) => rmSync(join(data, "pg_multixact"), { recursive: true }),
          (data) => rmSync(join(data, "base/5"), { recursive: true }),
          (data) => rmSync(join(data, "pg_hba.conf")),
          (data) => writeFileSync(join(data, "postgresql.conf"), "no settings at all")
        ]
        for (const [i, damage] of damages.entries()) {
          const directory = join(root, `damaged-${i}`)
          cpSync(whole, directory, { recursive: true })
          damage(join(directory, "data"))
          const error = yield* Effect.flip(Layer.build(Layer.fresh(Pglite.layer({ directory }))))
          assert.include(error.message, `The files in ${join(directory, "data")} are damaged, or some are missing`)
          assert.include(error.message, "Restore the directory from a backup")
          assert.notMatch(error.message, /\n\s+at /)
          rmSync(directory, { recursive: true })
        }
      }).pipe(Effect.scoped),
    120_000
  )

  it("DB-20 what keeps PGlite from opening and is no damage is told as it is", () => {
    const data = mkdtempSync(join(root, "sound-"))
    const noMemory = new RangeError("WebAssembly.Memory(): could not allocate memory")
    const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" })
    assert.strictEqual(whyNotOpened(data, noMemory), noMemory)
    assert.strictEqual(whyNotOpened(data, denied), denied)
    assert.include(String(whyNotOpened(data, new Error("it did not start"))), "are damaged, or some are missing")
    const unread = Object.assign(new Error("could not read blocks 3..3 in file"), { code: "XX001" })
    assert.include(String(whyNotOpened(data, unread)), "are damaged, or some are missing")
    // As Emscripten throws it: no Error, and a number of its own.
    assert.include(String(whyNotOpened(data, { name: "ErrnoError", errno: 51 })), "is full.")
  })
})
