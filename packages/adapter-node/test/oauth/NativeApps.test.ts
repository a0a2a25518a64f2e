/** Redirects to native apps by schemes of their own. RFC 8252, section 7.1. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import { type App, ask, decide, newDrive, register, sendForm, site, visit } from "./Apps.ts"

let drive: MemoryDrive
let ada: DriveUser
let app: App

beforeAll(async () => {
  drive = await newDrive({ oauth: { redirectSchemes: ["notes", "com.listed"] } })
  ada = await drive.user({ handle: "ada" })
  app = await register(drive)
})
afterAll(() => drive.close())

interface Registered {
  readonly client_id: string
  readonly redirect_uris: ReadonlyArray<string>
  readonly error?: string
}

const registering = async (redirects: ReadonlyArray<unknown>, at = drive) => {
  const body = JSON.stringify({ client_name: "Editor", redirect_uris: redirects })
  const answer = await at.fetch(new Request(`${site}/oauth/register`, { method: "POST", body }))
  return { status: answer.status, body: await answer.json() as Registered }
}

const cursor = "cursor://anysphere.cursor-mcp/oauth/callback"

describe("native apps", () => {
  it("OAUTH-97 by default the schemes of common editors are accepted, and every scheme with a dot", async () => {
    const other = await newDrive()
    const taken = [
      cursor,
      "vscode://vscode.github-authentication/did-authenticate",
      "vscode-insiders://x/y",
      "windsurf://back",
      "zed://back?a=b",
      "com.example.app:/oauth2redirect/example-provider",
      "com.example.app://back",
      "com.googleusercontent.apps.123-abc:/x"
    ]
    assert.deepStrictEqual((await registering(taken, other)).body.redirect_uris, taken)
    assert.strictEqual((await registering(["notes://back"], other)).status, 400)
    await other.close()
    assert.strictEqual((await registering(["notes://back"])).status, 201)
    assert.strictEqual((await registering([cursor])).status, 400, "a host's list takes the place of the default")
  })

  it.each([
    "javascript:alert(1)",
    "JavaScript://%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://a.test/x",
    "vbscript:x",
    "about:blank",
    "ws://a.test/",
    "ftp://a.test/",
    "intent://a.test/#Intent;end",
    "view-source:https://a.test/",
    "mailto:a@b.test",
    "chrome://settings",
    "http://evil.test/cb",
    "http://notes/back",
    "notes:back",
    "example.com:443/back",
    "custom://back",
    "notes://back#x",
    "notes://ada@back",
    "notes://a b",
    " notes://back",
    "//back",
    "",
    7,
    null
  ])("OAUTH-97 %j is no redirect, and is left out of a list", async (redirect) => {
    assert.deepStrictEqual(await registering([redirect]).then(({ body, status }) => [status, body.error]), [
      400,
      "invalid_redirect_uri"
    ])
    const good = "https://app.test/back"
    assert.deepStrictEqual((await registering([redirect, good])).body.redirect_uris, [good])
  })

  it("OAUTH-97 a person is led to exactly the registered redirect, with a code that gives tokens", async () => {
    const redirect_uri = "notes://Back/oauth?from=drive"
    const { client_id } = (await registering([redirect_uri])).body
    const own: App = { ...app, client: { client_id } }
    const asked = await ask(own, { redirect_uri })
    const page = await visit(drive, asked.url, ada)
    assert.include(page.headers.get("content-security-policy")!, "form-action 'self' https: notes:;")
    assert.include(await page.text(), "(<strong><bdi>notes:</bdi></strong>)")
    const location = (await decide(drive, asked, ada)).headers.get("location")!
    assert.isTrue(location.startsWith(`${redirect_uri}&code=fdc_`), location)
    const exchanged = await sendForm(drive, "/oauth/token", {
      grant_type: "authorization_code",
      client_id,
      redirect_uri,
      code: new URL(location).searchParams.get("code")!,
      code_verifier: asked.verifier
    })
    assert.strictEqual(exchanged.status, 200)
    for (const wrong of ["notes://Back/oauth", "notes://back/oauth?from=drive", "notes://Back:1/oauth?from=drive"]) {
      const refused = await visit(drive, (await ask(own, { redirect_uri: wrong })).url, ada)
      assert.deepStrictEqual([refused.status, refused.headers.get("location")], [400, null], wrong)
    }
    const denied = await decide(drive, await ask(own, { redirect_uri }), ada, { decision: "deny" })
    assert.match(denied.headers.get("location")!, /^notes:\/\/Back\/oauth\?from=drive&error=access_denied/)
  })

  it("OAUTH-97 an invalid request is refused on a page before a person has answered", async () => {
    const { client_id } = (await registering(["com.example.app:/back"])).body
    const asked = await ask({ ...app, client: { client_id } }, { redirect_uri: null, scope: "nothing" })
    const refused = await visit(drive, asked.url, ada)
    assert.deepStrictEqual([refused.status, refused.headers.get("location")], [400, null])
    assert.include(await refused.text(), "invalid_scope")
  })
})
