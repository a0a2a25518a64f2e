/** The server's page for uploads in a real browser: Uppy's Dashboard as people use it. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContext, CDPSession, Page } from "puppeteer-core"
import { type Ready, type ServerProcess, startServer } from "../ServerProcess.ts"
import { BreakableLine, freePort } from "./BreakableLine.ts"
import { because, follow, haveChromium, launch, open, picture, type Tab } from "./Chromium.ts"

const mebibyte = 1024 ** 2

let server: ServerProcess
let ready: Ready
let client: DriveClient
let directory: string
/** Between browser and server. */
let line: BreakableLine
let browser: Browser
let context: BrowserContext
let tab: Tab
let page: Page
let devtools: CDPSession

/** A file on disk for the browser to choose; of a larger one only the end is written. */
const file = async (name: string, size: number): Promise<string> => {
  const path = join(directory, name)
  await writeFile(path, `This is ${name}`)
  if (size > 0) await truncate(path, size)
  return path
}

const signIn = async (to: Page): Promise<void> => {
  await to.type("input[name=apiToken]", ready.accounts[0]!.apiToken)
  await follow(to, "main button")
}

const choose = async (...paths: ReadonlyArray<string>): Promise<void> => {
  const input = await page.waitForSelector(".uppy-Dashboard-input:not([webkitdirectory])")
  await (input as unknown as { readonly uploadFile: (...paths: ReadonlyArray<string>) => Promise<void> })
    .uploadFile(...paths)
}

const begin = async (): Promise<void> => {
  await page.waitForSelector(".uppy-StatusBar-actionBtn--upload")
  await page.click(".uppy-StatusBar-actionBtn--upload")
}

/** The name of each file that is shown, and what its button does next. */
const shown = (): Promise<ReadonlyArray<readonly [string, string]>> =>
  page.$$eval(".uppy-Dashboard-Item", (items) =>
    items.map((item: any) =>
      [
        item.querySelector(".uppy-Dashboard-Item-name").textContent,
        item.querySelector("button.uppy-Dashboard-Item-progressIndicator")?.title ??
          (item.classList.contains("is-complete") ? "done" : "none")
      ] as const
    ))

/** Waits until the page shows something. */
const until = async (what: () => Promise<boolean>): Promise<void> => {
  while (!(await what())) await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))")
}
const untilShown = (name: string, state: string): Promise<void> =>
  until(async () => (await shown()).some(([one, other]) => one === name && other === state))

/** Clicks a button of the file with this name. */
const press = (name: string, button: string): Promise<void> =>
  page.$$eval(
    ".uppy-Dashboard-Item",
    (items, name, button) => {
      const item = items.find((item: any) =>
        item.querySelector(".uppy-Dashboard-Item-name").textContent === name
      ) as any
      item.querySelector(button).click()
    },
    name,
    button
  )

const toggle = "button.uppy-Dashboard-Item-progressIndicator"
const percent = (): Promise<number> =>
  page.$eval(".uppy-StatusBar-progress", (bar: any) => Number(bar.getAttribute("aria-valuenow")))

const network = (upload: number, offline = false) =>
  devtools.send("Network.emulateNetworkConditions", {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: upload
  })

const filesNamed = async (text: string): Promise<ReadonlyArray<string>> =>
  (await client.ok("/search-files", { text })).files
    .map(({ fileName, fileSize }: { readonly fileName: string; readonly fileSize: number }) =>
      `${fileName} ${fileSize}`
    )
    .toSorted()
const pendingBytes = async (): Promise<number> => (await client.ok("/get-user-storage-usage")).pendingBytes

