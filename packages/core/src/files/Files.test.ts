import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { DateTime, Duration, Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import { addFile, checkBooks, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Ledger } from "../accounts/Ledger.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { DoomedObjects } from "./DoomedObjects.ts"
import { Files } from "./Files.ts"
import * as StoredFile from "./StoredFile.ts"

const newFile = (accountId: AccountId, storeKey: string) => ({
  accountId,
  objectKey: `users/${accountId}/${storeKey}`,
  storeKey,
  etag: "e",
  fileName: "a.txt",
  type: "Text" as const,
  mimeType: "text/plain",
  sizeBytes: 1,
  folderId: null
})

const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "private" }

/** An object at a fresh key, doomed for `hours` from now. */
const doomedObject = Effect.fnUntraced(function*(accountId: AccountId, name: string, hours: number) {
  const store = yield* ObjectStore
  const memory = yield* MemoryObjectStore
  const doomed = yield* DoomedObjects
  const ledger = yield* Ledger
  const storeKey = StoredFile.storeKey(accountId, name)
  const at = { bucket: "private" as const, key: storeKey }
  const due = DateTime.add(yield* DateTime.now, { hours })
  yield* ledger.locked(accountId, () => doomed.doom(accountId, [{ bucket: "private", storeKey }], due))
  const form = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime: Duration.hours(1) })
  yield* memory.sendZeros(form, 1)
  return { bucket: "private" as const, storeKey }
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Files and doomed objects", (it) => {
  it.effect("UP-28 a recorded file has adopted its object: nothing removes it", () =>
    Effect.gen(function*() {
      const files = yield* Files
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me, { objectKey: `users/${me}/a` })
      yield* TestClock.adjust("2 days")
      yield* jobs.runDue
      const { doomed, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held.length, doomed.length], [1, 0])
      const found = yield* files.findByObjectKey(me, `users/${me}/a`)
      assert.deepStrictEqual(Option.map(found, (file) => file.id), Option.some(id))
      assert.isTrue(Option.isNone(yield* files.findByObjectKey(yield* newAccount, `users/${me}/a`)))
    }))

  it.effect("UP-28 an object that nothing adopted is removed after its hour, not before", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      yield* doomedObject(me, "orphan", 1)
      yield* TestClock.adjust("59 minutes")
      yield* jobs.runDue
      assert.strictEqual((yield* checkBooks(me)).held.length, 1)
      yield* TestClock.adjust("1 minute")
      yield* jobs.runDue
      const { doomed, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, doomed], [[], []])
    }))

  it.effect("UP-28 an object whose removal has begun can't be recorded any more, and one never doomed neither", () =>
    Effect.gen(function*() {
      const files = yield* Files
      const ledger = yield* Ledger
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const { storeKey } = yield* doomedObject(me, "late", 1)
      yield* TestClock.adjust("1 hour")
      yield* memory.plant("remove", Faults.notReached)
      yield* jobs.runDue
      const late = yield* ledger.locked(me, () => files.record(newFile(me, storeKey))).pipe(Effect.flip)
      const unknown = yield* ledger.locked(me, () => files.record(newFile(me, `${storeKey}2`))).pipe(Effect.flip)
      assert.deepStrictEqual([late._tag, unknown._tag], ["Unavailable", "Unavailable"])
      yield* jobs.runDue
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
    }))

  it.effect("UP-28 a record that is rolled back leaves its object doomed", () =>
    Effect.gen(function*() {
      const files = yield* Files
      const ledger = yield* Ledger
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const { storeKey } = yield* doomedObject(me, "rolled-back", 1)
      yield* ledger.locked(me, () => Effect.andThen(files.record(newFile(me, storeKey)), Effect.fail("no"))).pipe(
        Effect.flip
      )
      yield* TestClock.adjust("1 hour")
      yield* jobs.runDue
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
    }))

  it.effect("TR-6 one object that storage keeps does not hold up the others, and is tried until it is gone", () =>
    Effect.gen(function*() {
      const doomed = yield* DoomedObjects
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const stuck = yield* doomedObject(me, "stuck", 0)
      yield* memory.plant("remove", Faults.notReached)
      assert.isFalse(yield* doomed.removeNow(me, [stuck]))
      const free = yield* doomedObject(me, "free", 0)
      assert.isTrue(yield* doomed.removeNow(me, [free]))
      assert.strictEqual((yield* checkBooks(me)).held.length, 1)
      yield* memory.plant("remove", Faults.notReached, 3)
      for (let attempt = 0; attempt < 3; attempt++) {
        const ran = yield* jobs.runDue
        assert.isTrue(ran.some(({ exit, key }) => key === me && Exit.isFailure(exit)))
      }
      yield* jobs.runDue
      const { doomed: rows, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, rows], [[], []])
    }))

  it.effect("TR-6 more objects than one step removes, and a doomed upload, are all gone after one run", () =>
    Effect.gen(function*() {
      const doomed = yield* DoomedObjects
      const ledger = yield* Ledger
      const store = yield* ObjectStore
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const key = StoredFile.storeKey(me, "upload")
      const storageId = yield* store.createUpload({ bucket: "private", key }, headers)
      yield* doomedObject(me, "one", 0)
      const many = Array.from({ length: 1_234 }, (_, index) => ({
        bucket: index % 2 === 0 ? "private" as const : "public" as const,
        storeKey: StoredFile.storeKey(me, `none-${index}`)
      }))
      const now = yield* DateTime.now
      yield* ledger.locked(
        me,
        () => doomed.doom(me, [...many, ...many, { bucket: "private", storeKey: key, storageId }], now)
      )
      yield* jobs.runDue
      const { doomed: rows, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, rows, yield* memory.openUploads], [[], [], []])
    }))

  it.effect("TR-6 what falls due later wakes the job again by itself", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      yield* doomedObject(me, "soon", 1)
      yield* doomedObject(me, "later", 3)
      yield* TestClock.adjust("1 hour")
      yield* jobs.runDue
      assert.strictEqual((yield* checkBooks(me)).held.length, 1)
      yield* TestClock.adjust("2 hours")
      yield* jobs.runDue
      assert.strictEqual((yield* checkBooks(me)).held.length, 0)
    }))
})
