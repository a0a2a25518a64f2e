/** Dialogs of the pages, used by keyboard and mouse, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { because, haveChromium } from "./Browser.ts"
import { nameToken, openConnections } from "./ConnectionsStates.ts"
import { choose, filesOf, send } from "./RequestStates.ts"
import { makeVisits, rows } from "./Visits.ts"

describe.runIf(haveChromium)(`dialogs of the pages${because}`, { timeout: 180_000 }, () => {
  const visits = makeVisits()

  const isGone = (page: Page) => page.waitForFunction(() => document.querySelector("dialog") === null)

  it("PAGE-214 a dialog that is closed gives the focus back to what opened it", async () => {
    const { page } = await visits.visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await send(page)
    await rows(page, "sent", 1)
    // Until the page has given the focus to what leads on.
    await page.waitForFunction(() => document.activeElement?.textContent === "Finish")
    for (const close of ["Escape", "Enter"] as const) {
      await page.focus("button[aria-label*='Take']")
      await page.keyboard.press("Enter")
      await page.waitForSelector("dialog[open]")
      // On "Cancel", which comes first.
      await page.keyboard.press(close)
      await isGone(page)
      await page.waitForFunction(() => document.activeElement?.ariaLabel?.startsWith("Take"))
    }
  })

  it("PAGE-214 a dialog is never on the page without being open", async () => {
    const one = await visits.open()
    await openConnections(one.page, visits.host)
    const states = await one.page.evaluate(() => {
      const states: Array<boolean> = []
      const found = new Promise<ReadonlyArray<boolean>>((resolve) => {
        // When the browser is about to paint the first time.
        new MutationObserver((_, observer) => {
          const dialog = document.querySelector("dialog")
          if (dialog === null) return
          states.push(dialog.open)
          observer.disconnect()
          resolve(states)
        }).observe(document.body, { childList: true, subtree: true })
      })
      document.querySelector<HTMLButtonElement>("#new-token button")!.click()
      return found
    })
    assert.deepStrictEqual(states, [true])
  })

  it("PAGE-215 text is selected in a dialog beyond its edge; pressing beside the dialog closes it", async () => {
    const { page } = await visits.open()
    await openConnections(page, visits.host)
    await nameToken(page, "Scanner")
    const field = await page.waitForSelector("dialog input[name=name]")
    const { height, width, x, y } = (await field!.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(10, y + height / 2, { steps: 5 })
    await page.mouse.up()
    assert.strictEqual(
      await page.evaluate(() => document.querySelector<HTMLInputElement>("dialog input")?.value),
      "Scanner"
    )
    // What begins beside it and ends in it is no press of either.
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await page.waitForSelector("dialog[open]")
    await page.mouse.click(10, 10)
    await isGone(page)
  })
})
