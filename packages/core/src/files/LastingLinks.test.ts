import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, type FaultyMethod, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFile, as, checkBooks, layer, newAccount, open, settled } from "../../test/FilesTest.ts"
import {
  largeBytes,
  plant,
  publicFile,
  record,
  restore,
  runJobs,
  statusOf,
  toggle,
  trash,
  trashed
} from "../../test/LastingLinksTest.ts"
import { Database } from "../database/Database.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { FileDetails } from "./FileDetails.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("LastingLinks", (it) => {
  it.effect("DL-7 a trashed public file's link answers 404 when the answer arrives, and 200 once it is restored", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      const other = yield* publicFile(me)
      for (let round = 0; round < 3; round++) {
        yield* trash(me, id)
        assert.strictEqual(yield* statusOf(link), 404)
        assert.strictEqual(yield* statusOf(other.link), 200)
        assert.deepInclude(yield* trashed(me, id), { isPublic: true, downloadUrl: null })
        yield* checkBooks(me)
        yield* restore(me, id)
        assert.strictEqual(yield* statusOf(link), 200)
        assert.deepInclude(yield* record(me, id), { isPublic: true, downloadUrl: link, trashTime: null })
      }
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 200)
    }))

  it.effect("DL-7 the link of its picture goes and comes back with it", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* sql`UPDATE ${t.files} SET type = 'Video' WHERE id = ${id}`
      yield* addDerivative(me, id)
      const { thumbnailUrl } = yield* toggle(me, id)
      assert.strictEqual(yield* statusOf(thumbnailUrl), 200)
      yield* trash(me, id)
      assert.strictEqual(yield* statusOf(thumbnailUrl), 404)
      yield* restore(me, id)
      assert.strictEqual((yield* record(me, id)).thumbnailUrl, thumbnailUrl)
      assert.strictEqual(yield* statusOf(thumbnailUrl), 200)
      yield* settled(me)
    }))

  it.effect("DL-7 a file renamed in trash is served under its new name", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      yield* trash(me, id)
      yield* FileDetails.use(({ rename }) => rename(id, Checked.fileName("later.txt"))).pipe(as(me))
      yield* restore(me, id)
      assert.include((yield* open(link)).disposition, "later.txt")
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 200)
    }))

  it.effect("DL-7 files of a hundred at once", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const files = yield* Effect.replicateEffect(publicFile(me), 100)
      const ids = files.map(({ id }) => id)
      yield* trash(me, ...ids)
      for (const { link } of files) assert.strictEqual(yield* statusOf(link), 404)
      yield* restore(me, ...ids)
      for (const { link } of files) assert.strictEqual(yield* statusOf(link), 200)
      yield* settled(me)
    }))

  const faults: ReadonlyArray<{ call: "trash" | "restore"; at: FaultyMethod; fault: "notReached" | "answerLost" }> = [
    { call: "trash", at: "copy", fault: "notReached" },
    { call: "trash", at: "copy", fault: "answerLost" },
    { call: "trash", at: "remove", fault: "notReached" },
    { call: "trash", at: "remove", fault: "answerLost" },
    { call: "restore", at: "copy", fault: "notReached" },
    { call: "restore", at: "copy", fault: "answerLost" }
  ]

  it.effect.each(faults)(
    "DL-11 where storage fails ($at $fault), $call is done by a job soon after",
    ({ at, call, fault }) =>
      Effect.gen(function*() {
        const me = yield* newAccount
        const { id, link } = yield* publicFile(me)
        if (call === "restore") yield* trash(me, id)
        yield* plant(at, Faults[fault])
        yield* call === "trash" ? trash(me, id) : restore(me, id)
        yield* checkBooks(me)
        yield* runJobs
        yield* runJobs
        assert.strictEqual(yield* statusOf(link), call === "trash" ? 404 : 200)
        if (call === "trash") yield* restore(me, id)
        assert.strictEqual(yield* statusOf(link), 200)
        yield* settled(me)
        assert.strictEqual(yield* statusOf(link), 200)
      })
  )

  const crashes = (["trash", "restore"] as const).flatMap((call) =>
    (["before", "after"] as const).flatMap((when) => (["copy", "remove"] as const).map((at) => ({ call, when, at })))
  ).filter(({ at, call }) => call === "trash" || at === "copy")

  it.effect.each(crashes)(
    "DL-11 a crash $when $at of $call ends with the link as it should be",
    ({ at, call, when }) =>
      Effect.gen(function*() {
        const me = yield* newAccount
        const { id, link } = yield* publicFile(me)
        if (call === "restore") yield* trash(me, id)
        yield* plant(at, Faults[when](Effect.interrupt))
        const crashed = yield* Effect.forkChild(call === "trash" ? trash(me, id) : restore(me, id))
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(crashed)))
        yield* checkBooks(me)
        yield* runJobs
        assert.strictEqual(yield* statusOf(link), call === "trash" ? 404 : 200)
        if (call === "trash") yield* restore(me, id)
        yield* settled(me)
        assert.strictEqual(yield* statusOf(link), 200)
      })
  )

  it.effect("DL-11 storage that keeps still holds a request for ten seconds and no longer", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      const reached = yield* Deferred.make<void>()
      yield* plant("copy", Faults.before(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)))
      const trashing = yield* Effect.forkChild(trash(me, id))
      yield* Deferred.await(reached)
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(trashing.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(trashing), [id])
      yield* runJobs
      assert.strictEqual(yield* statusOf(link), 404)
      yield* settled(me)
    }))

  it.effect("DL-11 an object that storage has not removed yet is not made again until it has", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      yield* plant("remove", Faults.notReached, 2)
      yield* trash(me, id)
      yield* restore(me, id)
      // The owner's own link works meanwhile.
      assert.strictEqual(yield* statusOf((yield* record(me, id)).downloadUrl), 200)
      assert.isTrue((yield* record(me, id)).isPublic)
      yield* runJobs
      assert.strictEqual(yield* statusOf(link), 200)
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 200)
    }))

  it.effect("DL-7 DL-11 a file too large for one copy leaves and comes back by its job", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes: largeBytes })
      yield* toggle(me, id)
      yield* runJobs
      const { downloadUrl: link } = yield* record(me, id)
      assert.strictEqual(yield* statusOf(link), 200)
      for (let round = 0; round < 2; round++) {
        yield* trash(me, id)
        yield* runJobs
        assert.strictEqual(yield* statusOf(link), 404)
        assert.isTrue((yield* trashed(me, id)).isPublic)
        yield* restore(me, id)
        assert.isTrue((yield* record(me, id)).isPublic)
        yield* runJobs
        assert.strictEqual((yield* record(me, id)).downloadUrl, link)
        assert.strictEqual(yield* statusOf(link), 200)
      }
      yield* settled(me)
    }))

  it.effect("DL-11 a trashed file whose bytes are lost keeps nobody busy", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const store = yield* ObjectStore
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      yield* store.remove(
        (yield* memory.objects).filter(({ bucket, key }) => bucket === "public" && key.includes(me))
      )

      yield* trash(me, id)
      for (const { exit } of yield* runJobs) assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(yield* statusOf(link), 404)
    }))
})
