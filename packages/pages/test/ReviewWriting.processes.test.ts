/** Reviewers who write while others do, and while their notes are on their way, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { hurry } from "./Broken.ts"
import { because, haveChromium } from "./Browser.ts"
import { holdCalls } from "./HeldCalls.ts"
import { alterOpened, canPlay, leave, makeReview, reviewLinkOf, texts, withFacts, write } from "./Reviews.ts"
import { makeReviewVisits } from "./ReviewVisits.ts"

const notes = (page: Page, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll(".note").length === wanted, {}, count)

/** Opens the form that a button of a note opens, and has the keyboard in it. */
const openForm = async (page: Page, note: string, label: string) => {
  await page.locator(`${note} ::-p-xpath(.//button[contains(normalize-space(.), "${label}")])`).click()
  await page.waitForFunction((one) => document.activeElement?.matches(`${one} textarea`), {}, note)
}

const submit = async (page: Page) => {
  await page.keyboard.down("Control")
  await page.keyboard.press("Enter")
  await page.keyboard.up("Control")
}

const valueOf = (page: Page, selector: string) => page.$eval(selector, (field) => (field as HTMLTextAreaElement).value)

/** Until the page has drawn what was done before. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

const isInView = (page: Page, selector: string) =>
  page.waitForFunction(
    (wanted) => {
      const box = document.querySelector(wanted)?.getBoundingClientRect()
      const list = document.querySelector(".notes-scroll")!.getBoundingClientRect()
      return box !== undefined && box.bottom > list.top + 1 && box.top < list.bottom - 1
    },
    {},
    selector
  )

describe.runIf(haveChromium)(`writing on the review page${because}`, { timeout: 120_000 }, () => {
  const visits = makeReviewVisits()

  it("PAGE-220 what is typed while a note is being sent stays, also after a reload", async () => {
    const { page } = await visits.visitNew()
    const calls = await holdCalls(page, "/leave-review-note")
    await write(page, "Too dark", "Grace")
    await calls.begun()
    await page.focus(".composer textarea")
    await page.keyboard.type(" and too loud")
    await calls.release()
    await notes(page, 1)
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>(".composer textarea")!.value.length < 15
    )
    assert.strictEqual(await valueOf(page, ".composer textarea"), "and too loud")
    assert.deepStrictEqual(await texts(page, ".note-text"), ["Too dark"])
    await page.reload()
    await page.waitForSelector(".composer")
    assert.strictEqual(await valueOf(page, ".composer textarea"), "and too loud")
  })

  it("PAGE-220 what is typed while a reply or another text is being sent stays", async () => {
    const { page } = await visits.visitNew()
    await write(page, "Too dark", "Grace")
    await notes(page, 1)
    let calls = await holdCalls(page, "/edit-review-note")
    await page.waitForSelector(".note .link-button + .link-button")
    await openForm(page, ".note", "Edit")
    await page.keyboard.type(", really")
    await submit(page)
    await calls.begun()
    await page.keyboard.type(" dark")
    await calls.release()
    await page.waitForFunction(() => document.querySelector(".note .button-primary:not([aria-busy])") !== null)
    assert.strictEqual(await valueOf(page, ".note textarea"), "Too dark, really dark")
    await submit(page)
    await page.waitForFunction(() => document.querySelector(".note textarea") === null)
    assert.deepStrictEqual(await texts(page, ".note-text"), ["Too dark, really dark"])

    calls = await holdCalls(page, "/leave-review-note")
    await openForm(page, ".note", "Reply")
    await page.keyboard.type("I see it too.")
    await submit(page)
    await calls.begun()
    await page.keyboard.type(" And here?")
    await calls.release()
    await page.waitForSelector(".reply")
    await page.waitForFunction(() =>
      document.querySelector<HTMLTextAreaElement>(".note textarea")?.value === "And here?"
    )
  })

  it("PAGE-221 a shape of the sound that could not be read is read again", async () => {
    const review = await makeReview(visits.host, {}, "track")
    const { page } = await visits.open()
    await hurry(page)
    await page.evaluateOnNewDocument(() => {
      const { fetch } = globalThis
      let reads = 0
      globalThis.fetch = async (...call) =>
        !String(call[0]).includes("the-shape")
          ? fetch(...call)
          : reads++ === 0
          ? new Response("", { status: 503 })
          : Response.json([-0.5, 0.5, -0.2, 0.3])
    })
    const peaksUrl = `${visits.host.drive.urls.site}/api/the-shape`
    await alterOpened(page, (opened) => ({ ...opened, peaksUrl }))
    await page.goto(reviewLinkOf(visits.host, review))
    await page.waitForSelector(".wave")
  })

  it("PAGE-222 a page in a tab that nobody looks at follows nothing until somebody does", async () => {
    const review = await makeReview(visits.host)
    const { page } = await visits.open()
    let followed = 0
    page.on("request", (request) => void (request.url().includes("/follow-file-review") && followed++))
    await page.evaluateOnNewDocument(() => {
      Object.assign(globalThis, { seen: "hidden" })
      Object.defineProperty(document, "visibilityState", {
        get: () => (globalThis as unknown as { readonly seen: string }).seen
      })
    })
    await withFacts(page)
    await page.goto(reviewLinkOf(visits.host, review))
    await canPlay(page)
    await page.evaluate(() => {
      Object.assign(globalThis, { seen: "visible" })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await leave(visits.host, review.id, { reviewer: "Linus", text: "Meanwhile" })
    await notes(page, 1)
    assert.strictEqual(followed, 1)
  })

  it("PAGE-63 a press that left the notes' lane is over when it is let go", async () => {
    const { page } = await visits.visitNew()
    const lane = (await (await page.$(".lane"))!.boundingBox())!
    const track = (await (await page.$(".track"))!.boundingBox())!
    const [x, y] = [lane.x + lane.width / 2, lane.y + lane.height - 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 1, track.y + track.height / 2)
    await page.mouse.up()
    await drawn(page)
    const place = await texts(page, ".place-now")
    await page.mouse.move(x + 1, y)
    await page.mouse.move(x + 200, y)
    await drawn(page)
    assert.deepStrictEqual(await texts(page, ".place-now"), place)
    // The next one selects as ever, also where it leaves the lane.
    await page.mouse.down()
    await page.mouse.move(x + 250, y)
    await page.mouse.move(x + 300, track.y + track.height / 2)
    await page.mouse.up()
    await page.waitForSelector(".place-span")
  })

  it("PAGE-223 a note that is answered stays in the page when others push it out of the part that is shown", async () => {
    const review = await makeReview(visits.host)
    for (let at = 0; at < 101; at++) {
      await leave(visits.host, review.id, { reviewer: "Linus", seconds: 1 + at / 10, text: `Note ${at}` })
    }
    const { page } = await visits.visit(review)
    const note = ".note:nth-of-type(100)"
    await page.waitForSelector(note)
    const id = await page.$eval(note, (one) => (one as HTMLElement).dataset["note"]!)
    const answered = `[data-note="${id}"]`
    await openForm(page, answered, "Reply")
    await page.keyboard.type("I see")
    // The part that is shown has a hundred notes.
    await leave(visits.host, review.id, { reviewer: "Linus", seconds: 0.5, text: "Earlier" })
    await page.waitForFunction(() => document.querySelector(".count")?.textContent === "102")
    await page.keyboard.type(" it")
    assert.strictEqual(await valueOf(page, `${answered} textarea`), "I see it")
    // With those that are resolved hidden it stays, too, until the reply is given up.
    await page.evaluate(() => document.querySelector<HTMLElement>(".notes-filter input")?.click())
    await visits.host.owner.setReviewNoteResolved({ noteId: id, resolved: true })
    await page.locator(".notes-filter input").click()
    await drawn(page)
    assert.strictEqual(await valueOf(page, `${answered} textarea`), "I see it")
    await page.focus(`${answered} textarea`)
    await page.keyboard.press("Escape")
    await page.waitForFunction((one) => document.querySelector(one) === null, {}, answered)
  })

  it("PAGE-224 pressing a mark once more brings its note into view again, and one's own new note comes into view", async () => {
    const review = await makeReview(visits.host)
    for (let at = 0; at < 130; at++) {
      await leave(visits.host, review.id, { reviewer: "Linus", seconds: 10, text: `Note ${at}` })
    }
    const first = await leave(visits.host, review.id, { reviewer: "Linus", seconds: 3, text: "First" })
    const { page } = await visits.visit(review)
    const mark = ".mark:first-of-type"
    for (let presses = 0; presses < 2; presses++) {
      await page.locator(mark).click()
      await isInView(page, `[data-note="${first.id}"]`)
      // The page may still be on its way to the note.
      await page.waitForFunction(() => {
        const notes = document.querySelector(".notes-scroll")!
        notes.scrollTo(0, 5_000)
        return notes.scrollTop > 1_000
      })
    }
    await page.focus(".track")
    await page.keyboard.press("End")
    await write(page, "Mine", "Grace")
    await page.waitForSelector(".note-selected ::-p-text(Mine)")
    await isInView(page, ".note-selected")
  })
})
