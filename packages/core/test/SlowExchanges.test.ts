/** Exchanges whose bodies take their time, from an address that others call from. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as RateLimits from "../src/http/RateLimits.ts"
import { send, testHttp, withToken } from "./TestHttp.ts"

const drive = testHttp({
  trustedProxies: { count: 1, header: "x-forwarded-for" },
  rateLimits: { ...RateLimits.defaults, failedExchange: { calls: 3, perSeconds: 60 } }
})

const exchange = (token: string, body?: ReadableStream<Uint8Array>) =>
  send("/auth/exchange-token", {
    method: "POST",
    headers: { "x-forwarded-for": "192.0.2.1", authorization: `Bearer ${token}` },
    ...(body !== undefined && { body, duplex: "half" })
  } as RequestInit)

const times = <A, E, R>(count: number, call: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: count }, () => call))

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status)

describe("rate limits while bodies are on their way", () => {
  it.effect("RATE-51 exchanges whose bodies are on their way take no place from others of their address", () =>
    Effect.gen(function*() {
      const right = "fdt_right00000000000000000000000"
      yield* withToken(right)
      const slow = Effect.suspend(() => exchange(right, new ReadableStream()))
      const neverEnding = yield* Effect.forkChild(
        Effect.all(Array.from({ length: 10 }, () => slow), { concurrency: "unbounded" })
      )
      const broken = Effect.suspend(() =>
        exchange(right, new ReadableStream({ start: (stream) => stream.error(new Error("cut")) }))
      )
      assert.deepStrictEqual(statuses(yield* times(5, broken)), [400, 400, 400, 400, 400])
      assert.strictEqual((yield* exchange(right)).status, 200)
      const wrong = exchange("fdt_wrong00000000000000000000000")
      assert.deepStrictEqual(statuses(yield* times(3, wrong)), [401, 401, 401])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(statuses(yield* Fiber.join(neverEnding)), Array(10).fill(400))
    }).pipe(Effect.provide(drive)))
})
