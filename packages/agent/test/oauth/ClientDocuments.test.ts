/** Apps that are described by a document at the address that is their id. */
import { assert, describe, it, layer } from "@effect/vitest"
import type { Ids } from "@filedrive/core"
import { MemoryRemoteFile } from "@filedrive/testing"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { isDocument } from "../../src/oauth/Client.ts"
import * as ClientDocuments from "../../src/oauth/ClientDocuments.ts"

const account = "0199a000-0000-7000-8000-000000000001" as Ids.AccountId

const bytesOf = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value))

const app = (id: string, changes: object = {}) => ({
  client_id: id,
  client_name: "Notes",
  redirect_uris: ["http://127.0.0.1/back"],
  ...changes
})

/** What a server answers at an address. */
const serve = (
  url: string,
  { body = app(url), cacheControl = null, finalUrl = url }: {
    readonly body?: unknown
    readonly cacheControl?: string | null
    readonly finalUrl?: string
  } = {}
) =>
  MemoryRemoteFile.use((remote) =>
    remote.serve(url, () =>
      Effect.succeed({
        finalUrl,
        startBytes: 0,
        sizeBytes: null,
        disposition: null,
        mimeType: "application/json",
        validator: null,
        acceptsRanges: false,
        cacheControl,
        body: Stream.make(bytesOf(body))
      }))
  )

const askedFor = (url: string) =>
  MemoryRemoteFile.use((remote) => Effect.map(remote.asked, (asked) => asked.filter((one) => one.url === url).length))

describe("ids of described apps", () => {
  it("OAUTH-80 the id is an https address with a path, in its usual spelling", () => {
    assert.isTrue(isDocument("https://app.test/client.json"))
    const wrong = [
      "http://app.test/client.json",
      "https://app.test/",
      "https://app.test",
      "https://app.test/client.json#x",
      "https://ada@app.test/client.json",
      "https://ada:x@app.test/client.json",
      "https://APP.test/client.json",
      "https://app.test:443/client.json",
      "https://app.test/x/../client.json",
      "https://app.test/client\\.json",
      "https://",
      `https://app.test/${"x".repeat(500)}`
    ]
    for (const id of wrong) assert.isFalse(isDocument(id), id)
  })
})

layer(MemoryRemoteFile.layer)("documents of apps", (it) => {
  it.effect("OAUTH-80 the document names its own address as the client's id, and redirects that may be used", () =>
    Effect.gen(function*() {
      const documents = yield* ClientDocuments.make([])
      const found = (url: string, answer: Parameters<typeof serve>[1]) =>
        Effect.andThen(serve(url, answer), documents.find(url, account))
      const good = "https://good.test/app.json"
      assert.deepStrictEqual(yield* found(good, {}), {
        id: good,
        name: "Notes",
        redirectUris: ["http://127.0.0.1/back"],
        host: "good.test"
      })
      const bodies: ReadonlyArray<readonly [unknown, RegExp]> = [
        [app("https://other.test/app.json"), /another client_id/],
        [app("https://wrong.test/1", { redirect_uris: [] }), /redirect_uris/],
        [app("https://wrong.test/2", { redirect_uris: ["http://evil.test/"] }), /redirect_uris/],
        [app("https://wrong.test/3", { redirect_uris: ["javascript:alert(1)"] }), /redirect_uris/],
        ["no JSON", /another client_id/],
        ["null", /another client_id/],
        [`"${"x".repeat(70_000)}"`, /more than 65536 bytes/]
      ]
      for (const [at, [body, says]] of bodies.entries()) {
        assert.match(String(yield* found(`https://wrong.test/${at}`, { body })), says)
      }
      const led = yield* found("https://led.test/app.json", { finalUrl: "https://elsewhere.test/app.json" })
      assert.match(String(led), /redirected/)
      assert.match(String(yield* documents.find("https://absent.test/app.json", account)), /could not be fetched/)
      const named = yield* found("https://named.test/app.json", {
        body: app("https://named.test/app.json", { client_name: "Bank\u202e" })
      })
      assert.deepInclude(named, { name: "named.test" })
    }))

  it.effect("OAUTH-81 a document is kept as long as its headers say, between a minute and a day; a failure for 30 seconds", () =>
    Effect.gen(function*() {
      const documents = yield* ClientDocuments.make([])
      const times: ReadonlyArray<readonly [string | null, number]> = [
        [null, 60],
        ["max-age=600", 600],
        ["public, MAX-AGE=5", 60],
        ["max-age=99999999", 86_400],
        ["no-store, max-age=600", 60]
      ]
      for (const [at, [cacheControl, seconds]] of times.entries()) {
        const url = `https://kept.test/${at}`
        yield* serve(url, { cacheControl })
        yield* documents.find(url, account)
        yield* TestClock.adjust(`${seconds - 1} seconds`)
        yield* documents.find(url, account)
        assert.strictEqual(yield* askedFor(url), 1, String(cacheControl))
        yield* TestClock.adjust("2 seconds")
        yield* documents.find(url, account)
        assert.strictEqual(yield* askedFor(url), 2, String(cacheControl))
      }
      const gone = "https://gone.test/app.json"
      for (const [wait, asked] of [[0, 1], [29, 1], [2, 2]]) {
        yield* TestClock.adjust(`${wait!} seconds`)
        yield* documents.find(gone, account)
        assert.strictEqual(yield* askedFor(gone), asked)
      }
    }))

  it.effect("OAUTH-81 a server that does not answer is given five seconds", () =>
    Effect.gen(function*() {
      const documents = yield* ClientDocuments.make([])
      const url = "https://slow.test/app.json"
      yield* MemoryRemoteFile.use((remote) => remote.serve(url, () => Effect.never))
      const finding = yield* Effect.forkChild(documents.find(url, account))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(finding.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.match(String(yield* Fiber.join(finding)), /could not be fetched/)
    }))
})
