import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { layerOf, newAccount } from "../../test/FilesTest.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { ArchivesLiveKeys } from "../archives/ArchivesLiveKeys.ts"
import { Database } from "../database/Database.ts"
import { FilesLiveKeys } from "../files/FilesLiveKeys.ts"
import { type Bucket, ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { LiveKeys } from "./LiveKeys.ts"
import { ObjectsLayer } from "./ObjectsLayer.ts"
import { OrphanSweep } from "./OrphanSweep.ts"
import { PendingDeletions } from "./PendingDeletions.ts"
import * as StoreKey from "./StoreKey.ts"

const headers = { contentType: "a/b", contentDisposition: "attachment", cacheControl: "private" }

const put = (bucket: Bucket, key: string) =>
  ObjectStore.use((store) =>
    store.put({ at: { bucket, key }, headers, sizeBytes: 1, body: Stream.make(new Uint8Array(1)) })
  )

const open = (bucket: Bucket, key: string) => ObjectStore.use((store) => store.createUpload({ bucket, key }, headers))

/** What storage holds of an account after a sweep, some days later. */
const afterSweep = Effect.fnUntraced(function*(owner: AccountId) {
  const memory = yield* MemoryObjectStore
  yield* TestClock.adjust("5 days")
  yield* OrphanSweep.use((orphans) => orphans.sweep)
  yield* PendingDeletions.use((deletions) => deletions.removeDue(owner))
  const uploads = yield* ObjectStore.use((store) =>
    Effect.forEach(
      ["private", "public"] as const,
      (bucket) =>
        Effect.map(Stream.runCollect(store.listUploads(bucket)), (open) => open.map(({ key }) => ({ bucket, key })))
    )
  ).pipe(Effect.map((byBucket) => byBucket.flat()))
  return {
    objects: (yield* memory.objects).map(({ bucket, key }) => `${bucket} ${key}`).filter((at) => at.includes(owner))
      .sort(),
    uploads: uploads.map(({ bucket, key }) => `${bucket} ${key}`).filter((at) => at.includes(owner)).sort()
  }
})

const WithoutUploads = layerOf(
  Layer.merge(FilesLiveKeys, ArchivesLiveKeys).pipe(Layer.provideMerge(ObjectsLayer)),
  TestDatabase.layer
)

testLayer(WithoutUploads)("LiveKeys of a drive without uploads, imports and generated images", (it) => {
  it.effect("STO-119 where a feature has not registered nothing is removed, where all have what nobody needs is", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount
      const liveKeys = yield* LiveKeys
      assert.deepStrictEqual(StoreKey.areas.map(({ bucket, prefix }) => `${bucket} ${prefix}`), [
        "private incoming/",
        "private files/",
        "public files/"
      ])
      assert.deepStrictEqual(StoreKey.areas.map(liveKeys.missing), [
        ["forms"],
        ["uploads", "imports", "generations"],
        []
      ])
      const left = [`private files/${owner}/a`, `private incoming/${owner}/a`]
      yield* put("private", `incoming/${owner}/a`)
      yield* put("private", `files/${owner}/a`)
      yield* put("public", `files/${owner}/a`)
      yield* open("private", `files/${owner}/b`)
      yield* open("public", `files/${owner}/c`)
      assert.deepStrictEqual(yield* afterSweep(owner), { objects: left, uploads: [`private files/${owner}/b`] })
    }))

  it.effect("STO-119 a feature that registers has what it needs kept, and the rest removed", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount
      const liveKeys = yield* LiveKeys
      const { sql } = yield* Database
      yield* put("private", `files/${owner}/needed`)
      yield* put("private", `files/${owner}/left`)
      yield* open("private", `files/${owner}/needed`)
      yield* open("private", `files/${owner}/left-parts`)
      yield* liveKeys.register("uploads", () => sql`SELECT ${`files/${owner}/needed`}::text AS key`)
      assert.lengthOf((yield* afterSweep(owner)).objects, 2)
      yield* liveKeys.register("imports", () => sql`SELECT NULL::text AS key`)
      assert.lengthOf((yield* afterSweep(owner)).objects, 2)
      yield* liveKeys.register("generations", () => sql`SELECT NULL::text AS key`)
      const needed = `private files/${owner}/needed`
      assert.deepStrictEqual(yield* afterSweep(owner), { objects: [needed], uploads: [needed] })
    }))
})

testLayer(TestDrive)("LiveKeys of a whole drive", (it) => {
  it.effect("STO-119 every feature with objects registers", () =>
    LiveKeys.use((liveKeys) =>
      Effect.sync(() => assert.deepStrictEqual(StoreKey.areas.flatMap((area) => liveKeys.missing(area)), []))
    ))

  it.effect("STO-119 what is stored outside the drive's prefixes stays, whatever it is called", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount
      const outside = [`files-of/${owner}/a`, `imported/${owner}/a`, `other/files/${owner}/a`]
      for (const key of outside) yield* put("private", key)
      // Forms write to the private bucket alone.
      yield* put("public", `incoming/${owner}/a`)
      for (const key of outside) yield* open("private", key)
      yield* open("public", `incoming/${owner}/a`)
      const { objects, uploads } = yield* afterSweep(owner)
      const all = [...outside.map((key) => `private ${key}`), `public incoming/${owner}/a`]
      assert.deepStrictEqual(objects, all)
      assert.deepStrictEqual(uploads, all)
    }))
})

describe("StoreKey", () => {
  it("names the account of the drive's keys, and of no others", () => {
    const id = "019845e1-682f-7b02-a706-3b2422d13aff" as AccountId
    for (const source of ["forms", "files", "archives"] as const) {
      assert.strictEqual(StoreKey.ownerOf(StoreKey.make(source, id, "x")), id)
    }
    assert.isUndefined(StoreKey.ownerOf(StoreKey.imported(id, "x")))
    assert.isUndefined(StoreKey.ownerOf("files/somebody/x"))
    assert.isUndefined(StoreKey.areaOf("public", StoreKey.make("forms", id, "x")))
  })
})
