/**
 * When a phone shows something of a page that it opens for the first time: in Chromium with a processor four times slower and the network of
 * Lighthouse's "slow 4G" (1.6 Mbit/s, answers after 150 ms), from the drive's own server.
 */
import { createDrive, serve } from "@filedrive/adapter-node"
import { accessSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, launch } from "puppeteer-core"
import { withDirectory } from "../DriveCaller.ts"
import { median } from "../Rounds.ts"
import { startRounds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const limitMillis = 1_000

const what = "request page, first paint on a phone"

const chromium = (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "chromium")).find(
  (path) => {
    try {
      accessSync(path)
      return true
    } catch {
      return false
    }
  }
)

/** First paint, and until files can be chosen, in milliseconds. */
const measure = async (browser: Browser, url: string) => {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
    await page.emulateCPUThrottling(4)
    await page.emulateNetworkConditions({ download: 1.6e6 / 8, upload: 750e3 / 8, latency: 150, offline: false })
    await page.goto(url)
    await page.waitForSelector(".zone")
    return await page.evaluate(() => ({
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
      ready: performance.now()
    }))
  } finally {
    await context.close()
  }
}

export const firstPaint = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    if (chromium === undefined) return [{ what, because: "there is no Chromium here" }]
    const drive = createDrive({ dataDirectory: directory, pages: { name: "Studio" } })
    const server = await serve(drive, { port: 0 })
    const browser = await launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] })
    try {
      const ada = await drive.accounts.create({ handle: "ada" })
      const { id } = await drive.as(ada!.userId).createFileRequest({ title: "Photos of the concert" })
      const url = `${drive.urls.site}/requests/${id}`
      await measure(browser, url)
      const rounds = []
      for (let round = 0; round < startRounds; round++) rounds.push(await measure(browser, url))
      const paints = rounds.map(({ paint }) => paint)
      const paint = median(paints)
      return [{
        what,
        own: `${Math.round(paint)} ms`,
        against: `usable after ${Math.round(median(rounds.map(({ ready }) => ready)))} ms`,
        result: `${Math.round(Math.min(...paints))} to ${Math.round(Math.max(...paints))} ms`,
        target: `under ${limitMillis} ms`,
        met: paint < limitMillis
      }]
    } finally {
      await browser.close()
      await server.stop()
      await drive.close()
    }
  })
