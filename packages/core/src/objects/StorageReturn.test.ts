import { assert, describe, it } from "@effect/vitest"
import { Faults, MemoryObjectStore } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Jobs } from "../jobs/Jobs.ts"
import * as StorageReturn from "./StorageReturn.ts"

/** A queue that only notes what it is asked for. */
const noting = (asked: Array<string>) =>
  Layer.succeed(
    Jobs,
    Jobs.of({
      enqueue: ({ key, kind, time }) =>
        Effect.sync(() => void asked.push(time === undefined ? `${kind} ${key}` : "later")),
      enqueueAll: () => Effect.void,
      start: () => Effect.void,
      hasRoom: () => Effect.succeed(false),
      cancel: () => Effect.void,
      handle: () => Effect.void,
      every: () => Effect.void
    })
  )

describe("jobs that failed while storage was away", () => {
  it.effect("DL-42 run again within five seconds of its answering, each once", () => {
    const asked: Array<string> = []
    return Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const onReturn = yield* StorageReturn.make
      const fails = (key: string) => Effect.exit(onReturn({ kind: "files.links", key })(Effect.fail("away")))
      // Each failure asks once, and so does each five seconds of the hour.
      yield* memory.plant("check", Faults.notReached, 723)
      for (const key of ["a", "b", "a"]) yield* fails(key)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(asked, [])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(asked, ["files.links a", "files.links b"])
      // Storage answers: what fails now has another reason, and waits as failures do.
      yield* fails("c")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(asked.length, 2)
    }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(MemoryObjectStore.layer, noting(asked))))
  })
})
