/** Calls of a page that are on their way for as long as a test wants. */
import type { Page } from "puppeteer-core"

interface Holding {
  held: number
  release: () => void
}

type Held = typeof globalThis & { readonly holding: Holding }

/** Holds calls whose address ends so, from now on; to be called when the page is there. */
export const holdCalls = async (page: Page, path: string) => {
  await page.evaluate((end) => {
    const { fetch } = globalThis
    const holding: Holding = { held: 0, release: () => undefined }
    const released = new Promise<void>((resolve) => void (holding.release = resolve))
    Object.assign(globalThis, { holding })
    globalThis.fetch = async (...call) => {
      if (String(call[0]).endsWith(end)) {
        holding.held++
        await released
      }
      return fetch(...call)
    }
  }, path)
  return {
    /** Until one is on its way. */
    begun: () => page.waitForFunction(() => (globalThis as Held).holding.held > 0),
    release: () => page.evaluate(() => (globalThis as Held).holding.release())
  }
}
