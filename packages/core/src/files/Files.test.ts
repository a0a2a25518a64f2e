import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { DateTime, Duration, Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addFile, checkBooks, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Files } from "./Files.ts"

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

/** An object at a fresh key, listed for deletion for `hours` from now. */
const pendingObject = Effect.fnUntraced(function*(accountId: AccountId, name: string, hours: number) {
  const store = yield* ObjectStore
  const memory = yield* MemoryObjectStore
  const deletions = yield* PendingDeletions
  const transaction = yield* AccountTransaction
  const storeKey = StoreKey.make("files", accountId, name)
  const at = { bucket: "private" as const, key: storeKey }
  const due = DateTime.add(yield* DateTime.now, { hours })
  yield* transaction.run(accountId, () => deletions.schedule(accountId, [{ bucket: "private", storeKey }], due))
  const form = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime: Duration.hours(1) })
  yield* memory.sendZeros(form, 1)
  return { bucket: "private" as const, storeKey }
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Files and pending deletions", (it) => {
  it.effect("UP-28 a recorded file has adopted its object: nothing removes it", () =>
    Effect.gen(function*() {
      const files = yield* Files
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me, { objectKey: `users/${me}/a` })
      yield* TestClock.adjust("2 days")
      yield* jobs.runDue
      const { pending, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held.length, pending.length], [1, 0])
      const found = yield* files.findByObjectKey(me, Checked.objectKey(`users/${me}/a`))
      assert.deepStrictEqual(Option.map(found, (file) => file.id), Option.some(id))
      assert.isTrue(Option.isNone(yield* files.findByObjectKey(yield* newAccount, Checked.objectKey(`users/${me}/a`))))
    }))

  it.effect("UP-28 an object that nothing adopted is removed after its hour, not before", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      yield* pendingObject(me, "orphan", 1)
      yield* TestClock.adjust("59 minutes")
      yield* jobs.runDue
      assert.strictEqual((yield* checkBooks(me)).held.length, 1)
      yield* TestClock.adjust("1 minute")
      yield* jobs.runDue
      const { pending, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, pending], [[], []])
    }))

  it.effect("UP-28 an object whose removal has begun can't be recorded any longer, and one that was never listed for deletion can't either", () =>
    Effect.gen(function*() {
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const { storeKey } = yield* pendingObject(me, "late", 1)
      yield* TestClock.adjust("1 hour")
      yield* memory.plant("remove", Faults.notReached)
      yield* jobs.runDue
      const late = yield* transaction.run(me, () => files.record(newFile(me, storeKey))).pipe(Effect.flip)
      const unknown = yield* transaction.run(me, () => files.record(newFile(me, `${storeKey}2`))).pipe(Effect.flip)
      assert.deepStrictEqual([late._tag, unknown._tag], ["Unavailable", "Unavailable"])
      yield* jobs.runDue
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
    }))

  it.effect("UP-28 a record that is rolled back leaves its object listed for deletion", () =>
    Effect.gen(function*() {
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const { storeKey } = yield* pendingObject(me, "rolled-back", 1)
      yield* transaction.run(me, () => Effect.andThen(files.record(newFile(me, storeKey)), Effect.fail("no"))).pipe(
        Effect.flip
      )
      yield* TestClock.adjust("1 hour")
      yield* jobs.runDue
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
    }))

  it.effect("TR-6 one object that storage keeps does not hold up the others, and is tried until it is gone", () =>
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const stuck = yield* pendingObject(me, "stuck", 0)
      yield* memory.plant("remove", Faults.notReached)
      assert.isFalse(yield* deletions.removeNow(me, [stuck]))
      const free = yield* pendingObject(me, "free", 0)
      assert.isTrue(yield* deletions.removeNow(me, [free]))
      assert.strictEqual((yield* checkBooks(me)).held.length, 1)
      yield* memory.plant("remove", Faults.notReached, 3)
      for (let attempt = 0; attempt < 3; attempt++) {
        const ran = yield* jobs.runDue
        assert.isTrue(ran.some(({ exit, key }) => key === me && Exit.isFailure(exit)))
      }
      yield* jobs.runDue
      const { pending: rows, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, rows], [[], []])
    }))

  it.effect("TR-6 more objects than one step removes, and an upload listed for deletion, are all gone after one run", () =>
    Effect.gen(function*() {
      const deletions = yield* PendingDeletions
      const transaction = yield* AccountTransaction
      const store = yield* ObjectStore
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const key = StoreKey.make("files", me, "upload")
      const storageId = yield* store.createUpload({ bucket: "private", key }, headers)
      yield* pendingObject(me, "one", 0)
      const many = Array.from({ length: 1_234 }, (_, index) => ({
        bucket: index % 2 === 0 ? "private" as const : "public" as const,
        storeKey: StoreKey.make("files", me, `none-${index}`)
      }))
      const now = yield* DateTime.now
      yield* transaction.run(
        me,
        () => deletions.schedule(me, [...many, ...many, { bucket: "private", storeKey: key, storageId }], now)
      )
      yield* jobs.runDue
      const { pending: rows, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, rows, yield* memory.openUploads], [[], [], []])
    }))

  it.effect("TR-6 what falls due later wakes the job again by itself", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      yield* pendingObject(me, "soon", 1)
      yield* pendingObject(me, "later", 3)
      yield* TestClock.adjust("1 hour")
      yield* jobs.runDue
      assert.strictEqual((yield* checkBooks(me)).held.length, 1)
      yield* TestClock.adjust("2 hours")
      yield* jobs.runDue
      assert.strictEqual((yield* checkBooks(me)).held.length, 0)
    }))
})
