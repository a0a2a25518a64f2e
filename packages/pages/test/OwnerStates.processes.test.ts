/** Every state of the owner's pages in a real browser: what axe finds, what it asks for, what it writes to the console; and its pictures. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "puppeteer-core"
import { because, haveChromium, openPage, passesAxe, startBrowser } from "./Browser.ts"
import { requestsStates, reviewsStates } from "./OwnerStates.ts"
import { hostLinks, type PagesHost, startHost } from "./PagesHost.ts"

const states = [
  ...requestsStates.map((state) => ({ ...state, path: "requests" })),
  ...reviewsStates.map((state) => ({ ...state, path: "reviews" }))
]

describe.runIf(haveChromium)(`the states of the owner's pages${because}`, { timeout: 180_000 }, () => {
  let browser: Browser
  let host: PagesHost
  let coloured: PagesHost

  beforeAll(async () => {
    browser = await startBrowser()
    host = await startHost({ pages: { name: "Studio Lumière", links: hostLinks } })
    coloured = await startHost({ pages: { colours: { accent: "#ffee00", accentDark: "#3b0764" }, links: hostLinks } })
  })
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
    await coloured?.stop()
    // A drive ends the analysis of what was uploaded first.
  }, 180_000)

  /** The same host with an owner who has nothing yet. */
  const newOwner = async (of: PagesHost): Promise<PagesHost> => {
    const { userId } = (await of.drive.accounts.create({ displayName: "Ada Lovelace" }))!
    return { ...of, userId, owner: of.drive.as(userId) }
  }

  it.each(states.flatMap((state) => [{ ...state, width: 390 }, { ...state, width: 1280 }]))(
    "PAGE-13, PAGE-14 $path $name, $width pixels wide",
    async ({ bring, name, path, width }) => {
      const { close, faults, page, requested } = await openPage(browser, { width })
      try {
        const own = await newOwner(host)
        await host.signIn(page, own.userId)
        await bring(page, own)
        await passesAxe(page, `${path}-${name}-${width}`)
        const { site } = host.drive.urls
        // A field for a time has a picture of the browser's own.
        assert.deepStrictEqual(requested.filter((url) => !url.startsWith(`${site}/`) && !url.startsWith("data:")), [])
        assert.deepStrictEqual(faults, [])
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.isAtMost(sideways, 0, "It scrolls sideways.")
        const small = await page.evaluate(() =>
          matchMedia("(pointer: coarse)").matches
            ? [
              ...document.querySelectorAll<HTMLElement>(
                "main button, main a, main label.check, main input:not([type=checkbox])"
              )
            ]
              .filter((element) =>
                element.checkVisibility() && element.getBoundingClientRect().height < 43.5 && !element.closest(".item")
              )
              .map(({ outerHTML }) => outerHTML)
            : []
        )
        assert.deepStrictEqual(small, [], "It is too small for a finger.")
      } finally {
        await close()
      }
    }
  )

  it.each(states.filter(({ name }) => ["list", "new", "chosen", "deliveries", "notes", "empty"].includes(name)))(
    "PAGE-13, PAGE-14 $path $name, in German, with a host's colours",
    async ({ bring, name, path }) => {
      const { close, faults, page } = await openPage(browser, { language: "de-AT,de", width: 390 })
      try {
        const own = await newOwner(coloured)
        await coloured.signIn(page, own.userId)
        await bring(page, own)
        await passesAxe(page, `${path}-${name}-de`)
        assert.deepStrictEqual(faults, [])
        assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "de")
      } finally {
        await close()
      }
    }
  )
})
