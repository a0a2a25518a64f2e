import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore, pending, submitted } from "@filedrive/testing"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import {
  asked,
  cancel,
  checkEnded,
  eventsOf,
  generate,
  look,
  runFor,
  runJobs,
  script,
  user
} from "../../test/GenerationsTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { Generations } from "./Generations.ts"

layer(TestDrive, { timeout: "60 seconds" })("Cancelled generations", (it) => {
  it.effect("GEN-24 one that is cancelled before its turn is never asked for", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const { id } = yield* generate(owner)
      assert.isTrue(yield* cancel(owner, id))
      assert.isFalse(yield* cancel(owner, id))
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "cancelled" })
      yield* runJobs
      assert.deepStrictEqual(yield* asked(id), [])
      const [event, ...others] = yield* eventsOf(owner, ["generation"])
      assert.deepInclude(event, { status: "failed", image: null })
      assert.lengthOf(others, 0)
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-24 a provider's job is ended with its generation", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      yield* script([Effect.succeed(submitted("job-1"))], [Effect.succeed(pending("5 seconds"))])
      const { id } = yield* generate(owner)
      yield* runJobs
      assert.isTrue(yield* cancel(owner, id))
      yield* runFor(10)
      assert.deepStrictEqual(yield* asked(id), ["submit", "poll job-1", "cancel job-1"])
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-24 one that is cancelled while its provider is asked: the connection is cut", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const [begun, cut] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      yield* script([
        Effect.onInterrupt(
          Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
          () => Deferred.succeed(cut, undefined)
        )
      ])
      const { id } = yield* generate(owner)
      const running = yield* Effect.forkChild(runJobs)
      yield* Deferred.await(begun)
      assert.isTrue(yield* cancel(owner, id))
      yield* TestClock.adjust("2 seconds")
      yield* Deferred.await(cut)
      yield* Fiber.join(running)
      assert.deepStrictEqual(yield* asked(id), ["submit"])
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-24 one that is cancelled as its provider answers: the job that it answered is ended", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const { id } = yield* generate(owner)
      yield* script([
        Effect.as(generations.cancel(id).pipe(as(owner), Effect.orDie), submitted("job-1"))
      ])
      yield* runFor(3)
      assert.deepStrictEqual(yield* asked(id), ["submit", "cancel job-1"])
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))

  it.effect("GEN-24 one that is cancelled while its image is being stored leaves no bytes", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const generations = yield* Generations
      const { id } = yield* generate(owner)
      const cancelled = generations.cancel(id).pipe(as(owner), Effect.orDie)
      yield* MemoryObjectStore.use((store) => store.plant("put", Faults.before(Effect.asVoid(cancelled))))
      yield* runFor(3)
      assert.deepInclude(yield* look(owner, id), { status: "failed", code: "cancelled" })
      assert.strictEqual(yield* checkEnded(owner), 0)
    }))
})
