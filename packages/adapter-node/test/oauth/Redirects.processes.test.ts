/** Where people are led back to: exactly where the app registered, and nowhere else, however the address is spelled. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import { type App, ask, decide, newDrive, redirectUri, register, sendForm, site, visit } from "./Apps.ts"

let drive: MemoryDrive
let ada: DriveUser
let app: App

const web = "https://app.example.com/callback?from=drive"

/** An app with these redirects. */
const registered = async (...redirects: ReadonlyArray<string>): Promise<App> => {
  const body = JSON.stringify({ client_name: "Redirected", redirect_uris: redirects })
  const answer = await drive.fetch(new Request(`${site}/oauth/register`, { method: "POST", body }))
  assert.strictEqual(answer.status, 201)
  return { ...app, client: { client_id: (await answer.json() as { readonly client_id: string }).client_id } }
}

beforeAll(async () => {
  drive = await newDrive()
  ada = await drive.user({ handle: "ada" })
  app = await register(drive)
})
afterAll(() => drive.close())

/** Whether the page is shown for this redirect; anything but that and a page of refusal fails. */
const isShown = async (of: App, redirect: string | null): Promise<boolean> => {
  const response = await visit(drive, (await ask(of, { redirect_uri: redirect })).url, ada)
  assert.isNull(response.headers.get("location"), String(redirect))
  assert.oneOf(response.status, [200, 400], String(redirect))
  return response.status === 200
}

let ofWeb: Promise<App> | undefined
const webApp = () => ofWeb ??= registered(web)

describe("redirects", () => {
  it.each([
    "http://127.0.0.1:7777/back/",
    "http://127.0.0.1:7777/back?x=1",
    "http://127.0.0.1:7777/back?",
    "http://127.0.0.1:7777/back#x",
    "http://127.0.0.1:7777/back#",
    "http://127.0.0.1:7777/BACK",
    "http://127.0.0.1:7777//back",
    "http://127.0.0.1:7777/./back",
    "http://127.0.0.1:7777/x/../back",
    "http://127.0.0.1:7777/back/../../evil",
    "http://127.0.0.1:7777/x/%2e%2e/back",
    "http://127.0.0.1:7777/back%2f..%2fevil",
    "http://127.0.0.1:7777/%62ack",
    "http://127.0.0.1:7777/back;x",
    "http://127.0.0.1:7777/back\t",
    "http://127.0.0.1:7777/back\n",
    " http://127.0.0.1:7777/back",
    "http://127.0.0.1.evil.test:7777/back",
    "http://evil.test/127.0.0.1:7777/back",
    "http://ada@127.0.0.1:7777/back",
    "http://@127.0.0.1:7777/back",
    "http://127.0.0.1:7777@evil.test/back",
    "http://127.0.0.1:7777\\@evil.test/back",
    "http://localhost:7777/back",
    "http://[::1]:7777/back",
    "http://[::ffff:127.0.0.1]:7777/back",
    "http://127.1:7777/back",
    "http://2130706433:7777/back",
    "http://0x7f.0.0.1:7777/back",
    "http://127.0.0.1.:7777/back",
    "http://127.0.0.2:7777/back",
    "http://127.0.0.1:99999/back",
    "HTTP://127.0.0.1:7777/back",
    "https://127.0.0.1:7777/back",
    "https://evil.test/back",
    "http:127.0.0.1:7777/back",
    "//127.0.0.1:7777/back",
    "/back",
    "javascript:alert(1)",
    "data:text/html,x",
    "*",
    ""
  ])("OAUTH-62 of an app at http://127.0.0.1:7777/back, %j leads nowhere", async (redirect) => {
    assert.isFalse(await isShown(app, redirect))
  })

  it("OAUTH-62 on the person's own machine any port is taken (RFC 8252), of the registered name alone", async () => {
    const names = ["127.0.0.1", "localhost", "[::1]"]
    for (const name of names) {
      const own = await registered(`http://${name}/back`)
      for (const other of names) {
        for (const port of ["", ":1", ":9999", ":65535"]) {
          assert.strictEqual(
            await isShown(own, `http://${other}${port}/back`),
            name === other,
            `${name} ${other}${port}`
          )
        }
      }
    }
  })

  it.each([
    "https://app.example.com:443/callback?from=drive",
    "https://app.example.com:8443/callback?from=drive",
    "https://APP.example.com/callback?from=drive",
    "https://app.example.com./callback?from=drive",
    "https://app.example.com/Callback?from=drive",
    "https://app.example.com/callback",
    "https://app.example.com/callback?from=drive&x=1",
    "https://app.example.com/callback?from=driv%65",
    "https://app.example.com/callback/?from=drive",
    "https://app.example.com/callback/../evil?from=drive",
    "https://evil.app.example.com/callback?from=drive",
    "https://example.com/callback?from=drive",
    "https://app.example.com.evil.test/callback?from=drive",
    "https://app.example.com@evil.test/callback?from=drive",
    "https://app.example.com%2eevil.test/callback?from=drive",
    "https://аpp.example.com/callback?from=drive",
    "http://app.example.com/callback?from=drive"
  ])("OAUTH-62 of an app on the web, %j leads nowhere", async (redirect) => {
    const own = await webApp()
    assert.isFalse(await isShown(own, redirect))
    assert.isTrue(await isShown(own, web))
  })

  it("OAUTH-62 an app with several redirects names one; one that has a single redirect may leave it out", async () => {
    assert.isTrue(await isShown(app, null))
    assert.isFalse(await isShown(await registered(web, "https://app.example.com/other"), null))
  })

  it("OAUTH-62 the answer keeps the redirect's own query, and what the app sent as state comes back as it was", async () => {
    const state = "a b&code=evil#x\r\nSet-Cookie: x=1 ä"
    const asked = await ask(await webApp(), { redirect_uri: web, state })
    const response = await decide(drive, asked, ada)
    const back = new URL(response.headers.get("location")!)
    assert.strictEqual(back.origin + back.pathname, "https://app.example.com/callback")
    assert.deepStrictEqual([back.searchParams.get("from"), back.searchParams.get("state")], ["drive", state])
    assert.lengthOf(back.searchParams.getAll("code"), 1)
    assert.isNull(response.headers.get("set-cookie"))
  })

  it("OAUTH-75 fields of the answer change neither where it leads nor what was asked for", async () => {
    const asked = await ask(app, { scope: "read" })
    const page = await (await visit(drive, asked.url, ada)).text()
    const [, tie] = /name="tie" value="([^"]*)"/.exec(page)!
    const fields = {
      tie: tie!,
      decision: "allow",
      permission: "read",
      redirect_uri: "https://evil.test/",
      client_id: "evil",
      scope: "read delete",
      state: "evil",
      resource: `${site}/api`
    }
    const response = await visit(drive, asked.url, ada, { method: "POST", body: new URLSearchParams(fields) })
    // With 307 the browser would send the form on (RFC 9700, 4.12).
    assert.strictEqual(response.status, 303)
    assert.strictEqual(response.headers.get("referrer-policy"), "no-referrer")
    const back = new URL(response.headers.get("location")!)
    assert.strictEqual(back.origin + back.pathname, redirectUri)
    assert.strictEqual(back.searchParams.get("state"), asked.state)
    const tokens = await sendForm(drive, "/oauth/token", {
      grant_type: "authorization_code",
      code: back.searchParams.get("code")!,
      client_id: app.client.client_id,
      redirect_uri: redirectUri,
      code_verifier: asked.verifier
    })
    assert.strictEqual(tokens.body.scope, "read")
    assert.strictEqual(tokens.headers.get("cache-control"), "no-store")
  })
})
