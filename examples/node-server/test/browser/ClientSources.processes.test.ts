/** What a page gives the client in a real browser: directories that are dropped or chosen, a record in IndexedDB, files without bytes. */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContext, CDPSession, Page } from "puppeteer-core"
import { type Ready, type ServerProcess, startServer } from "../ServerProcess.ts"
import { because, haveChromium, launch, open } from "./Chromium.ts"
import type { ClientPage } from "./clientPage.ts"
import { type ClientSite, serveClientSite } from "./ClientSite.ts"
import { sliceBytes } from "./largeFile.ts"

const partBytes = 64 * 1024 ** 2

let server: ServerProcess
let ready: Ready
let client: DriveClient
let directory: string
let browser: Browser
let context: BrowserContext
let site: ClientSite
let page: Page
let devtools: CDPSession

/** Calls a function of the page. */
const call = <Name extends keyof ClientPage>(
  name: Name,
  ...given: Parameters<ClientPage[Name]>
): Promise<Awaited<ReturnType<ClientPage[Name]>>> =>
  page.evaluate(
    (name, given) => (globalThis as any).page[name](...given),
    name,
    given
  ) as Promise<Awaited<ReturnType<ClientPage[Name]>>>

const until = async (what: () => Promise<boolean>): Promise<void> => {
  while (!(await what())) await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))")
}

/** Paths and sizes of the files below a folder. */
const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { files } = await client.ok("/search-files", { folder, limit: 200 })
  return (files as ReadonlyArray<
    { readonly fileName: string; readonly fileSize: number; readonly folder: { readonly path: string } }
  >)
    .map(({ fileName, fileSize, folder }) => `${folder.path}/${fileName} ${fileSize}`)
    .toSorted()
}

const network = (upload: number): Promise<void> =>
  devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: upload
  })

/** Numbers of the parts that storage has answered for, and of the requests that were ended before that. */
const watchParts = () => {
  const kept: Array<number> = []
  const ended: Array<number> = []
  const partOf = (url: string) => Number(new URL(url).searchParams.get("partNumber"))
  page.on("response", (response) => {
    if (response.request().method() === "PUT" && response.ok()) kept.push(partOf(response.url()))
  })
  page.on("requestfailed", (request) => {
    if (request.method() === "PUT") ended.push(partOf(request.url()))
  })
  return { kept, ended }
}

describe.runIf(haveChromium)(`what a page gives the client${because}`, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "filedrive-sources-"))
    ;[site, browser] = await Promise.all([
      serveClientSite(async () => (await client.session()).gelToken),
      launch()
    ])
    server = startServer({ FILEDRIVE_DATA: join(directory, "data"), FILEDRIVE_ALLOWED_ORIGINS: site.origin })
    ready = await server.ready
    client = new DriveClient({ url: ready.siteUrl, ...ready.accounts[0]! })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    site?.close()
    server?.signal("SIGTERM")
    await server?.ended
    await rm(directory, { recursive: true, force: true })
  }, 60_000)
  beforeEach(async () => {
    context = await browser.createBrowserContext()
    page = (await open(context, true)).page
    devtools = await page.createCDPSession()
    await devtools.send("Network.enable")
    await page.goto(`${site.page(ready.siteUrl)}#indexedDb`)
    return () => context.close()
  })

  it("CLIENT-144 a directory's handle goes into a queue, with its folders and empty files", async () => {
    const { doneFiles, failures } = await call("sendHandle", "/Handles")
    assert.deepStrictEqual({ doneFiles, failures }, { doneFiles: 3, failures: [] })
    assert.deepStrictEqual(await filesBelow("/Handles"), [
      "/Handles/trip/a.txt 1",
      "/Handles/trip/day/b.txt 2",
      "/Handles/trip/day/empty.txt 0"
    ])
  }, 60_000)

  it("CLIENT-144 directories that are dropped go with all their files, more than a browser reads at once", async () => {
    const album = join(directory, "album")
    await mkdir(join(album, "many"), { recursive: true })
    // Chromium reads a hundred entries of a directory at a time.
    await Promise.all(
      Array.from({ length: 120 }, (_, at) => writeFile(join(album, "many", `${at}.txt`), "x".repeat(at % 3)))
    )
    await writeFile(join(album, "cover.txt"), "cover")
    await writeFile(join(directory, "alone.txt"), "alone")
    await call("sendDropped", "/Dropped")
    const data = { items: [], files: [album, join(directory, "alone.txt")], dragOperationsMask: 1 }
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await devtools.send("Input.dispatchDragEvent", { type, x: 20, y: 20, data })
    }
    const { doneFiles, failures } = await call("dropped")
    assert.deepStrictEqual({ doneFiles, failures }, { doneFiles: 122, failures: [] })
    assert.sameMembers([...await filesBelow("/Dropped")], [
      "/Dropped/alone.txt 5",
      "/Dropped/album/cover.txt 5",
      ...Array.from({ length: 120 }, (_, at) => `/Dropped/album/many/${at}.txt ${at % 3}`)
    ])
  }, 120_000)

  it("CLIENT-145 with a record in IndexedDB an upload goes on after a reload", async () => {
    const { kept } = watchParts()
    await network(60 * 1024 ** 2)
    await call("send", "indexed.mov", 200, 1)
    await until(async () => kept.length >= 1)
    await page.reload()
    const stored = kept.length
    await network(-1)
    await call("send", "indexed.mov", 200, 1)
    const { fileSize } = await call("sent")
    assert.strictEqual(fileSize, 200 * sliceBytes)
    assert.isBelow(stored, 4)
    // Each once, before the reload or after it.
    assert.sameMembers(kept, [1, 2, 3, 4])
    const { files } = await client.ok("/search-files", { text: "indexed" })
    assert.lengthOf(files, 1)
  }, 180_000)

  it.each(["dedicated", "service"] as const)(
    "CLIENT-182 in a %s worker files go by form, in parts and by a queue",
    async (kind) => {
      const folder = `/In a ${kind} worker`
      assert.deepStrictEqual(await call("inWorker", kind, { folder, slices: 80 }), {
        sizes: [5, 80 * sliceBytes],
        queued: 20,
        found: 22,
        toldBytes: 80 * sliceBytes
      })
    },
    120_000
  )

  it("CLIENT-146 pausing ends the request of a part at once, and no part that is stored goes again", async () => {
    const { ended, kept } = watchParts()
    await network(16 * 1024 ** 2)
    await call("send", "paused.mov", 100, 1)
    await until(async () => (await call("seen")).sentBytes.some((bytes) => bytes > 0 && bytes < partBytes))
    await call("pause")
    await until(async () => ended.length > 0)
    assert.deepStrictEqual([ended, kept], [[1], []])
    assert.strictEqual((await call("seen")).states.at(-1), "paused")
    await network(-1)
    await call("resume")
    assert.strictEqual((await call("sent")).fileSize, 100 * sliceBytes)
    assert.deepStrictEqual(kept, [1, 2])
  }, 120_000)
})
