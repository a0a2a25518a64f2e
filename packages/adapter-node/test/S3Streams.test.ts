/** Bytes to and from an engine: how fast they run, and how they end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { withEngine } from "./FakeS3.ts"

const at = { bucket: "private", key: "files/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }

describe("S3 store streaming", () => {
  const chunk = new Uint8Array(64 * 1024)

  it.effect("STO-36 a put that is refused at once stops reading its body", () =>
    withEngine(
      ({ method }, request, response) => {
        if (method !== "PUT") return undefined
        response.writeHead(403, { connection: "close" })
        response.end("<Error><Code>AccessDenied</Code></Error>")
        request.resume()
        return undefined
      },
      (store) =>
        Effect.gen(function*() {
          let pulled = 0
          const endless = Stream.fromIterable(Array.from({ length: 3 }, () => chunk)).pipe(
            Stream.tap(() => Effect.sync(() => pulled++)),
            Stream.concat(Stream.never)
          )
          const failure = yield* Effect.flip(store.put({ at, headers, sizeBytes: 2 ** 30, body: endless }))
          assert.include(String(failure.cause), "PutObject: 403 AccessDenied")
          assert.isAtMost(pulled, 3)
        })
    ))

  it.effect("STO-36 a put pulls its body no faster than the store takes it", () => {
    let taken: (() => void) | undefined
    return withEngine(
      ({ method, url }, request, response) => {
        if (method !== "PUT") return url.pathname.endsWith(at.key) ? { status: 404 } : undefined
        request.pause()
        taken = () => void request.resume().on("end", () => response.end())
        return undefined
      },
      (store) =>
        Effect.gen(function*() {
          let pulled = 0
          const body = Stream.fromIterable(Array.from({ length: 2_000 }, () => chunk)).pipe(
            Stream.rechunk(1),
            Stream.tap(() => Effect.sync(() => pulled++))
          )
          const sizeBytes = 2_000 * chunk.length
          const put = yield* Effect.forkChild(Effect.flip(store.put({ at, headers, sizeBytes, body })))
          // Both ends' socket buffers fill, then nothing moves.
          const settled = (before: number): Effect.Effect<void> =>
            Effect.flatMap(
              Effect.sleep("50 millis"),
              () => pulled === before && taken !== undefined ? Effect.void : settled(pulled)
            )
          yield* TestClock.withLive(settled(-1))
          assert.isBelow(pulled, 500)
          taken?.()
          // All bytes are taken then, but nothing keeps them: the look at the object fails.
          assert.include(String((yield* Fiber.join(put)).cause), "HeadObject: 404")
          assert.strictEqual(pulled, 2_000)
        })
    )
  })

  it.effect("STO-36 a download that is cut fails, and one nobody reads on is closed", () => {
    let closed: Promise<void> | undefined
    return withEngine(
      ({ method, url }, _, response) => {
        if (method !== "GET") return undefined
        response.writeHead(200, { "content-length": String(2 ** 30) })
        response.write(chunk, () => {
          if (url.pathname.endsWith("cut")) response.destroy()
        })
        closed = new Promise((resolve) => response.on("close", () => resolve()))
        return undefined
      },
      (store) =>
        Effect.gen(function*() {
          const cut = yield* Effect.flip(Stream.runDrain(store.get({ ...at, key: "cut" })))
          assert.strictEqual(cut.code, "fetching_file_failed")
          const first = yield* Stream.runHead(store.get(at))
          assert.isTrue(Option.isSome(first))
          yield* Effect.promise(() => closed ?? Promise.reject(new Error("was not asked")))
        })
    )
  })
})
