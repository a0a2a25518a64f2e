/** An owner who looks at their pages in a real browser. */
import { assert } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { makeVisits } from "./Visits.ts"

/** A browser, and a drive whose owner opens the page at `path`, like `/requests`. */
export const makeOwnerVisits = (path: string) => {
  const visits = makeVisits()
  const visit = async (search = "", prepare: (page: Page) => Promise<unknown> = async () => {}) => {
    const one = await visits.open()
    await visits.host.signIn(one.page)
    await prepare(one.page)
    await one.page.goto(`${visits.host.drive.urls.site}${path}${search}`)
    await one.page.waitForSelector("main h1, main h2")
    return one
  }
  return { visits, visit }
}

/** The id of what is open. */
export const idOf = (page: Page): string | null => new URL(page.url()).searchParams.get("id")

/** Waits until this is told in passing. */
export const waitForNotice = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) => [...document.querySelectorAll(".notice")].some(({ textContent }) => textContent!.includes(wanted)),
    {},
    text
  )

/** Waits until a question says so. What isolates values in it can't be seen. */
export const waitForDialog = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) => document.querySelector("dialog[open]")?.textContent?.replaceAll(/[\u2068\u2069]/g, "").includes(wanted),
    {},
    text
  )

/**
 * Opens the menu of Mallory in `item`, and asks by the keyboard to delete all from them. Cancels first, which must lead back to the button.
 * Returns the text of the question, which is open again.
 */
export const askToDeleteAll = async (page: Page, item: string): Promise<string> => {
  const button = `${item} .more-list .button-risky`
  assert.isNull(await page.$(".more-list"))
  await page.locator(`${item} .more`).click()
  await page.waitForSelector(button)
  const label = await page.$eval(button, ({ textContent }) => textContent!)
  assert.include(label, "Delete all from")
  assert.include(label, "Mallory")
  assert.notInclude(label, "\u202e")
  await page.focus(button)
  await page.keyboard.press("Enter")
  await page.waitForSelector("dialog[open]")
  await page.keyboard.press("Escape")
  await page.waitForFunction(() => document.querySelector("dialog") === null)
  await page.waitForFunction((wanted) => document.activeElement?.matches(wanted), {}, button)
  await page.keyboard.press("Enter")
  await page.waitForSelector("dialog[open]")
  return (await page.$eval("dialog", ({ textContent }) => textContent!)).replaceAll(/[\u2068\u2069]/g, "")
}

export const waitForTitle = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, {}, title)

/** Empties a field as people do. */
export const clear = async (page: Page, selector: string) => {
  await page.focus(selector)
  await page.keyboard.down("Control")
  await page.keyboard.press("a")
  await page.keyboard.up("Control")
  await page.keyboard.press("Backspace")
}

/** A tab behind another one draws nothing, so it is asked by the clock. */
export const behind = { polling: 200, timeout: 60_000 } as const

/** Waits until a tab behind another one says so. */
export const waitForTextBehind = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.querySelector("main")?.textContent?.includes(wanted), behind, text)

/** Waits until a screen reader is told something that this matches. */
export const spoken = (page: Page, pattern: string) =>
  page.waitForFunction(
    (wanted) => new RegExp(wanted).test(document.querySelector("[role=status].visually-hidden")!.textContent!),
    behind,
    pattern
  )

/** Has the browser save files in a directory; tells the names that they get. */
export const downloadsTo = async (page: Page, directory: string) => {
  const session = await page.createCDPSession()
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: directory,
    eventsEnabled: true,
    browserContextId: page.browserContext().id!
  })
  return {
    /** The next one that begins, and its end; to be called before it does. */
    next: () => ({
      named: new Promise<string>((resolve) =>
        session.once("Browser.downloadWillBegin", ({ suggestedFilename }) => resolve(suggestedFilename))
      ),
      saved: new Promise<void>((resolve) =>
        session.on("Browser.downloadProgress", ({ state }) => state === "completed" ? resolve() : undefined)
      )
    })
  }
}
