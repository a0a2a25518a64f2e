/** Stolen, swapped and widened codes and tokens, by independent clients and by hand. RFC 9700, sections 2 and 4. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { type App, ask, connect, decide, newDrive, redirectUri, register, sendForm, site, through } from "./Apps.ts"

const resources = ["api", "a2a", "mcp"] as const

let drive: MemoryDrive
let ada: DriveUser
let eve: DriveUser
let app: App
let config: openid.Configuration

beforeAll(async () => {
  drive = await newDrive()
  ada = await drive.user({ handle: "ada" })
  eve = await drive.user({ handle: "eve" })
  app = await register(drive)
  config = await openid.discovery(new URL(site), app.client.client_id, undefined, openid.None(), {
    algorithm: "oauth2",
    [openid.customFetch]: (url: string, init: object) => drive.fetch(new Request(url, init as RequestInit))
  })
})
afterAll(() => drive.close())

/** Calls of each resource, with a bearer token. */
const calls: Readonly<Record<typeof resources[number], (token: string) => Promise<Response>>> = {
  api: (token) =>
    drive.fetch(
      new Request(`${site}/api/search-files`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive", "content-type": "application/json" },
        body: "{}"
      })
    ),
  a2a: (token) => rpc("/a2a", token, "ListTasks"),
  mcp: (token) => rpc("/mcp", token, "ping")
}

const rpc = (path: string, token: string, method: string, search = "") =>
  drive.fetch(
    new Request(site + path + search, {
      method: "POST",
      headers: {
        ...token !== "" && { authorization: `Bearer ${token}` },
        "content-type": "application/json",
        "a2a-version": "1.0"
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} })
    })
  )

const statuses = async (token: string) => Promise.all(resources.map(async (one) => (await calls[one](token)).status))

const refresh = (refreshToken: string, changes: Readonly<Record<string, string>> = {}) =>
  sendForm(drive, "/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: app.client.client_id,
    ...changes
  })

const exchange = (code: string, verifier: string, changes: Readonly<Record<string, string>> = {}) =>
  sendForm(drive, "/oauth/token", {
    grant_type: "authorization_code",
    code,
    client_id: app.client.client_id,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes
  })

const backOf = async (user: DriveUser, changes = {}) => {
  const asked = await ask(app, changes)
  const back = new URL((await decide(drive, asked, user)).headers.get("location")!)
  return { asked, back, code: back.searchParams.get("code")! }
}

const rejected = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  assert.fail("It was not refused.")
}

