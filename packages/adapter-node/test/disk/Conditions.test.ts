/** What the disk store answers to conditional requests, and how its answers may be kept. */
import { assert, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Duration, Effect } from "effect"
import { fresh, headers, putBytes, served } from "./DiskStoreTest.ts"

const get = (url: string, init?: RequestInit) => Effect.promise(() => fetch(url, init))

layer(served(), { excludeTestServices: true })("DiskRoutes", (it) => {
  it.effect("STO-132 files have no-transform, so that nothing on their way changes the bytes", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      for (const cacheControl of ["public, max-age=300", "no-transform", "public,no-transform"]) {
        const at = fresh("public")
        const own = { ...headers, cacheControl }
        yield* putBytes(at, new Uint8Array(10), own)
        const link = yield* store.signGet({ at, headers: own, lifetime: Duration.hours(6) })
        for (const url of [store.publicUrl(at.key), link]) {
          const directives = (yield* get(url)).headers.get("cache-control")?.split(/\s*,\s*/) ?? []
          assert.sameMembers(directives, [...new Set([...cacheControl.split(/\s*,\s*/), "no-transform"])])
        }
      }
    }))

  it.effect("STO-42 conditions and HEAD are answered as RFC 9110 says", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = fresh("public")
      yield* putBytes(at, new Uint8Array(100))
      const url = store.publicUrl(at.key)
      const whole = yield* get(url)
      const etag = whole.headers.get("etag") ?? ""
      const modified = whole.headers.get("last-modified") ?? ""
      const status = (headers: Record<string, string>, method = "GET") =>
        Effect.map(get(url, { headers, method }), (answer) => answer.status)
      assert.strictEqual(yield* status({ "if-modified-since": modified }), 304)
      assert.strictEqual(yield* status({ "if-modified-since": modified }, "HEAD"), 304)
      assert.strictEqual(yield* status({ "if-none-match": `"other"`, "if-modified-since": modified }), 200)
      const long = "Sun, 06 Nov 1994 08:49:37 GMT"
      assert.strictEqual(yield* status({ "if-unmodified-since": long }), 412)
      assert.strictEqual(yield* status({ "if-unmodified-since": modified }), 200)
      assert.strictEqual(yield* status({ "if-match": etag }), 200)
      for (const method of ["GET", "HEAD"]) {
        assert.strictEqual(yield* status({ "if-match": `"other"` }, method), 412)
        assert.strictEqual(yield* status({ "if-match": `W/${etag}`, range: "bytes=0-9" }, method), 412)
      }
      const failed = yield* get(url, { headers: { "if-match": `"other"` } })
      assert.strictEqual(failed.headers.get("etag"), etag)
      assert.include(yield* Effect.promise(() => failed.text()), "<Code>PreconditionFailed</Code>")
      const signed = yield* store.signGet({ at, headers, lifetime: Duration.hours(6) })
      for (
        const [name, value, right] of [["if-match", `"other"`, 412], ["if-modified-since", modified, 304]] as const
      ) {
        assert.strictEqual((yield* get(signed, { headers: { [name]: value } })).status, right)
      }
      assert.strictEqual(yield* status({ "if-none-match": etag }), 304)
      assert.strictEqual(yield* status({ "if-none-match": `"other", W/${etag}` }), 304)
      assert.strictEqual(yield* status({ "if-none-match": "*" }), 304)
      assert.strictEqual(yield* status({ "if-none-match": `"other"` }), 200)
      assert.strictEqual(yield* status({ range: "bytes=0-9", "if-range": etag }), 206)
      assert.strictEqual(yield* status({ range: "bytes=0-9", "if-range": modified }), 206)
      assert.strictEqual(yield* status({ range: "bytes=0-9", "if-range": `"other"` }), 200)
      for (const range of ["bytes=", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=a-b"]) {
        assert.strictEqual(yield* status({ range }), 200)
      }
      assert.strictEqual(yield* status({ range: "bytes=-0" }), 416)
      const head = yield* get(url, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.headers.get("content-length")], [200, "100"])
      assert.strictEqual((yield* get(signed, { method: "HEAD" })).status, 200)
      assert.strictEqual((yield* get(`${signed}0`, { method: "HEAD" })).status, 403)
    }))
})
