/** People send files on the request page, in a real browser to a real drive. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Browser, HTTPRequest } from "puppeteer-core"
import { vi } from "vitest"
import { chromium, type Opened, openPage, startBrowser } from "./Browser.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"
import { choose, clickText, filesOf, hostileNames, send, waitForText } from "./RequestStates.ts"

describe.skipIf(chromium === undefined)("sending files to a request", { timeout: 180_000 }, () => {
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
  })

  const visit = async (options: object = {}) => {
    const request = await host.owner.createFileRequest({ title: "Photos of the concert", ...options })
    const one = await openPage(browser)
    opened.push(one)
    one.page.setDefaultTimeout(60_000)
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

  const assertSame = async (files: ReadonlyMap<string, Buffer>, paths: ReadonlyArray<string>) => {
    const named = (path: string) => basename(path).replaceAll("\u202e", "")
    assert.sameMembers([...files.keys()], paths.map(named))
    for (const path of paths) {
      assert.isTrue((await readFile(path)).equals(files.get(named(path))!), `The bytes of ${path} are others.`)
    }
  }

  const rows = (page: Opened["page"], state: string, count: number) =>
    page.waitForFunction(
      (selector, wanted) => document.querySelectorAll(selector).length === wanted,
      {},
      `.row-${state}`,
      count
    )

  it("PAGE-30 files arrive as they are, whatever they are called", async () => {
    const { faults, page, request } = await visit()
    const paths = await filesOf(host, {
      ...Object.fromEntries(hostileNames.map((name) => [name, 70_001])),
      "empty.txt": 0,
      "a.bin": 9_000_000
    })
    await choose(page, paths)
    await rows(page, "staged", 6)
    assert.strictEqual(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0)
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".row-name")].map((name) => name.innerText)
    )
    assert.include(shown, hostileNames[0])
    assert.include(shown, "invoice gpj.exe")
    await send(page, "Grace <b>Hopper</b>")
    await rows(page, "sent", 6)
    const [delivery] = await arrived(request.id)
    assert.strictEqual(delivery!.senderName, "Grace <b>Hopper</b>")
    await assertSame(delivery!.files, paths)
    assert.deepStrictEqual(faults, [])
  })

  /** Takes hold of requests to storage from now on, until `release`: they are on their way until their page is left. */
  const hold = async (page: Opened["page"], isHeld: (request: HTTPRequest) => boolean) => {
    await page.setRequestInterception(true)
    let isHolding = true
    const onRequest = (request: HTTPRequest) => {
      if (!isHolding || !isHeld(request)) void request.continue()
    }
    page.on("request", onRequest)
    return () => void (isHolding = false)
  }

  const isForm = (request: HTTPRequest) => request.method() === "POST" && request.url().includes("/storage/")
  const partOf = (request: HTTPRequest) =>
    request.method() === "PUT" ? Number(new URL(request.url()).searchParams.get("partNumber")) : null

  const dropToken = (page: Opened["page"], requestId: string): Promise<string> =>
    page.evaluate((id) => JSON.parse(localStorage.getItem(`filedrive:request:${id}`)!).dropToken, requestId)

  it("PAGE-31 after a reload in the middle it goes on, and sends nothing twice", async () => {
    const { page, request } = await visit()
    const small = await filesOf(host, { "one.jpg": 50_000, "two.jpg": 60_000 })
    const [kept, large] = await filesOf(host, { "kept.wav": 6_000_000, "large.mov": 68 * 1024 ** 2 })
    await choose(page, small)
    await rows(page, "staged", 2)
    await send(page)
    await rows(page, "sent", 2)

    const release = await hold(page, (one) => isForm(one) || partOf(one) === 2)
    await choose(page, [kept!, large!])
    await rows(page, "sending", 2)
    const token = await dropToken(page, request.id)
    const storedBytes = async () => (await host.drive.public.selectDrop({ dropToken: token })).uploads[0]?.storedBytes
    await vi.waitUntil(async () => await storedBytes() === 64 * 1024 ** 2, { timeout: 60_000, interval: 200 })

    release()
    const parts: Array<number | null> = []
    let forms = 0
    page.on("request", (one) => {
      if (partOf(one) !== null) parts.push(partOf(one))
      if (isForm(one)) forms++
    })
    await page.reload()
    // What the browser kept goes on by itself, the other file is asked for.
    await rows(page, "sent", 3)
    await rows(page, "missing", 1)
    await waitForText(page, "1 file is not finished")
    assert.strictEqual(forms, 1)
    await choose(page, [large!])
    await rows(page, "sent", 4)
    assert.deepStrictEqual(parts, [2])
    assert.strictEqual(forms, 1)

    const [delivery, ...others] = await arrived(request.id)
    assert.deepStrictEqual(others, [])
    await assertSame(delivery!.files, [...small, kept!, large!])
  })

  it("PAGE-31 what was chosen and not sent yet is still there", async () => {
    const { page } = await visit()
    await choose(page, await filesOf(host, { "one.jpg": 50_000 }))
    await page.locator("input[name=name]").fill("Grace")
    await page.locator("textarea").fill("From Saturday")
    await page.reload()
    await rows(page, "staged", 1)
    const fields = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>("input[name=name], textarea")].map(({ value }) => value)
    )
    assert.deepStrictEqual(fields, ["Grace", "From Saturday"])
    await page.locator(".actions .button-primary").click()
    await rows(page, "sent", 1)
  })

  it("PAGE-32 without a network it waits, and goes on by itself", async () => {
    const { page, request } = await visit()
    const paths = await filesOf(host, { "one.jpg": 50_000, "two.jpg": 60_000 })
    await choose(page, paths)
    await rows(page, "staged", 2)
    const release = await hold(page, isForm)
    await send(page)
    await rows(page, "sending", 2)
    await page.setOfflineMode(true)
    release()
    await rows(page, "offline", 2)
    await waitForText(page, "You are offline")
    await page.setOfflineMode(false)
    await rows(page, "sent", 2)
    await assertSame((await arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-33 files are paused, go on, are taken out and taken back", async () => {
    const { page, request } = await visit()
    const paths = await filesOf(host, { "one.jpg": 50_000, "two.jpg": 60_000, "three.jpg": 70_000, "four.jpg": 80_000 })
    await choose(page, paths)
    await rows(page, "staged", 4)
    const release = await hold(page, isForm)
    await send(page)
    await rows(page, "sending", 3)
    await rows(page, "waiting", 1)
    await page.locator("button[aria-label*='Pause'][aria-label*='one.jpg']").click()
    // The next one has its place.
    await rows(page, "paused", 1)
    await rows(page, "sending", 3)
    await clickText(page, "Pause all")
    await rows(page, "paused", 4)
    await page.locator("button[aria-label*='Remove'][aria-label*='two.jpg']").click()
    await page.waitForFunction(() => document.querySelectorAll(".row").length === 3)
    release()
    await page.locator("button[aria-label*='Go on with'][aria-label*='four.jpg']").click()
    await rows(page, "sent", 1)
    await clickText(page, "Go on")
    await rows(page, "sent", 3)

    await page.locator("button[aria-label*='Take'][aria-label*='three.jpg']").click()
    await page.waitForSelector("dialog[open]")
    await clickText(page, "Cancel")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await rows(page, "sent", 3)
    await page.locator("button[aria-label*='Take'][aria-label*='three.jpg']").click()
    await clickText(page, "Take it back")
    await rows(page, "sent", 2)
    await assertSame((await arrived(request.id))[0]!.files, [paths[0]!, paths[3]!])
    // It can be chosen again, and the page remembers what was taken out.
    await page.reload()
    await rows(page, "sent", 2)
    await choose(page, [paths[2]!])
    await rows(page, "sent", 3)
  })

  it("PAGE-34 dropped folders come with what is in them, a pasted picture with a name of its own", async () => {
    const { page, request } = await visit()
    const folder = join(host.directory, "Trip")
    await mkdir(join(folder, "Day 1"), { recursive: true })
    await writeFile(join(folder, "plan.txt"), "plan")
    await writeFile(join(folder, "Day 1", "photo.jpg"), "photo")
    await writeFile(join(folder, ".DS_Store"), "of the system")
    const [loose] = await filesOf(host, { "loose.pdf": 1_000 })
    await page.waitForSelector(".zone")
    const session = await page.createCDPSession()
    const data = { items: [], files: [folder, loose!], dragOperationsMask: 1 }
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 20, data })
    }
    await rows(page, "staged", 3)
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(["picture"], "image.png", { type: "image/png" }))
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    })
    await rows(page, "staged", 4)
    await page.locator("input[name=name]").fill("Grace")
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData("text/plain", "no file")
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.locator(".actions .button-primary").click()
    await rows(page, "sent", 4)
    const names = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".row-name")].map((name) => name.innerText)
    )
    assert.sameMembers(names.slice(0, 3), ["Trip/Day 1/photo.jpg", "Trip/plan.txt", "loose.pdf"])
    assert.match(names[3]!, /^image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/)
    const [delivery] = await arrived(request.id)
    assert.sameMembers([...delivery!.files.keys()], ["photo.jpg", "plan.txt", "loose.pdf", names[3]!])
    assert.strictEqual(delivery!.files.get("photo.jpg")!.toString(), "photo")
  })

  it("PAGE-35 a link with a password opens by it, and stays open after a reload", async () => {
    const { page, request } = await visit({ password: "correct horse" })
    await page.waitForSelector(".gate")
    await page.locator(".gate input").fill("battery staple")
    await page.keyboard.press("Enter")
    await waitForText(page, "not the right password")
    await page.locator(".gate input").fill("correct horse")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".zone")
    await page.reload()
    await page.waitForSelector(".zone")
    await choose(page, await filesOf(host, { "one.jpg": 50_000 }))
    await page.waitForSelector(".row")
    await send(page)
    await rows(page, "sent", 1)
    // Another password ends it.
    await host.owner.updateFileRequest({ requestId: request.id, password: "another horse" })
    await page.reload()
    await page.waitForSelector(".gate")
  })

  it("PAGE-35 a request that is closed meanwhile says so, and what was sent can be finished", async () => {
    const { page, request } = await visit()
    const paths = await filesOf(host, { "one.jpg": 50_000, "two.jpg": 60_000 })
    await choose(page, [paths[0]!])
    await page.waitForSelector(".row")
    await send(page)
    await rows(page, "sent", 1)
    await host.owner.setFileRequestOpen({ requestId: request.id, open: false })
    await choose(page, [paths[1]!])
    await waitForText(page, "This request is closed")
    await waitForText(page, "1 file that you sent before has arrived")
    await clickText(page, "Finish")
    await waitForText(page, "Thank you!")
    await assertSame((await arrived(request.id))[0]!.files, [paths[0]!])
  })

  it("PAGE-35 a link that leads to nothing says so, whatever it looks like", async () => {
    for (
      const id of ["5e0c3a44-0000-4000-8000-000000000000", "5e0c", "%E0%A4%A", "%3Cscript%3Ealert(1)%3C%2Fscript%3E"]
    ) {
      const one = await openPage(browser)
      opened.push(one)
      await one.page.goto(host.linkOf({ id }))
      await waitForText(one.page, "There is nothing at this link")
      assert.deepStrictEqual(one.faults, [])
    }
  })

  it("PAGE-36 a file without room says so, the others go on, and it goes on when there is room", async () => {
    const { page, request } = await visit({ maxBytes: 150_000 })
    const paths = await filesOf(host, { "one.jpg": 50_000, "large.jpg": 120_000, "two.jpg": 60_000 })
    await choose(page, paths)
    await rows(page, "staged", 3)
    await send(page)
    await rows(page, "failed", 1)
    await waitForText(page, "There is no room left for it")
    await rows(page, "sent", 2)
    await host.owner.updateFileRequest({ requestId: request.id, maxBytes: null })
    await clickText(page, "Try again")
    await rows(page, "sent", 3)
    await assertSame((await arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-37 finishing tells the owner, thanks, and leaves room for another delivery", async () => {
    const { page, request } = await visit()
    await choose(page, await filesOf(host, { "one.jpg": 50_000, "two.jpg": 60_000 }))
    await rows(page, "staged", 2)
    await page.locator("textarea").fill("From Saturday.\n\n<b>Bye</b>")
    await send(page)
    await rows(page, "sent", 2)
    await clickText(page, "Finish")
    await waitForText(page, "Thank you!")
    await page.reload()
    await waitForText(page, "2 files (110 kB) were sent to Ada Lovelace")
    await rows(page, "sent", 2)
    const { events } = await host.owner.selectDriveEvents({ kinds: ["drop"], requestId: request.id })
    assert.lengthOf(events, 1)
    const [event] = events as unknown as ReadonlyArray<
      { sender: { name: string }; note: string; files: ReadonlyArray<object> }
    >
    assert.strictEqual(event!.sender.name, "Grace")
    assert.strictEqual(event!.note, "From Saturday.\n\n<b>Bye</b>")
    assert.lengthOf(event!.files, 2)
    await clickText(page, "Send more files")
    await choose(page, await filesOf(host, { "three.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await page.locator(".actions .button-primary").click()
    await rows(page, "sent", 1)
    assert.lengthOf(await arrived(request.id), 2)
  })

  it("PAGE-37 finishing without some of the files is asked about", async () => {
    const { page, request } = await visit({ maxBytes: 60_000 })
    await choose(page, await filesOf(host, { "one.jpg": 50_000, "two.jpg": 60_000 }))
    await rows(page, "staged", 2)
    await send(page)
    await rows(page, "failed", 1)
    await rows(page, "sent", 1)
    await clickText(page, "Finish")
    await waitForText(page, "Finish without the others?")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await clickText(page, "Finish")
    await page.locator("dialog .button-primary").click()
    await waitForText(page, "Thank you!")
    assert.strictEqual((await arrived(request.id))[0]!.files.size, 1)
  })

  it("PAGE-38 the keyboard alone does all of it", async () => {
    const { page, request } = await visit()
    const paths = await filesOf(host, { "one.jpg": 50_000 })
    await page.waitForSelector(".zone")
    const focus = async (text: string) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press("Tab")
        const found = await page.evaluate(() => {
          const { activeElement } = document
          return `${activeElement?.getAttribute("aria-label") ?? ""} ${activeElement?.textContent} ${
            activeElement?.getAttribute("name")
          }`
        })
        if (found.includes(text)) return
      }
      assert.fail(`Tab never comes to ${text}.`)
    }
    await focus("Choose files")
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.keyboard.press("Enter")])
    await chooser.accept([...paths])
    await rows(page, "staged", 1)
    await focus("name")
    await page.keyboard.type("Grace")
    await focus("Send 1 file")
    await page.keyboard.press("Enter")
    await rows(page, "sent", 1)
    await focus("Finish")
    await page.keyboard.press("Space")
    await waitForText(page, "Thank you!")
    // What has taken the place of the page has the focus, so that it is read.
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Thank you!")
    await assertSame((await arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-39 a second tab is a delivery of its own", async () => {
    const { page, request } = await visit()
    await choose(page, await filesOf(host, { "one.jpg": 50_000 }))
    await page.waitForSelector(".row")
    await send(page)
    await rows(page, "sent", 1)
    const second = await page.browserContext().newPage()
    await second.goto(host.linkOf(request))
    await second.waitForSelector(".notice")
    await rows(second, "sent", 0)
    await choose(second, await filesOf(host, { "two.jpg": 50_000 }))
    await second.waitForSelector(".row")
    await send(second, "Grace's other tab")
    await rows(second, "sent", 1)
    assert.sameMembers((await arrived(request.id)).map(({ senderName }) => senderName), ["Grace", "Grace's other tab"])
    await second.close()
    await page.reload()
    await rows(page, "sent", 1)
  })
})
