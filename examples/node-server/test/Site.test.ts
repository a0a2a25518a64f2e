import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Drive } from "@filedrive/adapter-node"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { settingsOf } from "../src/Environment.ts"
import { site } from "../src/site.ts"

const urls = { api: "https://drive.test/api", auth: "", site: "https://drive.test", storage: "" }

describe("the server's own pages", () => {
  const server = createServer(site({ urls } as Drive, settingsOf({}), async () => false))
  const get = async (path: string, method = "GET") => {
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)))
  afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

  it("LINK-10 a public link has a page that says what it is for, the same for every id", async () => {
    const review = await get("/reviews/5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f?a=%3Cscript%3E")
    assert.strictEqual(review.status, 200)
    assert.match(review.headers.get("content-type") ?? "", /^text\/html/)
    assert.strictEqual(review.headers.get("referrer-policy"), "no-referrer")
    assert.include(review.text, "leave notes")
    assert.strictEqual((await get("/reviews/%3Cscript%3E")).text, review.text)
    for (const path of ["/reviews", "/reviews/", "/reviews/a/b", "/requests/a/b", "/notes/a", "/constructor/a"]) {
      assert.strictEqual((await get(path)).status, 404, path)
    }
    assert.strictEqual((await get("/reviews/a", "POST")).status, 404)
  })
})
