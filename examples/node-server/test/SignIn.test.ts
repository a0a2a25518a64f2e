import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type DriveUser, type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { returnPath } from "../src/signIn/returnPath.ts"
import { signIn, userOf } from "../src/signIn/SignIn.ts"
import * as Tickets from "../src/signIn/Tickets.ts"

const site = "https://drive.test"

let drive: MemoryDrive
let ada: DriveUser
let dataDirectory: string
let server: Server
let origin: string

beforeAll(async () => {
  drive = await memoryDrive({ url: site })
  ada = await drive.user()
  dataDirectory = await mkdtemp(join(tmpdir(), "sign-in-"))
  const answer = signIn(drive, { dataDirectory, trustedProxies: 1, firstUserId: () => ada.userId })
  server = createServer(async (request, response) => {
    if (!(await answer(request, response))) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await drive.close()
  await rm(dataDirectory, { recursive: true })
})

const post = (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  path = "/sign-in"
) => fetch(origin + path, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(fields) })

const cookieOf = (response: Response) => response.headers.get("set-cookie")

const signedIn = (response: Response) => userOf(drive, cookieOf(response)!.split(";")[0]!)

describe("signing in at the example server", () => {
  it("SIGN-1 an API token without limits signs its user in, with a cookie that no script reads", async () => {
    const response = await post({ apiToken: ada.apiToken }, {}, "/sign-in?return=%2Foauth%2Fauthorize%3Fx%3D1")
    assert.deepStrictEqual([response.status, response.headers.get("location")], [303, "/oauth/authorize?x=1"])
    const cookie = cookieOf(response)!
    for (const part of ["__Host-filedrive=", "HttpOnly", "SameSite=Lax", "Secure", "Path=/"]) {
      assert.include(cookie, part)
    }
    assert.strictEqual(await signedIn(response), ada.userId)
    const shown = await fetch(`${origin}/sign-in`, { headers: { cookie: cookie.split(";")[0]! } })
    assert.include(await shown.text(), "<h1>You are signed in</h1>")
    assert.notInclude(await (await fetch(`${origin}/sign-in`)).text(), "You are signed in")
  })

  it("SIGN-2 a wrong token and a limited one are refused alike", async () => {
    const { token } = await drive.tokens.create(ada.userId, { name: "reads", permissions: ["read"] })
    const texts = new Set<string>()
    for (const apiToken of ["", "x", "fdt_wrong", token, "x".repeat(20_000)]) {
      const response = await post({ apiToken })
      assert.deepStrictEqual([response.status, cookieOf(response)], [403, null])
      texts.add(await response.text())
    }
    assert.strictEqual(texts.size, 1)
  })

  it("SIGN-3 a form of another site signs no person in, and none out", async () => {
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      const response = await post({ apiToken: ada.apiToken }, headers as unknown as Record<string, string>)
      assert.deepStrictEqual([response.status, cookieOf(response)], [403, null])
    }
    assert.isNull(cookieOf(await post({}, { origin: "https://evil.test" }, "/sign-out")))
  })

  it.each([
    ["/oauth/authorize?a=1", "/oauth/authorize?a=1"],
    [`${site}/x?y=1`, "/x?y=1"],
    ["https://evil.test/x", "/"],
    ["//evil.test", "/"],
    ["/\\evil.test", "/"],
    ["/x/..//evil.test", "/"],
    ["javascript:alert(1)", "/"],
    [`blob:${site}//evil.test`, "/"],
    ["\t//evil.test", "/"],
    [null, "/"]
  ])("SIGN-4 after signing in, %s leads to %s", (asked, path) => {
    assert.strictEqual(returnPath(asked, site), path)
  })

  it("SIGN-5 a ticket signs the first account in once; showing its page uses nothing up", async () => {
    const ticket = await Tickets.make(dataDirectory)
    const page = await (await fetch(`${origin}/sign-in?ticket=${ticket}`)).text()
    assert.include(page, ticket)
    const results = await Promise.all([post({ ticket }), post({ ticket }), post({ ticket })])
    assert.deepStrictEqual(results.map(({ status }) => status).toSorted(), [303, 403, 403])
    assert.strictEqual(await signedIn(results.find(({ status }) => status === 303)!), ada.userId)
  })

  it("SIGN-6 a ticket is good for 15 minutes", async () => {
    const [fresh, old] = [await Tickets.make(dataDirectory), await Tickets.make(dataDirectory)]
    assert.isTrue(await Tickets.use(dataDirectory, fresh, Date.now() + Tickets.lifetimeMillis - 60_000))
    assert.isFalse(await Tickets.use(dataDirectory, old, Date.now() + Tickets.lifetimeMillis + 1_000))
    assert.isFalse(await Tickets.use(dataDirectory, "../demo-token"))
  })

  it("SIGN-31 a ticket with which nobody could be signed in stays good", async () => {
    const ticket = await Tickets.make(dataDirectory)
    const away = new Error("away")
    const failing = { ...drive, sessions: { ...drive.sessions, open: () => Promise.reject(away) } }
    const answer = signIn(failing, { dataDirectory, trustedProxies: 0, firstUserId: () => ada.userId })
    const request = Object.assign(Readable.from([Buffer.from(`ticket=${ticket}`)]), {
      method: "POST",
      url: "/sign-in",
      headers: {},
      socket: {}
    })
    const failure = await answer(request as unknown as IncomingMessage, {} as ServerResponse).catch((error) => error)
    assert.strictEqual(failure, away)
    assert.strictEqual((await post({ ticket })).status, 303)
  })

  it("SIGN-32 tickets that nobody used in time are removed when another is made", async () => {
    const directory = await mkdtemp(join(tmpdir(), "tickets-"))
    const now = Date.now()
    await Tickets.make(directory, now)
    await Tickets.make(directory, now)
    assert.lengthOf(await readdir(join(directory, "sign-in")), 2)
    await Tickets.make(directory, now + Tickets.lifetimeMillis + 1_000)
    assert.lengthOf(await readdir(join(directory, "sign-in")), 1)
    await rm(directory, { recursive: true })
  })

  it("SIGN-7 signing out ends the session; a page in no frame, without script", async () => {
    const response = await post({ apiToken: ada.apiToken })
    const cookie = cookieOf(response)!.split(";")[0]!
    const left = await post({}, { cookie }, "/sign-out")
    assert.include(cookieOf(left)!, "Max-Age=0")
    assert.isNull(await userOf(drive, cookie))
    const { headers } = await fetch(`${origin}/sign-in`)
    assert.include(headers.get("content-security-policy")!, "frame-ancestors 'none'")
    assert.include(headers.get("content-security-policy")!, "default-src 'none'")
    // With `no-referrer` browsers would send `Origin: null` with the page's own form, which is refused.
    assert.strictEqual(headers.get("referrer-policy"), "same-origin")
  })

  it("SIGN-9 who signed in by an API token is signed out when it is revoked; signing in again ends the former session", async () => {
    const { id, token } = await drive.tokens.create(ada.userId, { name: "lost" })
    const first = cookieOf(await post({ apiToken: token }))!.split(";")[0]!
    const second = cookieOf(await post({ apiToken: token }, { cookie: first }))!.split(";")[0]!
    assert.isNull(await userOf(drive, first))
    assert.strictEqual(await userOf(drive, second), ada.userId)
    await drive.tokens.revoke(ada.userId, id)
    assert.isNull(await userOf(drive, second))
  })

  it("SIGN-10 of wrong tokens 30 a minute are looked up for an address, and others can sign in", async () => {
    const from = (address: string, apiToken: string) => post({ apiToken }, { "x-forwarded-for": `spoofed, ${address}` })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => from("192.0.2.1", `wrong-${at}`)))
    assert.strictEqual(answers.filter(({ status }) => status === 403).length, 30)
    const late = await from("192.0.2.1", ada.apiToken)
    assert.deepStrictEqual([late.status, cookieOf(late)], [429, null])
    assert.isAbove(Number(late.headers.get("retry-after")), 0)
    for (let at = 0; at < 40; at++) assert.strictEqual((await from("192.0.2.2", ada.apiToken)).status, 303)
  })

  it("SIGN-8 a host asks whose session and token it is; an app's access token is not a session", async () => {
    const { token } = await drive.sessions.open(ada.userId, { permissions: ["read"] })
    assert.deepStrictEqual(await drive.sessions.find(token), {
      userId: ada.userId,
      permissions: ["read"],
      folder: null
    })
    assert.isNull(await userOf(drive, `__Host-filedrive=${token}`))
    await drive.sessions.end(token)
    assert.isNull(await drive.sessions.find(token))
    assert.deepInclude(await drive.tokens.find(ada.apiToken), { userId: ada.userId, permissions: null })
    assert.isNull(await drive.tokens.find("fda_wrong"))
  })
})
