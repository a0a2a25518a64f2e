import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { type Answering, latest, RevisionCache } from "./RevisionCache.ts"

/** Records which keys are read, each as its key and the number of the reading. */
const readings = () => {
  const read: Array<ReadonlyArray<string>> = []
  return {
    read,
    of: (missing: ReadonlyArray<string> = []) => (keys: ReadonlyArray<string>) =>
      Effect.sync(() => {
        read.push(keys)
        return keys.filter((key) => !missing.includes(key)).map((key) => [key, `${key}${read.length}`] as const)
      })
  }
}

const small = () => new RevisionCache<string, string>({ maxBytes: 3, bytesOf: () => 1 })

describe("RevisionCache", () => {
  it.effect("SRCH-28 a value is cached for one revision, and only what is missing is read", () =>
    Effect.gen(function*() {
      const cache = small()
      const { of, read } = readings()
      assert.deepStrictEqual(yield* cache.recall(["a", "b"], 1, of()), {
        values: new Map([["a", "a1"], ["b", "b1"]]),
        isCached: false
      })
      assert.deepStrictEqual(yield* cache.recall(["b", "c"], 1, of()), {
        values: new Map([["b", "b1"], ["c", "c2"]]),
        isCached: true
      })
      assert.isTrue((yield* cache.recall(["a", "c"], 1, of())).isCached)
      assert.deepStrictEqual(read, [["a", "b"], ["c"]])
      assert.deepStrictEqual(yield* cache.recall(["a"], 2, of()), { values: new Map([["a", "a3"]]), isCached: false })
      assert.isFalse(
        (yield* cache.recall(["a"], 1, of())).isCached,
        "neither is a later value one of an earlier revision"
      )
    }))

  it.effect("SRCH-27 the least recently used values make room", () =>
    Effect.gen(function*() {
      const cache = small()
      const { of, read } = readings()
      yield* cache.recall(["a", "b", "c"], 1, of())
      yield* cache.recall(["a"], 1, of())
      yield* cache.recall(["d"], 1, of())
      yield* cache.recall(["a", "b", "c", "d"], 1, of())
      assert.deepStrictEqual(read, [["a", "b", "c"], ["d"], ["b"]])
    }))

  it.effect("SRCH-28 what does not exist, and what changes without the revision, is read each time", () =>
    Effect.gen(function*() {
      const cache = new RevisionCache<string, string>({
        maxBytes: 10,
        bytesOf: () => 1,
        isCounted: (value) => !value.startsWith("x")
      })
      const { of, read } = readings()
      for (const _ of [1, 2]) {
        assert.deepStrictEqual([...(yield* cache.recall(["x", "y"], 1, of(["y"]))).values.keys()], ["x"])
      }
      assert.deepStrictEqual(read, [["x", "y"], ["x", "y"]])
    }))
})

/** States one after another, and what was done with them. */
const account = (
  states: ReadonlyArray<number | undefined>,
  given: Partial<Answering<number, string, never, never>> = {}
) => {
  const done: Array<string> = []
  let at = 0
  const current = Effect.sync(() => {
    const state = states[Math.min(at++, states.length - 1)]
    done.push(`current ${state}`)
    return state
  })
  const answering: Answering<number, string, never, never> = {
    known: Effect.succeed(undefined),
    current,
    answer: (state) => Effect.sync(() => (done.push(`answer ${state}`), `as of ${state}`)),
    isConfirmed: (_, state, now) => Effect.succeed(state === now),
    locked: (work) => Effect.suspend(() => (done.push("lock"), work)),
    ...given
  }
  return { answer: latest(answering), done }
}

describe("the answer as of now", () => {
  it.effect("SRCH-28 a guess by the known state is the answer when the current one confirms it", () =>
    Effect.gen(function*() {
      const { answer, done } = account([1], { known: Effect.succeed(1) })
      assert.strictEqual(yield* answer, "as of 1")
      assert.sameMembers(done, ["current 1", "answer 1"])
    }))

  it.effect("SRCH-29 the guess is made while the current state is being read", () =>
    Effect.gen(function*() {
      const [guessed, read] = [yield* Deferred.make<void>(), yield* Deferred.make<number>()]
      const { answer } = account([], {
        known: Effect.succeed(1),
        current: Deferred.await(read),
        answer: (state) => Effect.as(Deferred.succeed(guessed, undefined), `as of ${state}`)
      })
      const answering = yield* Effect.forkChild(answer)
      yield* Deferred.await(guessed)
      yield* Deferred.succeed(read, 1)
      assert.strictEqual(yield* Fiber.join(answering), "as of 1")
    }))

  it.effect("SRCH-28 a guess that is not confirmed is made again by the current state", () =>
    Effect.gen(function*() {
      const { answer, done } = account([2], { known: Effect.succeed(1) })
      assert.strictEqual(yield* answer, "as of 2")
      assert.deepStrictEqual(done.at(-1), "answer 2")
      assert.notInclude(done, "lock")
    }))

  it.effect("SRCH-29 after three states that changed while they were read, others wait for the answer", () =>
    Effect.gen(function*() {
      const answer = (state: number) => Effect.succeed(state < 5 ? undefined : `as of ${state}`)
      const { answer: found, done } = account([2, 3, 4, 5], { known: Effect.succeed(1), answer })
      assert.strictEqual(yield* found, "as of 5")
      assert.deepStrictEqual(done, ["current 2", "current 3", "current 4", "current 5", "lock", "current 5"])
    }))

  it.effect("SRCH-28 an account that is new to this process is read at once, one that has no state has no answer", () =>
    Effect.gen(function*() {
      const fresh = account([3])
      assert.strictEqual(yield* fresh.answer, "as of 3")
      assert.deepStrictEqual(fresh.done, ["current 3", "answer 3"])
      const none = account([undefined], { known: Effect.succeed(1) })
      assert.isUndefined(yield* none.answer)
      const gone = account([2, undefined], { answer: () => Effect.succeed(undefined) })
      assert.isUndefined(yield* gone.answer)
      assert.notInclude(gone.done, "lock")
    }))
})
