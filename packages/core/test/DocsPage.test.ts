/** The documentation page as the drive serves it: what it loads, and what its policy allows. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { send, testHttp } from "./TestHttp.ts"

layer(testHttp(), { timeout: "60 seconds" })("the documentation page over HTTP", (it) => {
  it.effect("HOST-130 the drive serves the page's style and script at addresses that change with their content, and browsers may keep them", () =>
    Effect.gen(function*() {
      const { body } = yield* send("/api/docs", { method: "GET" })
      const paths = [...String(body).matchAll(/(?:src|rel="stylesheet" href)="([^"]*)"/g)].map(([, path]) => path!)
      assert.lengthOf(paths, 2)
      for (const path of paths) {
        assert.match(path, /^docs\/page\.(?:css|js)\?v=[0-9a-f]{12}$/)
        const asset = yield* send(`/api/${path}`, { method: "GET" })
        assert.strictEqual(asset.status, 200)
        assert.match(asset.headers.get("content-type")!, path.includes(".css") ? /^text\/css/ : /^text\/javascript/)
        assert.include(asset.headers.get("cache-control")!, "immutable")
        assert.strictEqual(asset.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual((yield* send(`/api/${path}`, { method: "POST" })).status, 405)
      }
      assert.strictEqual((yield* send("/api/docs/other.js", { method: "GET" })).status, 404)
    }))

  it.effect("SEC-6 the page's policy allows its own style, script and calls, and nothing inline or from other hosts", () =>
    Effect.gen(function*() {
      const { headers } = yield* send("/api/docs", { method: "GET" })
      const policy = new Map(
        headers.get("content-security-policy")!.split("; ").map((one) => {
          const [name, ...sources] = one.split(" ")
          return [name!, sources.join(" ")] as const
        })
      )
      assert.deepStrictEqual(Object.fromEntries(policy), {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'"
      })
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    }))
})
