/** A real browser without a window. Debian has one: `apt-get install chromium`; elsewhere CHROMIUM_PATH says where it is. */
import axe from "axe-core"
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { type Browser, launch, type Page } from "puppeteer-core"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Undefined where there is none: then its tests are skipped. */
export const chromium: string | undefined = [process.env["CHROMIUM_PATH"], ...places].find((path) =>
  path !== undefined && existsSync(path)
)

if (chromium === undefined) console.warn("Tests of the pages are skipped: there is no Chromium on this machine.")

export const startBrowser = (): Promise<Browser> =>
  launch({
    executablePath: chromium!,
    headless: true,
    // Tests run as root in containers, whose shared memory is small.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]
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

/** What axe finds wrong on the page as it is now, in words. */
export const axeFaults = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"]
    })
  )
  return violations.map(({ help, id, nodes }) =>
    `${id}: ${help}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join(" | ")}`
  )
}

/** A picture of the page, where PAGES_SHOTS names a directory for them. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  const directory = process.env["PAGES_SHOTS"]
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`) as `${string}.png`, fullPage: true })
}
