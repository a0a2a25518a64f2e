import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, type FaultyMethod, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  addFile,
  addFolder,
  as,
  checkBooks,
  joinAsTimePasses,
  layer,
  newAccount,
  open,
  settled,
  unknownFile
} from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { Trash } from "./Trash.ts"

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("FileAccess", (it) => {
  it.effect("ACC-1 a private file becomes public, and anyone can use its link", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const me = yield* newAccount
      const id = yield* addFile(me)
      const record = yield* access.toggle(id).pipe(as(me))
      assert.strictEqual(record.isPublic, true)
      assert.isNull(record.accessMove)
      assert.strictEqual((yield* open(record.downloadUrl)).status, 200)
      yield* settled(me)
      assert.strictEqual((yield* open(record.downloadUrl)).status, 200)
    }))

  it.effect("ACC-3 a link given out while the file was private lives out its six hours", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const downloads = yield* Downloads
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* downloads.link(id).pipe(as(me))
      yield* access.toggle(id).pipe(as(me))
      yield* TestClock.adjust("359 minutes")
      yield* jobs.runDue
      assert.strictEqual((yield* open(downloadUrl)).status, 200)
      yield* settled(me)
    }))

  it.effect("ACC-2 toggled back, the public object is gone when the answer arrives", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const downloads = yield* Downloads
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      const record = yield* access.toggle(id).pipe(as(me))
      assert.deepStrictEqual([record.isPublic, record.downloadUrl], [false, null])
      assert.strictEqual((yield* open(downloadUrl)).status, 404)
      assert.strictEqual((yield* open((yield* downloads.link(id).pipe(as(me))).downloadUrl)).status, 200)
      yield* settled(me)
    }))

  it.effect("ACC-2 when storage cannot remove the public object, the call fails, and toggling again finishes it", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      yield* memory.plant("remove", Faults.notReached, 4)
      const failing = yield* Effect.forkChild(access.toggle(id).pipe(as(me), Effect.flip))
      const error = yield* joinAsTimePasses(failing)
      assert.strictEqual(error._tag, "Unavailable")
      assert.strictEqual((yield* open(downloadUrl)).status, 200)
      const record = yield* access.toggle(id).pipe(as(me))
      assert.strictEqual(record.isPublic, false)
      assert.strictEqual((yield* open(downloadUrl)).status, 404)
      yield* settled(me)
    }))

  it.effect("ACC-2 an object that could not be removed at once is removed by the job", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      yield* memory.plant("remove", Faults.notReached, 4)
      const failing = yield* Effect.forkChild(access.toggle(id).pipe(as(me), Effect.flip))
      yield* joinAsTimePasses(failing)
      yield* jobs.runDue
      assert.strictEqual((yield* open(downloadUrl)).status, 404)
    }))

  it.effect("ACC-7 toggling what is not the caller's is not found", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const [me, other] = [yield* newAccount, yield* newAccount]
      const theirs = yield* addFile(other)
      for (const id of [theirs, unknownFile]) {
        const error = yield* access.toggle(id).pipe(as(me), Effect.flip)
        assert.strictEqual(error._tag, "NotFound")
      }
      yield* settled(other)
    }))

  it.effect("AUTH-9 a token limited to a folder toggles what is inside it, and AUTH-8 only if it may share", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const me = yield* newAccount
      const [folder, inner, beside] = [
        yield* addFolder(me, "/A"),
        yield* addFolder(me, "/A/B"),
        yield* addFolder(me, "/AB")
      ]
      const [top, inside, outside] = [
        yield* addFile(me),
        yield* addFile(me, { folderId: inner }),
        yield* addFile(me, { folderId: beside })
      ]
      const limits = { folderId: folder }
      assert.isTrue((yield* access.toggle(inside).pipe(as(me, limits))).isPublic)
      for (const id of [top, outside]) {
        assert.strictEqual((yield* access.toggle(id).pipe(as(me, limits), Effect.flip))._tag, "NotFound")
      }
      const error = yield* access.toggle(inside).pipe(as(me, { permissions: ["read", "organize"] }), Effect.flip)
      assert.deepInclude(error, { _tag: "Refused", code: "token_limit" })
    }))

  const steps: ReadonlyArray<{ from: "private" | "public"; at: FaultyMethod; when: "before" | "after" }> = [
    { from: "private", at: "copy", when: "before" },
    { from: "private", at: "copy", when: "after" },
    { from: "public", at: "copy", when: "before" },
    { from: "public", at: "copy", when: "after" },
    { from: "public", at: "remove", when: "before" },
    { from: "public", at: "remove", when: "after" }
  ]

  it.effect.each(steps)(
    "ACC-5 a crash $when $at of a $from file loses no bytes and leaves none",
    ({ at, from, when }) =>
      Effect.gen(function*() {
        const access = yield* FileAccess
        const downloads = yield* Downloads
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const id = yield* addFile(me)
        if (from === "public") yield* access.toggle(id).pipe(as(me))
        yield* memory.plant(at, Faults[when](Effect.interrupt))
        const exit = yield* Effect.exit(
          Effect.forkChild(access.toggle(id).pipe(as(me))).pipe(Effect.flatMap(Fiber.await))
        )
        assert.isTrue(Exit.isSuccess(exit) && Exit.hasInterrupts(exit.value))
        yield* checkBooks(me)
        assert.strictEqual((yield* open((yield* downloads.link(id).pipe(as(me))).downloadUrl)).status, 200)
        yield* settled(me)
        assert.strictEqual((yield* open((yield* downloads.link(id).pipe(as(me))).downloadUrl)).status, 200)
      })
  )

  it.effect.each([
    { fault: "notReached" as const },
    { fault: "answerLost" as const }
  ])(
    "ACC-5 a copy with fault $fault changes nothing, and the call can be repeated",
    ({ fault }) =>
      Effect.gen(function*() {
        const access = yield* FileAccess
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const id = yield* addFile(me)
        yield* memory.plant("copy", Faults[fault])
        assert.strictEqual((yield* access.toggle(id).pipe(as(me), Effect.flip))._tag, "Unavailable")
        yield* checkBooks(me)
        assert.isTrue((yield* access.toggle(id).pipe(as(me))).isPublic)
        yield* settled(me)
      })
  )

  it.effect("ACC-6 a toggle that another overtakes takes effect after it", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant("copy", Faults.before(Effect.asVoid(Effect.orDie(access.toggle(id).pipe(as(me))))))
      const record = yield* access.toggle(id).pipe(as(me))
      assert.isFalse(record.isPublic)
      yield* settled(me)
    }))

  it.effect("ACC-6 a toggle that two others overtake does not take the file for the one it saw", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me)
      const twice = Effect.repeat(access.toggle(id).pipe(as(me)), { times: 1 })
      yield* memory.plant("copy", Faults.after(Effect.asVoid(Effect.orDie(twice))))
      assert.isTrue((yield* access.toggle(id).pipe(as(me))).isPublic)
      yield* settled(me)
    }))

  it.effect("ACC-5 a file deleted while it is copied is gone, with the copy", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      for (const moment of ["before", "after"] as const) {
        const id = yield* addFile(me)
        yield* memory.plant("copy", Faults[moment](Effect.asVoid(Effect.orDie(trash.delete([id]).pipe(as(me))))))
        assert.strictEqual((yield* access.toggle(id).pipe(as(me), Effect.flip))._tag, "NotFound")
        assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      }
      yield* settled(me)
    }))

  it.effect("ACC-6 a file trashed while it is copied is public and in trash, without a link", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant("copy", Faults.after(Effect.asVoid(Effect.orDie(trash.put([id]).pipe(as(me))))))
      const record = yield* access.toggle(id).pipe(as(me))
      assert.isTrue(record.isPublic)
      assert.isNotNull(record.trashTime)
      assert.isNull(record.downloadUrl)
      yield* settled(me)
    }))

  it.effect("ACC-9 a deleted file's former private object does not wait for old links", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* access.toggle(id).pipe(as(me))
      assert.strictEqual((yield* checkBooks(me)).held.length, 2)
      yield* trash.delete([id]).pipe(as(me))
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
    }))
})
