/** Files that go while their archive is built. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
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
  partSize,
  runJobs,
  runOnce,
  sizes,
  skips
} from "../../test/ArchivesTest.ts"
import { as, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { ArchiveEnds } from "./ArchiveEnds.ts"
import { Archives } from "./Archives.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("ArchiveLosses", (it) => {
  const losses: ReadonlyArray<{
    readonly how: string
    readonly reason: string
    readonly lose: (me: AccountId, other: AccountId, id: FileId) => Effect.Effect<void, unknown, Trash | Shares>
  }> = [
    { how: "trashed", reason: "not_found", lose: (_, other, id) => dispose("put", other, id) },
    { how: "deleted", reason: "not_found", lose: (_, other, id) => dispose("delete", other, id) },
    {
      how: "no longer shared",
      reason: "not_found",
      lose: (me, other, id) => Effect.asVoid(Shares.use((shares) => shares.unshare([id], [me])).pipe(as(other)))
    }
  ]

  it.effect.each(losses)(
    "ZIP-10 another's file that is $how midway is left out",
    ({ lose, reason }) =>
      Effect.gen(function*() {
        const services = yield* Effect.context<Trash | Shares>()
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
        const trash = yield* Trash
        const me = yield* newAccount
        const fileIds = yield* addFiles(me, sizes)
        const asked = yield* create(me, { fileIds })
        yield* afterPart(
          part,
          Effect.orDie(Effect.asVoid(trash.put(which.map((at) => fileIds[at]!)).pipe(as(me))))
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

  it.effect("ZIP-10 of many files whose bytes are lost the part is not begun again for each", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const store = yield* ObjectStore
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const small = Array.from({ length: 60 }, () => 200)
      const fileIds = yield* addFiles(me, small)
      const left = [3, 17, 59]
      const kept = new Set(left.map((at) => fileIds[at]))
      const lost = yield* sql<{ readonly id: FileId; readonly key: string }>`
        SELECT id, store_key AS key FROM ${t.files} WHERE account_id = ${me}
      `
      yield* store.remove(
        lost.filter(({ id }) => !kept.has(id)).map(({ key }) => ({ bucket: "private" as const, key }))
      )
      const asked = yield* create(me, { fileIds })
      const archives = yield* Archives
      let known = 0
      yield* memory.plant("putPart", Faults.before(Effect.void))
      const count = archives.select([asked.id]).pipe(
        as(me),
        Effect.tap(([item]) => Effect.sync(() => known = item!.skipped.length)),
        Effect.orDie
      )
      yield* memory.plant("putPart", Faults.before(Effect.asVoid(count)))
      yield* runJobs
      assert.strictEqual(known, 57, "when it is begun for the second time")
      const item = yield* look(me, asked)
      yield* checkHolds(item, small, left)
      assert.isTrue(skips(item).every(([, reason]) => reason === "bytes_missing"))
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
      const trash = yield* Trash
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes.slice(0, 2))
      const asked = yield* create(me, { fileIds })
      // The small one is in by then; so the second look finds it gone as well only if its part is made again.
      yield* afterPart(1, Effect.orDie(Effect.asVoid(trash.put(fileIds).pipe(as(me)))))
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

  it.effect("ZIP-15 one that continues again while others are given up is not", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const [me, other] = [yield* newAccount, yield* newAccount]
      const away = memory.plant("putPart", Faults.notReached)
      const given = yield* create(other, { fileIds: yield* addFiles(other, sizes) })
      yield* Effect.andThen(away, runOnce(other, given))
      yield* TestClock.adjust("1 minute")
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* Effect.andThen(away, runOnce(me, asked))
      yield* TestClock.adjust("7 days")
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof runOnce>>>()
      const goOn = Effect.andThen(memory.plant("putPart", Faults.before(away)), runOnce(me, asked))
      yield* memory.plant("abortUpload", Faults.before(Effect.asVoid(Effect.provideContext(goOn, context))))
      yield* (yield* ArchiveEnds).sweep
      assert.strictEqual((yield* look(other, given)).status, "failed")
      assert.deepInclude(yield* look(me, asked), { status: "working", receivedBytes: partSize })
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
      yield* checkClean(me, true)
    }))
})

const dispose = (how: "put" | "delete", owner: AccountId, id: FileId) =>
  Effect.asVoid(Trash.use((trash) => trash[how]([id])).pipe(as(owner)))
