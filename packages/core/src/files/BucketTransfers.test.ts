import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  addFile,
  as,
  checkBooks,
  eventually,
  joinAsTimePasses,
  layer,
  newAccount,
  open,
  settled
} from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { movePartSizeBytes } from "../objects/TransferPlan.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { BucketTransfers } from "./BucketTransfers.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { Trash } from "./Trash.ts"

/** 20 parts: more than are copied at once, the last one short. */
const sizeBytes = 19 * movePartSizeBytes + 1
const partCount = 20

const record = Effect.fnUntraced(function*(accountId: AccountId, id: FileId) {
  return yield* (yield* Downloads).link(id).pipe(as(accountId))
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("BucketTransfers", (it) => {
  it.effect("ACC-4 ACC-8 a large file becomes public by a job; until then its record says how far it is", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      const before = yield* access.toggle(id).pipe(as(me))
      assert.deepInclude(before, { isPublic: false, downloadUrl: null })
      assert.deepStrictEqual(before.accessMove, { toPublic: true, partsDone: 0, partCount })
      assert.strictEqual((yield* open((yield* record(me, id)).downloadUrl)).status, 200)
      yield* jobs.runDue
      const after = yield* record(me, id)
      assert.deepInclude(after, { isPublic: true, accessMove: null, fileSize: sizeBytes })
      assert.strictEqual((yield* open(after.downloadUrl)).status, 200)
      yield* settled(me)
    }))

  const crashes = (["createUpload", "completeUpload", "head"] as const).flatMap((at) =>
    (["before", "after"] as const).map((when) => ({ at, when }))
  )

  it.effect.each(crashes)("ACC-4 a crash $when $at does not lose the move", ({ at, when }) =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const moves = yield* BucketTransfers
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      yield* memory.plant(at, Faults[when](Effect.interrupt))
      yield* Effect.forkChild(moves.run(me, id)).pipe(Effect.flatMap(Fiber.await))
      assert.isFalse((yield* record(me, id)).isPublic)
      yield* checkBooks(me)
      yield* moves.run(me, id)
      assert.isTrue((yield* record(me, id)).isPublic)
      yield* settled(me)
    }))

  it.effect("ACC-4 a move whose copy was swept, because it stood still for hours, begins again", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const moves = yield* BucketTransfers
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      yield* memory.plant("completeUpload", Faults.after(Effect.interrupt))
      yield* Effect.forkChild(moves.run(me, id)).pipe(Effect.flatMap(Fiber.await))
      yield* TestClock.adjust("2 hours")
      yield* jobs.runDue
      yield* moves.run(me, id)
      assert.isTrue((yield* record(me, id)).isPublic)
      yield* settled(me)
    }))

  it.effect("ACC-2 a large file becoming private is private, its public object gone, when the answer arrives", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      yield* jobs.runDue
      const { downloadUrl } = yield* record(me, id)
      const toggling = yield* Effect.forkChild(access.toggle(id).pipe(as(me)))
      const meanwhile = yield* eventually(record(me, id), ({ accessMove }) => accessMove !== null)
      yield* TestClock.adjust("10 seconds")
      assert.isUndefined(toggling.pollUnsafe())
      assert.deepInclude(meanwhile, { isPublic: true, downloadUrl })
      assert.deepStrictEqual(meanwhile.accessMove, { toPublic: false, partsDone: 0, partCount })
      yield* jobs.runDue
      assert.deepInclude(yield* joinAsTimePasses(toggling), { isPublic: false, accessMove: null })
      assert.strictEqual((yield* open(downloadUrl)).status, 404)
      yield* settled(me)
    }))

  it.effect("ACC-8 toggling again during a move calls it off, both ways", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const jobs = yield* ManualJobs
      const moves = yield* BucketTransfers
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      yield* memory.plant("copyPart", Faults.after(Effect.asVoid(Effect.orDie(access.toggle(id).pipe(as(me))))))
      yield* moves.run(me, id)
      assert.deepInclude(yield* record(me, id), { isPublic: false, accessMove: null })
      yield* settled(me)

      yield* access.toggle(id).pipe(as(me))
      yield* jobs.runDue
      const first = yield* Effect.forkChild(access.toggle(id).pipe(as(me)))
      yield* eventually(record(me, id), ({ accessMove }) => accessMove !== null)
      assert.isTrue((yield* access.toggle(id).pipe(as(me))).isPublic)
      assert.isTrue((yield* joinAsTimePasses(first)).isPublic)
      yield* settled(me)
    }))

  it.effect("ACC-8 a move called off when its object is made already is not taken up", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const moves = yield* BucketTransfers
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      yield* memory.plant("completeUpload", Faults.after(Effect.asVoid(Effect.orDie(access.toggle(id).pipe(as(me))))))
      yield* moves.run(me, id)
      assert.deepInclude(yield* record(me, id), { isPublic: false, accessMove: null })
      yield* settled(me)
    }))

  it.effect("ACC-9 deleting a file whose move stands still discards the parts at once", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const moves = yield* BucketTransfers
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      yield* memory.plant("completeUpload", Faults.before(Effect.interrupt))
      yield* Effect.forkChild(moves.run(me, id)).pipe(Effect.flatMap(Fiber.await))
      assert.strictEqual((yield* memory.openUploads).length, 1)
      yield* trash.delete([id]).pipe(as(me))
      assert.deepStrictEqual(yield* memory.openUploads, [])
      yield* settled(me)
    }))

  it.effect.each([
    { at: "copyPart" as const },
    { at: "completeUpload" as const }
  ])("ACC-5 deleting a file while its move is at $at leaves nothing", ({ at }) =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const moves = yield* BucketTransfers
      const me = yield* newAccount
      for (const moment of ["before", "after"] as const) {
        const id = yield* addFile(me, { sizeBytes })
        yield* access.toggle(id).pipe(as(me))
        yield* memory.plant(at, Faults[moment](Effect.asVoid(Effect.orDie(trash.delete([id]).pipe(as(me))))))
        yield* Effect.exit(moves.run(me, id))
      }
      yield* settled(me)
    }))

  it.effect("ACC-4 a store that fails leaves the move for the job to take up again", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const jobs = yield* ManualJobs
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      for (
        const method of ["listUploads", "createUpload", "listParts", "copyPart", "completeUpload", "head"] as const
      ) {
        yield* memory.plant(method, Faults.answerLost)
        const [ran] = yield* jobs.runDue
        assert.isTrue(Exit.isFailure(ran!.exit), method)
      }
      yield* jobs.runDue
      assert.isTrue((yield* record(me, id)).isPublic)
      yield* settled(me)
    }))

  // Last: its counting faults may outlive it.
  it.effect("ACC-4 a move continues with the parts that were copied before a crash", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const moves = yield* BucketTransfers
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes })
      yield* access.toggle(id).pipe(as(me))
      let copies = 0
      const counted = Faults.before(Effect.sync(() => void copies++))
      yield* memory.plant("copyPart", counted, 17)
      yield* memory.plant("copyPart", Faults.before(Effect.interrupt))
      const crashed = yield* Effect.forkChild(moves.run(me, id))
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(crashed)))
      assert.isTrue(copies >= 16)
      const done = (yield* record(me, id)).accessMove!.partsDone
      assert.isTrue(done > 0 && done < partCount)
      const before = copies
      yield* memory.plant("copyPart", counted, partCount)
      yield* moves.run(me, id)
      assert.isAtMost(copies - before, partCount - done)
      assert.isTrue((yield* record(me, id)).isPublic)
      yield* settled(me)
    }))
})
