/** People who send files on the request page, in a real browser to a real drive, and what their owner sees of it. */
import { afterAll, assert, beforeAll } from "@effect/vitest"
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import type { Browser, HTTPRequest } from "puppeteer-core"
import { type Opened, type OpenOptions, openPage, startBrowser } from "./Browser.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"

/** A browser and a drive for the tests of a file. */
export const makeVisits = () => {
  let browser: Browser
  let host: PagesHost
  const opened: Array<Opened> = []

  beforeAll(async () => {
    browser = await startBrowser()
    host = await startHost()
  })
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()))
    await browser?.close()
    await host?.stop()
    // A drive ends the analysis of what was uploaded first.
  }, 180_000)

  const open = async (options?: OpenOptions) => {
    const one = await openPage(browser, options)
    opened.push(one)
    one.page.setDefaultTimeout(60_000)
    return one
  }

  /** Opens the link of a new request. */
  const visit = async (options: object = {}) => {
    const request = await host.owner.createFileRequest({ title: "Photos of the concert", ...options })
    const one = await open()
    await one.page.goto(host.linkOf(request))
    return { ...one, request }
  }

  /** The deliveries of a request as its owner sees them, with the bytes of their files. */
  const arrived = async (requestId: string) => {
    const [request] = (await host.owner.selectFileRequests({ requestIds: [requestId] })).requests
    return Promise.all(request!.drops.map(async ({ files, ...delivery }) => ({
      ...delivery,
      files: new Map(
        await Promise.all(
          files.map(async ({ fileName, id }) =>
            [fileName, Buffer.from(await new Response((await host.owner.files.get(id)).stream).arrayBuffer())] as const
          )
        )
      )
    })))
  }

  return {
    get host() {
      return host
    },
    open,
    visit,
    arrived
  }
}

export const assertSame = async (files: ReadonlyMap<string, Buffer>, paths: ReadonlyArray<string>) => {
  const named = (path: string) => basename(path).replaceAll("\u202e", "")
  assert.sameMembers([...files.keys()], paths.map(named))
  for (const path of paths) {
    assert.isTrue((await readFile(path)).equals(files.get(named(path))!), `The bytes of ${path} are others.`)
  }
}

export const rows = (page: Opened["page"], state: string, count: number) =>
  page.waitForFunction(
    (selector, wanted) => document.querySelectorAll(selector).length === wanted,
    {},
    `.row-${state}`,
    count
  )

/** Takes hold of requests to storage from now on, until `release`: they are on their way until their page is left. */
export const hold = async (page: Opened["page"], isHeld: (request: HTTPRequest) => boolean) => {
  await page.setRequestInterception(true)
  let isHolding = true
  const onRequest = (request: HTTPRequest) => {
    if (!isHolding || !isHeld(request)) void request.continue()
  }
  page.on("request", onRequest)
  return () => void (isHolding = false)
}

export const isForm = (request: HTTPRequest) => request.method() === "POST" && request.url().includes("/storage/")
export const partOf = (request: HTTPRequest) =>
  request.method() === "PUT" ? Number(new URL(request.url()).searchParams.get("partNumber")) : null

export const dropToken = (page: Opened["page"], requestId: string): Promise<string> =>
  page.evaluate((id) => JSON.parse(localStorage.getItem(`filedrive:request:${id}`)!).dropToken, requestId)

/** Drops files and folders of the disk on the page, as a file manager does. */
export const dropOn = async (page: Opened["page"], paths: ReadonlyArray<string>): Promise<void> => {
  const session = await page.createCDPSession()
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 20, data })
  }
  await session.detach()
}

/** Opens the system's dialog for files and chooses some in it. */
export const answerChooser = async (
  page: Opened["page"],
  paths: ReadonlyArray<string>,
  open: () => Promise<unknown>
): Promise<void> => {
  const session = await page.createCDPSession()
  const opened = new Promise<number>((resolve) =>
    session.once("Page.fileChooserOpened", ({ backendNodeId }) => resolve(backendNodeId!))
  )
  // Before it is opened: one that is not intercepted stays open, and nobody sees it.
  await session.send("Page.enable")
  await session.send("Page.setInterceptFileChooserDialog", { enabled: true })
  await open()
  await session.send("DOM.setFileInputFiles", { files: [...paths], backendNodeId: await opened })
  await session.detach()
}
