/** What the tests of archives share: a drive whose archives have small parts, files with bytes, and archives read back. */
import { assert } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Cause, DateTime, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { Quota } from "../src/accounts/Quota.ts"
import { ArchiveBuilds } from "../src/archives/ArchiveBuilds.ts"
import { SmallestPart } from "../src/archives/ArchivePlan.ts"
import { type ArchiveItem, type ArchiveRequest, Archives } from "../src/archives/Archives.ts"
import { Database } from "../src/database/Database.ts"
import { Files } from "../src/files/Files.ts"
import type { NewFile } from "../src/files/NewFile.ts"
import * as ObjectHeaders from "../src/objects/ObjectHeaders.ts"
import { PendingDeletions } from "../src/objects/PendingDeletions.ts"
import * as StoreKey from "../src/objects/StoreKey.ts"
import { ObjectStore } from "../src/ports/ObjectStore.ts"
import type { AccountId, FileId } from "../src/shared/Ids.ts"
import { as, layer as filesLayer } from "./FilesTest.ts"
import { ManualJobs } from "./ManualJobs.ts"
import { ofBytes, readZip } from "./ZipReader.ts"

/** Bytes in a part of these archives. */
export const partSize = 10_000

export const layer = <E, R>(database: Layer.Layer<Database, E, R>) =>
  filesLayer(database).pipe(Layer.provide(Layer.succeed(SmallestPart, partSize)))

/** `length` bytes that differ from place to place and from `seed` to seed. */
export const content = (length: number, seed = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) + seed * 101) % 251)

/** Stores bytes and records them as a private file. */
export const addBytes = Effect.fnUntraced(
  function*(accountId: AccountId, bytes: Uint8Array, given: Partial<NewFile> = {}) {
    const store = yield* ObjectStore
    const transaction = yield* AccountTransaction
    const quota = yield* Quota
    const deletions = yield* PendingDeletions
    const files = yield* Files
    const name = yield* (yield* SecureRandom.SecureRandom).uuidV7()
    const file = {
      accountId,
      objectKey: `users/${accountId}/${name}`,
      storeKey: StoreKey.make("files", accountId, name),
      fileName: `${name}.bin`,
      type: "Other" as const,
      mimeType: "application/octet-stream",
      sizeBytes: bytes.length,
      folderId: null,
      ...given
    }
    const at = { bucket: "private" as const, key: file.storeKey }
    const due = DateTime.add(yield* DateTime.now, { hours: 1 })
    yield* transaction.run(
      accountId,
      () => deletions.schedule(accountId, [{ bucket: at.bucket, storeKey: at.key }], due)
    )
    const { etag } = yield* store.put({
      at,
      headers: ObjectHeaders.of(file, "private"),
      sizeBytes: bytes.length,
      body: Stream.make(bytes)
    })
    return yield* transaction.run(
      accountId,
      () => Effect.tap(files.record({ ...file, etag }), () => quota.add(accountId, { usedBytes: bytes.length }))
    )
  }
)

export const create = (owner: AccountId, request: ArchiveRequest) =>
  Effect.flatMap(Archives, (archives) => archives.create(request)).pipe(as(owner))

export const look = Effect.fnUntraced(function*(owner: AccountId, { id }: Pick<ArchiveItem, "id">) {
  const archives = yield* Archives
  const [item] = yield* archives.select([id]).pipe(as(owner))
  assert.isDefined(item)
  return item!
})

/** Runs what is due until nothing of it fails or comes back at once; returns how many runs of builds that took. */
export const runJobs = Effect.gen(function*() {
  const jobs = yield* ManualJobs
  let builds = 0
  for (let round = 0; round < 100; round++) {
    const ran = yield* jobs.runDue
    for (const { exit, kind } of ran) {
      if (kind !== "archive.build") continue
      builds++
      assert.isTrue(Exit.isSuccess(exit), `a build failed: ${Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""}`)
    }
    if (!ran.some(({ kind }) => kind === "archive.build")) return builds
  }
  return assert.fail("the builds come to no end")
})

