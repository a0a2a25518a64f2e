import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { addFile, as, checkBooks, joinAsTimePasses, layer, newAccount, settled } from "../../test/FilesTest.ts"
import {
  during,
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
import { ManualJobs } from "../../test/ManualJobs.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Trash } from "./Trash.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("LastingLinks under races", (it) => {
  it.effect.each([
    { when: "before" as const },
    { when: "after" as const }
  ])(
    "DL-12 a file restored $when it is copied away keeps its link, and one trashed on its way back does not",
    ({ when }) =>
      Effect.gen(function*() {
        const me = yield* newAccount
        const { id, link } = yield* publicFile(me)
        yield* during("copy", when, restore(me, id))
        yield* trash(me, id)
        assert.strictEqual(yield* statusOf(link), 200)
        yield* settled(me)
        assert.strictEqual(yield* statusOf(link), 200)
        yield* trash(me, id)
        yield* during("copy", when, trash(me, id))
        yield* restore(me, id)
        assert.strictEqual(yield* statusOf(link), 404)
        yield* settled(me)
        assert.strictEqual(yield* statusOf(link), 404)
        yield* restore(me, id)
        assert.strictEqual(yield* statusOf(link), 200)
        yield* settled(me)
      })
  )

  it.effect.each([
    { when: "before" as const },
    { when: "after" as const }
  ])(
    "DL-12 two who bring a file back, $when the copy of one, leave what the other made",
    ({ when }) =>
      Effect.gen(function*() {
        const me = yield* newAccount
        const { id, link } = yield* publicFile(me)
        yield* trash(me, id)
        yield* TestClock.adjust("29 seconds")
        // The job is due before the request gives up.
        const jobs = yield* ManualJobs
        const job = Effect.andThen(TestClock.adjust("1 second"), jobs.runDue)
        yield* during("copy", when, job)
        yield* restore(me, id)
        assert.strictEqual(yield* statusOf(link), 200)
        yield* settled(me)
        assert.strictEqual(yield* statusOf(link), 200)
      })
  )

  it.effect("DL-12 a removal that reaches storage late does not meet what a restore made since", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      const [asked, arrived] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      yield* plant(
        "remove",
        Faults.before(Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(arrived)))
      )
      const trashing = yield* Effect.forkChild(trash(me, id))
      yield* Deferred.await(asked)
      // It gives up waiting after ten seconds, and leaves the rest to the job.
      yield* joinAsTimePasses(yield* Effect.forkChild(restore(me, id)))
      yield* Deferred.succeed(arrived, undefined)
      yield* Fiber.join(trashing)
      yield* runJobs
      assert.strictEqual(yield* statusOf(link), 200)
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 200)
    }))

  it.effect("DL-12 a copy that storage makes late, after the file was put in trash again, goes within the hour", () =>
    Effect.gen(function*() {
      const store = yield* ObjectStore
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      yield* trash(me, id)
      yield* restore(me, id)
      yield* trash(me, id)
      const key = link!.slice(link!.indexOf("files/"))
      const from = (yield* memory.objects).find((object) => object.bucket === "private" && object.key.includes(me))
      const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-cache" }
      yield* store.copy(from!, { bucket: "public", key }, headers)
      assert.strictEqual(yield* statusOf(link), 200)
      yield* checkBooks(me)
      yield* TestClock.adjust("1 hour")
      yield* runJobs
      assert.strictEqual(yield* statusOf(link), 404)
      yield* restore(me, id)
      assert.strictEqual(yield* statusOf(link), 200)
      yield* settled(me)
    }))

  it.effect("DL-12 toggled in trash, a file becomes private, or public with another link", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      yield* trash(me, id)
      assert.isFalse((yield* toggle(me, id)).isPublic)
      assert.isFalse((yield* trashed(me, id)).isPublic)
      assert.deepInclude(yield* toggle(me, id), { isPublic: true, downloadUrl: null })
      yield* settled(me)
      yield* restore(me, id)
      const { downloadUrl, isPublic } = yield* record(me, id)
      assert.isTrue(isPublic)
      assert.notStrictEqual(downloadUrl, link)
      assert.strictEqual(yield* statusOf(downloadUrl), 200)
      assert.strictEqual(yield* statusOf(link), 404)
      yield* trash(me, id)
      assert.isFalse((yield* toggle(me, id)).isPublic)
      yield* restore(me, id)
      assert.isFalse((yield* record(me, id)).isPublic)
      assert.strictEqual(yield* statusOf(downloadUrl), 404)
      yield* settled(me)
    }))

  it.effect("DL-12 one toggled while it is copied back is private, and no link of it works", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const { id, link } = yield* publicFile(me)
      yield* trash(me, id)
      yield* during("copy", "after", toggle(me, id))
      yield* restore(me, id)
      assert.isFalse((yield* record(me, id)).isPublic)
      assert.strictEqual(yield* statusOf(link), 404)
      yield* settled(me)
    }))

  it.effect("DL-12 deleted for good while it is copied away or back, nothing of it is left", () =>
    Effect.gen(function*() {
      const bin = yield* Trash
      const me = yield* newAccount
      for (const when of ["before", "after"] as const) {
        const [away, back] = [yield* publicFile(me), yield* publicFile(me)]
        yield* trash(me, back.id)
        yield* during("copy", when, bin.delete([back.id]).pipe(as(me)))
        yield* restore(me, back.id)
        yield* during("copy", when, bin.empty.pipe(as(me)))
        yield* trash(me, away.id)
        for (const { link } of [away, back]) assert.strictEqual(yield* statusOf(link), 404)
        assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      }
      yield* settled(me)
    }))

  it.effect("DL-12 a large file's move follows trash, restore and toggle", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes: largeBytes })
      yield* toggle(me, id)
      // On its way to the public bucket it is put in trash: public, once it is restored.
      yield* trash(me, id)
      yield* settled(me)
      assert.deepInclude(yield* trashed(me, id), { isPublic: true, accessMove: null })
      yield* restore(me, id)
      yield* runJobs
      const { downloadUrl: link } = yield* record(me, id)
      assert.strictEqual(yield* statusOf(link), 200)
      // Restored before it has left.
      yield* during("completeUpload", "after", restore(me, id))
      yield* trash(me, id)
      yield* runJobs
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 200)
      // Trashed again before it is back.
      yield* trash(me, id)
      yield* runJobs
      yield* during("completeUpload", "after", trash(me, id))
      yield* restore(me, id)
      yield* runJobs
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 404)
      // Private while it is on its way out.
      yield* restore(me, id)
      yield* runJobs
      yield* settled(me)
      assert.strictEqual(yield* statusOf(link), 200)
      yield* trash(me, id)
      const toggling = yield* Effect.forkChild(toggle(me, id))
      yield* TestClock.adjust("1 second")
      yield* runJobs
      assert.isFalse((yield* joinAsTimePasses(toggling)).isPublic)
      yield* restore(me, id)
      yield* settled(me)
      assert.isFalse((yield* record(me, id)).isPublic)
      assert.strictEqual(yield* statusOf(link), 404)
    }))
})
