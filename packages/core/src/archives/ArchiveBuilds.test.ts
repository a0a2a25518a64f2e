import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import {
  addBytes,
  addFiles,
  checkHolds,
  content,
  create,
  layer,
  look,
  opened,
  partSize,
  runJobs,
  skips
} from "../../test/ArchivesTest.ts"
import { as, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Database } from "../database/Database.ts"
import { Disposal } from "../files/Disposal.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { ArchiveBuilds } from "./ArchiveBuilds.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import type { ArchiveItem } from "./Archives.ts"

/** Six parts; files that fill several and several that fill one, an empty one, and one at the end. */
const sizes = [3_000, 25_000, 10, 0, 9_000, 15_000, 500]
const all = sizes.map((_, at) => at)

/** What is left once everything due is removed: the files' objects and, if it is done, the archive's; no upload. */
const checkClean = Effect.fnUntraced(function*(me: AccountId, isDone: boolean) {
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
  const doomed = yield* sql`SELECT 1 FROM ${t.doomed_objects} WHERE account_id = ${me}`
  assert.strictEqual(doomed.length, 0)
  const left = yield* sql`
    SELECT 1 FROM ${t.archive_parts} p JOIN ${t.archives} a ON a.id = p.archive_id WHERE a.account_id = ${me}
  `
  assert.strictEqual(left.length, 0)
})

/** Runs one build, whatever becomes of it. */
const runOnce = Effect.fnUntraced(function*(me: AccountId, { id }: Pick<ArchiveItem, "id">) {
  const builds = yield* ArchiveBuilds
  return yield* Effect.forkChild(builds.run(me, id)).pipe(Effect.flatMap(Fiber.await))
})

