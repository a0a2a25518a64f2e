/** What only a real server shows: many callers at once, each in a session of its own. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Array as Arr, Deferred, Effect, Exit, Fiber, Random } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import {
  addDerivative,
  addFile,
  as,
  asTimePasses,
  checkBooks,
  layer,
  newAccount,
  open,
  settled,
  turn
} from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import type { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Quota } from "../accounts/Quota.ts"
import { Library } from "../library/Library.ts"
import { Search } from "../search/Search.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import { FileDetails } from "./FileDetails.ts"
import { Trash } from "./Trash.ts"

const atOnce = { concurrency: "unbounded" } as const

testLayer(layer(TestDatabase.layerPostgres), { timeout: "120 seconds" })("Files under many callers at once", (it) => {
  it.effect("ACC-6 parallel toggles of one file each take effect, and record and storage agree", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const downloads = yield* Downloads
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* Effect.all(Arr.makeBy(9, () => access.toggle(id).pipe(as(me))), atOnce)
      const record = yield* downloads.link(id).pipe(as(me))
      assert.strictEqual((yield* open(record.downloadUrl)).status, 200)
      yield* settled(me)
    }))

  it.effect("USE-6 SRCH-26 what is held and what is found is told while somebody holds the account", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const id = yield* addFile(me)
      const [held, told] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const work = Deferred.succeed(held, undefined).pipe(Effect.andThen(Deferred.await(told)))
      const owner = yield* Effect.forkChild(AccountTransaction.use((transaction) => transaction.run(me, () => work)))
      yield* Deferred.await(held)
      assert.deepInclude(yield* Library.use((library) => library.usage).pipe(as(me)), { objectCount: 1 })
      const { files } = yield* Search.use((search) => search.search(Checked.search({}))).pipe(as(me))
      assert.deepStrictEqual(files.map((file) => file.id), [id])
      yield* Deferred.succeed(told, undefined)
      yield* Fiber.join(owner)
    }))

  it.effect("ACC-5 at every moment of parallel toggles the owner's link works", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const downloads = yield* Downloads
      const me = yield* newAccount
      const id = yield* addFile(me)
      const look = Effect.gen(function*() {
        const { downloadUrl, isPublic } = yield* downloads.link(id).pipe(as(me))
        const { status } = yield* open(downloadUrl)
        // A public link may end between the two looks; a signed one never does.
        if (status !== 200) assert.isTrue(isPublic)
        return status
      })
      const looks = Effect.replicateEffect(look, 40)
      const toggles = Effect.replicateEffect(access.toggle(id).pipe(as(me)), 8)
      const [statuses] = yield* Effect.all([looks, toggles], atOnce)
      assert.include(statuses, 200)
      yield* settled(me)
    }))

  it.effect("DL-12 whatever trashes, restores and toggles public files at once, links and records agree at the end", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const downloads = yield* Downloads
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 4)
      const links = new Map<string, string | null>()
      for (const id of ids) links.set(id, (yield* access.toggle(id).pipe(as(me))).downloadUrl)
      yield* addDerivative(me, ids[0]!)
      // Storage takes its time: some of what it is asked for is done long after what was asked later.
      const aWhile = Effect.flatMap(Random.nextIntBetween(0, 200), (turns) => Effect.replicateEffect(turn, turns)).pipe(
        Effect.asVoid
      )
      const slow: Faults.Fault = (run) => Faults.before(aWhile)(Faults.after(aWhile)(run))
      const memory = yield* MemoryObjectStore
      for (const method of ["copy", "remove"] as const) yield* memory.plant(method, slow, 5_000)
      for (let round = 0; round < 4; round++) {
        const calls = Arr.makeBy(
          16,
          (index) =>
            Effect.asVoid<unknown, Effect.Error<ReturnType<typeof access.toggle>>, CurrentAccount>(
              round === 3 && index % 8 === 7
                ? access.toggle(ids[index % 4]!)
                : index % 2 === 0
                ? trash.put(ids)
                : trash.restore(ids)
            ).pipe(as(me))
        )
        yield* asTimePasses(Effect.all(calls, atOnce))
        yield* checkBooks(me)
        yield* trash.put(ids).pipe(as(me))
        yield* TestClock.adjust("1 minute")
        yield* jobs.runDue
        for (const link of links.values()) assert.strictEqual((yield* open(link)).status, 404)
        yield* trash.restore(ids).pipe(as(me))
        yield* TestClock.adjust("1 minute")
        yield* jobs.runDue
        for (const id of ids) {
          const record = yield* downloads.link(id).pipe(as(me))
          assert.strictEqual((yield* open(record.downloadUrl)).status, 200)
          if (round < 3) assert.strictEqual(record.downloadUrl, links.get(id))
        }
      }
      yield* settled(me)
    }))

  it.effect("TR-7 ten deletes of the same files give their bytes back once", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const quota = yield* Quota
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me, { sizeBytes: 50 }), 8)
      yield* addDerivative(me, ids[0]!)
      const kept = yield* addFile(me, { sizeBytes: 7 })
      const rounds = Arr.makeBy(10, (turn) => trash.delete(turn % 2 === 0 ? ids : ids.toReversed()).pipe(as(me)))
      const answers = yield* Effect.all(rounds, atOnce)
      assert.sameMembers(answers.flat(), ids)
      assert.deepStrictEqual(yield* quota.balance(me), { usedBytes: 7, heldBytes: 0 })
      assert.strictEqual((yield* checkBooks(me)).recorded.length, 1)
      assert.deepStrictEqual(yield* trash.put([kept]).pipe(as(me)), [kept])
      yield* settled(me)
    }))

  it.effect("USE-5 after any mix of operations at once the books are right", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const details = yield* FileDetails
      const trash = yield* Trash
      const downloads = yield* Downloads
      const jobs = yield* ManualJobs
      const library = yield* Library
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me, { sizeBytes: 11 }), 12)
      yield* memory.plant("remove", Faults.notReached, 3)
      const some = Effect.gen(function*() {
        const id = ids[yield* Random.nextIntBetween(0, ids.length - 1)]!
        const operations = [
          access.toggle(id),
          access.toggle(id),
          details.rename(id, Checked.fileName("renamed.txt")),
          downloads.link(id),
          trash.put([id]),
          trash.restore(ids),
          trash.delete([id]),
          trash.empty,
          library.usage
        ] as const
        const pick = operations[yield* Random.nextIntBetween(0, operations.length - 1)]!
        yield* Effect.exit(Effect.asVoid(pick as Effect.Effect<unknown, unknown, never>))
        return yield* addFile(me, { sizeBytes: 3 })
      }).pipe(as(me))
      const exits = yield* asTimePasses(Effect.all(Arr.makeBy(60, () => Effect.exit(some)), { concurrency: 12 }))
      assert.isTrue(exits.every(Exit.isSuccess))
      yield* jobs.runDue
      const usage = yield* library.usage.pipe(as(me))
      assert.strictEqual(usage.usedBytes, usage.buckets.reduce((sum, bucket) => sum + bucket.bytes, 0))
      yield* settled(me)
    }))
})
