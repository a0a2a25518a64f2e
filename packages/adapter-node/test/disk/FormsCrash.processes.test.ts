/** Forms for real: processes on one server and one store, each killed in the middle. */
import { assert, it } from "@effect/vitest"
import { AccountsAdmin, Database, ObjectStore, Quota } from "@filedrive/core"
import { Effect, Layer, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { UploadSweep } from "../../../core/src/uploads/UploadSweep.ts"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { start } from "../database/ChildProcess.ts"
import { driveHere } from "../WorkerDrive.ts"
import { temporaryRoot } from "./DiskStoreTest.ts"

const script = fileURLToPath(new URL("./FormsProcess.ts", import.meta.url))

it.effect(
  "UP-60 after kill -9 of processes that use forms nothing stays reserved, and no orphan stays stored",
  () =>
    Effect.gen(function*() {
      const root = yield* temporaryRoot
      yield* Effect.gen(function*() {
        const { schema, sql, tables: t } = yield* Database
        const url = yield* Effect.promise(postgresUrl)
        const { id } = Option.getOrThrow(
          yield* AccountsAdmin.use((admin) => admin.create({ plan: "pro", quotaBytes: 60_000 }))
        )
        // In one statement: the server may still be committing what a killed process had sent.
        const look = sql<{ readonly open: number; readonly held: number; readonly used: number; readonly time: Date }>`
        SELECT a.held_bytes::float8 AS held, a.used_bytes::float8 AS used, now() AS time, (
          SELECT coalesce(sum(f.size), 0)::float8 FROM ${t.upload_forms} f WHERE f.account_id = a.id AND f.state = 'open'
        ) AS open FROM ${t.accounts} a WHERE a.id = ${id}
      `.pipe(Effect.map((rows) => rows[0]!))
        const balance = Quota.use((quota) => quota.balance(id))
        for (const steps of [30, 41, 55]) {
          const two = [start([url, schema, root, id], [], script), start([url, schema, root, id], [], script)]
          yield* Effect.promise(() => Promise.all(two.map((child) => child.printed(steps))))
          yield* Effect.promise(() => Promise.all(two.map((child) => child.kill())))
          const { held, open, used } = yield* look
          assert.strictEqual(held, open)
          assert.isAtMost(used + held, 60_000)
        }
        const { time } = yield* look
        yield* TestClock.setTime(time.getTime() + 3 * 24 * 60 * 60 * 1000)
        yield* UploadSweep.use((sweeper) => sweeper.sweep)
        const [files] = yield* sql<{ readonly bytes: number }>`
        SELECT sum(size)::float8 AS bytes FROM ${t.files} WHERE account_id = ${id}
      `
        assert.isAbove(files!.bytes, 0)
        assert.deepStrictEqual(yield* balance, { usedBytes: files!.bytes, heldBytes: 0 })
        const store = yield* ObjectStore.ObjectStore
        const keys = (yield* Stream.runCollect(store.list("private", ""))).map(({ key }) => key)
        // Copies of inserts that were killed are listed for removal; nothing that came on a form is left.
        const known = yield* sql<{ readonly key: string }>`
        SELECT store_key AS key FROM ${t.files} UNION SELECT store_key FROM ${t.pending_deletions}
      `
        const knownKeys = new Set(["filedrive-mark", ...known.map((row) => row.key)])
        assert.deepStrictEqual(keys.filter((key) => !knownKeys.has(key)), [])
        // What a process was removing when it was killed goes when a server starts, and days have passed.
        yield* Effect.scoped(Layer.build(DiskStore.layer({ root, endpoint: "http://127.0.0.1/storage" })))
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(root, "t"))), [])
      }).pipe(Effect.provide(driveHere(root)))
    }),
  180_000
)
