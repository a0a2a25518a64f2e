/** Sending files on the request page, in a real browser to a real drive. */
import { assert, describe, it } from "@effect/vitest"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { vi } from "vitest"
import { because, haveChromium } from "./Browser.ts"
import { choose, clickText, filesOf, hostileNames, send, waitForText } from "./RequestStates.ts"
import { assertSame, dropOn, dropToken, hold, isForm, makeVisits, partOf, rows } from "./Visits.ts"

describe.runIf(haveChromium)(`sending files to a request${because}`, { timeout: 180_000 }, () => {
  const visits = makeVisits()

  it("PAGE-30 files arrive as they are, whatever they are called", async () => {
    const { faults, page, request } = await visits.visit()
    const paths = await filesOf(visits.host, {
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
    const [delivery] = await visits.arrived(request.id)
    assert.strictEqual(delivery!.senderName, "Grace <b>Hopper</b>")
    await assertSame(delivery!.files, paths)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-232 files of one sender that have no room at once are sent one after the other", async () => {
    const { faults, page, request } = await visits.visit({ maxBytes: 10_000 })
    // One address may have half of the request's room open.
    const paths = await filesOf(visits.host, { "1.jpg": 2_400, "2.jpg": 2_401, "3.jpg": 2_402, "4.jpg": 2_403 })
    await choose(page, paths)
    await rows(page, "staged", 4)
    await send(page)
    await rows(page, "sent", 4)
    const [delivery] = await visits.arrived(request.id)
    await assertSame(delivery!.files, paths)
    // The refusals themselves.
    assert.deepStrictEqual(faults.filter((fault) => !fault.includes("403")), [])
  })

  it("PAGE-31, PAGE-166 after a reload in the middle it goes on, and sends nothing twice", async () => {
    const { page, request } = await visits.visit()
    const small = await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 })
    const [kept, large] = await filesOf(visits.host, { "kept.wav": 6_000_000, "large.mov": 68 * 1024 ** 2 })
    await choose(page, small)
    await rows(page, "staged", 2)
    await send(page)
    await rows(page, "sent", 2)

    const release = await hold(page, (one) => isForm(one) || partOf(one) === 2)
    await choose(page, [kept!, large!])
    await rows(page, "sending", 2)
    const token = await dropToken(page, request.id)
    const storedBytes = async () =>
      (await visits.host.drive.public.selectDrop({ dropToken: token })).uploads[0]?.storedBytes
    await vi.waitUntil(async () => await storedBytes() === 64 * 1024 ** 2, { timeout: 120_000, interval: 200 })

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
    await page.waitForFunction(() => document.activeElement?.textContent === "Choose them again")
    assert.strictEqual(forms, 1)
    await choose(page, [large!])
    await rows(page, "sent", 4)
    assert.deepStrictEqual(parts, [2])
    assert.strictEqual(forms, 1)

    const [delivery, ...others] = await visits.arrived(request.id)
    assert.deepStrictEqual(others, [])
    await assertSame(delivery!.files, [...small, kept!, large!])
  })

  it("PAGE-31 what was chosen and not sent yet is still there", async () => {
    const { page } = await visits.visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
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

  it("PAGE-31 of a file that was dropped the browser keeps where it is, and may ask before it is read again", async () => {
    const { page, request } = await visits.visit()
    await page.waitForSelector(".zone")
    const paths = await filesOf(visits.host, { "large.mov": 40 * 1024 ** 2 })
    await dropOn(page, paths)
    await rows(page, "staged", 1)
    await page.reload()
    await rows(page, "staged", 1)
    const release = await hold(page, isForm)
    await send(page)
    await rows(page, "sending", 1)
    // As after the browser was closed.
    await page.evaluateOnNewDocument(() => {
      let isAllowed = false
      Object.assign(FileSystemFileHandle.prototype, {
        queryPermission: async () => isAllowed ? "granted" : "prompt",
        requestPermission: async () => {
          isAllowed = true
          return "granted"
        }
      })
    })
    release()
    await page.reload()
    await rows(page, "missing", 1)
    await waitForText(page, "Allow it to read them again")
    await clickText(page, "Go on")
    await rows(page, "sent", 1)
    await assertSame((await visits.arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-167 what is only good to know has another mark than what was done", async () => {
    const { page } = await visits.visit()
    const paths = await filesOf(visits.host, { "one.jpg": 50_000 })
    await choose(page, paths)
    await rows(page, "staged", 1)
    await choose(page, paths)
    await page.waitForSelector(".notice-info")
    await send(page)
    await rows(page, "sent", 1)
    const [known, sent] = await page.evaluate(() =>
      [".notice-info .icon path", ".row-sent .row-icon path"].map((path) =>
        document.querySelector(path)!.getAttribute("d")
      )
    )
    assert.notStrictEqual(known, sent)
  })

  it("PAGE-32 without a network it waits, and goes on by itself", async () => {
    const { page, request } = await visits.visit()
    const paths = await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 })
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
    await assertSame((await visits.arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-33 files are paused, go on, are taken out and taken back", async () => {
    const { page, request } = await visits.visit()
    const paths = await filesOf(visits.host, {
      "one.jpg": 50_000,
      "two.jpg": 60_000,
      "three.jpg": 70_000,
      "four.jpg": 80_000
    })
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
    await assertSame((await visits.arrived(request.id))[0]!.files, [paths[0]!, paths[3]!])
    // It can be chosen again, and the page remembers what was taken out.
    await page.reload()
    await rows(page, "sent", 2)
    await choose(page, [paths[2]!])
    await rows(page, "sent", 3)
  })

  it("PAGE-34 dropped folders come with what is in them, a pasted picture with a name of its own", async () => {
    const { page, request } = await visits.visit()
    const folder = join(visits.host.directory, "Trip")
    await mkdir(join(folder, "Day 1"), { recursive: true })
    await writeFile(join(folder, "plan.txt"), "plan")
    await writeFile(join(folder, "Day 1", "photo.jpg"), "photo")
    await writeFile(join(folder, ".DS_Store"), "of the system")
    const [loose] = await filesOf(visits.host, { "loose.pdf": 1_000 })
    await page.waitForSelector(".zone")
    await dropOn(page, [folder, loose!])
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
    const [delivery] = await visits.arrived(request.id)
    assert.sameMembers([...delivery!.files.keys()], ["photo.jpg", "plan.txt", "loose.pdf", names[3]!])
    assert.strictEqual(delivery!.files.get("photo.jpg")!.toString(), "photo")
  })

  it("PAGE-213 text that is pasted into a field is its text, also where a picture of it comes along", async () => {
    const { page } = await visits.visit()
    await page.waitForSelector(".zone")
    /** Pastes cells of a spreadsheet, or their picture alone; whether the browser does with it as it does. */
    const paste = (selector: string, text: string | null) =>
      page.evaluate(
        (selector, text) => {
          const clipboardData = new DataTransfer()
          if (text !== null) clipboardData.setData("text/plain", text)
          clipboardData.items.add(new File(["picture"], "image.png", { type: "image/png" }))
          return document.querySelector(selector)!.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })
          )
        },
        selector,
        text
      )
    assert.isTrue(await paste("textarea", "Saturday\t28"))
    assert.isTrue(await paste("input[name=name]", "Grace"))
    // A picture without text is a file, and so is one that is pasted outside of a field.
    assert.isFalse(await paste("textarea", null))
    await rows(page, "staged", 1)
    assert.isFalse(await paste(".zone", "Saturday\t28"))
    await rows(page, "staged", 2)
  })
})
