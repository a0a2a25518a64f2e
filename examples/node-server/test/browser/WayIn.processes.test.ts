/** From the address of the example server to the connections page, in a real browser. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "puppeteer-core"
import { linkOf } from "../../src/signIn/link.ts"
import { type Ready, type ServerProcess, startServer } from "../ServerProcess.ts"
import { because, follow, haveChromium, launch, open, picture, textOf } from "./Chromium.ts"
import { faultsOf } from "./readable.ts"

describe.runIf(haveChromium)(`the way into the example server${because}`, { timeout: 120_000 }, () => {
  let server: ServerProcess
  let ready: Ready
  let browser: Browser
  let data: string

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "filedrive-way-in-"))
    server = startServer({ FILEDRIVE_DATA: data })
    browser = await launch()
    ready = await server.ready
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    server?.signal("SIGTERM")
    await server?.ended
    await rm(data, { recursive: true, force: true })
  })

  const visit = async (path: string, runsScripts: boolean, language = "en") => {
    const context = await browser.createBrowserContext()
    const tab = await open(context, runsScripts)
    await tab.page.setExtraHTTPHeaders({ "accept-language": language })
    await tab.page.goto(ready.siteUrl + path)
    return { ...tab, close: () => context.close() }
  }

  const pathOf = (page: Page): string => new URL(page.url()).pathname

  const seesConnections = async (page: Page) => {
    await page.waitForSelector("#tokens")
    assert.strictEqual(pathOf(page), "/connections")
  }

  it("SIGN-33 the site's address leads to sign in, and from there to the connections page and back out", async () => {
    const { close, forbidden, page } = await visit("/", true)
    assert.strictEqual(pathOf(page), "/sign-in")
    await page.type("input[name=apiToken]", ready.accounts[0]!.apiToken)
    await follow(page, "button")
    await seesConnections(page)
    await page.goto(`${ready.siteUrl}/`)
    await seesConnections(page)
    await page.goto(`${ready.siteUrl}/sign-in`)
    assert.strictEqual(await textOf(page, "h1"), "You are signed in")
    await picture(page, "sign-in-signed-in")
    await follow(page, "button")
    assert.strictEqual(pathOf(page), "/sign-in")
    await page.goto(`${ready.siteUrl}/connections?a=1`)
    assert.strictEqual(pathOf(page), "/sign-in")
    await page.type("input[name=apiToken]", ready.accounts[0]!.apiToken)
    await follow(page, "button")
    await seesConnections(page)
    assert.strictEqual(new URL(page.url()).search, "?a=1")
    assert.deepStrictEqual(forbidden, [])
    await close()
  })

  it("SIGN-33 the link that is printed at the start ends on the connections page", async () => {
    const { close, page } = await visit("/", true)
    await page.goto(await linkOf(ready.siteUrl, data))
    await follow(page, "button")
    await seesConnections(page)
    await close()
  })

  it("PAGE-162, PAGE-163 from the connections page people get to uploads, and sign out", async () => {
    const { close, page } = await visit("/", true, "de")
    await page.type("input[name=apiToken]", ready.accounts[0]!.apiToken)
    await follow(page, "button")
    await seesConnections(page)
    assert.strictEqual(await textOf(page, ".navigation a:last-child"), "Hochladen")
    await follow(page, ".navigation a:last-child")
    assert.strictEqual(pathOf(page), "/upload")
    await page.goto(`${ready.siteUrl}/connections?a=1`)
    await seesConnections(page)
    // No link does it.
    assert.strictEqual(await page.evaluate(async () => (await fetch("/sign-out")).status), 404)
    await page.click(".account button")
    await page.waitForSelector("input[name=apiToken]")
    assert.strictEqual(new URL(page.url()).searchParams.get("return"), `${ready.siteUrl}/connections`)
    await page.goto(`${ready.siteUrl}/connections`)
    assert.strictEqual(pathOf(page), "/sign-in")
    await close()
  })

  it("SIGN-34 the page is in the reader's language, and easy to read without scripts", async () => {
    for (const language of ["en", "de-AT"]) {
      const { close, forbidden, page } = await visit("/sign-in", false, language)
      assert.strictEqual(await textOf(page, "h1"), language === "en" ? "Sign in" : "Anmelden")
      for (const width of [390, 1280]) {
        await page.setViewport({ width, height: 800 })
        for (const scheme of ["light", "dark"]) {
          await page.emulateMediaFeatures([
            { name: "prefers-color-scheme", value: scheme },
            // A colour that is on its way to another is neither.
            { name: "prefers-reduced-motion", value: "reduce" }
          ])
          await picture(page, `sign-in-${language}-${width}-${scheme}`)
          await page.setJavaScriptEnabled(true)
          assert.deepStrictEqual(await page.evaluate(faultsOf), [], `${language} ${width} ${scheme}`)
          await page.setJavaScriptEnabled(false)
        }
      }
      await page.type("input[name=apiToken]", "wrong")
      await follow(page, "button")
      assert.include(await textOf(page, "[role=alert]"), language === "en" ? "is wrong" : "ist falsch")
      await picture(page, `sign-in-wrong-${language}`)
      assert.deepStrictEqual(forbidden, [])
      await close()
    }
  })
})
