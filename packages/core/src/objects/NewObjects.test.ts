import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { layer, newAccount } from "../../test/FilesTest.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as MultipartObject from "./MultipartObject.ts"
import { NewObjects } from "./NewObjects.ts"
import { PendingDeletions } from "./PendingDeletions.ts"
import * as StoreKey from "./StoreKey.ts"

const headers = { contentType: "a/b", contentDisposition: "attachment", cacheControl: "private" }

/** Whether an object was stored, and what it came to. `adopt` runs in the account's transaction. */
const make = Effect.fnUntraced(function*<A, E>(
  owner: AccountId,
  name: string,
  adopt: (take: Effect.Effect<void, unknown>) => Effect.Effect<A, E>
) {
  const newObjects = yield* NewObjects
  const store = yield* ObjectStore
  const transaction = yield* AccountTransaction
  const at = StoreKey.inPrivate(StoreKey.make("files", owner, name))
  const exit = yield* newObjects.make(owner, at, {
    create: store.put({ at, headers, sizeBytes: 1, body: Stream.make(new Uint8Array(1)) }),
    adopt: () => transaction.run(owner, () => adopt(newObjects.adopt(owner, at))),
    isAdopted: (outcome) => outcome !== "lost"
  }).pipe(Effect.exit)
  return { isStored: Option.isSome(yield* store.head(at)), exit: exit._tag }
})

testLayer(layer(TestDatabase.layer))("NewObjects", (it) => {
  it.effect("UP-28 an object stays when it is adopted, and is removed at once when it is not", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount
      const removeDue = PendingDeletions.use((deletions) => deletions.removeDue(owner))
      const made = [
        yield* make(owner, "adopted", (take) => take),
        yield* make(owner, "lost", () => Effect.succeed("lost")),
        yield* make(owner, "failed", () => Effect.fail("no")),
        yield* make(owner, "undone", (take) => Effect.andThen(take, Effect.fail("no")))
      ]
      assert.deepStrictEqual(made, [
        { isStored: true, exit: "Success" },
        { isStored: false, exit: "Success" },
        { isStored: false, exit: "Failure" },
        { isStored: false, exit: "Failure" }
      ])
      yield* TestClock.adjust("2 hours")
      yield* removeDue
      const memory = yield* MemoryObjectStore
      const keys = (yield* memory.objects).map(({ key }) => key).filter((key) => key.includes(owner))
      assert.deepStrictEqual(keys, [StoreKey.make("files", owner, "adopted")])
    }))

  it.effect("UP-28 what storage made although it failed is removed when its hour is over", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount
      const memory = yield* MemoryObjectStore
      yield* memory.plant("put", Faults.answerLost)
      assert.deepStrictEqual(yield* make(owner, "late", (take) => take), { isStored: true, exit: "Failure" })
      yield* TestClock.adjust("1 hour")
      yield* PendingDeletions.use((deletions) => deletions.removeDue(owner))
      assert.isFalse((yield* memory.objects).some(({ key }) => key.includes(owner)))
    }))
})

testLayer(layer(TestDatabase.layer))("MultipartObject", (it) => {
  it.effect("ACC-4 an upload that another call has named meanwhile stays open; one that no row names is aborted", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount
      const store = yield* ObjectStore
      const multipart = yield* MultipartObject.make
      const at = StoreKey.inPrivate(StoreKey.make("transfers", owner, "a"))
      const stray = yield* store.createUpload(at, headers)
      const open = (isNamed: boolean) =>
        multipart.open({
          at,
          headers,
          mayBeOpen: true,
          name: () => Effect.succeed(false),
          isNamed: (uploadId) => Effect.succeed(isNamed && uploadId === stray)
        })
      assert.isTrue(Option.isNone(yield* open(true)))
      assert.deepStrictEqual(yield* multipart.inspect(at, stray), { _tag: "Parts", parts: [] })
      assert.isTrue(Option.isNone(yield* open(false)))
      assert.deepStrictEqual(yield* multipart.inspect(at, stray), { _tag: "Nothing" })
    }))
})
