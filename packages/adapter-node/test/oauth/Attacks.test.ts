/** What is refused: the attacks of RFC 9700, and requests that no client sends. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import * as oauth from "oauth4webapi"
import {
  type App,
  ask,
  connect,
  decide,
  newDrive,
  redirectUri,
  register,
  sendForm,
  site,
  take,
  tieOf,
  visit
} from "./Apps.ts"

let drive: MemoryDrive
let ada: DriveUser
let eve: DriveUser
let app: App

beforeAll(async () => {
  drive = await newDrive()
  ada = await drive.user({ handle: "ada" })
  eve = await drive.user({ handle: "eve" })
  app = await register(drive)
})
afterAll(() => drive.close())

const locationOf = (response: Response) => response.headers.get("location")

const codeOf = async (user: DriveUser, changes = {}) => {
  const asked = await ask(app, changes)
  const back = new URL(locationOf(await decide(drive, asked, user))!)
  return { asked, code: back.searchParams.get("code")!, back }
}

const exchange = (code: string, verifier: string, changes: Readonly<Record<string, string>> = {}) =>
  sendForm(drive, "/oauth/token", {
    grant_type: "authorization_code",
    code,
    client_id: app.client.client_id,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes
  })

describe("attacks on connected apps", () => {
  it("OAUTH-60 mixed-up issuer: every answer names this server, and a client refuses another's", async () => {
    const { asked, back } = await codeOf(ada)
    assert.strictEqual(back.searchParams.get("iss"), site)
    const other = { ...app.server, issuer: "https://evil.test" }
    assert.throws(() => oauth.validateAuthResponse(other, app.client, back, asked.state))
  })

  it("OAUTH-61 code injection: a code is refused without the verifier of the session that asked for it", async () => {
    const { code } = await codeOf(ada)
    const stranger = await ask(app)
    const refused = await exchange(code, stranger.verifier)
    assert.deepStrictEqual([refused.status, refused.body.error], [400, "invalid_grant"])
    const other = await register(drive, "Other")
    const { asked, code: again } = await codeOf(ada)
    const byOther = await exchange(again, asked.verifier, { client_id: other.client.client_id })
    assert.strictEqual(byOther.body.error, "invalid_grant")
  })

  it("OAUTH-63 a request without PKCE by S256 is refused, and so is an exchange without a verifier", async () => {
    const changes = [
      { code_challenge: null },
      { code_challenge_method: null },
      { code_challenge_method: "plain" },
      { code_challenge: "short" }
    ]
    for (const change of changes) {
      const back = new URL(locationOf(await visit(drive, (await ask(app, change)).url, ada))!)
      assert.deepStrictEqual([back.searchParams.get("error"), back.searchParams.get("iss")], ["invalid_request", site])
    }
    const { code } = await codeOf(ada)
    assert.strictEqual((await exchange(code, "")).body.error, "invalid_grant")
  })

  it("OAUTH-64 replay: a code that is used again ends what it gave", async () => {
    const { asked, code } = await codeOf(ada)
    const first = await exchange(code, asked.verifier)
    assert.strictEqual(first.status, 200)
    assert.strictEqual((await exchange(code, asked.verifier)).body.error, "invalid_grant")
    const refreshed = await sendForm(drive, "/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: first.body.refresh_token,
      client_id: app.client.client_id
    })
    assert.strictEqual(refreshed.body.error, "invalid_grant")
  })

  it("OAUTH-64 replay: a refresh token that is used again ends the grant", async () => {
    const tokens = await connect(drive, app, ada)
    const send = (refresh_token: string, fields: Readonly<Record<string, string>> = {}) =>
      sendForm(drive, "/oauth/token", {
        grant_type: "refresh_token",
        refresh_token,
        client_id: app.client.client_id,
        ...fields
      })
    const second = await send(tokens.refresh_token!)
    // A parameter without a value counts as omitted.
    const repeat = await send(tokens.refresh_token!, { scope: "", resource: "" })
    assert.deepStrictEqual(repeat.body, second.body, "OAUTH-71 OAUTH-99")
    const next = await send(second.body.refresh_token)
    assert.strictEqual((await send(tokens.refresh_token!)).body.error, "invalid_grant")
    const ping = await drive.fetch(
      new Request(`${site}/mcp`, { method: "POST", headers: { authorization: `Bearer ${next.body.access_token}` } })
    )
    assert.strictEqual(ping.status, 401)
  })

  it("OAUTH-65 CSRF: an answer from another site, without the page's tie or the person gives no code", async () => {
    const asked = await ask(app)
    const other = await ask(app)
    const evesTie = await tieOf(drive, asked, eve)
    const othersTie = await tieOf(drive, other, ada)
    const decisions = [
      { headers: { origin: "https://evil.test" } },
      { headers: { origin: "null" } },
      { headers: { "sec-fetch-site": "cross-site" } },
      { headers: { "sec-fetch-site": "same-site" } },
      { tie: "" },
      { tie: "made up" },
      { tie: evesTie },
      { tie: othersTie }
    ]
    for (const decision of decisions) {
      const response = await decide(drive, asked, ada, decision)
      assert.deepStrictEqual([response.status, locationOf(response)], [403, null], JSON.stringify(decision))
    }
    const nobody = await visit(drive, asked.url, null, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ tie: await tieOf(drive, asked, ada), decision: "allow", permission: "read" })
        .toString()
    })
    assert.match(locationOf(nobody)!, /\/login\?/)
    const own = await decide(drive, asked, ada, { headers: { origin: site, "sec-fetch-site": "same-origin" } })
    assert.include(locationOf(own)!, "code=")
  })

  it("OAUTH-66 a page that is older than ten minutes, or was answered, gives no code", async () => {
    const asked = await ask(app)
    const tie = await tieOf(drive, asked, ada)
    const first = await decide(drive, asked, ada, { tie })
    assert.include(locationOf(first)!, "code=")
    const again = await decide(drive, asked, ada, { tie })
    assert.deepStrictEqual([again.status, locationOf(again)], [409, null])
    const denied = await tieOf(drive, asked, ada)
    for (const decision of ["deny", "deny"]) {
      assert.include(locationOf(await decide(drive, asked, ada, { tie: denied, decision }))!, "error=access_denied")
    }
    assert.strictEqual((await decide(drive, asked, ada, { tie: denied })).status, 409)
    const late = await tieOf(drive, asked, ada)
    await drive.clock.advance("11 minutes")
    assert.strictEqual((await decide(drive, asked, ada, { tie: late })).status, 403)
  })

  it("OAUTH-67 clickjacking: no page may frame it, no cache keeps it, and no script runs on it", async () => {
    const { headers } = await visit(drive, (await ask(app)).url, ada)
    const policy = headers.get("content-security-policy")!
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) assert.include(policy, part)
    assert.notInclude(policy, "script")
    assert.deepStrictEqual(
      ["x-frame-options", "cache-control", "referrer-policy", "x-content-type-options"].map((name) =>
        headers.get(name)
      ),
      ["DENY", "no-store", "same-origin", "nosniff"]
    )
  })

  it("OAUTH-68 open redirect: faults are told at a redirect of the person's own machine only", async () => {
    const answer = await drive.fetch(
      new Request(`${site}/oauth/register`, {
        method: "POST",
        body: JSON.stringify({ client_name: "Evil", redirect_uris: ["https://evil.test/landing"] })
      })
    )
    const { client_id } = await answer.json() as { readonly client_id: string }
    const bad = await ask({ ...app, client: { client_id } }, {
      redirect_uri: "https://evil.test/landing",
      response_type: "token"
    })
    for (const user of [null, ada]) {
      const response = await visit(drive, bad.url, user)
      assert.deepStrictEqual([response.status, locationOf(response)], [400, null])
    }
  })

  it("OAUTH-69 the person can allow no more than was asked for, and no folder of another's", async () => {
    const asked = await ask(app, { scope: "read" })
    const back = new URL(locationOf(await decide(drive, asked, ada, { permissions: ["read", "delete", "agent"] }))!)
    const tokens = await take(drive, app, asked, back.href)
    assert.strictEqual(tokens.scope, "read")
    assert.strictEqual((await decide(drive, asked, ada, { permissions: ["delete"] })).status, 400)
    const { id } = (await eve.call("/create-folder", { path: "/hers" })).body as { readonly id: string }
    for (const folder of [id, "x", "../"]) {
      assert.strictEqual((await decide(drive, await ask(app), ada, { folder })).status, 400)
    }
  })

  it("OAUTH-70 unknown scopes and resources are refused", async () => {
    const errors = [
      [{ scope: "admin" }, "invalid_scope"],
      [{ resource: "https://evil.test/mcp" }, "invalid_target"],
      [{ resource: [`${site}/mcp`, `${site}/mcp/`] }, "invalid_target"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"]
    ] as const
    for (const [change, error] of errors) {
      const back = new URL(locationOf(await visit(drive, (await ask(app, change)).url, ada))!)
      assert.strictEqual(back.searchParams.get("error"), error)
    }
    for (
      const change of [{ client_id: "unknown" }, { client_id: null }, { client_id: ["a", "b"] }, { state: ["a", "b"] }]
    ) {
      assert.strictEqual((await visit(drive, (await ask(app, change)).url, ada)).status, 400)
    }
  })

  it("OAUTH-71 the token endpoint refuses bodies that are not forms, secrets and repeated parameters, by the codes of RFC 6749", async () => {
    const form = { grant_type: "refresh_token", refresh_token: "x", client_id: "x" }
    const send = async (body: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await drive.fetch(
        new Request(`${site}/oauth/token`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          body
        })
      )
      return [response.status, (await response.json() as { readonly error: string }).error]
    }
    const text = new URLSearchParams(form).toString()
    assert.deepStrictEqual(await send("{}", { "content-type": "application/json" }), [400, "invalid_request"])
    assert.deepStrictEqual(await send(`${text}&client_id=y`), [400, "invalid_request"])
    assert.deepStrictEqual(await send(`${text}&client_secret=y`), [401, "invalid_client"])
    assert.deepStrictEqual(await send(text, { authorization: "Basic eDp5" }), [401, "invalid_client"])
    assert.deepStrictEqual(await send(`${text}&x=${"y".repeat(20_000)}`), [400, "invalid_request"])
    assert.deepStrictEqual(await send("grant_type=password&client_id=x"), [400, "unsupported_grant_type"])
    assert.deepStrictEqual(await send(text), [400, "invalid_grant"])
    assert.deepStrictEqual(await send("grant_type=refresh_token&client_id=x"), [400, "invalid_request"])
  })

  it("OAUTH-72 registration refuses redirects and names that would mislead people", async () => {
    const send = async (body: unknown) => {
      const response = await drive.fetch(
        new Request(`${site}/oauth/register`, { method: "POST", body: JSON.stringify(body) })
      )
      return [response.status, (await response.json() as { readonly error?: string }).error]
    }
    const redirects = [
      undefined,
      [],
      ["http://evil.test/"],
      ["https://a.test/#x"],
      ["https://a@b.test/"],
      ["custom:x"],
      ["javascript:alert(1)"],
      ["https://a.test/ä"],
      [`https://a.test/${"x".repeat(500)}`],
      Array.from({ length: 11 }, (_, at) => `https://a.test/${at}`)
    ]
    for (const redirect_uris of redirects) {
      assert.deepStrictEqual(await send({ redirect_uris }), [400, "invalid_redirect_uri"], String(redirect_uris))
    }
    for (const client_name of ["", " ", "a\nb", "a\u202eb", "x".repeat(101), 7]) {
      const refused = await send({ client_name, redirect_uris: ["https://a.test/"] })
      assert.deepStrictEqual(refused, [400, "invalid_client_metadata"])
    }
    for (const body of [null, [], "x", 1]) assert.strictEqual((await send(body))[0], 400)
  })
})
