/** Extraction with real tools: two processes on one server and one store, the first of them killed in the middle. */
import { assert, it } from "@effect/vitest"
import { AccountsAdmin, BulkImport, CurrentAccount, Database, ObjectStore } from "@filedrive/core"
import { Effect, Option, Schedule, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { start } from "../database/ChildProcess.ts"
import { driveHere } from "../WorkerDrive.ts"

const script = fileURLToPath(new URL("../WorkerProcess.ts", import.meta.url))
const count = 60

const headers = { contentType: "image/png", contentDisposition: "attachment", cacheControl: "private" }

/** Puts a few bytes where an import finds them, and describes them as an image. */
const stored = Effect.fnUntraced(function*(userId: string, n: number) {
  const store = yield* ObjectStore.ObjectStore
  const storedAs = `old/${n}`
  const at = { bucket: "private", key: `imported/${userId}/${storedAs}` } as const
  yield* store.put({ at, headers, sizeBytes: 10, body: Stream.make(new Uint8Array(10)) })
  const name = `${n}.png`
  return { objectKey: `users/${userId}/${name}`, storedAs, fileName: name, type: "Image", fileSize: 10 } as const
})

it.live("MEDIA-16 another process ends the extraction of a killed one, and nothing is left behind", () => {
  const root = mkdtempSync(join(tmpdir(), "filedrive-extraction-"))
  return Effect.gen(function*() {
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(root, { recursive: true, force: true })))
    const { schema, sql, tables: t } = yield* Database
    const store = yield* ObjectStore.ObjectStore
    const url = yield* Effect.promise(postgresUrl)
    const { id: userId } = Option.getOrThrow(yield* AccountsAdmin.use((admin) => admin.create({ plan: "pro" })))
    const rows = yield* Effect.forEach(Array.from({ length: count }, (_, n) => n), (n) => stored(userId, n))
    yield* BulkImport.use((bulk) => bulk.run(Stream.fromIterable(rows))).pipe(
      Effect.provideService(CurrentAccount.CurrentAccount, {
        id: userId,
        tokenId: null,
        limits: CurrentAccount.unlimited
      })
    )
    const done = sql<{ readonly files: number }>`
      SELECT count(*)::int AS files FROM ${t.files} WHERE derivative_of IS NULL AND metadata_status = 'done'
    `.pipe(Effect.map(([row]) => row!.files))
    const until = (reached: (files: number) => boolean) =>
      Effect.repeat(done, { until: reached, schedule: Schedule.spaced("10 millis") })

    const first = start([url, schema, root], [], script)
    yield* Effect.addFinalizer(() => Effect.promise(first.kill))
    yield* until((files) => files >= 10)
    yield* Effect.promise(first.kill)
    assert.isBelow(yield* done, count)
    const second = start([url, schema, root], [], script)
    yield* Effect.addFinalizer(() => Effect.promise(second.kill))
    yield* until((files) => files === count)
    yield* Effect.promise(second.kill)

    const pictures = yield* sql`SELECT derivative_of FROM ${t.files} WHERE derivative_of IS NOT NULL`
    assert.lengthOf(pictures, count)
    const known = yield* sql<{ readonly key: string }>`
      SELECT store_key AS key FROM ${t.files} UNION SELECT store_key FROM ${t.pending_deletions}
    `
    const keys = new Set(["filedrive-mark", ...known.map(({ key }) => key)])
    const held = yield* Stream.runCollect(store.list("private", ""))
    assert.deepStrictEqual(held.filter(({ key }) => !keys.has(key)), [])
    assert.isAtLeast(held.length, 2 * count)
  }).pipe(Effect.scoped, Effect.provide(driveHere(root)))
}, 120_000)
