/** Where the links of each kind of store lead. */
import { assert, describe, it } from "@effect/vitest"
import { DriveError, ObjectStore } from "@filedrive/core"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { answers } from "../../src/pages/PagesHttp.ts"
import * as StoreOrigins from "../../src/pages/StoreOrigins.ts"
import * as S3Store from "../../src/storage/s3/S3Store.ts"
import { serveFakeS3 } from "../FakeS3.ts"

/** An engine that has the buckets. */
const engine = serveFakeS3(() => undefined)

/** As another name of the engine's address, where readers reach it. */
const elsewhere = ({ endpoint }: S3Store.S3Options) => endpoint!.replace("127.0.0.1", "localhost")

const originsOf = Effect.fnUntraced(function*(change: (options: S3Store.S3Options) => Partial<S3Store.S3Options>) {
  const { options } = yield* engine
  const found = yield* StoreOrigins.origins.pipe(Effect.provide(S3Store.layer({ ...options, ...change(options) })))
  return found.map((origin) =>
    origin === options.endpoint ? "inside" : origin === elsewhere(options) ? "outside" : origin
  )
}, Effect.scoped)

describe("the origins of links", () => {
  it.effect("PAGE-7 are those that readers reach a store by", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* originsOf(() => ({})), ["inside"])
      assert.deepStrictEqual(yield* originsOf((options) => ({ publicEndpoint: `${elsewhere(options)}/s3` })), [
        "outside"
      ])
      assert.deepStrictEqual(yield* originsOf((options) => ({ publicBucketUrl: `${elsewhere(options)}/open` })), [
        "inside",
        "outside"
      ])
    }))

  it.effect("PAGE-7 have the drive's, which relays forms, among them", () =>
    Effect.gen(function*() {
      const { options } = yield* engine
      const store = S3Store.layerWithRelay(options, { url: "https://app.example.com/drive/storage" })
      assert.deepStrictEqual(yield* StoreOrigins.origins.pipe(Effect.provide(store)), [
        "https://app.example.com",
        options.endpoint!
      ])
    }).pipe(Effect.scoped))

  it.effect("PAGE-7 may be unknown for a while: the page is shown, and allows them as soon as they are known", () =>
    Effect.gen(function*() {
      let isAway = true
      const store = ObjectStore.ObjectStore.of(
        {
          publicUrl: () => "https://open.example.com/a",
          signForm: () =>
            isAway
              ? Effect.fail(new DriveError.Unavailable({ code: "storage_unavailable", cause: "away" }))
              : Effect.succeed({ url: "https://private.example.com/", fields: {} }),
          signParts: () => Effect.succeed(["https://private.example.com/1"]),
          signGet: () => Effect.succeed("https://private.example.com/2")
        } as unknown as ObjectStore.ObjectStore["Service"]
      )
      const all = yield* Effect.provideService(
        answers({
          host: {},
          siteUrl: "https://app.example.com",
          api: "/api",
          auth: "/auth",
          hasAgent: true,
          logoutUrl: null
        }),
        ObjectStore.ObjectStore,
        store
      )
      const request = HttpServerRequest.fromWeb(new Request("https://app.example.com/requests/a"))
      const policy = Effect.map(all.get("/requests/*")!(request), ({ headers, status }) => {
        assert.strictEqual(status, 200)
        return headers["content-security-policy"]
      })
      assert.include(yield* policy, "connect-src 'self' https://app.example.com;")
      isAway = false
      assert.include(
        yield* policy,
        "connect-src 'self' https://app.example.com https://private.example.com https://open.example.com;"
      )
    }))
})
