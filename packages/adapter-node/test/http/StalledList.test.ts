/** A list over `node:http` whose reader stops, or which fails in the middle. */
import { assert, it } from "@effect/vitest"
import { LongAnswers } from "@filedrive/core"
import { Duration, Effect, Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { makeHandler } from "../../src/http/NodeHandler.ts"

const piece = new Uint8Array(1_024 * 1_024)

/** What a caller gets of an answer: its first piece, and then whether it ended whole. */
const asked = Effect.fnUntraced(
  function*(stream: Stream.Stream<Uint8Array, unknown>, beforeReading: Effect.Effect<void>) {
    const handle = yield* makeHandler(Effect.succeed(HttpServerResponse.stream(stream)), { scope: yield* Scope.Scope })
    const server = createServer(handle)
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () =>
        Effect.promise(() =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
        )
    )
    const answer = yield* Effect.promise(() =>
      new Promise<IncomingMessage>((resolve, reject) =>
        request({ port: (server.address() as AddressInfo).port, agent: false }, resolve).once("error", reject).end()
      )
    )
    yield* beforeReading
    return yield* Effect.promise(() =>
      new Promise<string>((resolve) => {
        answer.once("end", () => resolve("whole"))
        answer.once("error", () => resolve("cut off"))
        answer.resume()
      })
    )
  }
)

it.live("LONG-4 a list that fails in the middle ends its connection, and does not look like a shorter list", () =>
  Effect.scoped(Effect.gen(function*() {
    const failing = Stream.concat(Stream.succeed(piece), Stream.fail("the database is gone"))
    assert.strictEqual(yield* asked(failing, Effect.void), "cut off")
    assert.strictEqual(yield* asked(Stream.make(piece, piece), Effect.void), "whole")
  })))

it.effect("LONG-3 a reader that has stopped is disconnected", () =>
  Effect.scoped(Effect.gen(function*() {
    const { list } = yield* LongAnswers
    let sent = 0
    const endless = Stream.forever(Stream.sync(() => {
      sent++
      return piece
    }))
    // The sockets of this machine take some of it before they are full.
    const full = Effect.gen(function*() {
      for (let [before, turns] = [0, 0]; turns < 1_000; turns++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        if (before !== sent || sent === 0) [before, turns] = [sent, 0]
      }
      yield* TestClock.adjust(Duration.minutes(2))
    })
    assert.strictEqual(yield* asked(yield* list("a", endless), full), "cut off")
  })).pipe(Effect.provide(LongAnswers.layer)))
