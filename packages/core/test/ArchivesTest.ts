/** What the tests of archives share: a drive whose archives have small parts, files with bytes, and archives read back. */
import { assert } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Cause, DateTime, Effect, Exit, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Ledger } from "../src/accounts/Ledger.ts"
import { SmallestPart } from "../src/archives/ArchivePlan.ts"
import type { ArchiveItem } from "../src/archives/Archives.ts"
import { type ArchiveRequest, Archives } from "../src/archives/Archives.ts"
import type { Database } from "../src/database/Database.ts"
import { DoomedObjects } from "../src/files/DoomedObjects.ts"
import { Files, type NewFile } from "../src/files/Files.ts"
import * as ObjectHeaders from "../src/files/ObjectHeaders.ts"
import * as StoredFile from "../src/files/StoredFile.ts"
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
    const ledger = yield* Ledger
    const doomed = yield* DoomedObjects
    const files = yield* Files
    const name = yield* (yield* SecureRandom.SecureRandom).uuidV7()
    const file = {
      accountId,
      objectKey: `users/${accountId}/${name}`,
      storeKey: StoredFile.storeKey(accountId, name),
      fileName: `${name}.bin`,
      type: "Other" as const,
      mimeType: "application/octet-stream",
      sizeBytes: bytes.length,
      folderId: null,
      ...given
    }
    const at = { bucket: "private" as const, key: file.storeKey }
    const due = DateTime.add(yield* DateTime.now, { hours: 1 })
    yield* ledger.locked(accountId, () => doomed.doom(accountId, [{ bucket: at.bucket, storeKey: at.key }], due))
    const { etag } = yield* store.put({
      at,
      headers: ObjectHeaders.of(file, "private"),
      sizeBytes: bytes.length,
      body: Stream.make(bytes)
    })
    return yield* ledger.locked(
      accountId,
      () => Effect.tap(files.record({ ...file, etag }), () => ledger.add(accountId, { usedBytes: bytes.length }))
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

/** Runs what is due until nothing of it fails or comes back at once; answers how many runs of builds that took. */
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
