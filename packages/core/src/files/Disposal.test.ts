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
import { Ledger } from "../accounts/Ledger.ts"
import { FileId } from "../shared/Ids.ts"
import { Disposal } from "./Disposal.ts"
import { Downloads } from "./Downloads.ts"

const three = Effect.fnUntraced(function*(me: Parameters<typeof addFile>[0]) {
  return [yield* addFile(me), yield* addFile(me), yield* addFile(me)] as const
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Disposal", (it) => {
  it.effect("TR-1 TR-2 TR-12 ids come back once each, in the order asked, those of others left out", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [a, b, c] = yield* three(me)
      const theirs = yield* addFile(other)
      const shouted = FileId.make(b.toUpperCase())
      const named = [c, theirs, a, unknownFile, c, shouted, b]
      assert.deepStrictEqual(yield* disposal.trash(named).pipe(as(me)), [c, a, b])
      assert.deepStrictEqual(yield* disposal.restore([b, theirs, b]).pipe(as(me)), [b])
      assert.deepStrictEqual(yield* disposal.delete([a, b, theirs, b]).pipe(as(me)), [a, b])
      yield* checkBooks(me)
    }))

  it.effect("TR-9 another account's files stay as they are", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const downloads = yield* Downloads
      const [me, other] = [yield* newAccount, yield* newAccount]
      const theirs = yield* addFile(other)
      for (const operation of [disposal.trash, disposal.restore, disposal.delete]) {
        assert.deepStrictEqual(yield* operation([theirs]).pipe(as(me)), [])
      }
      yield* disposal.purge.pipe(as(me))
      assert.isNull((yield* downloads.link(theirs).pipe(as(other))).trashTime)
      yield* checkBooks(other)
    }))

  it.effect("TR-8 repeating each succeeds, and a file trashed twice keeps its first time", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const me = yield* newAccount
      const [a] = yield* three(me)
      assert.deepStrictEqual(yield* disposal.trash([a]).pipe(as(me)), [a])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* disposal.trash([a]).pipe(as(me)), [a])
      assert.deepStrictEqual(yield* disposal.restore([a]).pipe(as(me)), [a])
      assert.deepStrictEqual(yield* disposal.restore([a]).pipe(as(me)), [a])
      yield* disposal.purge.pipe(as(me))
      yield* disposal.purge.pipe(as(me))
      assert.deepStrictEqual(yield* disposal.delete([a]).pipe(as(me)), [a])
      assert.deepStrictEqual(yield* disposal.delete([a]).pipe(as(me)), [])
    }))

  it.effect(
    "TR-4 purging deletes what is in trash and nothing else, and gives its bytes back",
    () =>
      Effect.gen(function*() {
        const disposal = yield* Disposal
        const ledger = yield* Ledger
        const me = yield* newAccount
        const many = yield* Effect.replicateEffect(addFile(me, { sizeBytes: 7 }), 205)
        const kept = yield* addFile(me)
        yield* addDerivative(me, many[0]!)
        for (let start = 0; start < many.length; start += 100) {
          yield* disposal.trash(many.slice(start, start + 100)).pipe(as(me))
        }
        assert.strictEqual((yield* ledger.balance(me)).usedBytes, 205 * 7 + 10)
        yield* disposal.purge.pipe(as(me))
        assert.strictEqual((yield* ledger.balance(me)).usedBytes, 10)
        const { doomed, held } = yield* checkBooks(me)
        assert.deepStrictEqual([held.length, doomed], [1, []])
        assert.deepStrictEqual(yield* disposal.trash([kept]).pipe(as(me)), [kept])
      }),
    60_000
  )

  it.effect("DB-21 trash that is emptied is gone through once, on from where the last batch ended", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 700)
      yield* disposal.trash(ids.slice(0, 350)).pipe(as(me))
      yield* TestClock.adjust("1 second")
      yield* disposal.trash(ids.slice(350)).pipe(as(me))
      const [looks, fromStart] = [new Set<string>(), new Set<string>()]
      yield* disposal.purge.pipe(
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

  it.effect("TR-5 deleting takes a file's derivatives along and credits the file alone", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const ledger = yield* Ledger
      const me = yield* newAccount
      const id = yield* addFile(me, { sizeBytes: 100 })
      const derivative = yield* addDerivative(me, id)
      assert.deepStrictEqual(yield* disposal.delete([derivative]).pipe(as(me)), [])
      assert.deepStrictEqual(yield* disposal.delete([id]).pipe(as(me)), [id])
      assert.strictEqual((yield* ledger.balance(me)).usedBytes, 0)
      const { doomed, held, recorded } = yield* checkBooks(me)
      assert.deepStrictEqual([held, doomed, recorded], [[], [], []])
    }))

  it.effect.each([
    { fault: "not reached", plant: Faults.notReached },
    { fault: "answer lost", plant: Faults.answerLost }
  ])("TR-6 with storage $fault, rows go at once and bytes by the job", ({ plant }) =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant("remove", plant)
      assert.deepStrictEqual(yield* disposal.delete([id]).pipe(as(me)), [id])
      assert.deepStrictEqual((yield* checkBooks(me)).recorded, [])
      yield* jobs.runDue
      const { doomed, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, doomed], [[], []])
    }))

  it.effect("TR-6 a crash between the rows and the bytes leaves the bytes to the job", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const memory = yield* MemoryObjectStore
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* memory.plant("remove", Faults.before(Effect.interrupt))
      const exit = yield* Effect.forkChild(disposal.delete([id]).pipe(as(me))).pipe(Effect.flatMap(Fiber.await))
      assert.isTrue(Exit.hasInterrupts(exit))
      assert.strictEqual((yield* checkBooks(me)).doomed.length, 1)
      yield* jobs.runDue
      const { doomed, held } = yield* checkBooks(me)
      assert.deepStrictEqual([held, doomed], [[], []])
    }))

  it.effect("AUTH-9 AUTH-8 a limited token touches what is in its folder, if it may delete", () =>
    Effect.gen(function*() {
      const disposal = yield* Disposal
      const me = yield* newAccount
      const folder = yield* addFolder(me, "/A")
      const inner = yield* addFolder(me, "/A/B")
      const [top, inside, deep] = [
        yield* addFile(me),
        yield* addFile(me, { folderId: folder }),
        yield* addFile(me, { folderId: inner })
      ]
      const limits = { folderId: folder }
      assert.deepStrictEqual(yield* disposal.trash([top, deep, inside]).pipe(as(me, limits)), [deep, inside])
      yield* disposal.trash([top]).pipe(as(me))
      assert.deepStrictEqual(yield* disposal.restore([top, inside]).pipe(as(me, limits)), [inside])
      yield* disposal.purge.pipe(as(me, limits))
      assert.deepStrictEqual(yield* disposal.delete([top, deep, inside]).pipe(as(me, limits)), [inside])
      assert.deepStrictEqual(yield* disposal.restore([top]).pipe(as(me)), [top])
      const error = yield* disposal.delete([top]).pipe(as(me, { permissions: ["read"] }), Effect.flip)
      assert.deepInclude(error, { _tag: "Refused", code: "token_limit" })
    }))
})