/** Has something done between two parts: after the `nth` was stored. */
const afterPart = Effect.fnUntraced(function*(nth: number, hook: Effect.Effect<void>) {
  const memory = yield* MemoryObjectStore
  if (nth > 1) yield* memory.plant("putPart", Faults.after(Effect.void), nth - 1)
  yield* memory.plant("putPart", Faults.after(hook))
})

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

  it.effect("ZIP-11 what is stored is not stored again: the next builder goes on from the last part", () =>
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

  const losses: ReadonlyArray<{
    readonly how: string
    readonly reason: string
    readonly lose: (me: AccountId, other: AccountId, id: FileId) => Effect.Effect<void, unknown, Disposal | Shares>
  }> = [
    { how: "trashed", reason: "not_found", lose: (_, other, id) => dispose("trash", other, id) },
    { how: "deleted", reason: "not_found", lose: (_, other, id) => dispose("delete", other, id) },
    {
      how: "shared no more",
      reason: "not_found",
      lose: (me, other, id) => Effect.asVoid(Shares.use((shares) => shares.unshare([id], [me])).pipe(as(other)))
    }
  ]

  it.effect.each(losses)(
    "ZIP-10 another's file that is $how midway is left out",
    ({ lose, reason }) =>
      Effect.gen(function*() {
        const services = yield* Effect.context<Disposal | Shares>()
        const [me, other] = [yield* newAccount, yield* newAccount]
        const [first, last] = yield* addFiles(me, [3_000, 500])
        const theirs = yield* addBytes(other, content(35_000, 9), { fileName: "theirs.bin" })
        yield* (yield* Shares).share([theirs], [me]).pipe(as(other))
        const asked = yield* create(me, { fileIds: [first!, theirs, last!] })
        yield* afterPart(2, Effect.orDie(Effect.provideContext(lose(me, other, theirs), services)))
        yield* runJobs
        const item = yield* look(me, asked)
        assert.deepStrictEqual(skips(item), [[theirs, reason]])
        yield* checkHolds(item, [3_000, 500], [0, 1])
        assert.isBelow(item.bytes, asked.bytes)
        yield* checkClean(me, true)
      })
  )

  it.effect.each(
    [1, 2, 3, 4, 5].flatMap((part) => ([[1], [4, 5], [6], [0, 2, 3]] as const).map((which) => ({ part, which })))
  )(
    "ZIP-10 own files $which that are trashed after part $part are left out unless they are in already",
    ({ part, which }) =>
      Effect.gen(function*() {
        const disposal = yield* Disposal
        const me = yield* newAccount
        const fileIds = yield* addFiles(me, sizes)
        const asked = yield* create(me, { fileIds })
        yield* afterPart(
          part,
          Effect.orDie(Effect.asVoid(disposal.trash(which.map((at) => fileIds[at]!)).pipe(as(me))))
        )
        yield* runJobs
        const item = yield* look(me, asked)
        const left = new Set(skips(item).map(([id]) => fileIds.indexOf(id)))
        assert.isTrue(skips(item).every(([, reason]) => reason === "trashed"))
        assert.isTrue([...left].every((at) => which.some((gone) => gone === at)))
        yield* checkHolds(item, sizes, all.filter((at) => !left.has(at)))
        yield* checkClean(me, true)
      })
  )

  it.effect("ZIP-10 bytes that storage has lost are left out, before they are read and while they are", () =>
    Effect.gen(function*() {
      const store = yield* ObjectStore
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes)
      const lose = (id: FileId) =>
        Effect.gen(function*() {
          const [row] = yield* sql<{ readonly key: string }>`SELECT store_key AS key FROM ${t.files} WHERE id = ${id}`
          yield* store.remove([{ bucket: "private", key: row!.key }])
        }).pipe(Effect.orDie)
      yield* lose(fileIds[0]!)
      const asked = yield* create(me, { fileIds })
      // The first part is begun twice: the first file is found out while it is read.
      yield* afterPart(2, lose(fileIds[1]!))
      yield* runJobs
      const item = yield* look(me, asked)
      assert.deepStrictEqual(skips(item), [[fileIds[0]!, "bytes_missing"], [fileIds[1]!, "bytes_missing"]])
      yield* checkHolds(item, sizes, [2, 3, 4, 5, 6])
    }))

  it.effect("ZIP-10 a file that becomes public and private again midway is in it", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes)
      const asked = yield* create(me, { fileIds })
      const toggle = Effect.orDie(Effect.asVoid(access.toggle(fileIds[1]!).pipe(as(me))))
      const memory = yield* MemoryObjectStore
      yield* memory.plant("putPart", Faults.after(toggle), 2)
      // Moved right before it is read, when its place was looked up already; what was public is gone at once.
      yield* memory.plant("get", Faults.before(toggle), 4)
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
    }))

  it.effect("ZIP-10 ZIP-12 when no file is left the archive has failed, and leaves nothing", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes.slice(0, 2))
      const asked = yield* create(me, { fileIds })
      // The small one is in by then; so the second look finds it gone as well only if its part is made again.
      yield* afterPart(1, Effect.orDie(Effect.asVoid(disposal.trash(fileIds).pipe(as(me)))))
      yield* runJobs
      const item = yield* look(me, asked)
      assert.deepInclude(item, { status: "failed", downloadUrl: null, fileCount: 0 })
      assert.match(item.error!, /None of its files/)
      assert.strictEqual(skips(item).length, 2)
      yield* checkClean(me, false)
      yield* TestClock.adjust("7 days")
      yield* (yield* ArchiveEnds).sweep
      const { sql, tables: t } = yield* Database
      assert.strictEqual((yield* sql`SELECT 1 FROM ${t.archives} WHERE id = ${asked.id}`).length, 0)
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
      yield* Effect.repeat(builds.run(me, asked.id), { while: ({ _tag }) => _tag === "Again" })
      // Within the first part: it says more than what parts stored before it have.
      assert.isAbove(seen[0]!, 0)
      assert.isTrue(seen.every((bytes, at) => at === 0 || bytes >= seen[at - 1]!))
      assert.isAtLeast(seen[2]!, 2 * partSize)
      assert.strictEqual((yield* look(me, asked)).receivedBytes, asked.bytes)
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

const dispose = (how: "trash" | "delete", owner: AccountId, id: FileId) =>
  Effect.asVoid(Disposal.use((disposal) => disposal[how]([id])).pipe(as(owner)))
