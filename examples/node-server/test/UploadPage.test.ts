import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type DriveUser, type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Cookie from "../src/signIn/Cookie.ts"
import { build } from "../src/upload/builtPage.ts"
import { storageOrigin, uploadPage } from "../src/upload/uploadPage.ts"

const site = "https://drive.test"
const s3 = {
  endpoint: null,
  publicEndpoint: null,
  region: "eu-west-1",
  privateBucket: "private",
  publicBucket: "public",
  forcePathStyle: false,
  credentials: { accessKeyId: "", secretAccessKey: "" },
  postPolicy: true,
  createBuckets: false
}

let drive: MemoryDrive
let ada: DriveUser
let server: Server
let origin: string
let session: string

beforeAll(async () => {
  drive = await memoryDrive({ url: site })
  ada = await drive.user()
  const answer = uploadPage(drive, s3)
  server = createServer(async (request, response) => {
    if (!(await answer(request, response))) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  session = (await drive.sessions.open(ada.userId)).token
})
afterAll(async () => {
  server.close()
  await drive.close()
})

const cookieOf = (token: string) => Cookie.of(token, new Date(), true).split(";")[0]!
const ask = (path: string, method: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(origin + path, { method, headers, redirect: "manual" })

describe("the example server's page for uploads", () => {
  it("CLIENT-143 its session is the browser's own, for pages of the site alone, and ends by signing out", async () => {
    const cookie = cookieOf(session)
    const own = await ask("/upload/session", "POST", { cookie, origin: site, "sec-fetch-site": "same-origin" })
    assert.deepStrictEqual([own.status, await own.text()], [200, session])
    assert.strictEqual(own.headers.get("cache-control"), "no-store")
    for (const foreign of [{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "same-site" }]) {
      const refused = await ask("/upload/session", "POST", { cookie, ...foreign })
      assert.strictEqual(refused.status, 403)
      assert.notInclude(await refused.text(), session)
    }
    assert.strictEqual((await ask("/upload/session", "GET", { cookie })).status, 404)
    assert.strictEqual((await ask("/upload/session", "POST")).status, 401)
    const limited = await drive.sessions.open(ada.userId, { permissions: ["read"] })
    assert.strictEqual((await ask("/upload/session", "POST", { cookie: cookieOf(limited.token) })).status, 401)
    const ended = await drive.sessions.open(ada.userId)
    await drive.sessions.end(ended.token)
    assert.strictEqual((await ask("/upload/session", "POST", { cookie: cookieOf(ended.token) })).status, 401)
  })

  it("PAGE-168 where packages for development are missing it says so, as a page of its own", async () => {
    const missing = Object.assign(new Error("Build failed"), { errors: [{ text: `Could not resolve "@uppy/core"` }] })
    const away = Object.assign(new Error("Cannot find package 'esbuild'"), { code: "ERR_MODULE_NOT_FOUND" })
    for (const cause of [missing, away]) {
      const answer = uploadPage(drive, null, () => build(() => Promise.reject(cause)))
      const lacking = createServer((request, response) => void answer(request, response))
      await new Promise<void>((resolve) => lacking.listen(0, "127.0.0.1", resolve))
      const { port } = lacking.address() as AddressInfo
      const page = await fetch(`http://127.0.0.1:${port}/upload`, {
        headers: { cookie: cookieOf(session), "accept-language": "de" }
      })
      const text = await page.text()
      assert.strictEqual(page.status, 503)
      assert.include(text, "<h1>Hochladen ist hier nicht eingerichtet</h1>")
      assert.include(text, "<code>npm ci</code>")
      assert.include(page.headers.get("content-security-policy")!, "default-src 'none'; style-src 'sha256-")
      lacking.closeAllConnections()
      lacking.close()
    }
    // Any other failure is not reported as a missing package.
    const broken = new Error("Build failed")
    const other = await build(() => Promise.reject(broken)).catch((error: unknown) => error)
    assert.strictEqual(other, broken)
  })

  it("CLIENT-143 who has not signed in is led to the form; the page runs its own script alone", async () => {
    const led = await ask("/upload", "GET")
    assert.deepStrictEqual([led.status, led.headers.get("location")], [303, "/sign-in?return=%2Fupload"])
    const page = await ask("/upload", "GET", { cookie: cookieOf(session) })
    const text = await page.text()
    assert.strictEqual(page.status, 200)
    assert.notInclude(text, session)
    const policy = page.headers.get("content-security-policy")!
    for (
      const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self' https://private.s3.eu-west-1.amazonaws.com",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'"
      ]
    ) {
      assert.include(policy.split("; "), part)
    }
    for (const [, path] of text.matchAll(/(?:src|href)="(\/upload\/[^"]+)"/g)) {
      const asset = await ask(path!, "GET", { "accept-encoding": "gzip" })
      assert.strictEqual(asset.status, 200, path)
      assert.isAbove((await asset.text()).length, 1_000)
    }
    assert.strictEqual((await ask("/upload/page-0000000000000000.js", "GET")).status, 404)
  }, 60_000)

  it("CLIENT-143 storage is reached where it is", () => {
    const endpoint = "http://127.0.0.1:7480"
    assert.strictEqual(storageOrigin({ ...s3, endpoint, forcePathStyle: true }), endpoint)
    const publicEndpoint = "https://objects.example.com"
    assert.strictEqual(storageOrigin({ ...s3, endpoint, publicEndpoint }), "https://private.objects.example.com")
  })
})
