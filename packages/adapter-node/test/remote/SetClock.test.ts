/** A server that is waited for while somebody sets the machine's clock. */
import { assert, describe, it } from "@effect/vitest"
import { RemoteFile } from "@filedrive/core"
import { Clock, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { eventually } from "../../../core/test/FilesTest.ts"
import { client, released, serve } from "./HostileServer.ts"

describe("Answers under a clock that is set", () => {
  it.effect.each([-1, 1])(
    "HOSTILE-34 a time of day that is set %d hours on gives a server neither more time nor less",
    (hours) =>
      Effect.gen(function*() {
        const test = yield* Clock.Clock
        let setHours = 0
        const timeOfDay = () => test.currentTimeMillisUnsafe() + setHours * 3_600_000
        const otherDay: Clock.Clock = {
          ...test,
          currentTimeMillisUnsafe: timeOfDay,
          currentTimeMillis: Effect.sync(timeOfDay)
        }
        let goOn = () => {}
        const server = yield* serve((_, response) => {
          response.writeHead(200, { "content-length": 1_000_000 })
          response.write("x")
          goOn = () => response.write("x")
        })
        let received = 0
        const asking = yield* Effect.forkScoped(Effect.flip(
          Effect.scoped(Effect.gen(function*() {
            const { body } = yield* (yield* RemoteFile.RemoteFile).open(server.url, null)
            yield* Stream.runForEach(body, (chunk) => Effect.sync(() => void (received += chunk.length)))
          })).pipe(Effect.provideService(Clock.Clock, otherDay))
        ))
        yield* eventually(Effect.sync(() => received), (bytes) => bytes === 1)
        setHours = hours
        goOn()
        yield* eventually(Effect.sync(() => received), (bytes) => bytes === 2)
        yield* TestClock.adjust("59 seconds")
        assert.isUndefined(asking.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* Fiber.join(asking), { reason: "server_stalled" })
        yield* released(server)
      }).pipe(Effect.provide(client()))
  )
})
