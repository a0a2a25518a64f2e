import { assert, describe, it } from "@effect/vitest"
import { RequestBody } from "@filedrive/core"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { agent, answerOf, bearer, message, post, rpc } from "./Agent.ts"

const bytesOf = (text: string) => new TextEncoder().encode(JSON.stringify(rpc("SendMessage", message(text))))

const large = (token: string) => post({}, bearer(token))
const small = (token: string) => post({}, { ...bearer(token), "content-length": "200" })

describe("large bodies", () => {
  it.effect("A2A-20 two large bodies of an account are read at a time; small ones and those of others meanwhile; a held call keeps no place", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const arrived = Latch.makeUnsafe()
      const reading: Array<string> = []
      let read = 0
      const answer = (request: Request) =>
        answerOf(answering, request).pipe(
          Effect.provideService(RequestBody.BodyReader, ({ headers }) => {
            if (headers["content-length"] !== undefined) return Effect.succeed(bytesOf("small"))
            reading.push(headers["authorization"]!)
            return Effect.map(arrived.await, () => {
              read += 1
              return bytesOf("hold")
            })
          })
        )
      const held = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(answer(large("fdt_one"))))
      yield* TestClock.adjust("1 millis")
      assert.lengthOf(reading, 2)
      assert.strictEqual((yield* answer(small("fdt_one"))).body.result.task.status.state, "TASK_STATE_COMPLETED")
      held.push(yield* Effect.forkChild(answer(large("fdt_stranger"))))
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(reading.at(-1), "Bearer fdt_stranger")
      yield* arrived.open
      yield* TestClock.adjust("1 second")
      assert.strictEqual(read, 6)
      assert.isTrue(held.every((fiber) => fiber.pollUnsafe() === undefined))
      yield* TestClock.adjust("55 seconds")
      for (const { body } of yield* Effect.forEach(held, Fiber.join)) {
        assert.strictEqual(body.result.task.status.state, "TASK_STATE_WORKING")
      }
    }))

  it.effect("A2A-21 a large body that arrives slowly is given up when another account waits, to be sent again", () =>
    Effect.gen(function*() {
      const answering = yield* agent()
      const answer = (token: string, body: Effect.Effect<Uint8Array>) =>
        Effect.provideService(answerOf(answering, large(token)), RequestBody.BodyReader, () => body)
      const slow = yield* Effect.forEach(
        ["fdt_one", "fdt_other", "fdt_stranger", "fdt_stranger"],
        (token) => Effect.forkChild(Effect.flip(answer(token, Effect.never)))
      )
      yield* TestClock.adjust("1 minute")
      assert.isTrue(slow.every((fiber) => fiber.pollUnsafe() === undefined))
      const other = yield* Effect.forkChild(answer("fdt_third", Effect.succeed(bytesOf("hello"))))
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual((yield* Fiber.join(other)).body.result.task.status.state, "TASK_STATE_COMPLETED")
      const given = slow.filter((fiber) => fiber.pollUnsafe() !== undefined)
      assert.lengthOf(given, 1)
      assert.deepInclude(yield* Fiber.join(given[0]!), { code: "unavailable", retryable: true })
    }))
})
