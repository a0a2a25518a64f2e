/** People connect apps at the example server, in a real browser whose pages run no script. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContext, Page } from "puppeteer-core"
import { type Ready, type ServerProcess, startServer } from "../ServerProcess.ts"
import { AppDocument, haveOpenssl } from "./AppDocument.ts"
import { because, follow, haveChromium, launch, open, picture, type Tab, textOf } from "./Chromium.ts"
import { McpApp, type McpAppOptions } from "./McpApp.ts"
import { faultsOf } from "./readable.ts"

let server: ServerProcess
let ready: Ready
let browser: Browser
let document: AppDocument | undefined
let data: string
let workId: string
const ids: Record<string, string> = {}

const haveIpv6 = Object.values(networkInterfaces()).flat().some((one) => one?.address === "::1")

const bytes = new TextEncoder().encode("read me")

const prepare = async () => {
  data = await mkdtemp(join(tmpdir(), "filedrive-browser-"))
  if (haveOpenssl) {
    document = new AppDocument("Described")
    await document.listen()
  }
  server = startServer({
    FILEDRIVE_DATA: data,
    // The document of the app is on this machine.
    FILEDRIVE_ALLOW_PRIVATE_ADDRESSES: "1",
    ...document !== undefined && { NODE_EXTRA_CA_CERTS: document.certificate }
  })
  browser = await launch()
  ready = await server.ready
  const client = new DriveClient({ url: ready.siteUrl, ...ready.accounts[0]! })
  workId = (await client.ok("/create-folder", { path: "/Work" })).id
  for (const name of ["inside.txt", "outside.txt"]) ids[name] = await client.upload({ fileName: name, bytes })
  await client.ok("/move-files", { fileIds: [ids["inside.txt"]!], folderId: workId })
}

/** A browser of its own: nobody is signed in. */
let context: BrowserContext

const signIn = async (page: Page) => {
  assert.strictEqual(new URL(page.url()).pathname, "/sign-in")
  await page.type("input[name=apiToken]", ready.accounts[0]!.apiToken)
  await follow(page, "button")
}

