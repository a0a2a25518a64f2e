import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Deferred, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFile, as, layer, newAccount, open, settled, unknownFile } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { FileDetails } from "./FileDetails.ts"
import { Trash } from "./Trash.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("FileDetails", (it) => {
  it.effect("META-1 a description is set, and cleared by the empty text", () =>
    Effect.gen(function*() {
      const details = yield* FileDetails
      const downloads = yield* Downloads
      const me = yield* newAccount
      const id = yield* addFile(me)
      for (const [description, stands] of [["Two\nlines 😀", "Two\nlines 😀"], ["", null], ["", null]] as const) {
        yield* details.describe(id, Checked.description(description)).pipe(as(me))
        assert.strictEqual((yield* downloads.link(id).pipe(as(me))).description, stands)
      }
    }))

  it.effect("META-2 a renamed private file is saved under its new name, also one in trash that is restored", () =>
    Effect.gen(function*() {
      const details = yield* FileDetails
      const trash = yield* Trash
      const downloads = yield* Downloads
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* trash.put([id]).pipe(as(me))
      assert.strictEqual((yield* details.rename(id, Checked.fileName("ü.txt")).pipe(as(me))).fileName, "ü.txt")
      yield* trash.restore([id]).pipe(as(me))
      const { downloadUrl } = yield* downloads.link(id).pipe(as(me))
      assert.strictEqual(
        (yield* open(downloadUrl)).disposition,
        "attachment; filename=\"_.txt\"; filename*=UTF-8''%C3%BC.txt"
      )
      yield* settled(me)
    }))

  it.effect("META-3 what is not the caller's file is not found", () =>
    Effect.gen(function*() {
      const details = yield* FileDetails
      const [me, other] = [yield* newAccount, yield* newAccount]
      const mine = yield* addFile(me)
      for (const id of [yield* addFile(other), unknownFile, yield* addDerivative(me, mine)]) {
        assert.strictEqual(
          (yield* details.rename(id, Checked.fileName("x")).pipe(as(me), Effect.flip))._tag,
          "NotFound"
        )
        assert.strictEqual(
          (yield* details.describe(id, Checked.description("x")).pipe(as(me), Effect.flip))._tag,
          "NotFound"
        )
      }
    }))

  it.effect("AUTH-8 a token that may not organize can neither rename nor describe", () =>
    Effect.gen(function*() {
      const details = yield* FileDetails
      const me = yield* newAccount
      const id = yield* addFile(me)
      const limits = { permissions: ["read", "share", "delete"] as const }
      const refused = { _tag: "Refused", code: "token_limit" } as const
      assert.deepInclude(yield* details.rename(id, Checked.fileName("x")).pipe(as(me, limits), Effect.flip), refused)
      assert.deepInclude(
        yield* details.describe(id, Checked.description("x")).pipe(as(me, limits), Effect.flip),
        refused
      )
    }))

  it.effect("META-4 a renamed public file keeps its link and is saved under its new name", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const details = yield* FileDetails
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      const renamed = yield* details.rename(id, Checked.fileName("new name.txt")).pipe(as(me))
      assert.deepInclude(renamed, { fileName: "new name.txt", downloadUrl })
      assert.strictEqual((yield* open(downloadUrl)).disposition, "attachment; filename=\"new name.txt\"")
      assert.isFalse((yield* access.toggle(id).pipe(as(me))).isPublic)
      yield* settled(me)
    }))

  it.effect("META-4 of two renames at once the stored header is that of the record", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const details = yield* FileDetails
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      yield* memory.plant(
        "copy",
        Faults.before(Effect.asVoid(Effect.orDie(details.rename(id, Checked.fileName("second.txt")).pipe(as(me)))))
      )
      yield* details.rename(id, Checked.fileName("first.txt")).pipe(as(me))
      assert.strictEqual((yield* open(downloadUrl)).disposition, "attachment; filename=\"second.txt\"")
      yield* settled(me)
    }))

  it.effect("META-4 a name given while the file becomes public is the one it is saved under", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const details = yield* FileDetails
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant(
        "copy",
        Faults.after(Effect.asVoid(Effect.orDie(details.rename(id, Checked.fileName("late.txt")).pipe(as(me)))))
      )
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      yield* TestClock.adjust("1 minute")
      yield* jobs.runDue
      assert.strictEqual((yield* open(downloadUrl)).disposition, "attachment; filename=\"late.txt\"")
      yield* settled(me)
    }))

  it.effect("ACC-2 a rename under way does not bring back a public object that was removed", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const details = yield* FileDetails
      const memory = yield* MemoryObjectStore
      const store = yield* ObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      const key = downloadUrl!.slice(store.publicUrl("").length)
      const toggled = yield* Deferred.make<void>()
      const atStore = yield* Deferred.make<void>()
      // The header's copy is slow: it lands after the object was removed, and its process dies.
      const late = store.put({
        at: { bucket: "public", key },
        headers: { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "" },
        sizeBytes: 10,
        body: Stream.make(new Uint8Array(10))
      })
      yield* memory.plant("copy", () =>
        Deferred.succeed(atStore, undefined).pipe(
          Effect.andThen(Deferred.await(toggled)),
          Effect.andThen(Effect.orDie(late)),
          Effect.andThen(Effect.interrupt)
        ))
      yield* Effect.forkChild(details.rename(id, Checked.fileName("late.txt")).pipe(as(me)))
      yield* Deferred.await(atStore)
      yield* access.toggle(id).pipe(as(me))
      yield* Deferred.succeed(toggled, undefined)
      yield* TestClock.adjust("1 minute")
      yield* jobs.runDue
      assert.strictEqual((yield* open(downloadUrl)).status, 404)
      yield* settled(me)
    }))
})
