/** Notes on the review page, left by people in browsers of their own, and what the owner sees of them. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { because, haveChromium } from "./Browser.ts"
import { alterOpened, leave, makeReview, reviewLinkOf, texts, waitForFrame, write } from "./Reviews.ts"
import { makeReviewVisits } from "./ReviewVisits.ts"

const noteTexts = (page: Page, wanted: ReadonlyArray<string>): Promise<unknown> =>
  page.waitForFunction(
    (texts) =>
      JSON.stringify([...document.querySelectorAll<HTMLElement>(".notes .note-text")].map((one) => one.textContent)) ===
        texts,
    {},
    JSON.stringify(wanted)
  )

/** Whose notes are one's own is known when the drive has answered; news of them may come before. */
const buttonsOf = (page: Page, wanted: ReadonlyArray<string>): Promise<unknown> =>
  page.waitForFunction(
    (labels) =>
      JSON.stringify([...document.querySelectorAll(".note .link-button")].map((one) => one.textContent)) === labels,
    {},
    JSON.stringify(wanted)
  )

const clickIn = (page: Page, selector: string, label: string): Promise<void> =>
  page.locator(`${selector} ::-p-xpath(.//button[contains(normalize-space(.), "${label}")])`).click()

/** Answers calls of this operation in the drive's place, until the answered function is called. */
const answerWith = async (page: Page, path: string, status: number, body: object): Promise<void> => {
  await page.setRequestInterception(true)
  page.on("request", (request) =>
    void (request.url().endsWith(path)
      ? request.respond({
        status,
        contentType: "application/json",
        body: JSON.stringify({ retryable: false, ...body })
      })
      : request.continue()))
}

