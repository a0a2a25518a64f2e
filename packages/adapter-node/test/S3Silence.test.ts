/** An engine that takes connections and says nothing more. */
import { assert, describe, it } from "@effect/vitest"
import type { ObjectStore as Port } from "@filedrive/core"
import { Duration, Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import { type FakeS3, withEngine } from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

type Store = Port.ObjectStore["Service"]

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
const until = Effect.fnUntraced(function*(holds: () => boolean) {
  for (let turns = 0; turns < 100_000; turns++) {
    if (holds()) return
    yield* turn
  }
  assert.fail("it never came about")
})

/** Runs `call` on an engine that is silent from its start on; answers how long it took, and how often the engine was asked. */
const silently = <A, E>(call: (store: Store) => Effect.Effect<A, E>, tryLasts: Duration.Input) => {
  let isSilent = false
  return withEngine(() => isSilent ? undefined : { status: 200 }, (store, { asked }: FakeS3) =>
    Effect.gen(function*() {
      isSilent = true
      const before = asked.length
      const fiber = yield* Effect.forkChild(Effect.flip(call(store)), { startImmediately: true })
      for (let tries = 1; tries <= 3; tries++) {
        yield* until(() => asked.length === before + tries)
        yield* TestClock.adjust(Duration.subtract(Duration.fromInputUnsafe(tryLasts), Duration.millis(1)))
        yield* turn
        assert.strictEqual(asked.length, before + tries)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(Duration.millis(1))
        if (tries < 3) yield* TestClock.adjust(Duration.millis(200 * tries))
      }
      const failure = yield* Fiber.join(fiber)
      assert.strictEqual(asked.length, before + 3)
      return failure
    }))
}

describe("S3 store on an engine that goes silent", () => {
  it.effect.each<readonly [string, (store: Store) => Effect.Effect<unknown, { readonly code: string }>, string]>([
    ["head", (store) => store.head(at), "storage_unavailable"],
    ["createUpload", (store) => store.createUpload(at, headers), "storage_unavailable"],
    ["listParts", (store) => store.listParts(at, "u"), "storage_unavailable"],
    ["get, until it begins", (store) => Stream.runDrain(store.get(at)), "fetching_file_failed"],
    ["list", (store) => Stream.runDrain(store.list("private", "")), "storage_unavailable"]
  ])(
    "STO-66 %s is given up after 10 seconds, and after three tries",
    ([, call, code]) => Effect.map(silently(call, "10 seconds"), (failure) => assert.strictEqual(failure.code, code))
  )

  it.effect("STO-66 removing is given up too, and says that all is still there", () =>
    Effect.gen(function*() {
      const left = yield* silently((store) => Effect.flip(store.remove([at])), "10 seconds")
      assert.deepStrictEqual(left, [at])
    }))

  it.effect("STO-66 a copy, for which engines move bytes before they answer, has two minutes", () =>
    Effect.asVoid(silently((store) => store.copy(at, { ...at, key: "files/a/c" }, headers), "2 minutes")))

  it.effect("STO-66 an answer that stops in its middle counts as none", () => {
    let isSilent = false
    return withEngine(
      (_, __, response: ServerResponse) => {
        if (!isSilent) return { status: 200 }
        response.writeHead(200, { "content-type": "application/xml" })
        response.write("<?xml version=\"1.0\"?><ListPartsResult>")
        return undefined
      },
      (store, { asked }) =>
        Effect.gen(function*() {
          isSilent = true
          const before = asked.length
          const fiber = yield* Effect.forkChild(Effect.flip(store.listParts(at, "u")), { startImmediately: true })
          for (let tries = 1; tries <= 3; tries++) {
            yield* until(() => asked.length === before + tries)
            yield* TestClock.adjust("10 seconds")
            yield* TestClock.adjust(Duration.millis(200 * tries))
          }
          assert.strictEqual((yield* Fiber.join(fiber)).code, "storage_unavailable")
        })
    )
  })

  it.effect("STO-66 a connection that came back is used by the next try", () => {
    let calls = 0
    let isSilent = false
    return withEngine(
      () => !isSilent ? { status: 200 } : ++calls > 1 ? { status: 404 } : undefined,
      (store) =>
        Effect.gen(function*() {
          isSilent = true
          const fiber = yield* Effect.forkChild(store.head(at), { startImmediately: true })
          yield* until(() => calls === 1)
          yield* TestClock.adjust("10400 millis")
          assert.isTrue(Option.isNone(yield* Fiber.join(fiber)))
        })
    )
  })
})
