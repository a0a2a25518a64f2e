/** The client in a real browser, on a page of another origin than the drive's, whose files are on disk. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContext, CDPSession, Page } from "puppeteer-core"
import { type Ready, type ServerProcess, startServer } from "../ServerProcess.ts"
import { BreakableLine, freePort } from "./BreakableLine.ts"
import { because, haveChromium, launch, open } from "./Chromium.ts"
import type { ClientPage, Seen } from "./clientPage.ts"
import { type ClientSite, serveClientSite } from "./ClientSite.ts"
import { headOf, rest, sliceBytes } from "./largeFile.ts"

const partBytes = 64 * 1024 ** 2
const slices = 300
const partCount = Math.ceil(slices * sliceBytes / partBytes)

let server: ServerProcess
let ready: Ready
let client: DriveClient
let data: string
/** Between browser and server. */
let line: BreakableLine
let browser: Browser
let context: BrowserContext
/** An origin that the drive allows, and one that it does not. */
let site: ClientSite
let stranger: ClientSite

const session = async () => (await client.session()).gelToken

/** A tab with the client in it. */
const visit = async (from: ClientSite): Promise<Page> => {
  const { page } = await open(context, true)
  await page.goto(from.page(ready.siteUrl))
  return page
}

const inPage = (page: Page) => ({
  send: (name: string, count: number, parallel: number) =>
    page.evaluate(
      (...given) => (globalThis as unknown as { page: ClientPage }).page.send(...given),
      name,
      count,
      parallel
    ),
  sent: () => page.evaluate(() => (globalThis as unknown as { page: ClientPage }).page.sent()),
  seen: () => page.evaluate(() => (globalThis as unknown as { page: ClientPage }).page.seen()),
  search: () => page.evaluate(() => (globalThis as unknown as { page: ClientPage }).page.search()),
  sendMany: (folder: string, count: number) =>
    page.evaluate((...given) => (globalThis as unknown as { page: ClientPage }).page.sendMany(...given), folder, count),
  /** Waits until the page has seen something. */
  until: async (what: (seen: Seen) => boolean): Promise<Seen> => {
    for (;;) {
      const seen = await page.evaluate(() =>
        // A frame of the page at a time, so that its own work goes on.
        new Promise<Seen>((resolve) =>
          setTimeout(() => resolve((globalThis as unknown as { page: ClientPage }).page.seen()), 20)
        )
      )
      if (what(seen)) return seen
      if (seen.states.includes("failed")) throw new Error(`The upload failed: ${seen.states}`)
    }
  }
})

/** Numbers of the parts that the page sends, and of those that storage has answered for. */
const watchParts = (page: Page) => {
  const begun: Array<number> = []
  const kept: Array<number> = []
  const partOf = (url: string) => Number(new URL(url).searchParams.get("partNumber"))
  page.on("request", (request) => {
    if (request.method() === "PUT") begun.push(partOf(request.url()))
  })
  page.on("response", (response) => {
    if (response.request().method() === "PUT" && response.ok()) kept.push(partOf(response.url()))
  })
  return { begun, kept }
}

/** The network as the page has it: its speed upwards in bytes a second, or none. */
const network = async (
  page: Page
): Promise<(conditions: { readonly upload?: number; readonly offline?: true }) => Promise<void>> => {
  const devtools: CDPSession = await page.createCDPSession()
  await devtools.send("Network.enable")
  return ({ offline = false, upload = -1 }) =>
    devtools.send("Network.emulateNetworkConditions", {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: upload
    })
}

const digestOf = async (id: string): Promise<string> => {
  const { downloadUrl } = await client.ok("/generate-download-url", { id })
  const hash = createHash("sha256")
  for await (const bytes of (await fetch(downloadUrl!)).body!) hash.update(bytes)
  return hash.digest("hex")
}

const digestOfSlices = (count: number): string => {
  const hash = createHash("sha256")
  const same = rest()
  for (let slice = 0; slice < count; slice++) hash.update(headOf(slice)).update(same)
  return hash.digest("hex")
}

const filesNamed = async (name: string): Promise<ReadonlyArray<{ readonly id: string; readonly fileSize: number }>> =>
  (await client.ok("/search-files", { text: name })).files

