/** Archives for real: processes on one server and one store, two of them killed in the middle. */
import { assert, it } from "@effect/vitest"
import {
  AccountsAdmin,
  Archives,
  BulkImport,
  CurrentAccount,
  Database,
  type Ids,
  Library,
  ObjectStore,
  Trash
} from "@filedrive/core"
import { Effect, Layer, Option, Schedule, Stream } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SmallestPart } from "../../core/src/archives/ArchivePlan.ts"
import { ofBytes, readZip } from "../../core/test/ZipReader.ts"
import { postgresUrl } from "../../testing/src/SharedPostgres.ts"
import { start } from "./database/ChildProcess.ts"
import { driveHere } from "./WorkerDrive.ts"

const script = fileURLToPath(new URL("./WorkerProcess.ts", import.meta.url))

const partSize = 64 * 1024

/** Small ones by the block, large ones over many parts: 600 parts and more. */
const sizes = Array.from({ length: 60 }, (_, at) => at % 10 === 9 ? 6_000_000 + at : at * 1_000)
const content = (at: number) => Buffer.alloc(sizes[at]!, `content of file ${at}, `)

const addFiles = Effect.fnUntraced(function*(owner: Ids.AccountId) {
  const store = yield* ObjectStore.ObjectStore
  for (const [at, sizeBytes] of sizes.entries()) {
    yield* store.put({
      at: { bucket: "private", key: `imported/${owner}/${at}` },
      headers: { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "private" },
      sizeBytes,
      body: Stream.make(content(at))
    })
  }
  yield* (yield* BulkImport).run(Stream.fromIterable(sizes.map((fileSize, at) => ({
    objectKey: `users/${owner}/${at}`,
    storedAs: String(at),
    fileName: `${at}.txt`,
    type: "Text" as const,
    mimeType: "text/plain",
    fileSize
  }))))
  const files = (yield* Stream.runCollect(yield* (yield* Library).list("files"))).flat()
  return sizes.map((_, at) => files.find(({ fileName }) => fileName === `${at}.txt`)!.id)
})

it.live(
  "ZIP-11 ZIP-12 an archive whose builders are killed is finished by another, to the byte",
  () => {
    const root = mkdtempSync(join(tmpdir(), "filedrive-archive-"))
    return Effect.gen(function*() {
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(root, { recursive: true, force: true })))
      const { schema, sql, tables: t } = yield* Database
      const archives = yield* Archives
      const store = yield* ObjectStore.ObjectStore
      const url = yield* Effect.promise(postgresUrl)
      const { id: userId } = Option.getOrThrow(yield* AccountsAdmin.use((admin) => admin.create({ plan: "pro" })))
      const as = Effect.provideService(CurrentAccount.CurrentAccount, {
        id: userId,
        tokenId: null,
        limits: CurrentAccount.unlimited
      })
      const fileIds = yield* addFiles(userId).pipe(as)
      const asked = yield* archives.create({ fileIds }).pipe(as)
      const look = Effect.map(archives.select([asked.id]).pipe(as), ([item]) => item!)
      const until = (right: (item: Effect.Success<typeof look>) => boolean) =>
        Effect.repeat(look, { until: right, schedule: Schedule.spaced("10 millis") })
      const another = Effect.gen(function*() {
        const child = start([url, schema, root], [], script)
        yield* Effect.addFinalizer(() => Effect.promise(child.kill))
        yield* Effect.promise(() => child.printed(1))
        return child
      })

      const first = yield* another
      yield* until(({ receivedBytes }) => receivedBytes > asked.bytes / 5)
      yield* Effect.promise(first.kill)
      const after = yield* look
      assert.strictEqual(after.status, "working")

      const second = yield* another
      yield* until(({ receivedBytes }) => receivedBytes > asked.bytes / 2)
      yield* Effect.promise(second.kill)
      assert.strictEqual((yield* look).status, "working")
      // One that is in already, and one that is still to come.
      yield* (yield* Trash).delete([fileIds[0]!, fileIds[59]!]).pipe(as)

      yield* another
      const done = yield* until(({ status }) => status !== "working")
      assert.deepInclude(done, { status: "done", error: null, fileCount: 59, receivedBytes: done.bytes })
      assert.deepStrictEqual(done.skipped, [{ id: fileIds[59]!, reason: "not_found" }])
      const [row] = yield* sql<{ readonly key: string }>`SELECT store_key AS key FROM ${t.archives}`
      const zip = yield* Stream.mkUint8Array(store.get({ bucket: "private", key: row!.key }))
      assert.strictEqual(zip.length, done.bytes)
      for (const [at, { dataOffset, name, sizeBytes }] of readZip(ofBytes(zip)).entries()) {
        assert.strictEqual(name, `${at}.txt`)
        assert.isTrue(content(at).equals(zip.subarray(dataOffset, dataOffset + sizeBytes)), name)
      }
      assert.lengthOf(yield* Stream.runCollect(store.listUploads("private")), 0)
    }).pipe(Effect.scoped, Effect.provide(driveHere(root).pipe(Layer.provide(Layer.succeed(SmallestPart, partSize)))))
  },
  120_000
)