const connect = async (options: McpAppOptions, visit: (tab: Tab) => Promise<void>) => {
  const app = new McpApp(options)
  await app.listen()
  if (document !== undefined) document.redirectUris = [app.redirectUrl]
  const tab = await open(context)
  try {
    const client = await app.connect(ready.mcpUrl, async (url) => {
      await tab.page.goto(url.href)
      await visit(tab)
      assert.strictEqual(new URL(tab.page.url()).origin, new URL(app.redirectUrl).origin)
      assert.deepStrictEqual(tab.forbidden, [])
    })
    return { client, statuses: app.statuses }
  } finally {
    app.close()
  }
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

const found = async (client: Client) => {
  const { structuredContent } = await client.callTool({ name: "search_files", arguments: {} })
  return (structuredContent as { readonly files: ReadonlyArray<{ readonly id: string }> }).files.map(({ id }) => id)
}

/** A page of another origin on this machine, to which the browser would send this site's cookies. */
const otherSite = async (body: string) => {
  const other = createServer((_, response) => response.setHeader("content-type", "text/html").end(body))
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`,
    close: () => {
      other.closeAllConnections()
      other.close()
    }
  }
}

const authorizeUrl = async (scope = "read add"): Promise<string> => {
  const redirect = "http://127.0.0.1:7777/back"
  const body = JSON.stringify({
    client_name: "An app with a name that is long enough to wrap",
    redirect_uris: [redirect]
  })
  const answer = await fetch(`${ready.siteUrl}/oauth/register`, { method: "POST", body })
  const { client_id } = await answer.json() as { readonly client_id: string }
  const query = {
    client_id,
    redirect_uri: redirect,
    response_type: "code",
    scope,
    state: "s",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256"
  }
  return `${ready.siteUrl}/oauth/authorize?${new URLSearchParams(query)}`
}

describe.runIf(haveChromium)(`apps in a browser without scripts${because}`, () => {
  beforeAll(prepare, 120_000)
  afterAll(async () => {
    await browser?.close()
    server?.signal("SIGTERM")
    await server?.ended
    document?.close()
    await rm(data, { recursive: true, force: true })
  })
  beforeEach(async () => {
    context = await browser.createBrowserContext()
    return () => context.close()
  })

  it("OAUTH-53 from the first 401 of an app that registers itself to its first tool call", async () => {
    const { client, statuses } = await connect({ name: "Notes" }, async ({ page }) => {
      await signIn(page)
      assert.match(await textOf(page, "h1"), /^\u2068Notes\u2069 asks/)
      assert.match(await textOf(page), /Unverified/)
      await follow(page, "button[value=allow]")
    })
    assert.strictEqual(statuses[0], 401)
    assert.notInclude(statuses.slice(1), 401)
    assert.sameMembers(await found(client as Client), Object.values(ids))
    await (client as Client).close()
  }, 60_000)

  it.runIf(haveOpenssl)("OAUTH-53 the same for an app that is described by a document", async () => {
    const { client, statuses } = await connect({ name: "Described", documentUrl: document!.url }, async ({ page }) => {
      await signIn(page)
      const text = await textOf(page)
      assert.include(text, document!.host)
      assert.notInclude(text, "Unverified")
      await follow(page, "button[value=allow]")
    })
    assert.strictEqual(statuses[0], 401)
    assert.sameMembers(await found(client as Client), Object.values(ids))
    assert.strictEqual(document!.asked, 1)
    await (client as Client).close()
  }, 60_000)

  it("OAUTH-45 OAUTH-53 a person narrows what an app may do, and chooses a folder", async () => {
    const { client } = await connect({ name: "Reader" }, async ({ page }) => {
      await signIn(page)
      for (const one of ["add", "organize", "share", "delete", "generate", "agent"]) {
        await page.click(`input[value=${one}]`)
      }
      await page.select("select[name=folder]", workId)
      await follow(page, "button[value=allow]")
    })
    const names = await namesOf(client as Client)
    assert.include(names, "read_file")
    assert.notInclude(names, "trash_files")
    assert.deepStrictEqual(await found(client as Client), [ids["inside.txt"]])
    const outside = await (client as Client).callTool({ name: "read_file", arguments: { fileId: ids["outside.txt"] } })
    assert.isTrue(outside.isError)
    await (client as Client).close()
  }, 60_000)

  it("OAUTH-47 OAUTH-53 a person who denies leads the app back with access_denied", async () => {
    const { client } = await connect({ name: "Denied" }, async ({ page }) => {
      await signIn(page)
      await follow(page, "button[value=deny]")
    })
    assert.strictEqual(client, "access_denied")
  }, 60_000)

  it.runIf(haveIpv6)("OAUTH-53 an app whose redirect is at [::1] is led back too", async () => {
    const { client } = await connect({ name: "Six", address: "::1" }, async ({ page }) => {
      await signIn(page)
      await follow(page, "button[value=allow]")
    })
    assert.sameMembers(await found(client as Client), Object.values(ids))
    await (client as Client).close()
  }, 60_000)

  it("OAUTH-54 no page of another site shows consent or sign-in in a frame", async () => {
    const url = await authorizeUrl()
    const { page } = await open(context)
    await page.goto(url)
    await signIn(page)
    for (const framed of [url, `${ready.siteUrl}/sign-in`]) {
      const other = await otherSite(`<iframe src="${framed.replaceAll("&", "&amp;")}"></iframe>`)
      await page.goto(other.url)
      const [, frame] = page.frames()
      assert.match(frame!.url(), /^chrome-error:/)
      assert.isNull(await frame!.$("form"))
      other.close()
    }
  }, 60_000)

  it(
    "OAUTH-55 a form that another site sends gives no code and signs nobody in, though the cookie comes with it",
    async () => {
      const url = await authorizeUrl()
      const { page } = await open(context, true)
      await page.goto(url)
      await signIn(page)
      const tie = await page.$eval(
        "input[name=tie]",
        (element) => (element as unknown as { readonly value: string }).value
      )
      const before = await context.cookies()
      const forms = [
        // Even with the tie of the person's own page.
        [url, { tie, decision: "allow", permission: "read" }],
        [`${ready.siteUrl}/sign-in`, { apiToken: ready.accounts[0]!.apiToken }]
      ] as const
      for (const [action, fields] of forms) {
        const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`).join("")
        const other = await otherSite(
          `<form method="post" action="${
            action.replaceAll("&", "&amp;")
          }">${inputs}</form><script>document.forms[0].submit()</script>`
        )
        const answer = page.waitForResponse((response) => response.url() === action)
        await page.goto(other.url)
        assert.strictEqual((await answer).status(), 403)
        other.close()
      }
      assert.deepStrictEqual(await context.cookies(), before)
    },
    60_000
  )

  it("OAUTH-56 the pages are readable on phones and wide screens, light and dark", async () => {
    const url = await authorizeUrl("read add organize share delete generate agent")
    const { forbidden, page } = await open(context)
    const look = async (name: string) => {
      for (const scheme of ["light", "dark"]) {
        for (const width of [390, 1280]) {
          await page.emulateMediaFeatures([
            { name: "prefers-color-scheme", value: scheme },
            // A colour that is on its way to another is neither.
            { name: "prefers-reduced-motion", value: "reduce" }
          ])
          await page.setViewport({ width, height: 844 })
          assert.deepStrictEqual(await page.evaluate(faultsOf), [], `${name} ${scheme} ${width}`)
          await picture(page, `${name}-${width}-${scheme}`)
        }
      }
    }
    await page.goto(`${ready.siteUrl}/sign-in?ticket=used`)
    await look("ticket")
    await page.goto(url)
    await look("sign-in")
    await page.type("input[name=apiToken]", "wrong")
    await follow(page, "button")
    await look("refused")
    await signIn(page)
    await look("consent")
    await page.goto(`${url}&scope=twice`)
    await look("problem")
    assert.deepStrictEqual(forbidden, [])
  }, 60_000)
})
