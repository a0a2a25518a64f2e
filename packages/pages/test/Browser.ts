/** Chromium as Debian brings it (`scripts/browser/install.sh`), driven from outside. Without it the tests that need it are skipped. */
import { assert } from "@effect/vitest"
import axe from "axe-core"
import { accessSync, constants } from "node:fs"
import { mkdir } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { type Browser, launch, type Page } from "puppeteer-core"

const executable = ["chromium", "chromium-browser", "google-chrome"]
  .flatMap((name) => (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, name)))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Whether there is a browser; `describe.runIf(haveChromium)`. */
export const haveChromium = executable !== undefined

/** Of a title of tests that may be skipped. */
export const because = haveChromium ? "" : " (skipped: there is no Chromium; scripts/browser/install.sh brings it)"

export const startBrowser = (): Promise<Browser> =>
  launch({
    executablePath: executable!,
    args: [
      // Its sandbox does not start as root, as which containers run tests.
      ...process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      "--disable-dev-shm-usage",
      // Nothing but this machine is reached.
      "--disable-background-networking",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    ]
  })

export type Scheme = "light" | "dark"

export interface OpenOptions {
  readonly width?: number
  readonly scheme?: Scheme
  /** What the browser prefers, like `de-AT,de`. */
  readonly language?: string
}

/** Nothing moves: pictures and contrasts are those of the end. */
export const setScheme = (page: Page, scheme: Scheme): Promise<void> =>
  page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: scheme },
    { name: "prefers-reduced-motion", value: "reduce" }
  ])

/** A page of a profile of its own, and all that went wrong in it. */
export const openPage = async (
  browser: Browser,
  { language = "en-GB,en", scheme = "light", width = 1280 }: OpenOptions = {}
) => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const faults: Array<string> = []
  page.on("pageerror", (error) => faults.push(String(error)))
  page.on("console", (message) => {
    // What the page asked for and was refused it shows itself.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text())
  })
  page.on("dialog", (dialog) => void dialog.accept())
  const requested: Array<string> = []
  page.on("request", (request) => requested.push(request.url()))
  await page.setViewport({ width, height: width < 600 ? 844 : 900, isMobile: width < 600, hasTouch: width < 600 })
  await setScheme(page, scheme)
  await page.setExtraHTTPHeaders({ "accept-language": language })
  await page.evaluateOnNewDocument((languages) => {
    Object.defineProperty(navigator, "languages", { get: () => languages })
  }, language.split(","))
  return { page, faults, requested, close: () => context.close() }
}

export type Opened = Awaited<ReturnType<typeof openPage>>

type Axe = { readonly axe?: typeof axe }

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** What depends on colours alone. */
const colourRules = ["color-contrast", "link-in-text-block"]

/** What axe finds wrong on the page as it is now, in words. `of` colours: of a page that was looked at whole in another scheme. */
export const axeFaults = async (page: Page, of: "all" | "colours" = "all"): Promise<ReadonlyArray<string>> => {
  if (!await page.evaluate(() => (globalThis as Axe).axe !== undefined)) await page.evaluate(axe.source)
  const { violations } = await page.evaluate((runOnly) =>
    (globalThis as Axe).axe!.run({
      runOnly,
      resultTypes: ["violations"]
    }), of === "all" ? standards : colourRules)
  return violations.map(({ help, id, nodes }) =>
    `${id}: ${help}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join(" | ")}`
  )
}

/** A picture of the page, where TEST_SCREENSHOTS names a directory for them. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  const directory = process.env["TEST_SCREENSHOTS"]
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`) as `${string}.png`, fullPage: true })
}

/** Axe finds nothing on the page in either scheme; takes its pictures, `{name}-light` and `{name}-dark`. */
export const passesAxe = async (page: Page, name: string): Promise<void> => {
  for (const scheme of ["light", "dark"] as const) {
    await setScheme(page, scheme)
    await shoot(page, `${name}-${scheme}`)
    // A scheme changes colours alone.
    assert.deepStrictEqual(await axeFaults(page, scheme === "light" ? "all" : "colours"), [], scheme)
  }
}