describe.runIf(haveChromium)(`Uppy's Dashboard at the example server${because}`, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-dashboard-"))
    browser = await launch()
    const port = await freePort()
    line = new BreakableLine(() => port)
    server = startServer({
      PORT: String(port),
      FILEDRIVE_ORIGIN: await line.listen(),
      FILEDRIVE_DATA: join(directory, "data")
    })
    ready = await server.ready
    client = new DriveClient({ url: ready.siteUrl, ...ready.accounts[0]! })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    line?.close()
    server?.signal("SIGTERM")
    await server?.ended
    await rm(directory, { recursive: true, force: true })
  }, 60_000)
  beforeEach(async () => {
    context = await browser.createBrowserContext()
    tab = await open(context, true)
    page = tab.page
    devtools = await page.createCDPSession()
    await devtools.send("Network.enable")
    await page.goto(`${ready.siteUrl}/upload`)
    await signIn(page)
    return () => context.close()
  }, 60_000)

  it("CLIENT-140 who has signed in uploads files, pauses one and cancels one", async () => {
    assert.strictEqual(new URL(page.url()).pathname, "/upload")
    const hostile = "<img src onerror=x>.txt"
    await choose(
      await file(hostile, 0),
      await file("dash empty.txt", 0),
      await file("dash film.mov", 150 * mebibyte),
      await file("dash removed.mov", 150 * mebibyte)
    )
    await network(8 * mebibyte)
    await begin()
    await untilShown(hostile, "done")
    await untilShown("dash film.mov", "Pause upload")
    await until(async () => await percent() > 0 && await percent() < 100)
    await picture(page, "dashboard")
    await press("dash film.mov", toggle)
    await untilShown("dash film.mov", "Resume upload")
    await press("dash removed.mov", ".uppy-Dashboard-Item-action--remove")
    await until(async () => (await shown()).length === 3)
    assert.isEmpty(await filesNamed("film"))
    await network(-1)
    await press("dash film.mov", toggle)
    await untilShown("dash film.mov", "done")
    // It is drawn anew meanwhile.
    await until(() =>
      page.$$eval(".uppy-StatusBar", (bars) => bars.some((bar) => bar.textContent.includes("Complete")))
    )
    assert.deepStrictEqual(await filesNamed("dash"), ["dash empty.txt 22", `dash film.mov ${150 * mebibyte}`])
    assert.deepStrictEqual(await filesNamed("onerror"), [`${hostile} ${8 + hostile.length}`])
    assert.strictEqual(await pendingBytes(), 0)
    assert.isEmpty(tab.forbidden)
  }, 180_000)

  it("CLIENT-141 a network that is lost is waited for, and nobody has to click", async () => {
    await choose(await file("train.mov", 150 * mebibyte), await file("tram.txt", 0))
    await network(8 * mebibyte)
    await begin()
    await untilShown("tram.txt", "done")
    await until(async () => await percent() > 20 && await percent() < 80)
    line.break()
    await network(-1, true)
    await page.waitForFunction("navigator.onLine === false")
    assert.deepStrictEqual((await shown()).find(([name]) => name === "train.mov"), ["train.mov", "Pause upload"])
    line.mend()
    await network(-1)
    await untilShown("train.mov", "done")
    assert.deepStrictEqual(await filesNamed("train"), [`train.mov ${150 * mebibyte}`])
  }, 180_000)

  it("CLIENT-142 who is signed out meanwhile signs in again, and retries what has failed", async () => {
    await choose(await file("first.txt", 0))
    await begin()
    await untilShown("first.txt", "done")
    const other = await context.newPage()
    await other.goto(`${ready.siteUrl}/sign-in`)
    await follow(other, "form[action='/sign-out'] button")
    await page.bringToFront()
    await page.click(".uppy-DashboardContent-addMore")
    await choose(await file("second.txt", 0), await file("third.txt", 0))
    await begin()
    await untilShown("second.txt", "Retry upload")
    await untilShown("third.txt", "Retry upload")
    assert.match(
      await page.$eval(".uppy-Dashboard-Item-errorDetails", (one: any) => one.getAttribute("aria-label")),
      /^You are signed out/
    )
    assert.isEmpty(await filesNamed("second"))
    await other.bringToFront()
    await other.goto(`${ready.siteUrl}/sign-in`)
    await signIn(other)
    await page.bringToFront()
    await press("second.txt", toggle)
    await untilShown("second.txt", "done")
    await press("third.txt", toggle)
    await untilShown("third.txt", "done")
    assert.deepStrictEqual(await filesNamed("second"), ["second.txt 18"])
    assert.deepStrictEqual(await filesNamed("third"), ["third.txt 17"])
  }, 120_000)
})
