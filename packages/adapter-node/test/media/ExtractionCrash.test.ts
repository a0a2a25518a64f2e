/** Looking into files for real: two processes on one server and one store, the first of them killed in the middle. */
import { NodeCrypto } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import {
  AccountsAdmin,
  AccountsSql,
  BulkImport,
  CurrentAccount,
  Database,
  DatabaseSchema,
  Drive,
  JobsSql,
  ObjectStore
} from "@filedrive/core"
import { TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Effect, Layer, Option, Schedule, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as FileTypeKinds from "../../src/media/FileTypeKinds.ts"
import * as NodeRemoteFile from "../../src/remote/NodeRemoteFile.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { start } from "../database/ChildProcess.ts"

const script = fileURLToPath(new URL("./ExtractionProcess.ts", import.meta.url))
const count = 60

/** A database of its own, whose schema every layer knows. */
const database = Layer.effect(DatabaseSchema, Effect.map(Database, ({ schema }) => schema)).pipe(
  Layer.provideMerge(TestDatabase.layerPostgres)
)

/** The drive in this process, which runs no job. */
const driveAt = (root: string) =>
  AccountsAdmin.layer.pipe(
    Layer.provideMerge(Drive.layer),
    Layer.provideMerge(Layer.mergeAll(AccountsSql.layer, JobsSql.layer)),
    Layer.provideMerge(Layer.mergeAll(
      DiskStore.layer({ root, endpoint: "http://127.0.0.1/storage" }),
      FileTypeKinds.layer,
      TestMediaTools.layer,
      NodeRemoteFile.layer({ allowPrivateAddresses: true }),
      NodeCrypto.layer
    )),
    Layer.provideMerge(database)
  )

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

it.live("MEDIA-16 what a killed process was looking into another ends, and nothing is left behind", () => {
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
      SELECT store_key AS key FROM ${t.files} UNION SELECT store_key FROM ${t.doomed_objects}
    `
    const keys = new Set(known.map(({ key }) => key))
    const held = yield* Stream.runCollect(store.list("private", ""))
    assert.deepStrictEqual(held.filter(({ key }) => !keys.has(key)), [])
    assert.isAtLeast(held.length, 2 * count)
  }).pipe(Effect.scoped, Effect.provide(driveAt(root)))
}, 120_000)
