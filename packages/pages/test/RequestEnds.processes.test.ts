/** Links that ask for a password, requests that end, and deliveries that are finished, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import { because, haveChromium } from "./Browser.ts"
import { choose, clickText, filesOf, send, waitForText } from "./RequestStates.ts"
import { answerChooser, assertSame, makeVisits, rows } from "./Visits.ts"

describe.runIf(haveChromium)(`the request page from its link to its end${because}`, { timeout: 180_000 }, () => {
  const visits = makeVisits()

  it("PAGE-35 a link with a password opens by it, and stays open after a reload", async () => {
    const { page, request } = await visits.visit({ password: "correct horse" })
    await page.waitForSelector(".gate")
    await page.locator(".gate input").fill("battery staple")
    await page.keyboard.press("Enter")
    await waitForText(page, "not the right password")
    await page.locator(".gate input").fill("correct horse")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".zone")
    await page.reload()
    await page.waitForSelector(".zone")
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await page.waitForSelector(".row")
    await send(page)
    await rows(page, "sent", 1)
    // Another password ends it.
    await visits.host.owner.updateFileRequest({ requestId: request.id, password: "another horse" })
    await page.reload()
    await page.waitForSelector(".gate")
  })

  it("PAGE-35 a request that is closed meanwhile says so, and what was sent can be finished", async () => {
    const { page, request } = await visits.visit()
    const paths = await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 })
    await choose(page, [paths[0]!])
    await page.waitForSelector(".row")
    await send(page)
    await rows(page, "sent", 1)
    await visits.host.owner.setFileRequestOpen({ requestId: request.id, open: false })
    await choose(page, [paths[1]!])
    await waitForText(page, "This request is closed")
    await waitForText(page, "1 file that you sent before has arrived")
    await clickText(page, "Finish")
    await waitForText(page, "Thank you!")
    await assertSame((await visits.arrived(request.id))[0]!.files, [paths[0]!])
  })

  it("PAGE-35 whoever waits for a closed request asks again whether it is open", async () => {
    const { page, request } = await visits.visit()
    await page.waitForSelector(".zone")
    await visits.host.owner.setFileRequestOpen({ requestId: request.id, open: false })
    await page.reload()
    await waitForText(page, "This request is closed")
    await visits.host.owner.setFileRequestOpen({ requestId: request.id, open: true })
    await clickText(page, "Try again")
    await page.waitForSelector(".zone")
  })

  it("PAGE-35 a link that leads to nothing says so, whatever it looks like", async () => {
    for (
      const id of ["5e0c3a44-0000-4000-8000-000000000000", "5e0c", "%E0%A4%A", "%3Cscript%3Ealert(1)%3C%2Fscript%3E"]
    ) {
      const one = await visits.open()
      await one.page.goto(visits.host.linkOf({ id }))
      await waitForText(one.page, "There is nothing at this link")
      assert.deepStrictEqual(one.faults, [])
    }
  })

  it("PAGE-36 a file without room says so, the others go on, and it goes on when there is room", async () => {
    const { page, request } = await visits.visit({ maxBytes: 150_000 })
    const paths = await filesOf(visits.host, { "one.jpg": 50_000, "large.jpg": 120_000, "two.jpg": 60_000 })
    await choose(page, paths)
    await rows(page, "staged", 3)
    await send(page)
    await rows(page, "failed", 1)
    await waitForText(page, "There is no room left for it")
    await rows(page, "sent", 2)
    await visits.host.owner.updateFileRequest({ requestId: request.id, maxBytes: null })
    await clickText(page, "Try again")
    await rows(page, "sent", 3)
    await assertSame((await visits.arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-239 a delivery that its owner deletes is said to be gone, and what was chosen can be sent anew", async () => {
    const deletes = ({ id }: { readonly id: string }) =>
      visits.host.owner.deleteDrops({ requestId: id, senderName: "Grace" })
    const gone = "This delivery is not there any more: its owner deleted it, or it expired."
    const { faults, page, request } = await visits.visit()
    const paths = await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000, "three.jpg": 70_000 })
    await choose(page, paths.slice(0, 2))
    await rows(page, "staged", 2)
    await page.locator("textarea").fill("From Saturday")
    await send(page)
    await rows(page, "sent", 2)

    // When all has arrived.
    await deletes(request)
    await clickText(page, "Finish")
    await waitForText(page, gone)
    await rows(page, "staged", 2)
    assert.strictEqual(await page.$eval("textarea", ({ value }) => value), "From Saturday")
    // What is chosen is kept over a reload.
    await page.reload()
    await rows(page, "staged", 2)
    await clickText(page, "Send 2 files")
    await rows(page, "sent", 2)

    // During sending.
    await deletes(request)
    await choose(page, [paths[2]!])
    await waitForText(page, gone)
    await rows(page, "staged", 3)
    await clickText(page, "Send 3 files")
    await rows(page, "sent", 3)
    assert.isNull(await page.$(".gone"))
    await clickText(page, "Finish")
    await waitForText(page, "Thank you!")
    const drops = await visits.arrived(request.id)
    assert.lengthOf(drops, 1)
    await assertSame(drops[0]!.files, paths)

    // After it was finished, once the page is loaded again.
    await deletes(request)
    await page.reload()
    await waitForText(page, gone)
    await rows(page, "staged", 0)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-37 finishing tells the owner, thanks, and leaves room for another delivery", async () => {
    const { page, request } = await visits.visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 }))
    await rows(page, "staged", 2)
    await page.locator("textarea").fill("From Saturday.\n\n<b>Bye</b>")
    await send(page)
    await rows(page, "sent", 2)
    await clickText(page, "Finish")
    await waitForText(page, "Thank you!")
    await page.reload()
    await waitForText(page, "2 files (110 kB) were sent to Ada Lovelace")
    await rows(page, "sent", 2)
    const { events } = await visits.host.owner.selectDriveEvents({ kinds: ["drop"], requestId: request.id })
    assert.lengthOf(events, 1)
    const [event] = events as unknown as ReadonlyArray<
      { sender: { name: string }; note: string; files: ReadonlyArray<object> }
    >
    assert.strictEqual(event!.sender.name, "Grace")
    assert.strictEqual(event!.note, "From Saturday.\n\n<b>Bye</b>")
    assert.lengthOf(event!.files, 2)
    await clickText(page, "Send more files")
    await choose(page, await filesOf(visits.host, { "three.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await page.locator(".actions .button-primary").click()
    await rows(page, "sent", 1)
    assert.lengthOf(await visits.arrived(request.id), 2)
  })

  it("PAGE-37, PAGE-210 a delivery that is finished is thanked for after every reload", async () => {
    const { page } = await visits.visit({ password: "correct horse" })
    await page.locator(".gate input").fill("correct horse")
    await page.keyboard.press("Enter")
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await send(page)
    await rows(page, "sent", 1)
    await clickText(page, "Finish")
    for (let reloads = 0; reloads < 3; reloads++) {
      await waitForText(page, "Thank you!")
      await rows(page, "sent", 1)
      await page.reload()
    }
  })

  it("PAGE-37 finishing without some of the files is asked about", async () => {
    const { page, request } = await visits.visit({ maxBytes: 60_000 })
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 }))
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
    assert.strictEqual((await visits.arrived(request.id))[0]!.files.size, 1)
  })

  it("PAGE-38 the keyboard alone does all of it", async () => {
    const { page, request } = await visits.visit()
    const paths = await filesOf(visits.host, { "one.jpg": 50_000 })
    await page.waitForSelector(".zone")
    const focus = async (text: string) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press("Tab")
        const found = await page.evaluate(() => {
          const { activeElement: element, body } = document
          if (element === null || element === body) return ""
          return `${element.getAttribute("aria-label") ?? ""} ${element.textContent} ${element.getAttribute("name")}`
        })
        if (found.includes(text)) return
      }
      assert.fail(`Tab never comes to ${text}.`)
    }
    await focus("Choose files")
    await answerChooser(page, paths, () => page.keyboard.press("Enter"))
    await rows(page, "staged", 1)
    await focus("name")
    await page.keyboard.type("Grace")
    await focus("Send 1 file")
    await page.keyboard.press("Enter")
    await rows(page, "sent", 1)
    // The button is gone: what leads on has the focus.
    await page.waitForFunction(() => document.activeElement?.textContent === "Finish")
    await page.keyboard.press("Space")
    await waitForText(page, "Thank you!")
    // What has taken the place of the page has the focus, so that it is read.
    await page.waitForFunction(() => document.activeElement?.textContent === "Thank you!")
    await assertSame((await visits.arrived(request.id))[0]!.files, paths)
  })

  it("PAGE-39 a second tab is a delivery of its own", async () => {
    const { page, request } = await visits.visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await page.waitForSelector(".row")
    await send(page)
    await rows(page, "sent", 1)
    const second = await page.browserContext().newPage()
    await second.goto(visits.host.linkOf(request))
    await second.waitForSelector(".notice")
    await rows(second, "sent", 0)
    await choose(second, await filesOf(visits.host, { "two.jpg": 50_000 }))
    await second.waitForSelector(".row")
    await send(second, "Grace's other tab")
    await rows(second, "sent", 1)
    assert.sameMembers((await visits.arrived(request.id)).map(({ senderName }) => senderName), [
      "Grace",
      "Grace's other tab"
    ])
    await second.close()
    await page.reload()
    await rows(page, "sent", 1)
  })
})
