/** Chromium as Debian brings it, driven from outside. Without it the tests that need it are skipped. */
import { accessSync, constants, mkdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, type BrowserContext, launch as start, type Page } from "puppeteer-core"

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

export const launch = (): Promise<Browser> =>
  start({
    executablePath: executable!,
    args: [
      // Its sandbox does not start as root, as which containers run tests.
      ...process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      "--disable-dev-shm-usage",
      // Nothing but this machine is reached.
      "--disable-background-networking",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE ::1, EXCLUDE localhost"
    ]
  })

/** A tab, and what its pages were forbidden by their own policies. */
export interface Tab {
  readonly page: Page
  readonly forbidden: ReadonlyArray<string>
}

/** A tab in which no page runs a script, unless one does. */
export const open = async (context: BrowserContext, runsScripts = false): Promise<Tab> => {
  const page = await context.newPage()
  await page.setJavaScriptEnabled(runsScripts)
  const forbidden: Array<string> = []
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) forbidden.push(message.text())
  })
  return { page, forbidden }
}

/** Clicks something that leads to another page. */
export const follow = async (page: Page, selector: string): Promise<void> => {
  await Promise.all([page.waitForNavigation(), page.click(selector)])
}

export const textOf = (page: Page, selector = "main"): Promise<string> =>
  page.$eval(selector, (element) => (element as { readonly textContent: string | null }).textContent ?? "")

/** Keeps a picture of the page where the environment names a directory, for people to look at. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const directory = process.env["TEST_SCREENSHOTS"]
  if (directory === undefined) return
  mkdirSync(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
}