describe("codes in the wrong hands", () => {
  const changed = (url: URL, name: string, value: string | null) => {
    const other = new URL(url)
    other.searchParams.delete(name)
    if (value !== null) other.searchParams.set(name, value)
    return other
  }

  it("OAUTH-60 an independent client refuses an answer of another issuer, of none, and of another state", async () => {
    const { asked, back } = await backOf(ada)
    const checks = { pkceCodeVerifier: asked.verifier, expectedState: asked.state }
    for (const wrong of [changed(back, "iss", "https://evil.test"), changed(back, "iss", null)]) {
      assert.match(String((await rejected(openid.authorizationCodeGrant(config, wrong, checks))).cause), /iss/)
      assert.throws(() => oauth.validateAuthResponse(app.server, app.client, wrong, asked.state))
    }
    const forged = changed(back, "state", "forged")
    await rejected(openid.authorizationCodeGrant(config, forged, checks))
    // None of it used the code up.
    const tokens = await openid.authorizationCodeGrant(config, back, checks)
    assert.strictEqual(tokens.token_type, "bearer")
  })

  it("OAUTH-61 a code that is put into another person's session of the same app gives nothing", async () => {
    const [hers, evil] = [await backOf(ada), await backOf(eve)]
    const injected = changed(hers.back, "code", evil.code)
    const checks = { pkceCodeVerifier: hers.asked.verifier, expectedState: hers.asked.state }
    const error = await rejected(openid.authorizationCodeGrant(config, injected, checks)) as openid.ResponseBodyError
    assert.strictEqual(error.error, "invalid_grant")
  })

  it("OAUTH-61 a code is good at its own redirect only, also where another port would be taken", async () => {
    const { asked, code } = await backOf(ada)
    for (const redirect_uri of ["http://127.0.0.1:9999/back", "https://evil.test/"]) {
      assert.strictEqual((await exchange(code, asked.verifier, { redirect_uri })).body.error, "invalid_grant")
    }
    assert.strictEqual((await exchange(code, asked.verifier)).status, 200)
  })

  it("OAUTH-3 a client of OAuth 2.1 names no redirect for its code, which its verifier binds to it", async () => {
    const { asked, code } = await backOf(ada)
    const form = { grant_type: "authorization_code", code, client_id: app.client.client_id }
    const refused = await sendForm(drive, "/oauth/token", { ...form, code_verifier: "x".repeat(43) })
    assert.strictEqual(refused.body.error, "invalid_grant")
    assert.strictEqual((await sendForm(drive, "/oauth/token", { ...form, code_verifier: asked.verifier })).status, 200)
  })

  it("OAUTH-63 PKCE is not downgraded: the challenge does not pass as verifier, and no other method is taken", async () => {
    const { asked, code } = await backOf(ada)
    const challenge = asked.url.searchParams.get("code_challenge")!
    const verifiers = [challenge, asked.verifier.toUpperCase(), asked.verifier.slice(0, -1), `${asked.verifier}a`, "a"]
    for (const verifier of verifiers) {
      assert.strictEqual((await exchange(code, verifier)).body.error, "invalid_grant", verifier)
    }
    for (const code_challenge_method of ["s256", "S512", "none", ""]) {
      const refused = await ask(app, { code_challenge_method })
      const back = new URL((await decide(drive, refused, ada)).headers.get("location")!)
      assert.strictEqual(back.searchParams.get("error"), "invalid_request")
      assert.isNull(back.searchParams.get("code"))
    }
    const twice = await ask(app, { code_challenge: [challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"] })
    assert.strictEqual((await decide(drive, twice, ada)).status, 400)
    assert.strictEqual((await exchange(code, asked.verifier)).status, 200)
  })
})

describe("tokens in the wrong place", () => {
  it("OAUTH-2 a token is taken at the resources that it was asked for, and at no other", async () => {
    const every = [["api"], ["a2a"], ["mcp"], ["api", "a2a"], ["api", "mcp"], ["a2a", "mcp"], ["api", "a2a", "mcp"]]
    const decision = { permissions: ["read", "agent"] }
    for (const names of every) {
      const changes = { scope: "read agent", resource: names.map((one) => `${site}/${one}`) }
      const { access_token } = await connect(drive, app, ada, decision, changes)
      const expected = resources.map((one) => names.includes(one) ? 200 : 401)
      assert.deepStrictEqual(await statuses(access_token), expected, names.join())
    }
  })

  it("OAUTH-2 a client can ask for a token of fewer resources, and never of others", async () => {
    const changes = { scope: "read agent", resource: [`${site}/api`, `${site}/mcp`] }
    const { asked, code } = await backOf(ada, changes)
    assert.strictEqual((await exchange(code, asked.verifier, { resource: `${site}/a2a` })).body.error, "invalid_target")
    const tokens = await exchange(code, asked.verifier, { resource: `${site}/mcp` })
    assert.deepStrictEqual(await statuses(tokens.body.access_token), [401, 401, 200])
    for (const resource of [`${site}/a2a`, `${site}/mcp/`, `${site}/`, "https://evil.test/mcp"]) {
      const refused = await refresh(tokens.body.refresh_token, { resource })
      assert.strictEqual(refused.body.error, "invalid_target", resource)
    }
    const next = await refresh(tokens.body.refresh_token, { resource: `${site}/api` })
    assert.deepStrictEqual(await statuses(next.body.access_token), [200, 401, 401])
  })

  it("OAUTH-74 neither codes nor refresh tokens are bearer tokens, and no token is taken from an address", async () => {
    const { code } = await backOf(ada, { resource: null })
    const tokens = await connect(drive, app, ada, {}, { resource: null })
    for (const bearer of [code, tokens.refresh_token!, app.client.client_id]) {
      assert.deepStrictEqual(await statuses(bearer), [401, 401, 401], bearer.slice(0, 4))
    }
    const inQuery = await rpc("/mcp", "", "ping", `?access_token=${tokens.access_token}`)
    assert.strictEqual(inQuery.status, 401)
  })

  it("OAUTH-74 an access token is exchanged for no session", async () => {
    const tokens = await connect(drive, app, ada, {}, { resource: null })
    for (const token of [tokens.access_token, tokens.refresh_token!]) {
      const answer = await drive.fetch(
        new Request(`${site}/auth/exchange-token`, { method: "POST", headers: { authorization: `Bearer ${token}` } })
      )
      assert.strictEqual(answer.status, 401)
    }
  })
})

describe("more than was allowed", () => {
  it("OAUTH-73 a refresh never widens the scope, whatever was asked for at first", async () => {
    const tokens = await connect(drive, app, ada, { permissions: ["read"] }, {
      scope: "read add organize share delete generate agent"
    })
    assert.strictEqual(tokens.scope, "read")
    for (const scope of ["read add", "delete", "agent", "nothing"]) {
      const answer = await oauth.refreshTokenGrantRequest(
        app.server,
        app.client,
        oauth.None(),
        tokens.refresh_token!,
        { ...through(drive), additionalParameters: { scope } }
      )
      const error = await rejected(oauth.processRefreshTokenResponse(app.server, app.client, answer))
      assert.strictEqual((error as oauth.ResponseBodyError).error, "invalid_scope", scope)
    }
    assert.strictEqual((await refresh(tokens.refresh_token!)).body.scope, "read")
  })

  it("OAUTH-73 a narrower token does not become wider again by itself; the grant's next one may", async () => {
    const tokens = await connect(drive, app, ada, { permissions: ["read", "add"] })
    const narrow = await refresh(tokens.refresh_token!, { scope: "read" })
    assert.strictEqual(narrow.body.scope, "read")
    const list = await (await rpc("/mcp", narrow.body.access_token, "tools/list")).json() as any
    assert.notInclude(list.result.tools.map((tool: { readonly name: string }) => tool.name), "create_folder")
    assert.strictEqual((await refresh(narrow.body.refresh_token)).body.scope, "read add")
  })

  it("OAUTH-73 the folder stays through every refresh, and no parameter changes it", async () => {
    const { id } = (await ada.call("/create-folder", { path: "/Only" })).body as { readonly id: string }
    const outside = await ada.upload({ fileName: "outside.txt", bytes: new TextEncoder().encode("x") })
    let tokens = await connect(drive, app, ada, { folder: id }, {
      resource: `${site}/api`
    }) as oauth.TokenEndpointResponse
    for (const changes of [{}, { folder: "" }, { folderId: "", scope: "read" }]) {
      tokens = (await refresh(tokens.refresh_token!, changes as Record<string, string>)).body
      const found = await (await calls.api(tokens.access_token)).text()
      assert.notInclude(found, outside)
    }
  })

  it("OAUTH-69 what the page did not offer is not allowed, however the answer is written", async () => {
    const asked = await ask(app, { scope: "read" })
    for (const permissions of [["Read"], ["read "], ["read add"], ["all"], ["*"], []]) {
      assert.strictEqual((await decide(drive, asked, ada, { permissions })).status, 400, permissions.join())
    }
  })
})
