import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit, Fiber } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import {
  addDerivative,
  addFile,
  addFolder,
  as,
  checkBooks,
  layer,
  newAccount,
  unknownFile
} from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Quota } from "../accounts/Quota.ts"
import { FileId } from "../shared/Ids.ts"
import { Downloads } from "./Downloads.ts"
import { Trash } from "./Trash.ts"

const three = Effect.fnUntraced(function*(me: Parameters<typeof addFile>[0]) {
  return [yield* addFile(me), yield* addFile(me), yield* addFile(me)] as const
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Trash", (it) => {
  it.effect("TR-1 TR-2 TR-12 ids come back once each, in the order asked, those of others left out", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [a, b, c] = yield* three(me)
      const theirs = yield* addFile(other)
      const shouted = FileId.make(b.toUpperCase())
      const named = [c, theirs, a, unknownFile, c, shouted, b]
      assert.deepStrictEqual(yield* trash.put(named).pipe(as(me)), [c, a, b])
      assert.deepStrictEqual(yield* trash.restore([b, theirs, b]).pipe(as(me)), [b])
      assert.deepStrictEqual(yield* trash.delete([a, b, theirs, b]).pipe(as(me)), [a, b])
      yield* checkBooks(me)
    }))

  it.effect("TR-9 another account's files stay as they are", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const downloads = yield* Downloads
      const [me, other] = [yield* newAccount, yield* newAccount]
      const theirs = yield* addFile(other)
      for (const operation of [trash.put, trash.restore, trash.delete]) {
        assert.deepStrictEqual(yield* operation([theirs]).pipe(as(me)), [])
      }
      yield* trash.empty.pipe(as(me))
      assert.isNull((yield* downloads.link(theirs).pipe(as(other))).trashTime)
      yield* checkBooks(other)
    }))

  it.effect("TR-8 repeating each succeeds, and a file trashed twice keeps its first time", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const me = yield* newAccount
      const [a] = yield* three(me)
      assert.deepStrictEqual(yield* trash.put([a]).pipe(as(me)), [a])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* trash.put([a]).pipe(as(me)), [a])
      assert.deepStrictEqual(yield* trash.restore([a]).pipe(as(me)), [a])
      assert.deepStrictEqual(yield* trash.restore([a]).pipe(as(me)), [a])
      yield* trash.empty.pipe(as(me))
      yield* trash.empty.pipe(as(me))
      assert.deepStrictEqual(yield* trash.delete([a]).pipe(as(me)), [a])
      assert.deepStrictEqual(yield* trash.delete([a]).pipe(as(me)), [])
    }))

  it.effect(
    "TR-4 purging deletes what is in trash and nothing else, and gives its bytes back",
    () =>
      Effect.gen(function*() {
        const trash = yield* Trash
        const quota = yield* Quota
        const me = yield* newAccount
        const many = yield* Effect.replicateEffect(addFile(me, { sizeBytes: 7 }), 205)
        const kept = yield* addFile(me)
        yield* addDerivative(me, many[0]!)
        for (let start = 0; start < many.length; start += 100) {
          yield* trash.put(many.slice(start, start + 100)).pipe(as(me))
        }
        assert.strictEqual((yield* quota.balance(me)).usedBytes, 205 * 7 + 10)
        yield* trash.empty.pipe(as(me))
        assert.strictEqual((yield* quota.balance(me)).usedBytes, 10)
        const { pending, held } = yield* checkBooks(me)
        assert.deepStrictEqual([held.length, pending], [1, []])
        assert.deepStrictEqual(yield* trash.put([kept]).pipe(as(me)), [kept])
      }),
    60_000
  )

  it.effect("DB-21 trash that is emptied is gone through once, on from where the last batch ended", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 700)
      yield* trash.put(ids.slice(0, 350)).pipe(as(me))
      yield* TestClock.adjust("1 second")
      yield* trash.put(ids.slice(350)).pipe(as(me))
      const [looks, fromStart] = [new Set<string>(), new Set<string>()]
      yield* trash.empty.pipe(
        as(me),
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            const [text, values] = statement.compile()
            if (!/ORDER BY f\.trash_time DESC/.test(text)) return statement
            looks.add(String(values))
            if (!text.includes("(f.trash_time, f.id) <")) fromStart.add(String(values))
            return statement
          }))
      )
      assert.strictEqual(fromStart.size, 1)
      assert.isAtLeast(looks.size, 3)
      const { held } = yield* checkBooks(me)
      assert.deepStrictEqual(held, [])
    }))

  it.effect("TR-5 deleting a file deletes its derivatives too and credits the file alone", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const quota = yield* Quota
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes: 100 })
      const derivative = yield* addDerivative(me, id)
      assert.deepStrictEqual(yield* trash.delete([derivative]).pipe(as(me)), [])
      assert.deepStrictEqual(yield* trash.delete([id]).pipe(as(me)), [id])
      assert.strictEqual((yield* quota.balance(me)).usedBytes, 0)
      const { pending, held, recorded } = yield* checkBooks(me)
      assert.deepStrictEqual([held, pending, recorded], [[], [], []])
    }))

  it.effect.each([
    { fault: "not reached", plant: Faults.notReached },
    { fault: "answer lost", plant: Faults.answerLost }
  ])("TR-6 with storage $fault, rows go at once and bytes by the job", ({ plant }) =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant("remove", plant)
      assert.deepStrictEqual(yield* trash.delete([id]).pipe(as(me)), [id])
      assert.deepStrictEqual((yield* checkBooks(me)).recorded, [])
      yield* jobs.runDue
      const { pending, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, pending], [[], []])
    }))

  it.effect("TR-6 a crash between the rows and the bytes leaves the bytes to the job", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant("remove", Faults.before(Effect.interrupt))
      const exit = yield* Effect.forkChild(trash.delete([id]).pipe(as(me))).pipe(Effect.flatMap(Fiber.await))
      assert.isTrue(Exit.hasInterrupts(exit))
      assert.strictEqual((yield* checkBooks(me)).pending.length, 1)
      yield* jobs.runDue
      const { pending, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, pending], [[], []])
    }))

  it.effect("AUTH-9 AUTH-8 a limited token touches what is in its folder, if it may delete", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const me = yield* newAccount
      const folder = yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/A/B")
      const [top, inside, deep] = [
        yield* addFile(me),
        yield* addFile(me, { folderId: folder }),
        yield* addFile(me, { folderId: inner })
      ]
      const limits = { folderId: folder }
      assert.deepStrictEqual(yield* trash.put([top, deep, inside]).pipe(as(me, limits)), [deep, inside])
      yield* trash.put([top]).pipe(as(me))
      assert.deepStrictEqual(yield* trash.restore([top, inside]).pipe(as(me, limits)), [inside])
      yield* trash.empty.pipe(as(me, limits))
      assert.deepStrictEqual(yield* trash.delete([top, deep, inside]).pipe(as(me, limits)), [inside])
      assert.deepStrictEqual(yield* trash.restore([top]).pipe(as(me)), [top])
      const error = yield* trash.delete([top]).pipe(as(me, { permissions: ["read"] }), Effect.flip)
      assert.deepInclude(error, { _tag: "Refused", code: "token_limit" })
    }))
})
