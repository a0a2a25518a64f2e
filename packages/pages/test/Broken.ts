/** A drive behind a proxy that breaks what passes through it, and people who open its pages there. */
import { afterAll, afterEach, beforeAll } from "@effect/vitest"
import type { DriveOptions } from "@filedrive/adapter-node"
import type { Browser, Page } from "puppeteer-core"
import { FaultProxy } from "../../client/test/FaultProxy.ts"
import { type Opened, openPage, startBrowser } from "./Browser.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"

/** A browser, a drive and its proxy for the tests of a file. */
export const makeBrokenVisits = (options: DriveOptions = {}) => {
  const proxy = new FaultProxy()
  let browser: Browser
  let host: PagesHost
  const opened: Array<Opened> = []

  beforeAll(async () => {
    browser = await startBrowser()
    const url = await proxy.listen()
    host = await startHost({ url, media: false, ...options })
    proxy.to(host.server)
  })
  afterEach(() => {
    proxy.fault = () => undefined
  })
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()))
    await browser?.close()
    await proxy.close()
    await host?.stop()
  }, 180_000)

  return {
    proxy,
    get host() {
      return host
    },
    /** Opens a path of the site; `prepare` comes before. */
    visit: async (path: string, prepare: (page: Page) => Promise<unknown> = async () => {}) => {
      const one = await openPage(browser)
      opened.push(one)
      one.page.setDefaultTimeout(60_000)
      await prepare(one.page)
      await one.page.goto(host.drive.urls.site + path)
      return one
    },
    /** From now on calls of this route, or all, end so. */
    breaks: (fault: NonNullable<ReturnType<FaultProxy["fault"]>>, route = "") => {
      proxy.fault = ({ path }) => path.startsWith("/api/") && path.endsWith(route) ? fault : undefined
    },
    mend: () => {
      proxy.fault = () => undefined
    }
  }
}

/** As when somebody comes back to the page. */
export const comeBack = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))

/** `mostMillis`: longer waits stay as long as they are. `answersBy`: by how much the limits of answers, of half a minute and more, are shortened. */
export interface HurryOptions {
  readonly mostMillis?: number
  readonly answersBy?: number
}

/**
 * Makes waiting short: what the page does in six seconds it does in a tenth of a second. How long an answer may take stays long enough for a
 * machine under load.
 */
export const hurry = (page: Page, options: HurryOptions = {}): Promise<unknown> =>
  page.evaluateOnNewDocument(({ answersBy = 6, mostMillis = Number.MAX_SAFE_INTEGER }) => {
    const { setTimeout: wait } = globalThis
    const shortened = (millis: number) => millis / (millis >= 30_000 ? answersBy : 60)
    globalThis.setTimeout = ((run: () => void, millis = 0, ...more: []) =>
      wait(run, millis >= 1_000 && millis <= mostMillis ? shortened(millis) : millis, ...more)) as typeof setTimeout
  }, options)

/** A browser that keeps nothing for pages. */
export const forbidStorage = (page: Page): Promise<unknown> =>
  page.evaluateOnNewDocument(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException("It is switched off.", "SecurityError")
        }
      })
    }
  })
