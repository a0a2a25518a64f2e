import { assert, describe, it } from "@effect/vitest"
import { Ids, RemoteFile } from "@filedrive/core"
import { Duration, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as ClientDocuments from "./ClientDocuments.ts"

const id = "https://app.test/client.json"
const accountId = Ids.AccountId.make("019a0000-0000-7000-8000-000000000001")

const good = JSON.stringify({ client_id: id, client_name: "Notes", redirect_uris: ["https://app.test/back"] })

/** An app's server, whose document is `server.text`; how often it was asked. */
const server = { text: good, asked: 0, hangs: false }

const Remote = Layer.mock(RemoteFile.RemoteFile, {
  open: () =>
    Effect.sync(() => {
      server.asked++
      const body = Stream.fromIterable([new TextEncoder().encode(server.text)])
      return {
        body: server.hangs ? Stream.concat(body, Stream.never) : body,
        cacheControl: "public, max-age=86400",
        finalUrl: id
      } as unknown as RemoteFile.RemoteAnswer
    })
})

const reset = (text: string, hangs = false) => Effect.sync(() => Object.assign(server, { text, asked: 0, hangs }))

describe("documents that describe apps", () => {
  it.effect("OAUTH-81 one that describes an app is kept as long as it says, at most a day", () =>
    Effect.gen(function*() {
      yield* reset(good)
      const { find } = yield* ClientDocuments.make([])
      assert.deepInclude(yield* find(id, accountId), { name: "Notes" })
      yield* reset("away")
      yield* TestClock.adjust(Duration.hours(23))
      assert.deepInclude(yield* find(id, accountId), { name: "Notes" })
      assert.strictEqual(server.asked, 0)
    }).pipe(Effect.provide(Remote)))

  it.effect("OAUTH-81 one that describes none is looked up again after 30 seconds, however long it may be kept", () =>
    Effect.gen(function*() {
      const { find } = yield* ClientDocuments.make([])
      for (const text of ["<html>Back soon.", "{}", "x".repeat(70_000)]) {
        yield* reset(text)
        assert.isString(yield* find(id, accountId))
        assert.isString(yield* find(id, accountId))
        assert.strictEqual(server.asked, 1)
        yield* TestClock.adjust(Duration.seconds(31))
      }
      yield* reset(good)
      assert.deepInclude(yield* find(id, accountId), { name: "Notes" })
    }).pipe(Effect.provide(Remote)))

  it.effect("OAUTH-81 a server that hangs is given up after 5 seconds", () =>
    Effect.gen(function*() {
      yield* reset("{", true)
      const { find } = yield* ClientDocuments.make([])
      const fiber = yield* Effect.forkChild(find(id, accountId), { startImmediately: true })
      yield* TestClock.adjust(Duration.seconds(4))
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(Duration.seconds(1))
      assert.isString(yield* Fiber.join(fiber))
    }).pipe(Effect.provide(Remote)))
})