/** What a finished archive holds, by name. */
export const opened = Effect.fnUntraced(function*(item: ArchiveItem) {
  const memory = yield* MemoryObjectStore
  assert.isNotNull(item.downloadUrl)
  const bytes = yield* Effect.promise(async () => {
    const response = await memory.fetch(item.downloadUrl!)
    assert.strictEqual(response.status, 200)
    return new Uint8Array(await response.arrayBuffer())
  })
  assert.strictEqual(bytes.length, item.bytes)
  return new Map(
    readZip(ofBytes(bytes)).map((entry) => [
      entry.name,
      { ...entry, bytes: bytes.slice(entry.dataOffset, entry.dataOffset + entry.sizeBytes) }
    ])
  )
})

/** Files of these sizes, named `0.bin`, `1.bin`, … */
export const addFiles = (owner: AccountId, sizes: ReadonlyArray<number>) =>
  Effect.forEach(sizes, (size, at) => addBytes(owner, content(size, at), { fileName: `${at}.bin` }))

/** That an archive holds these of the files of {@link addFiles} and no others. */
export const checkHolds = Effect.fnUntraced(
  function*(item: ArchiveItem, sizes: ReadonlyArray<number>, which: ReadonlyArray<number>) {
    assert.deepInclude(item, { status: "done", fileCount: which.length, receivedBytes: item.bytes, error: null })
    const held = yield* opened(item)
    assert.deepStrictEqual([...held.keys()], which.map((at) => `${at}.bin`))
    for (const at of which) assert.deepStrictEqual(held.get(`${at}.bin`)!.bytes, content(sizes[at]!, at))
  }
)

export const skips = ({ skipped }: ArchiveItem): ReadonlyArray<readonly [FileId, string]> =>
  skipped.map(({ id, reason }) => [id, reason])

/** Six parts; files that fill several and several that fill one, an empty one, and one at the end. */
export const sizes = [3_000, 25_000, 10, 0, 9_000, 15_000, 500]
export const all = sizes.map((_, at) => at)

/** What is left once everything due is removed: the files' objects and, if it is done, the archive's; no upload. */
export const checkClean = Effect.fnUntraced(function*(me: AccountId, isDone: boolean) {
  const { sql, tables: t } = yield* Database
  const memory = yield* MemoryObjectStore
  yield* TestClock.adjust("2 hours")
  yield* runJobs
  const files = yield* sql<{ readonly key: string }>`SELECT store_key AS key FROM ${t.files} WHERE account_id = ${me}`
  const archives = yield* sql<{ readonly key: string }>`
    SELECT store_key AS key FROM ${t.archives} WHERE account_id = ${me} AND state = 'done'
  `
  assert.strictEqual(archives.length, isDone ? 1 : 0)
  const held = (yield* memory.objects).filter(({ key }) => key.includes(me)).map(({ key }) => key)
  assert.sameMembers(held, [...files, ...archives].map(({ key }) => key))
  assert.deepStrictEqual(yield* memory.openUploads, [])
  const pending = yield* sql`SELECT 1 FROM ${t.pending_deletions} WHERE account_id = ${me}`
  assert.strictEqual(pending.length, 0)
  const left = yield* sql`
    SELECT 1 FROM ${t.archive_parts} p JOIN ${t.archives} a ON a.id = p.archive_id WHERE a.account_id = ${me}
  `
  assert.strictEqual(left.length, 0)
})

/** Runs one build, whatever becomes of it. */
export const runOnce = Effect.fnUntraced(function*(me: AccountId, { id }: Pick<ArchiveItem, "id">) {
  const builds = yield* ArchiveBuilds
  return yield* Effect.forkChild(builds.run(me, id)).pipe(Effect.flatMap(Fiber.await))
})

/** Has something done between two parts: after the `nth` was stored. */
export const afterPart = Effect.fnUntraced(function*(nth: number, hook: Effect.Effect<void>) {
  const memory = yield* MemoryObjectStore
  if (nth > 1) yield* memory.plant("putPart", Faults.after(Effect.void), nth - 1)
  yield* memory.plant("putPart", Faults.after(hook))
})
