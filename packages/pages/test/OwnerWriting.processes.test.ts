/** Owners who write, or look at a file, while visitors send and others change what is listed, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { because, haveChromium } from "./Browser.ts"
import { holdCalls } from "./HeldCalls.ts"
import { clientsOf, deliver, leaveNote, newReview, picture } from "./Owner.ts"
import { makeOwnerVisits, waitForTextBehind } from "./OwnerVisits.ts"
import { clickText } from "./RequestStates.ts"

const valueOf = (page: Page, selector: string) => page.$eval(selector, (field) => (field as HTMLTextAreaElement).value)

describe.runIf(haveChromium)(`owners who write while others do${because}`, { timeout: 180_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/reviews")
  const drive = () => clientsOf(visits.host)

  /** Answers a note, as far as this text. */
  const answer = async (page: Page, noteId: string, text: string) => {
    await page.locator(`[data-note='${noteId}'] .note-actions .button:nth-child(1)`).click()
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA")
    await page.keyboard.type(text)
    return `[data-note='${noteId}'] textarea`
  }

  it("PAGE-220 what an owner types while a reply is being sent stays", async () => {
    const { id } = await newReview(visits.host)
    const { id: noteId } = await leaveNote(visits.host, id)
    const { page } = await visit(`?id=${id}`)
    const field = await answer(page, noteId, "Done.")
    const calls = await holdCalls(page, "/reply-to-review-note")
    await page.locator(".reply-form .button-primary").click()
    await calls.begun()
    await page.focus(field)
    await page.keyboard.press("End")
    await page.keyboard.type(" Look again.")
    await calls.release()
    await page.waitForSelector(".reply")
    await page.waitForFunction(() => document.querySelector(".reply-form .button-primary:not([aria-busy])") !== null)
    assert.strictEqual(await valueOf(page, field), "Look again.")
    await page.locator(".reply-form .button-primary").click()
    await page.waitForFunction(() => document.querySelector(".reply-form") === null)
    assert.strictEqual(await page.$$eval(".reply", ({ length }) => length), 2)
  })

  it("PAGE-225 a form takes nothing while it is saved, and its writer goes on there when it was refused", async () => {
    const { id } = await newReview(visits.host)
    const { page } = await visit(`?id=${id}`)
    await clickText(page, "Edit")
    await page.locator("textarea[name=message]").fill("Second cut")
    const calls = await holdCalls(page, "/update-file-review")
    await page.focus("input[name=expireTime]")
    await page.keyboard.press("Enter")
    await calls.begun()
    await page.waitForSelector("textarea[name=message]:disabled")
    await page.setOfflineMode(true)
    await calls.release()
    await page.waitForSelector("textarea[name=message]:enabled")
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "expireTime")
    assert.strictEqual(await valueOf(page, "textarea[name=message]"), "Second cut")
    await page.setOfflineMode(false)
    await page.keyboard.press("Enter")
    await waitForTextBehind(page, "Second cut")
  })

  it("PAGE-226 where open notes alone are listed, the next one has the focus when one is resolved", async () => {
    const { id } = await newReview(visits.host)
    const first = await leaveNote(visits.host, id, { seconds: 1, text: "First" })
    const second = await leaveNote(visits.host, id, { seconds: 2, text: "Second" })
    const { page } = await visit(`?id=${id}`)
    await page.waitForSelector(".note")
    await page.locator("input[name=openOnly]").click()
    const resolve = async (noteId: string) => {
      await page.focus(`[data-note='${noteId}'] .note-actions .button:nth-child(2)`)
      await page.keyboard.press("Enter")
      await page.waitForFunction((one) => document.querySelector(`[data-note='${one}']`) === null, {}, noteId)
    }
    await resolve(first.id)
    await page.waitForFunction(
      (one) => document.activeElement?.closest("[data-note]")?.getAttribute("data-note") === one,
      {},
      second.id
    )
    await resolve(second.id)
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "openOnly")
  })

  it("PAGE-223 a reply that is being written stays when others change the list, and while the review is edited", async () => {
    const { id } = await newReview(visits.host)
    const ids: Array<string> = []
    for (let at = 1; at <= 51; at++) {
      ids.push((await leaveNote(visits.host, id, { seconds: at, text: `Note ${at}` })).id)
    }
    const noteId = ids[49]!
    const { page } = await visit(`?id=${id}`)
    const field = await answer(page, noteId, "I see")
    // Fifty are listed.
    await leaveNote(visits.host, id, { seconds: 0, text: "The first of all" })
    await waitForTextBehind(page, "The first of all")
    await page.keyboard.type(" it")
    assert.strictEqual(await valueOf(page, field), "I see it")

    await page.locator("input[name=openOnly]").click()
    await drive().owner.setReviewNoteResolved({ noteId, resolved: true })
    await leaveNote(visits.host, id, { seconds: 0, text: "The second of all" })
    await page.waitForSelector(`[data-note='${noteId}'].note-resolved`)
    assert.strictEqual(await valueOf(page, field), "I see it")

    await clickText(page, "Edit")
    await page.waitForSelector("textarea[name=message]")
    assert.isFalse(await page.$eval(".notes", (list) => list.checkVisibility()))
    await page.locator("textarea[name=message]").fill("Second cut")
    await clickText(page, "Save")
    await waitForTextBehind(page, "Second cut")
    assert.strictEqual(await valueOf(page, field), "I see it")
    await page.locator(".reply-form .button-primary").click()
    // Resolved, and nothing is written any more: it is not of those that are listed.
    await page.waitForFunction((one) => document.querySelector(one) === null, {}, `[data-note='${noteId}']`)
    const stored = (await drive().owner.selectFileReviews({ reviewIds: [id] })).reviews[0]!
    assert.deepStrictEqual(stored.notes.flatMap(({ replies }) => replies).map(({ text }) => text), ["I see it"])
  })

  it("PAGE-223 what is looked at stays open when another delivery comes", async () => {
    const { id } = await visits.host.owner.createFileRequest({ title: "Photos of the concert" })
    await deliver(visits.host, id, { files: { "oldest.png": picture() } })
    for (let at = 0; at < 24; at++) await deliver(visits.host, id, { files: { [`${at}.txt`]: new Uint8Array(9) } })
    const { page } = await visits.open()
    await visits.host.signIn(page)
    await page.goto(`${visits.host.drive.urls.site}/requests?id=${id}`)
    await page.locator("button[aria-label*='oldest.png'] ::-p-xpath(self::*[contains(@aria-label, 'Open')])").click()
    await page.waitForSelector("dialog[open] img")
    await deliver(visits.host, id, { files: { "newest.txt": new Uint8Array(9) } })
    await page.waitForSelector("::-p-text(newest.txt)")
    assert.strictEqual(await page.$$eval("dialog[open] img", ({ length }) => length), 1)
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await page.waitForFunction(() => document.querySelectorAll(".delivery").length === 25)
  })
})
