/** What an owner does on the page of their reviews, in a real browser, while reviewers leave notes. */
import { assert, describe, it } from "@effect/vitest"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { because, haveChromium } from "./Browser.ts"
import { addFilm, clientsOf, hostileTitle, leaveNote, newReview } from "./Owner.ts"
import {
  askToDeleteAll,
  behind,
  downloadsTo,
  makeOwnerVisits,
  spoken,
  waitForDialog,
  waitForNotice
} from "./OwnerVisits.ts"
import { clickText, waitForText } from "./RequestStates.ts"

describe.runIf(haveChromium)(`the page of an owner's reviews${because}`, { timeout: 180_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/reviews")
  const drive = () => clientsOf(visits.host)
  const stored = async (id: string) => (await drive().owner.selectFileReviews({ reviewIds: [id] })).reviews[0]

  it("PAGE-132 a review is made of a video that is found by its name", async () => {
    const fileId = await addFilm(visits.host, "harbour at dawn.mp4")
    await addFilm(visits.host, "interview.mp4")
    const { faults, page } = await visit("?new")
    await page.waitForFunction(() => document.querySelectorAll(".choice-file").length >= 2)
    await page.locator(".form-actions .button-primary").click()
    await waitForText(page, "Choose the video or track")
    await page.locator("input[name=search]").fill("harbour")
    await page.waitForFunction(() => document.querySelectorAll(".choice-file").length === 1)
    await page.locator(".choice-file").click()
    await page.locator("textarea[name=message]").fill("Second cut")
    await page.locator("input[name=password]").fill("correct horse")
    await page.locator("input[name=allowDownload]").click()
    await page.locator(".form-actions .button-primary").click()
    await page.waitForSelector(".link-text")
    const id = new URL(page.url()).searchParams.get("id")!
    const { file, ...review } = (await stored(id))!
    assert.strictEqual(file.id, fileId)
    assert.deepInclude(review, { message: "Second cut", allowDownload: true, hasPassword: true, open: true })
    assert.strictEqual(
      await page.$eval(".link-text", (field) => (field as HTMLInputElement).value),
      `${visits.host.drive.urls.site}/reviews/${id}`
    )
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-165 beside the link stands who can use it", async () => {
    const { id } = await newReview(visits.host, { password: "correct horse" })
    const { page } = await visit(`?id=${id}`)
    await waitForText(page, "Whoever has this link and its password can play the file and leave notes.")
  })

  it("PAGE-133 a file that was deleted while it was chosen is said beside it", async () => {
    const fileId = await addFilm(visits.host, "gone soon.mp4")
    const { page } = await visit("?new")
    await page.locator("input[name=search]").fill("gone soon")
    await page.waitForFunction(() => document.querySelectorAll(".choice-file").length === 1)
    await drive().owner.deleteFiles([{ id: fileId }])
    await page.locator(".choice-file").click()
    await page.locator(".form-actions .button-primary").click()
    await waitForText(page, "This file is not there any more")
  })

  it("PAGE-134 a note appears while its owner looks; it is answered, resolved and reopened, which other tabs follow", async () => {
    const { id } = await newReview(visits.host)
    const { faults, page } = await visit(`?id=${id}`)
    await waitForText(page, "There are no notes yet")
    const other = await page.browserContext().newPage()
    await other.goto(page.url())
    await other.waitForSelector(".detail")
    await page.bringToFront()
    const { id: noteId } = await leaveNote(visits.host, id)
    await leaveNote(visits.host, id, { seconds: null, reviewer: "Linus", text: "I like it." })
    await page.waitForFunction(() => document.querySelectorAll(".note").length === 2)
    await spoken(page, "Linus.* has left a note")
    const places = await page.$$eval(".note-place", (found) => found.map(({ textContent }) => textContent))
    assert.deepStrictEqual(places, ["Whole file", "1:05.2"])

    const note = `[data-note='${noteId}']`
    await page.locator(`${note} .note-actions .button:nth-child(1)`).click()
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA")
    await page.keyboard.type("Done,")
    await page.keyboard.press("Enter")
    await page.keyboard.type("look again.")
    await page.locator(`${note} .reply-form .button-primary`).click()
    await page.waitForSelector(`${note} .reply`)
    const answered = (await stored(id))!.notes.find((one) => one.id === noteId)
    assert.deepStrictEqual(answered!.replies.map(({ author, text }) => [author.owner, text]), [
      [true, "Done,\nlook again."]
    ])
    await page.locator(`${note} .note-actions .button:nth-child(2)`).click()
    await page.waitForSelector(`${note}.note-resolved`)
    await other.waitForSelector(`${note}.note-resolved .reply`)
    assert.isTrue((await stored(id))!.notes.find((one) => one.id === noteId)!.resolved)
    await page.locator("input[name=openOnly]").click()
    await page.waitForFunction(() => document.querySelectorAll(".note").length === 1)
    await page.locator("input[name=openOnly]").click()
    await page.locator(`${note} .note-actions .button:nth-child(2)`).click()
    await page.waitForFunction((one) => document.querySelector(`${one}:not(.note-resolved)`) !== null, {}, note)
    assert.isFalse((await stored(id))!.notes.find((one) => one.id === noteId)!.resolved)

    await leaveNote(visits.host, id, { replyTo: noteId, text: "Perfect." })
    await page.waitForFunction((one) => document.querySelectorAll(`${one} .reply`).length === 2, {}, note)
    await other.close()
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-135 a note or a reply is deleted after a question", async () => {
    const { id } = await newReview(visits.host)
    const { id: noteId } = await leaveNote(visits.host, id)
    await leaveNote(visits.host, id, { replyTo: noteId, text: "Perfect." })
    const { page } = await visit(`?id=${id}`)
    await page.waitForSelector(".reply")
    await page.locator(".reply .icon-button:not(.more)").click()
    await page.waitForSelector("dialog[open]")
    await clickText(page, "Cancel")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    assert.lengthOf((await stored(id))!.notes[0]!.replies, 1)
    await page.locator(".reply .icon-button:not(.more)").click()
    await page.locator("dialog .button-danger").click()
    await page.waitForFunction(() => document.querySelector(".reply") === null)
    await waitForNotice(page, "The reply was deleted.")
    await page.locator(".note-actions .icon-button").click()
    // It has no replies, and nothing is said of any.
    await waitForDialog(page, "The note of “Grace” is deleted for everybody, for good.")
    await page.locator("dialog .button-danger").click()
    await waitForNotice(page, "The note was deleted.")
    await waitForText(page, "There are no notes yet")
    assert.deepStrictEqual((await stored(id))!.notes, [])
  })

  it("PAGE-231 all notes of one reviewer are deleted after a question, and other tabs follow", async () => {
    const { id } = await newReview(visits.host)
    const name = "Mallory <b>\u202egnp.exe"
    const { id: kept } = await leaveNote(visits.host, id, { text: "Grace’s own" })
    await leaveNote(visits.host, id, { reviewer: name, replyTo: kept, text: "No!" })
    for (const seconds of [70, 80]) await leaveNote(visits.host, id, { reviewer: name, seconds, text: "Spam" })
    const { faults, page } = await visit(`?id=${id}`)
    await page.waitForFunction(() => document.querySelectorAll("[data-note]").length === 3)
    const other = await page.browserContext().newPage()
    await other.goto(page.url())
    await other.waitForFunction(() => document.querySelectorAll("[data-note]").length === 3, behind)
    await page.bringToFront()

    // Also at a reply, where that is all that they left.
    const asked = await askToDeleteAll(page, ".reply")
    for (const said of ["Mallory", "for good: 2 notes and 1 reply.", "Delete 2 notes and 1 reply", "proves nothing"]) {
      assert.include(asked, said)
    }
    assert.lengthOf((await stored(id))!.notes, 3)

    await page.locator("dialog .button-danger").click()
    await waitForNotice(page, "Everything from")
    for (const tab of [page, other]) {
      await tab.waitForFunction(
        () => document.querySelectorAll("[data-note]").length === 1 && document.querySelector(".reply") === null,
        behind
      )
    }
    await page.waitForFunction(() => document.activeElement?.matches(".part-head h2"))
    const { notes } = (await stored(id))!
    assert.deepStrictEqual(notes.map(({ replies, text }) => [text, replies.length]), [["Grace’s own", 0]])
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-136 notes are exported in each format that the drive has", async () => {
    // A track: the frame rate of a video is known only when it was analysed.
    const { id } = await newReview(visits.host, {}, "cut.wav")
    await leaveNote(visits.host, id, { text: "=1+1" })
    const { page } = await visit(`?id=${id}`)
    await page.waitForSelector(".note")
    const downloads = await downloadsTo(page, visits.host.directory)
    for (
      const [label, extension, part] of [["CSV", "csv", "'=1+1"], ["EDL", "edl", "TITLE"], [
        "FCPXML",
        "fcpxml",
        "<fcpxml"
      ]]
    ) {
      const { named, saved } = downloads.next()
      await clickText(page, label!)
      assert.strictEqual(await named, `cut notes.${extension}`)
      await saved
      assert.include(await readFile(join(visits.host.directory, `cut notes.${extension}`), "utf8"), part!)
    }
  })

  it("PAGE-136 while a video is analysed, the page says that its notes can't be exported yet", async () => {
    const { id } = await newReview(visits.host)
    await leaveNote(visits.host, id)
    const { page } = await visit(`?id=${id}`)
    await page.setRequestInterception(true)
    page.on("request", (request) =>
      void (request.url().endsWith("/export-review-notes")
        ? request.respond({
          status: 503,
          contentType: "application/json",
          body: `{"error":"The frame rate is not known yet.","code":"unavailable","retryable":true}`
        })
        : request.continue()))
    await clickText(page, "EDL")
    await waitForNotice(page, "still being analysed")
  })

  it("PAGE-137 a review is changed, closed, opened again and deleted, after a question", async () => {
    const { id } = await newReview(visits.host, { message: "First cut", password: "correct horse" })
    const { page } = await visit(`?id=${id}`)
    await clickText(page, "Edit")
    await page.locator("textarea[name=message]").fill("Second cut")
    await page.locator("input[name=allowDownload]").click()
    await clickText(page, "Save")
    await waitForText(page, "Second cut")
    assert.deepInclude(await stored(id), { message: "Second cut", allowDownload: true, hasPassword: true })
    await clickText(page, "Close the link")
    await page.waitForSelector(".detail .status-closed")
    assert.isFalse((await stored(id))!.open)
    await clickText(page, "Open again")
    await page.waitForSelector(".detail .status-open")
    assert.isTrue((await stored(id))!.open)
    await clickText(page, "Delete")
    await page.locator("dialog .button-danger").click()
    await page.waitForSelector(".list-head")
    assert.isUndefined(await stored(id))
  })

  it("PAGE-128 hostile names and notes are text", async () => {
    const { id } = await newReview(visits.host, { message: hostileTitle }, "<script>alert(1)</script>.mp4")
    await leaveNote(visits.host, id, { reviewer: "<b>Mallory</b>", text: "<img src=x onerror=alert(1)> \u202Egpj.exe" })
    const { faults, page } = await visit(`?id=${id}`)
    await waitForText(page, "<script>alert(1)</script>.mp4")
    await waitForText(page, hostileTitle)
    await waitForText(page, "<b>Mallory</b>")
    await waitForText(page, "<img src=x onerror=alert(1)> gpj.exe")
    assert.strictEqual(await page.$$eval("main img, main b, main script", (found) => found.length), 0)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-155 a note of a thousand lines takes no more than a part of the screen, and can be scrolled by the keyboard", async () => {
    const { id } = await newReview(visits.host)
    await leaveNote(visits.host, id, { text: `${"\n".repeat(1_900)}The end.` })
    const { page } = await visit(`?id=${id}`)
    await page.waitForSelector(".note-text")
    assert.isBelow(await page.$eval(".note-text", ({ clientHeight }) => clientHeight), 400)
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press("Tab")
      if (await page.evaluate(() => document.activeElement?.classList.contains("note-text") ?? false)) return
    }
    assert.fail("The keyboard does not get to the note.")
  })

  it("PAGE-138 of many notes a part is on the page, and the others follow when they are asked for", async () => {
    const { id } = await newReview(visits.host)
    for (let at = 0; at < 120; at++) await leaveNote(visits.host, id, { seconds: at, text: `Note ${at}` })
    const { page } = await visit(`?id=${id}`)
    const shows = (count: number) =>
      page.waitForFunction((wanted) => document.querySelectorAll(".note").length === wanted, {}, count)
    await shows(50)
    await clickText(page, "Show more notes")
    await shows(100)
    await clickText(page, "Show more notes")
    await shows(120)
    assert.isFalse(await page.evaluate(() => document.body.innerText.includes("Show more notes")))
  })

  it("PAGE-138 notes beyond those that one call lists are loaded when they are asked for, each once", async () => {
    const { id } = await newReview(visits.host)
    for (let at = 0; at < 6; at++) await leaveNote(visits.host, id, { seconds: at, text: `Note ${at}` })
    const { page } = await visits.open()
    await visits.host.signIn(page)
    const { nextCursor } = await drive().visitor.selectReviewNotes({ reviewId: id, limit: 4 })
    await page.setRequestInterception(true)
    page.on("request", (request) => {
      const body = request.postData() ?? ""
      if (!request.url().endsWith("/select-file-reviews") || body.includes("cursor")) return void request.continue()
      // As the drive answers of a review with more notes than it lists at once.
      void stored(id).then((review) => {
        const reviews = [{ ...review!, notes: review!.notes.slice(0, 4), nextCursor }]
        return request.respond({
          status: 200,
          contentType: "application/json",
          body: JSON.stringify({ reviews, nextCursor: null })
        })
      })
    })
    await page.goto(`${visits.host.drive.urls.site}/reviews?id=${id}`)
    await page.waitForFunction(() => document.querySelectorAll(".note").length === 4)
    await clickText(page, "Show more notes")
    await page.waitForFunction(() => document.querySelectorAll(".note").length === 6)
    const texts = await page.$$eval(".note > .note-text", (found) => found.map(({ textContent }) => textContent))
    assert.deepStrictEqual(texts, [0, 1, 2, 3, 4, 5].map((at) => `Note ${at}`))
  })
})