describe.runIf(haveChromium)(`the client in a browser${because}`, () => {
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "filedrive-browser-"))
    ;[site, stranger, browser] = await Promise.all([serveClientSite(session), serveClientSite(session), launch()])
    const port = await freePort()
    line = new BreakableLine(() => port)
    server = startServer({
      PORT: String(port),
      FILEDRIVE_ORIGIN: await line.listen(),
      FILEDRIVE_DATA: data,
      FILEDRIVE_ALLOWED_ORIGINS: site.origin
    })
    ready = await server.ready
    client = new DriveClient({ url: ready.siteUrl, ...ready.accounts[0]! })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    site?.close()
    stranger?.close()
    line?.close()
    server?.signal("SIGTERM")
    await server?.ended
    await rm(data, { recursive: true, force: true })
  }, 60_000)
  beforeEach(async () => {
    context = await browser.createBrowserContext()
    return () => context.close()
  })

  it("CLIENT-100 a large file goes on after a reload of its page", async () => {
    const page = await visit(site)
    const set = await network(page)
    await set({ upload: 60 * 1024 ** 2 })
    const before = watchParts(page)
    const { send, sent, until } = inPage(page)
    await send("film.mov", slices, 2)
    const { sentBytes } = await until(() => before.kept.length >= 2)
    assert.isBelow(sentBytes.at(-1)!, slices * sliceBytes)
    const stored = [...before.kept]
    await page.reload()
    const after = watchParts(page)
    await set({})
    await send("film.mov", slices, 2)
    const { fileSize, id } = await sent()
    assert.strictEqual(fileSize, slices * sliceBytes)
    assert.isEmpty(after.begun.filter((part) => stored.includes(part)))
    assert.includeMembers(Array.from({ length: partCount }, (_, at) => at + 1), after.begun)
    assert.isAtLeast((await inPage(page).seen()).sentBytes[0]!, stored.length * partBytes)
    // Slices are sent as they are: nothing whole is in the page.
    assert.isBelow((await page.metrics()).JSHeapUsedSize!, 32 * 1024 ** 2)
    assert.strictEqual(await digestOf(id), digestOfSlices(slices))
    assert.deepStrictEqual((await filesNamed("film")).map((file) => file.id), [id])
  }, 300_000)

  it("CLIENT-101 progress is told inside a part", async () => {
    const page = await visit(site)
    await (await network(page))({ upload: 24 * 1024 ** 2 })
    const { seen, send, sent } = inPage(page)
    await send("progress.mov", 80, 1)
    await sent()
    const { sentBytes } = await seen()
    const inside = new Set(sentBytes.filter((bytes) => bytes > 0 && bytes < partBytes))
    assert.isAtLeast(inside.size, 3)
    assert.deepStrictEqual(sentBytes, sentBytes.toSorted((a, b) => a - b))
    assert.strictEqual(sentBytes.at(-1), 80 * sliceBytes)
  }, 120_000)

  it("CLIENT-102 a network that is lost inside a part is waited for", async () => {
    const page = await visit(site)
    const set = await network(page)
    await set({ upload: 24 * 1024 ** 2 })
    const { begun, kept } = watchParts(page)
    const { send, sent, until } = inPage(page)
    await send("train.mov", 240, 1)
    const isInside = (bytes: number) => bytes > partBytes && bytes % partBytes > 0
    await until(({ sentBytes }) => isInside(sentBytes.at(-1)!))
    // Chromium's own being offline ends no request that is under way, as losing a network does.
    line.break()
    await set({ offline: true })
    const { sentBytes } = await until(({ states }) => states.at(-1) === "offline")
    const broken = begun.filter((part) => !kept.includes(part))
    assert.lengthOf(new Set(broken), 1)
    assert.isAbove(Math.max(...sentBytes), kept.length * partBytes)
    await page.waitForFunction("navigator.onLine === false")
    line.mend()
    const stored = new Set(kept)
    const sentBefore = begun.length
    await set({})
    const { id } = await sent()
    assert.deepStrictEqual((await inPage(page).seen()).states.slice(0, 3), ["sending", "offline", "sending"])
    // The part that was broken off is sent again, and none that is stored.
    assert.isEmpty(begun.slice(sentBefore).filter((part) => stored.has(part)))
    assert.strictEqual(begun[sentBefore], broken[0])
    assert.sameMembers(kept, [1, 2, 3, 4])
    assert.strictEqual(await digestOf(id), digestOfSlices(240))
  }, 180_000)

  it("CLIENT-103 200 small files go by the queue", async () => {
    const page = await visit(site)
    const { doneFiles, failures } = await inPage(page).sendMany("/Many", 200)
    assert.deepStrictEqual({ doneFiles, failures }, { doneFiles: 200, failures: [] })
    const { files } = await client.ok("/search-files", { folder: "/Many", limit: 200 })
    assert.sameMembers(
      files.map(({ fileName }) => fileName),
      Array.from({ length: 200 }, (_, at) => `${at}.txt`)
    )
  }, 180_000)

  it("CLIENT-104 pages of allowed origins use the drive, those of others do not", async () => {
    const allowed = await visit(site)
    assert.isNumber(await inPage(allowed).search())
    await inPage(allowed).send("small.bin", 1, 1)
    assert.strictEqual(await digestOf((await inPage(allowed).sent()).id), digestOfSlices(1))
    const refused = await visit(stranger)
    assert.strictEqual(await inPage(refused).search(), "network")
  }, 60_000)
})
