/** Every state of the request page in a real browser: what axe finds, what it asks for, what it writes to the console; and its pictures. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "puppeteer-core"
import { axeFaults, because, haveChromium, openPage, passesAxe, startBrowser } from "./Browser.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"
import { states } from "./RequestStates.ts"

describe.runIf(haveChromium)(`the states of the request page${because}`, { timeout: 180_000 }, () => {
  let browser: Browser
  let host: PagesHost

  beforeAll(async () => {
    browser = await startBrowser()
    host = await startHost({ pages: { name: "Studio Lumière" } })
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
  })

  it("PAGE-13, PAGE-14 what is wrong with a page is found", async () => {
    const { close, faults, page } = await openPage(browser)
    try {
      await states[0]!.bring(page, host)
      await page.evaluate(() => {
        const picture = document.querySelector("main")!.appendChild(document.createElement("img"))
        picture.src = "https://elsewhere.example/a.png"
        const text = document.querySelector("main")!.appendChild(document.createElement("p"))
        text.textContent = "Hardly to be seen"
        text.style.color = "#ccc"
        text.style.background = "#fff"
      })
      const found = (await axeFaults(page)).map((fault) => fault.split(":")[0])
      assert.includeMembers(found, ["image-alt", "color-contrast"])
      assert.match((await axeFaults(page, "colours")).join(), /^color-contrast/)
      assert.include(faults.join("\n"), "Content Security Policy")
    } finally {
      await close()
    }
  })

  it.each(states.flatMap((state) => [{ ...state, width: 390 }, { ...state, width: 1280 }]))(
    "PAGE-13, PAGE-14 $name, $width pixels wide",
    async ({ bring, name, width }) => {
      const { close, faults, page, requested } = await openPage(browser, { width })
      try {
        await bring(page, host)
        await passesAxe(page, `request-${name}-${width}`)
        const { site } = host.drive.urls
        assert.deepStrictEqual(requested.filter((url) => !url.startsWith(`${site}/`)), [])
        assert.isTrue(requested.every((url) => /\/(?:requests|api|storage)\//.test(url)))
        assert.deepStrictEqual(faults, [])
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.isAtMost(sideways, 0, "It scrolls sideways.")
      } finally {
        await close()
      }
    }
  )

  it.each(["open", "chosen", "thanks"])("PAGE-13, PAGE-14 %s, in German, with a host's colours", async (name) => {
    const coloured = await startHost({ pages: { colours: { accent: "#ffee00", accentDark: "#3b0764" } } })
    const { close, faults, page } = await openPage(browser, { language: "de-AT,de", width: 390 })
    try {
      await states.find((state) => state.name === name)!.bring(page, coloured)
      await passesAxe(page, `request-${name}-de`)
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "de")
    } finally {
      await close()
      await coloured.stop()
    }
  })
})