describe.runIf(haveChromium)(`notes on the review page${because}`, { timeout: 120_000 }, () => {
  const visits = makeReviewVisits()

  it("PAGE-65 what two people write, and what the owner does, is seen at once by all", async () => {
    const { faults, page: grace, review } = await visits.visitNew()
    const { page: linus } = await visits.visit(review)
    await write(grace, "Grace begins", "Grace")
    await noteTexts(linus, ["Grace begins"])
    await clickIn(linus, ".note", "Reply")
    await linus.locator(".note textarea").fill("Linus answers")
    await linus.locator(".note input[name=name]").fill("Linus")
    await linus.locator(".note .button-primary").click()
    await noteTexts(grace, ["Grace begins", "Linus answers"])

    const [note] = await visits.notesOf(review.id)
    await visits.host.owner.replyToReviewNote({ noteId: note!.id, text: "The owner too" })
    await visits.host.owner.setReviewNoteResolved({ noteId: note!.id, resolved: true })
    for (const page of [grace, linus]) {
      await noteTexts(page, ["Grace begins", "Linus answers", "The owner too"])
      await page.waitForSelector(".badge-good")
      assert.deepStrictEqual(await texts(page, ".reply .badge"), ["Owner"])
    }
    await grace.locator(".notes-filter input").click()
    await grace.waitForSelector(".notes-empty")
    await grace.locator(".notes-filter input").click()

    await linus.locator(".link-button ::-p-text(On the whole file)").click()
    await write(linus, "All in all")
    await noteTexts(grace, ["All in all", "Grace begins", "Linus answers", "The owner too"])
    await visits.host.owner.deleteReviewNote({ noteId: note!.id })
    for (const page of [grace, linus]) await noteTexts(page, ["All in all"])
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-62 writing pauses, and the note stays at its frame while the player goes on", async () => {
    const { page, review } = await visits.visitNew()
    await page.locator("button[aria-label=Play]").click()
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.3)
    await page.locator(".composer textarea").click()
    await page.waitForFunction(() => document.querySelector("video")!.paused)
    await page.keyboard.type("Here")
    const place = (await texts(page, ".place-now"))[0]!
    await page.locator("button[aria-label='One frame on']").click()
    await page.waitForSelector(".place-choices ::-p-text(Span to here)")
    assert.deepStrictEqual(await texts(page, ".place-now"), [place])
    await page.locator(".composer input[name=name]").fill("Grace")
    await page.locator(".composer .button-primary").click()
    await page.waitForSelector(".note")
    assert.deepStrictEqual(await texts(page, ".note button.chip"), [place])
    const [note] = await visits.notesOf(review.id)
    const [seconds, frames] = place.split(/[;:]/).slice(2).map(Number)
    assert.closeTo(note!.seconds!, (seconds! * 30 + frames!) * 1_001 / 30_000, 0.000_001)
  })

  it("PAGE-66, PAGE-217 one's own notes and replies are changed and deleted, also after a reload, and nobody else's", async () => {
    const { page, review } = await visits.visitNew()
    const other = await leave(visits.host, review.id, { reviewer: "Linus", text: "Not Grace's" })
    await write(page, "Grace's own", "Grace")
    await noteTexts(page, ["Not Grace's", "Grace's own"])
    await clickIn(page, `[data-note="${other.id}"]`, "Reply")
    await page.locator(".note textarea").fill("An answer")
    await page.locator(".note .button-primary").click()
    await noteTexts(page, ["Not Grace's", "An answer", "Grace's own"])
    await page.reload()
    await noteTexts(page, ["Not Grace's", "An answer", "Grace's own"])
    await buttonsOf(page, ["Reply", "Edit", "Delete", "Reply", "Edit", "Delete"])

    await clickIn(page, ".reply", "Edit")
    await page.locator(".note textarea").fill("Another answer")
    await page.locator(".note .button-primary").click()
    await noteTexts(page, ["Not Grace's", "Another answer", "Grace's own"])
    await clickIn(page, ".note:last-child", "Edit")
    await page.locator(".note textarea").fill("Grace's better note")
    await page.locator(".note .button-primary").click()
    await noteTexts(page, ["Not Grace's", "Another answer", "Grace's better note"])
    assert.deepStrictEqual(
      (await visits.notesOf(review.id)).map(({ replies, text }) => [text, ...replies.map(({ text }) => text)]),
      [["Not Grace's", "Another answer"], ["Grace's better note"]]
    )
    await clickIn(page, ".reply", "Delete")
    await clickIn(page, "dialog", "Delete")
    await noteTexts(page, ["Not Grace's", "Grace's better note"])
    await clickIn(page, ".note:last-child", "Delete")
    await clickIn(page, "dialog", "Delete")
    await noteTexts(page, ["Not Grace's"])
    // What was pressed is gone: the heading has the focus.
    await page.waitForFunction(() => document.activeElement?.id === "notes", { timeout: 10_000 })
    assert.deepStrictEqual((await visits.notesOf(review.id)).map(({ text }) => text), ["Not Grace's"])
    const { page: stranger } = await visits.visit(review)
    await noteTexts(stranger, ["Not Grace's"])
    assert.deepStrictEqual(await texts(stranger, ".note .link-button"), ["Reply"])
  })

  it("PAGE-67 names and notes of strangers are text, and turn nothing around them", async () => {
    const { faults, page, review } = await visits.visitNew({ message: "<h1>Hello</h1>" })
    const text = "<img src=x onerror=alert(1)>\n</textarea><script>alert(2)</script>"
    await leave(visits.host, review.id, { reviewer: "<b>Grace</b>", seconds: 3, text })
    await noteTexts(page, [text])
    await clickIn(page, ".note", "Reply")
    assert.deepStrictEqual(await texts(page, ".note-author"), ["<b>Grace</b>"])
    assert.strictEqual(
      await page.evaluate(() => document.querySelectorAll("main img, main script, main b, main h1").length),
      1
    )
    assert.include(await page.$eval(".mark", (mark) => mark.getAttribute("title")), "<img src=x onerror=alert(1)>")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-68 a password is asked for, a wrong one is refused, and another one is asked for again", async () => {
    const review = await makeReview(visits.host, { password: "correct horse" })
    const { page } = await visits.open()
    await page.goto(reviewLinkOf(visits.host, review))
    for (const [password, then] of [["wrong", ".field-error"], ["correct horse", ".composer"]] as const) {
      await page.locator(".gate input[type=password]").fill(password)
      await page.locator(".gate .button-primary").click()
      await page.waitForSelector(then)
    }
    await write(page, "Let in", "Grace")
    await noteTexts(page, ["Let in"])
    await page.reload()
    await noteTexts(page, ["Let in"])
    await page.locator(".composer textarea").fill("Not sent yet")
    await visits.host.owner.updateFileReview({ reviewId: review.id, password: "battery staple" })
    await page.waitForSelector(".gate")
    assert.isEmpty(await texts(page, ".note"))
    await page.locator(".gate input[type=password]").fill("battery staple")
    await page.locator(".gate .button-primary").click()
    await noteTexts(page, ["Let in"])
    assert.strictEqual(await page.$eval(".composer textarea", (field) => field.value), "Not sent yet")
  })

  it("PAGE-68 a review that closes while somebody writes says so, keeps the text, and opens again", async () => {
    const { page, review } = await visits.visitNew()
    await page.locator(".composer textarea").fill("Half a sentence")
    await visits.host.owner.updateFileReview({ reviewId: review.id, open: false })
    await page.waitForSelector("[data-view=closed]")
    assert.strictEqual(await page.evaluate(() => document.querySelectorAll("video, .note").length), 0)
    await visits.host.owner.updateFileReview({ reviewId: review.id, open: true })
    await page.locator(".notable .button").click()
    await page.waitForSelector(".composer")
    assert.strictEqual(await page.$eval(".composer textarea", (field) => field.value), "Half a sentence")
    await page.keyboard.press("ArrowRight")
    await waitForFrame(page, 1)
    await visits.host.owner.deleteFileReview({ reviewId: review.id })
    await page.waitForSelector("[data-view=notFound]")
  })

  it("PAGE-69 without network and after a reload nothing is lost, and what was missed comes", async () => {
    const { page, review } = await visits.visitNew()
    await page.setOfflineMode(true)
    await page.waitForSelector(".offline")
    await write(page, "Written in a tunnel", "Grace")
    await page.waitForSelector(".composer .field-error")
    await leave(visits.host, review.id, { reviewer: "Linus", text: "Meanwhile" })
    await page.setOfflineMode(false)
    await noteTexts(page, ["Meanwhile"])
    await page.reload()
    await page.waitForSelector(".composer")
    assert.strictEqual(await page.$eval(".composer textarea", (field) => field.value), "Written in a tunnel")
    await page.locator(".composer .button-primary").click()
    await page.locator(".composer input[name=name]").fill("Grace")
    await page.locator(".composer .button-primary").click()
    await noteTexts(page, ["Meanwhile", "Written in a tunnel"])
    assert.lengthOf(await visits.notesOf(review.id), 2)
  })

  it.each([
    ["invalid_field", 400, "reviewId", "This review is full"],
    ["invalid_field", 400, "text", "Please write something"],
    ["rate_limited", 429, undefined, "too many requests at the moment. Please try again in 1 min"],
    ["unavailable", 503, undefined, "Something went wrong on our side"]
  ])("PAGE-73, PAGE-236 %s (%i, %s) is told in words, and the text stays", async (code, status, field, words) => {
    const { page } = await visits.open()
    const review = await makeReview(visits.host)
    await answerWith(page, "/leave-review-note", status, { code, error: "No.", ...field !== undefined && { field } })
    await page.goto(reviewLinkOf(visits.host, review))
    await write(page, "Is there room?", "Grace")
    await page.waitForSelector(".composer .field-error")
    assert.include((await texts(page, ".composer .field-error"))[0], words)
    assert.strictEqual(await page.$eval(".composer textarea", (one) => one.value), "Is there room?")
  })

  it("PAGE-73 a token that the drive does not know is given up, and the note is left", async () => {
    const { page, review } = await visits.visitNew()
    await page.evaluate((id) => {
      localStorage.setItem(`filedrive:review:${id}`, JSON.stringify({ name: "Grace", token: "of another drive" }))
    }, review.id)
    await page.reload()
    await write(page, "Here I am")
    await noteTexts(page, ["Here I am"])
    await buttonsOf(page, ["Reply", "Edit", "Delete"])
  })

  it("PAGE-72 of a thousand notes the page has a part, and leads to each", async () => {
    const review = await makeReview(visits.host)
    const notes = Array.from({ length: 1_000 }, (_, at) => ({
      id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
      seconds: at / 50,
      endSeconds: at % 7 === 0 ? at / 50 + 0.4 : null,
      timecode: null,
      reviewer: { name: `Reviewer ${at}` },
      text: `Note ${at}`,
      insertTime: "2026-03-01T12:00:00.000Z",
      editTime: null,
      resolved: false,
      replies: []
    }))
    const { page } = await visits.open()
    await alterOpened(page, (opened) => ({ ...opened, notes, file: { ...opened["file"] as object, duration: 20.02 } }))
    await page.goto(reviewLinkOf(visits.host, review))
    await page.waitForSelector(".mark")
    assert.deepStrictEqual(await texts(page, ".count"), ["1,000"])
    const counts = () =>
      page.evaluate(() => [document.querySelectorAll(".note").length, document.querySelectorAll(".mark").length])
    const [rows, marks] = await counts()
    assert.isAtMost(rows!, 300)
    assert.isAtMost(marks!, 32)
    await page.locator(".mark:last-of-type").click()
    await page.waitForFunction(() => {
      const note = document.querySelector(".note-selected")
      const list = document.querySelector(".notes-scroll")!.getBoundingClientRect()
      const box = note?.getBoundingClientRect()
      return box !== undefined && box.top >= list.top - 1 && box.bottom <= list.bottom + 1
    })
    const [selected] = await texts(page, ".note-selected .note-text")
    assert.match(selected!, /^Note 9[6-9]\d$/)
    assert.isAtMost((await counts())[0]!, 300)
    await page.evaluate(() => document.querySelector(".notes-scroll")!.scrollTo(0, 10_000_000))
    await page.waitForSelector(`[data-note$="0999"]`)
  })

  it("PAGE-76 the page is used by the keyboard alone", async () => {
    const { page, review } = await visits.visitNew()
    const reach = async (selector: string) => {
      for (let tabs = 0; tabs < 40; tabs++) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
        await page.keyboard.press("Tab")
      }
      assert.fail(`${selector} can't be reached.`)
    }
    await reach(".track")
    await page.keyboard.press("ArrowRight")
    assert.strictEqual(await page.$eval(".track", (track) => track.getAttribute("aria-valuetext")), "00:00:00;01")
    await reach(".composer textarea")
    await page.keyboard.type("By keys")
    await reach(".composer input[name=name]")
    await page.keyboard.type("Grace")
    await page.keyboard.press("Enter")
    await noteTexts(page, ["By keys"])
    await reach(".note button.chip")
    await page.keyboard.press("Enter")
    await waitForFrame(page, 1)
    await reach(".note .note-actions button")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.matches(".note textarea"))
    await page.keyboard.type("An answer")
    await page.keyboard.down("Control")
    await page.keyboard.press("Enter")
    await page.keyboard.up("Control")
    await noteTexts(page, ["By keys", "An answer"])
    await page.waitForSelector(".reply .note-actions")
    await reach(".reply .note-actions button:last-child")
    await page.keyboard.press("Enter")
    await page.waitForSelector("dialog[open]")
    await reach("dialog .button-danger")
    await page.keyboard.press("Enter")
    await noteTexts(page, ["By keys"])
    assert.isEmpty((await visits.notesOf(review.id))[0]!.replies)
  })
})
