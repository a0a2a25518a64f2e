/** What a store says and does when it starts, and while its credentials change. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { S3Options } from "../src/storage/s3/S3Store.ts"
import { type serveFakeS3, withEngine } from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

describe("S3 store starting", () => {
  const start = (answer: Parameters<typeof serveFakeS3>[0], change: Partial<S3Options> = {}) => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    return withEngine(answer, () => Effect.succeed(lines), change).pipe(Effect.provide(Logger.layer([logger])))
  }

  it.effect.each([{ status: 404, says: /"drive-public" does not exist on http.*create it/ }, {
    status: 403,
    says: /"drive-public".*refuses these credentials/
  }])(
    "STO-34 a bucket that answers $status stops the start with its name",
    ({ says, status }) =>
      Effect.gen(function*() {
        const failure = yield* Effect.flip(
          start(({ url }) => url.pathname.includes("drive-public") ? { status } : undefined)
        )
        assert.match(failure.message, says)
      })
  )

  it.effect("STO-34 a clock that is off is warned of, with the minutes", () =>
    Effect.gen(function*() {
      const lines = yield* start(() => ({ status: 200, headers: { date: "Thu, 01 Jan 1970 00:20:00 GMT" } }))
      assert.match(lines.join(), /clock is 20 minutes behind/)
      const near = yield* start(() => ({ status: 200, headers: { date: "Thu, 01 Jan 1970 00:01:00 GMT" } }))
      assert.deepStrictEqual(near, [])
    }))

  it.effect("STO-34 credentials that end before the links do are warned of", () =>
    Effect.gen(function*() {
      const date = { status: 200, headers: { date: "Thu, 01 Jan 1970 00:00:00 GMT" } }
      const temporary = (hours: number) => ({
        credentials: {
          accessKeyId: "k",
          secretAccessKey: "s",
          sessionToken: "t",
          expiration: DateTime.toDateUtc(DateTime.makeUnsafe(hours * 3_600_000))
        }
      })
      assert.match((yield* start(() => date, temporary(12))).join(), /temporary and expire in 12 hours/)
      assert.deepStrictEqual(yield* start(() => date, temporary(49)), [])
    }))

  it.effect("STO-35 credentials are asked for again when they end, and their token is in every signature", () => {
    let given = 0
    const credentials = () =>
      Promise.resolve({
        accessKeyId: `key${++given}`,
        secretAccessKey: "s",
        sessionToken: `token${given}`,
        // Over already: each use must ask again.
        expiration: DateTime.toDateUtc(DateTime.makeUnsafe(0))
      })
    return withEngine(() => undefined, (store) =>
      Effect.gen(function*() {
        const lifetime = Duration.hours(1)
        const first = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const second = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const number = Number(first.fields["X-Amz-Security-Token"]?.slice("token".length))
        assert.isAbove(number, 0)
        assert.strictEqual(second.fields["X-Amz-Security-Token"], `token${number + 1}`)
        assert.match(second.fields["X-Amz-Credential"] ?? "", new RegExp(`^key${number + 1}/`))
        const link = yield* store.signGet({ at, headers, lifetime })
        assert.include(link, "X-Amz-Security-Token=token")
        const parts = [{ partNumber: 1, sizeBytes: 1 }]
        assert.include(
          (yield* store.signParts({ at, uploadId: "u", parts, lifetime }))[0],
          "X-Amz-Security-Token=token"
        )
      }), { credentials })
  })

  it.effect("STO-34 /readyz waits two seconds for a store that says nothing", () => {
    let silent = false
    return withEngine((_, __, response) => {
      if (silent) return void response.socket?.setTimeout(0)
      return { status: 200 }
    }, (store) =>
      Effect.gen(function*() {
        silent = true
        const check = yield* Effect.forkChild(Effect.flip(store.check), { startImmediately: true })
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(check)).code, "storage_unavailable")
      }))
  })
})
