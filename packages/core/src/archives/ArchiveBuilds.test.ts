import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Stream } from "effect"
import { TestClock } from "effect/testing"
import {
  addBytes,
  addFiles,
  afterPart,
  all,
  checkClean,
  checkHolds,
  content,
  create,
  layer,
  look,
  opened,
  partSize,
  runJobs,
  runOnce,
  sizes
} from "../../test/ArchivesTest.ts"
import { newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Database } from "../database/Database.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { ArchiveBuilds } from "./ArchiveBuilds.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("ArchiveBuilds", (it) => {
  const moments = ([
    { at: "createUpload", nth: 1 },
    { at: "putPart", nth: 1 },
    { at: "putPart", nth: 3 },
    { at: "get", nth: 1 },
    { at: "get", nth: 3 },
    { at: "listParts", nth: 1 },
    { at: "completeUpload", nth: 1 },
    { at: "head", nth: 1 }
  ] as const).flatMap((moment) => (["before", "after"] as const).map((when) => ({ ...moment, when })))

  it.effect.each(moments)(
    "ZIP-11 ZIP-12 a builder killed $when call $nth of $at is followed by another",
    ({ at, nth, when }) =>
      Effect.gen(function*() {
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
        if (nth > 1) yield* memory.plant(at, Faults.after(Effect.void), nth - 1)
        yield* memory.plant(at, Faults[when](Effect.interrupt))
        yield* runOnce(me, asked)
        yield* runJobs
        yield* checkHolds(yield* look(me, asked), sizes, all)
        yield* checkClean(me, true)
      })
  )

  it.effect("ZIP-11 what is stored is not stored again: the next builder continues from the last part", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* afterPart(4, Effect.interrupt)
      yield* runOnce(me, asked)
      const item = yield* look(me, asked)
      assert.deepInclude(item, { status: "working", receivedBytes: 3 * partSize, bytes: asked.bytes })
      let parts = 0
      yield* memory.plant("putPart", Faults.before(Effect.sync(() => void parts++)), 3)
      yield* runJobs
      assert.strictEqual(parts, Math.ceil(asked.bytes / partSize) - 3)
      yield* checkHolds(yield* look(me, asked), sizes, all)
    }))

  it.effect("ZIP-11 ZIP-12 storage that fails, whatever it is asked, is asked again from the last part", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      for (const method of ["createUpload", "putPart", "get", "listParts", "completeUpload", "head"] as const) {
        for (const fault of [Faults.notReached, Faults.answerLost]) {
          yield* memory.plant(method, fault)
          const ran = (yield* jobs.runDue).filter(({ kind }) => kind === "archive.build")
          assert.isTrue(ran.length === 1 && Exit.isFailure(ran[0]!.exit), method)
        }
      }
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
      yield* checkClean(me, true)
    }))

  it.effect("ZIP-11 ZIP-12 an upload that storage has given up, or whose part has changed, is made anew", () =>
    Effect.gen(function*() {
      const store = yield* ObjectStore
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* afterPart(4, Effect.interrupt)
      yield* runOnce(me, asked)
      const upload = Effect.map(
        sql<{ readonly key: string; readonly uploadId: string }>`
          SELECT store_key AS key, storage_id AS "uploadId" FROM ${t.archives} WHERE id = ${asked.id}
        `,
        (rows) => rows[0]!
      )
      const { key, uploadId } = yield* upload
      yield* store.abortUpload({ bucket: "private", key }, uploadId)
      const failed = yield* runOnce(me, asked)
      assert.isTrue(Exit.isFailure(failed))
      assert.notStrictEqual((yield* upload).key, key)
      yield* afterPart(4, Effect.interrupt)
      yield* runOnce(me, asked)
      const fresh = yield* upload
      yield* store.putPart({
        at: { bucket: "private", key: fresh.key },
        uploadId: fresh.uploadId,
        partNumber: 2,
        sizeBytes: 3,
        body: Stream.make(new Uint8Array(3))
      })
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
      yield* checkClean(me, true)
    }))

  it.effect("ZIP-13 how far it is shows after each part, and every few seconds of one", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, [6_000, 300_000, 300_000]) })
      const seen: Array<number> = []
      const note = Effect.orDie(Effect.map(look(me, asked), ({ receivedBytes }) => void seen.push(receivedBytes)))
      const context = yield* Effect.context<Effect.Services<typeof note>>()
      yield* memory.plant("putPart", Faults.after(Effect.provideContext(note, context)), 3)
      yield* memory.plant("get", Faults.before(Effect.asVoid(TestClock.adjust("3 seconds"))), 2)
      const builds = yield* ArchiveBuilds
      yield* Effect.repeat(builds.run(me, asked.id), { while: ({ _tag }) => _tag !== "Done" })
      // Within the first part: it says more than what parts stored before it have.
      assert.isAbove(seen[0]!, 0)
      assert.isTrue(seen.every((bytes, at) => at === 0 || bytes >= seen[at - 1]!))
      assert.isAtLeast(seen[2]!, 2 * partSize)
      assert.strictEqual((yield* look(me, asked)).receivedBytes, asked.bytes)
    }))

  it.effect("ZIP-11 a builder that was held up when it had opened an upload leaves it to one that continues with it", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof runOnce>>>()
      const other = Effect.asVoid(Effect.provideContext(runOnce(me, asked), context))
      // The other one stores two parts, and storage is away for the third.
      yield* memory.plant("putPart", Faults.after(Effect.void), 2)
      yield* memory.plant("putPart", Faults.notReached)
      yield* memory.plant("createUpload", Faults.after(other))
      yield* runOnce(me, asked)
      assert.lengthOf(yield* memory.openUploads, 1)
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
      yield* checkClean(me, true)
    }))

  it.effect("ZIP-14 a large archive hands its turn on after some seconds", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const large = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      const small = yield* create(me, { fileIds: yield* addFiles(me, [10]) })
      yield* memory.plant("putPart", Faults.after(Effect.asVoid(TestClock.adjust("6 seconds"))), 2)
      yield* jobs.runDue
      assert.strictEqual((yield* look(me, small)).status, "done")
      assert.deepInclude(yield* look(me, large), { status: "working", receivedBytes: 2 * partSize })
      yield* runJobs
      yield* checkHolds(yield* look(me, large), sizes, all)
    }))

  it.effect("ZIP-14 so does one that looks for lost files as long", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const store = yield* ObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const losing = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* store.remove((yield* memory.objects).filter(({ key }) => key.includes(me)))
      const small = yield* create(me, { fileIds: yield* addFiles(me, [10]) })
      yield* memory.plant("putPart", Faults.before(Effect.asVoid(TestClock.adjust("11 seconds"))))
      yield* jobs.runDue
      assert.strictEqual((yield* look(me, small)).status, "done")
      assert.deepInclude(yield* look(me, losing), { status: "working", fileCount: 0 })
      yield* runJobs
      assert.strictEqual((yield* look(me, losing)).status, "failed")
    }))

  it.effect("ZIP-15 ZIP-12 an archive that stood still for seven days has failed, and its parts are removed", () =>
    Effect.gen(function*() {
      const ends = yield* ArchiveEnds
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* afterPart(2, Effect.interrupt)
      yield* runOnce(me, asked)
      yield* TestClock.adjust("6 days")
      yield* ends.sweep
      assert.strictEqual((yield* look(me, asked)).status, "working")
      yield* TestClock.adjust("1 day")
      yield* ends.sweep
      assert.deepInclude(yield* look(me, asked), { status: "failed", downloadUrl: null })
      yield* jobs.runDue
      yield* checkClean(me, false)
    }))

  it.effect("ZIP-5 an archive of many files of the same name is read back", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const fileIds = yield* Effect.forEach(
        Array.from({ length: 300 }),
        (_, at) => addBytes(me, content(7, at), { fileName: "same.txt" })
      )
      const asked = yield* create(me, { fileIds })
      yield* runJobs
      const held = yield* opened(yield* look(me, asked))
      assert.deepStrictEqual(held.get("same (300).txt")!.bytes, content(7, 299))
    }))
})
