/** What one address, or one caller, can take from the others at OAuth's endpoints. */
import { assert, describe, it } from "@effect/vitest"
import { type DriveOptions, listen } from "@filedrive/adapter-node"
import { connect } from "node:net"
import { temporaryDrive } from "../hosts/hosts.ts"

const url = "http://drive.test"
const secret = "secret-of-the-hosts-own-services-0"
/** By the hour: a slow machine gains nobody a call. */
const anonymous = { calls: 4, perSeconds: 3_600 }

const options: DriveOptions = {
  url,
  trustedProxies: 1,
  rateLimits: { anonymous, registration: { calls: 1, perSeconds: 3_600 }, account: { calls: 6, perSeconds: 3_600 } },
  oauth: { introspectionSecrets: [secret] },
  signIn: { user: ({ headers }) => headers.get("x-signed-in"), loginUrl: () => "/login" }
}

const opened = async () => {
  const { close, drive } = await temporaryDrive(options)
  const { userId } = (await drive.accounts.create({}))!
  /** A form, or a page without one, from one address. */
  const send = (path: string, form: Readonly<Record<string, string>> | null, headers: Record<string, string> = {}) =>
    drive.fetch(
      new Request(url + path, {
        ...form !== null && { method: "POST", body: new URLSearchParams(form) },
        redirect: "manual",
        headers: { "x-forwarded-for": "192.0.2.1", ...headers }
      })
    )
  const statuses = async (count: number, one: () => Promise<Response>) => {
    const all = new Set<number>()
    for (let at = 0; at < count; at++) {
      const response = await one()
      await response.text()
      all.add(response.status)
    }
    return [...all]
  }
  return { close, drive, send, statuses, userId }
}

const exhaust = { grant_type: "refresh_token", client_id: "x", refresh_token: "fdr_a.b" }

describe("load at OAuth's endpoints", () => {
  it("OAUTH-26 a host's services that show their secret are not held to the limit of callers without a session", async () => {
    const { close, send, statuses } = await opened()
    const ask = (shown: string) => send("/oauth/introspect", { token: "fda_x" }, { authorization: `Bearer ${shown}` })
    assert.deepStrictEqual(await statuses(anonymous.calls * 3, () => ask(secret)), [200])
    assert.deepStrictEqual(await statuses(anonymous.calls * 2, () => ask("wrong")), [401, 429])
    assert.strictEqual((await ask(secret)).status, 200)
    await close()
  })

  it("OAUTH-26 wrong refresh tokens from an address keep nobody there from signing in, connecting an app and refreshing", async () => {
    const { close, drive, send, statuses, userId } = await opened()
    const redirect_uri = "http://127.0.0.1/back"
    const registered = await drive.fetch(
      new Request(`${url}/oauth/register`, { method: "POST", body: JSON.stringify({ redirect_uris: [redirect_uri] }) })
    )
    const { client_id } = await registered.json() as { readonly client_id: string }
    const verifier = "v".repeat(43)
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
    const code_challenge = Buffer.from(hash).toString("base64url")
    const asked = { client_id, redirect_uri, response_type: "code", code_challenge, code_challenge_method: "S256" }
    const path = `/oauth/authorize?${new URLSearchParams(asked)}`
    const person = { "x-signed-in": userId }
    assert.deepStrictEqual(await statuses(anonymous.calls * 2, () => send("/oauth/token", exhaust)), [400, 429])
    // Nobody is signed in there, and somebody is.
    assert.strictEqual((await send(path, null)).status, 429)
    const tie = /name="tie" value="([^"]*)"/.exec(await (await send(path, null, person)).text())![1]!
    const answer = await send(path, { tie, decision: "allow", permission: "read", folder: "" }, person)
    const code = new URL(answer.headers.get("location")!).searchParams.get("code")!
    const first = await send("/oauth/token", {
      grant_type: "authorization_code",
      code,
      client_id,
      redirect_uri,
      code_verifier: verifier
    })
    assert.strictEqual(first.status, 200)
    const { refresh_token } = await first.json() as { readonly refresh_token: string }
    assert.strictEqual((await send("/oauth/token", { ...exhaust, client_id, refresh_token })).status, 200)
    // Pages count for the account.
    assert.deepStrictEqual(await statuses(10, () => send(path, null, person)), [200, 429])
    await close()
  })

  it("OAUTH-28 registrations are limited for an address, and ten times that for a site of IPv6", async () => {
    const { close, drive, statuses } = await opened()
    let at = 0
    const register = (address: string) =>
      drive.fetch(
        new Request(`${url}/oauth/register`, {
          method: "POST",
          headers: { "x-forwarded-for": address },
          body: JSON.stringify({ redirect_uris: ["https://app.test/"] })
        })
      )
    assert.deepStrictEqual(await statuses(2, () => register(`2001:db8:1:${++at}::1`)), [201])
    assert.deepStrictEqual(await statuses(2, () => register("2001:db8:1:1::2")), [429])
    assert.deepStrictEqual(await statuses(10, () => register(`2001:db8:1:${++at}::1`)), [201, 429])
    assert.strictEqual((await register("2001:db8:2:1::1")).status, 201)
    assert.strictEqual((await register("192.0.2.7")).status, 201)
    await close()
  })

  it("OAUTH-27 reading a body stops at the length that a form may have", async () => {
    const server = await listen((request, response) => drive.nodeHandler(request, response), { port: 0 })
    const { close, drive } = await temporaryDrive({ ...options, url: server.origin })
    await drive.ready()
    const answerOf = (path: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(server.origin).port), "127.0.0.1")
        // It never ends.
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
            `Transfer-Encoding: chunked\r\n\r\n4e20\r\n${"a".repeat(20_000)}\r\n`
        )
        socket.once("data", (bytes) => {
          resolve(bytes.toString().split("\r\n")[0]!)
          socket.destroy()
        })
      })
    for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/register", "/oauth/authorize"]) {
      assert.strictEqual(await answerOf(path), "HTTP/1.1 400 Bad Request", path)
    }
    await server.stop()
    await close()
  })
})
