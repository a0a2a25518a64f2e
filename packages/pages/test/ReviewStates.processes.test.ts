/** Every state of the review page in a real browser: what axe finds, what it asks for, what it writes to the console; and its pictures. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "puppeteer-core"
import { because, haveChromium, openPage, passesAxe, startBrowser } from "./Browser.ts"
import type { PagesHost } from "./PagesHost.ts"
import { startReviewHost } from "./Reviews.ts"
import { reviewStates } from "./ReviewStates.ts"

describe.runIf(haveChromium)(`the states of the review page${because}`, { timeout: 180_000 }, () => {
  let browser: Browser
  let host: PagesHost

  beforeAll(async () => {
    browser = await startBrowser()
    host = await startReviewHost({ pages: { name: "Studio Lumière" } })
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
  })

  it.each(reviewStates.flatMap((state) => [{ ...state, width: 390 }, { ...state, width: 1280 }]))(
    "PAGE-13, PAGE-14 review: $name, $width pixels wide",
    async ({ bring, name, width }) => {
      const { close, faults, page, requested } = await openPage(browser, { width })
      try {
        page.setDefaultTimeout(20_000)
        await bring(page, host)
        // What the player lies over, while it stays in view, is not too small to be pressed.
        await page.evaluate(() => scrollTo(0, 0))
        await passesAxe(page, `review-${name}-${width}`)
        const { site } = host.drive.urls
        assert.deepStrictEqual(requested.filter((url) => !url.startsWith(`${site}/`)), [])
        assert.isTrue(requested.every((url) => /\/(?:reviews|api|storage)\//.test(url)))
        assert.deepStrictEqual(faults, [])
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.isAtMost(sideways, 0, "It scrolls sideways.")
      } finally {
        await close()
      }
    }
  )

  it.each(["notes", "writing", "track"])(
    "PAGE-13, PAGE-14 review: %s, in German, with a host's colours",
    async (name) => {
      const coloured = await startReviewHost({ pages: { colours: { accent: "#ffee00", accentDark: "#3b0764" } } })
      const { close, faults, page } = await openPage(browser, { language: "de-AT,de", width: 390 })
      try {
        page.setDefaultTimeout(20_000)
        await reviewStates.find((state) => state.name === name)!.bring(page, coloured)
        await page.evaluate(() => scrollTo(0, 0))
        await passesAxe(page, `review-${name}-de`)
        assert.deepStrictEqual(faults, [])
        assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "de")
      } finally {
        await close()
        await coloured.stop()
      }
    }
  )
})
