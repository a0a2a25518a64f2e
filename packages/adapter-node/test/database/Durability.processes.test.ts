/** What was acknowledged stays, whatever happens to the process; and one process at a time has the directory. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { startPostgres } from "../../../testing/src/PostgresServer.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { DirectoryInUse } from "../../src/database/DirectoryLock.ts"
import * as Pglite from "../../src/database/Pglite.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import { start } from "./ChildProcess.ts"

const root = mkdtempSync(join(tmpdir(), "filedrive-durability-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const rows = SqlClient.SqlClient.use((sql) => sql<{ readonly n: string }>`SELECT n::text AS n FROM acknowledged`)
const kept = Effect.map(rows, (all) => new Set(all.map(({ n }) => n)))
const promise = <A>(work: () => Promise<A>) => Effect.promise(work)

describe("PGlite on disk", () => {
  const directory = join(root, "killed")

  it.live(
    "DB-2 no acknowledged write is lost when the process is killed, three times over",
    () =>
      Effect.gen(function*() {
        const acknowledged: Array<string> = []
        for (let round = 0; round < 3; round++) {
          const writer = start(["write", directory])
          yield* promise(() => writer.printed(200 + 150 * round))
          yield* promise(writer.kill)
          acknowledged.push(...writer.lines)
          // Opened again at once: the lock went with the process.
          const found = yield* Effect.provide(kept, Pglite.layer({ directory }))
          assert.deepStrictEqual(acknowledged.filter((n) => !found.has(n)), [])
        }
        assert.isAtLeast(acknowledged.length, 1_000)
      }),
    180_000
  )

  it.live(
    "DB-4 a second process is refused with a sentence, and let in once the first was killed",
    () =>
      Effect.gen(function*() {
        const holder = start(["open", directory])
        yield* promise(() => holder.printed(1))
        const second = start(["open", directory])
        assert.strictEqual(yield* promise(() => second.ended), 1)
        assert.include(second.errors(), `Another process is using the database in ${directory}.`)
        const error = yield* Effect.flip(Layer.build(Pglite.layer({ directory })))
        assert.instanceOf(error, DirectoryInUse)
        yield* promise(holder.kill)
        yield* Effect.provide(kept, Pglite.layer({ directory }))
      }).pipe(Effect.scoped),
    120_000
  )

  const strace = spawnSync("strace", ["-V"]).status === 0
  it.live.skipIf(!strace)(
    `DB-3 every commit syncs before it is acknowledged${strace ? "" : " (no strace here)"}`,
    () =>
      Effect.gen(function*() {
        const log = join(root, "strace.log")
        const writer = start(["write", directory], [
          "strace",
          "-f",
          "--seccomp-bpf",
          "-e",
          "trace=fsync,fdatasync,write",
          "-o",
          log
        ])
        yield* promise(() => writer.printed(100))
        yield* promise(writer.kill)
        const calls = (yield* promise(() => readFile(log, "utf8"))).split("\n")
        // A written line of the program is one acknowledgement; before the n-th there have been n syncs or more.
        let syncs = 0
        let acknowledged = 0
        for (const call of calls) {
          if (/\b(fsync|fdatasync)\(/.test(call)) syncs++
          if (/\bwrite\(1, "\d+\\n"(?!.*EAGAIN)/.test(call)) {
            acknowledged++
            assert.isAtLeast(syncs, acknowledged)
          }
        }
        assert.isAtLeast(acknowledged, 100)
      }),
    120_000
  )
})

describe("PostgreSQL", () => {
  it.live("DB-2 no acknowledged write is lost when the process is killed", () =>
    Effect.gen(function*() {
      const url = yield* promise(postgresUrl)
      yield* SqlClient.SqlClient.use((sql) => sql`DROP TABLE IF EXISTS acknowledged`).pipe(
        Effect.provide(Postgres.layer({ url }))
      )
      const writer = start(["write", url])
      yield* promise(() => writer.printed(500))
      yield* promise(writer.kill)
      const found = yield* Effect.provide(kept, Postgres.layer({ url }))
      assert.deepStrictEqual(writer.lines.filter((n) => !found.has(n)), [])
    }), 120_000)

  it.live(
    "DB-8 after a crash of the server the same client continues, and nothing acknowledged is lost",
    () =>
      Effect.gen(function*() {
        const server = yield* Effect.acquireRelease(
          promise(() => startPostgres({ settings: [] })),
          ({ stop }) => promise(stop)
        )
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE TABLE acknowledged (n bigint GENERATED ALWAYS AS IDENTITY)`
          const insert = sql<{ readonly n: string }>`INSERT INTO acknowledged DEFAULT VALUES RETURNING n::text AS n`
          const acknowledged = yield* Effect.replicateEffect(Effect.map(insert, ([row]) => row!.n), 200)
          // The server takes a killed backend for a crash: it ends every session and recovers from its log.
          const [backend] = yield* sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`
          process.kill(backend!.pid, "SIGKILL")
          const recovered = yield* Effect.retry(kept, { times: 200, schedule: Schedule.spaced("100 millis") })
          assert.deepStrictEqual(acknowledged.filter((n) => !recovered.has(n)), [])
        }).pipe(Effect.provide(Postgres.layer({ url: Redacted.make(server.url), maxConnections: 2 })))
      }).pipe(Effect.scoped),
    120_000
  )
})
