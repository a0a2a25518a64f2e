/** The pages of consent look and speak as the drive's other pages do. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { createHash } from "node:crypto"
import type { DriveOptions } from "../../src/DriveOptions.ts"

const site = "https://app.example.com/drive"
const logo = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"/>`)

const drives: Array<MemoryDrive> = []
afterAll(() => Promise.all(drives.map((drive) => drive.close())))

/** The page on which Ada is asked by an app of this name; without a name one that the server does not know. */
const consent = async (pages: DriveOptions["pages"], language: string, name: string | null = "Notes & <co>") => {
  const drive = await memoryDrive({
    url: site,
    signIn: { user: ({ headers }) => headers.get("cookie"), loginUrl: () => "/login" },
    ...pages !== undefined && { pages }
  })
  drives.push(drive)
  const ada = await drive.user({ displayName: "Ada" })
  const registered = await drive.fetch(`${site}/oauth/register`, {
    method: "POST",
    body: JSON.stringify({ client_name: name ?? "unknown", redirect_uris: ["http://127.0.0.1:7/back"] })
  })
  const { client_id: clientId } = await registered.json() as { readonly client_id: string }
  const query = new URLSearchParams({
    client_id: name === null ? "unknown" : clientId,
    response_type: "code",
    scope: "read",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256"
  })
  const headers = { cookie: ada.userId, "accept-language": language }
  const response = await drive.fetch(`${site}/oauth/authorize?${query}`, { headers, redirect: "manual" })
  const text = await response.text()
  const [, style = ""] = /<style>([^]*?)<\/style>/.exec(text) ?? []
  return { drive, response, text, style, policy: response.headers.get("content-security-policy")! }
}

describe("the look of the pages of consent", () => {
  it("PAGE-105 is the host's: its name, logo and colours, in the reader's language and the host's words", async () => {
    const { drive, policy, response, style, text } = await consent({
      name: "Studio <Lumière>",
      logo,
      colours: { accent: "#ffee00" },
      texts: { de: { "consent.allow": "Ja, <b>gern</b>" } }
    }, "de-AT")
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-language"), "de")
    assert.include(text, `<html lang="de" dir="ltr">`)
    assert.include(text, "<h1>\u2068Notes &amp; &lt;co&gt;\u2069 möchte Ihre Ablage benutzen</h1>")
    assert.include(text, "Sie sind angemeldet als <strong><bdi>Ada</bdi></strong>.")
    assert.include(text, "Ja, &lt;b&gt;gern&lt;/b&gt;")
    assert.include(text, "alt=\"Studio &lt;Lumière&gt;\"")
    assert.include(style, "--accent:#ffee00")
    assert.notMatch(text, /<script|<b>| style=/)
    const hash = createHash("sha256").update(style).digest("base64")
    assert.include(policy, `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action`)
    const [, source] = /<img class="brand-logo" src="([^"]+)"/.exec(text)!
    assert.strictEqual((await drive.fetch(`https://app.example.com${source}`)).status, 200)
  })

  it("PAGE-105 is that of the pages without a host's, also where the drive serves none", async () => {
    for (const pages of [undefined, false] as const) {
      const { policy, style, text } = await consent(pages, "fr")
      // The direction of an app's name turns nothing around it, in the heading and in the title.
      assert.lengthOf(text.split("\u2068Notes &amp; &lt;co&gt;\u2069 asks to use your drive"), 3)
      assert.include(style, "--card:")
      assert.notInclude(policy, "img-src")
    }
  })

  it("PAGE-105 what can't be done is said in the reader's language", async () => {
    const { response, text } = await consent(undefined, "de", null)
    assert.strictEqual(response.status, 400)
    assert.include(text, "<h1>Diese App kann nicht verbunden werden</h1>")
    assert.include(text, "Dieser Server kennt die App nicht.")
  })
})
