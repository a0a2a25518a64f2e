/** The good way, by independent clients: discovery, registration, consent, tokens, their use and their end. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
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
  through,
  visit
} from "./Apps.ts"

const secret = "introspection-secret-of-32-chars"

let drive: MemoryDrive
let ada: DriveUser
let app: App

beforeAll(async () => {
  drive = await newDrive({ oauth: { introspectionSecrets: [secret] } })
  ada = await drive.user({ handle: "ada", displayName: "Ada <Lovelace>" })
  app = await register(drive)
})
afterAll(() => drive.close())

const search = (token: string) =>
  drive.fetch(
    new Request(`${site}/api/search-files`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive", "content-type": "application/json" },
      body: "{}"
    })
  )

const ping = (token: string) =>
  drive.fetch(
    new Request(`${site}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
    })
  )

describe("an app that people connect", () => {
  it("OAUTH-42 a resource's metadata leads to the server's, which says what it speaks", async () => {
    for (const path of ["/api", "/a2a", "/mcp"]) {
      const response = await drive.fetch(new Request(`${site}/.well-known/oauth-protected-resource${path}`))
      const body = await response.json() as Record<string, unknown>
      assert.deepInclude(body, { resource: site + path, authorization_servers: [site] })
      assert.strictEqual(response.headers.get("access-control-allow-origin"), "*")
    }
    assert.deepInclude(app.server, { issuer: site, authorization_response_iss_parameter_supported: true })
    assert.deepStrictEqual(app.server.code_challenge_methods_supported, ["S256"])
    const card = await (await drive.fetch(new Request(`${site}/.well-known/agent-card.json`))).json() as any
    assert.strictEqual(
      card.securitySchemes.oauth.oauth2SecurityScheme.oauth2MetadataUrl,
      `${site}/.well-known/oauth-authorization-server`
    )
  })

  it("OAUTH-78 pages of any origin read the documents and register; only those that the host allows ask the person's data", async () => {
    const preflight = (path: string, method: string) =>
      drive.fetch(
        new Request(site + path, {
          method: "OPTIONS",
          headers: {
            origin: "https://app.test",
            "access-control-request-method": method,
            "access-control-request-headers": "content-type,mcp-protocol-version"
          }
        })
      )
    for (const path of ["register", "token", "revoke"]) {
      const { headers, status } = await preflight(`/oauth/${path}`, "POST")
      assert.deepStrictEqual([status, headers.get("access-control-allow-origin")], [204, "*"], path)
      assert.include(headers.get("access-control-allow-headers")!, "content-type")
    }
    for (const path of ["oauth-authorization-server", "oauth-protected-resource/mcp", "agent-card.json"]) {
      const { headers, status } = await preflight(`/.well-known/${path}`, "GET")
      assert.deepStrictEqual([status, headers.get("access-control-allow-origin")], [204, "*"], path)
    }
    for (const path of ["/oauth/introspect", "/oauth/authorize", "/mcp", "/api/search-files"]) {
      assert.isNull((await preflight(path, "POST")).headers.get("access-control-allow-origin"), path)
    }
  })

  it("OAUTH-79 what goes wrong is told to the person on a page, and the cause to the log alone", async () => {
    const entries: Array<string> = []
    const broken = await newDrive({
      signIn: {
        user: () => {
          throw new Error("the users' database is away")
        },
        loginUrl: () => "/login"
      },
      log: ({ message }) => void entries.push(message)
    })
    const response = await visit(broken, (await ask(await register(broken))).url, null)
    const page = await response.text()
    assert.deepStrictEqual([response.status, response.headers.get("content-type")], [500, "text/html; charset=utf-8"])
    assert.match(page, /Something went wrong on our side.*[\da-f]{8}-/)
    assert.notInclude(page, "database")
    assert.isNotEmpty(entries)
    await broken.close()
  })

  it("OAUTH-18 a tool outside its scope says what to ask for, with what it has; another step gets it", async () => {
    const call = async (token: string) => {
      const response = await drive.fetch(
        new Request(`${site}/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "create_folder", arguments: { path: "/Stepped" } }
          })
        })
      )
      return { response, body: await response.json() as any }
    }
    const first = await connect(drive, app, ada, { permissions: ["read"] })
    const { body, response } = await call(first.access_token)
    assert.deepStrictEqual([response.status, body.error], [403, {
      code: -32602,
      message: "The tool create_folder needs a token with the permission organize."
    }])
    const [, scope] = /error="insufficient_scope", scope="([^"]*)"/.exec(response.headers.get("www-authenticate")!)!
    assert.strictEqual(scope, "read organize")
    const asked = await ask(app, { scope: scope! })
    const answer = await decide(drive, asked, ada, { permissions: scope!.split(" ") })
    const second = await take(drive, app, asked, answer.headers.get("location")!)
    assert.strictEqual((await call(second.access_token)).body.result.isError, undefined)
  })

  it("OAUTH-43 it gets tokens for what the person allowed, refreshes and revokes them (oauth4webapi)", async () => {
    const tokens = await connect(drive, app, ada, { permissions: ["read"] })
    assert.deepStrictEqual([tokens.scope, tokens.expires_in, tokens.token_type], ["read", 3_600, "bearer"])
    assert.strictEqual((await ping(tokens.access_token)).status, 200)
    // For the resource that it asked for only.
    assert.strictEqual((await search(tokens.access_token)).status, 401)
    const answer = await oauth.refreshTokenGrantRequest(
      app.server,
      app.client,
      oauth.None(),
      tokens.refresh_token!,
      through(drive)
    )
    const next = await oauth.processRefreshTokenResponse(app.server, app.client, answer)
    assert.strictEqual((await ping(next.access_token)).status, 200)
    const revoked = await oauth.revocationRequest(
      app.server,
      app.client,
      oauth.None(),
      next.refresh_token!,
      through(drive)
    )
    await oauth.processRevocationResponse(revoked)
    assert.strictEqual((await ping(next.access_token)).status, 401)
  })

  it("OAUTH-43 the same by another independent client (openid-client)", async () => {
    const config = await openid.discovery(new URL(site), app.client.client_id, undefined, openid.None(), {
      algorithm: "oauth2",
      [openid.customFetch]: (url: string, init: object) => drive.fetch(new Request(url, init as RequestInit))
    })
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "read",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      resource: `${site}/api`
    })
    const answer = await decide(drive, { url, state, verifier }, ada, { permissions: ["read"] })
    const tokens = await openid.authorizationCodeGrant(config, new URL(answer.headers.get("location")!), {
      pkceCodeVerifier: verifier,
      expectedState: state
    })
    assert.strictEqual((await search(tokens.access_token)).status, 200)
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    assert.strictEqual((await search(next.access_token)).status, 200)
  })

  it("OAUTH-44 the page says who asks, marks it as unverified, and offers what was asked for and the folders", async () => {
    await ada.call("/create-folder", { path: "/Work & <play>" })
    const { url } = await ask(await register(drive, "<b>Bank</b>"), { scope: "read delete unknown" })
    const response = await visit(drive, url, ada)
    const page = await response.text()
    assert.strictEqual(response.status, 200)
    assert.include(page, "&lt;b&gt;Bank&lt;/b&gt;")
    assert.notInclude(page, "<b>Bank")
    for (
      const text of ["Unverified", "this computer", "Ada &lt;Lovelace&gt;", "/\u2068Work &amp; &lt;play&gt;\u2069"]
    ) {
      assert.include(page, text)
    }
    assert.deepStrictEqual([...page.matchAll(/name="permission" value="(\w+)"/g)].map(([, one]) => one), [
      "read",
      "delete"
    ])
    assert.notInclude(page, "<script")
  })

  it("OAUTH-45 the person narrows what it may do, and chooses a folder", async () => {
    const { id } = (await ada.call("/create-folder", { path: "/Shared" })).body as { readonly id: string }
    const tokens = await connect(drive, app, ada, { permissions: ["read"], folder: id }, { resource: `${site}/api` })
    assert.strictEqual(tokens.scope, "read")
    const found = await sendForm(drive, "/oauth/introspect", { token: tokens.access_token }, {
      authorization: `Bearer ${secret}`
    })
    assert.deepInclude(found.body, {
      active: true,
      sub: ada.userId,
      scope: "read",
      folder: id,
      client_id: app.client.client_id,
      aud: [`${site}/api`]
    })
  })

  it("OAUTH-46 a person who is not signed in is sent to the host's page, and back to the request", async () => {
    const { url } = await ask(app)
    const response = await visit(drive, url, null)
    assert.strictEqual(response.status, 303)
    const login = new URL(response.headers.get("location")!)
    assert.deepStrictEqual([login.origin + login.pathname, login.searchParams.get("to")], [`${site}/login`, url.href])
  })

  it("OAUTH-47 a person who denies leads the app back with access_denied, and nothing was allowed", async () => {
    const asked = await ask(app)
    const response = await decide(drive, asked, ada, { decision: "deny" })
    const back = new URL(response.headers.get("location")!)
    assert.deepStrictEqual(Object.fromEntries(back.searchParams), {
      error: "access_denied",
      state: asked.state,
      iss: site
    })
  })

  it("OAUTH-48 without resource an app asks for all of them; several may be asked for", async () => {
    const all = await connect(drive, app, ada, {}, { resource: null })
    const two = await connect(drive, app, ada, {}, { resource: [`${site}/api`, `${site}/mcp`] })
    for (const { access_token } of [all, two]) {
      assert.deepStrictEqual([(await ping(access_token)).status, (await search(access_token)).status], [200, 200])
    }
  })

  it("OAUTH-49 what a token is, is told to services with a secret of the host's only", async () => {
    const { access_token } = await connect(drive, app, ada)
    for (const headers of [{}, { authorization: `Bearer ${secret}x` }, { authorization: `Bearer ${access_token}` }]) {
      const refused = await sendForm(
        drive,
        "/oauth/introspect",
        { token: access_token },
        headers as Record<string, string>
      )
      assert.deepStrictEqual([refused.status, refused.body.error], [401, "invalid_client"])
    }
    const unknown = await sendForm(drive, "/oauth/introspect", { token: "x" }, { authorization: `Bearer ${secret}` })
    assert.deepStrictEqual(unknown.body, { active: false })
  })

  it("OAUTH-50 a grant is in the list of API tokens under the app's name, with its id, and ends there", async () => {
    const listed = await register(drive, "Listed")
    const { access_token } = await connect(drive, listed, ada)
    await ada.call("/create-api-token", { name: "Laptop" })
    interface Item {
      readonly id: string
      readonly name: string
      readonly clientId: string | null
    }
    const items: ReadonlyArray<Item> = (await ada.call("/select-api-tokens")).body
    assert.isNull(items.find(({ name }) => name === "Laptop")!.clientId)
    const grant = items.find(({ name }) => name === "Listed")!
    assert.strictEqual(grant.clientId, listed.client.client_id)
    assert.strictEqual((await ada.call("/revoke-api-token", { id: grant.id })).status, 200)
    assert.strictEqual((await ping(access_token)).status, 401)
  })

  it("OAUTH-51 without the option signIn there is no authorization server, and resources do not name one", async () => {
    const plain = await newDrive({ signIn: undefined as never })
    for (const path of ["/oauth/authorize", "/.well-known/oauth-authorization-server"]) {
      assert.strictEqual((await plain.fetch(new Request(site + path))).status, 404, path)
    }
    const response = await plain.fetch(new Request(`${site}/.well-known/oauth-protected-resource/mcp`))
    assert.notProperty(await response.json(), "authorization_servers")
    await plain.close()
  })
})
