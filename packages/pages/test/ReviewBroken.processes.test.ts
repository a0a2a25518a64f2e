/** The review page while its server is away, with another clock, and without storage, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { comeBack, forbidStorage, hurry, makeBrokenVisits } from "./Broken.ts"
import { because, haveChromium } from "./Browser.ts"
import { clickText, waitForText } from "./RequestStates.ts"
import { alterOpened, canPlay, leave, makeReview, texts, write } from "./Reviews.ts"

/** What the clock of a page says, from now on. */
const setClock = (page: Page, aheadMillis: number) =>
  page.evaluateOnNewDocument((ahead) => {
    const { now } = Date
    Object.assign(globalThis, { ahead })
    Date.now = () => now() + (globalThis as unknown as { readonly ahead: number }).ahead
  }, aheadMillis)

describe.runIf(haveChromium)(`the review page while its server is away${because}`, { timeout: 180_000 }, () => {
  const visits = makeBrokenVisits()

  const visit = async (prepare?: (page: Page) => Promise<unknown>) => {
    const review = await makeReview(visits.host)
    const one = await visits.visit(`/reviews/${review.id}`, prepare)
    await canPlay(one.page)
    return { ...one, review }
  }
  const notesOf = async (id: string) =>
    (await visits.host.owner.selectFileReviews({ reviewIds: [id] })).reviews[0]!.notes

  it("PAGE-191 what could not be loaded is loaded as soon as it can be", async () => {
    const { page } = await visit(hurry)
    visits.breaks({ status: 502 }, "/open-file-review")
    await page.reload()
    await waitForText(page, "That didn’t work")
    visits.mend()
    await canPlay(page)
  })

  it("PAGE-194 a note whose answer was lost is there once, and is its writer's own", async () => {
    const { page, review } = await visit()
    visits.breaks({ losesAnswer: true }, "/leave-review-note")
    await write(page, "Too dark here", "Grace")
    await waitForText(page, "The server can’t be reached")
    assert.isAbove(visits.proxy.count("POST /api/leave-review-note"), 1, "the browser has sent it again by itself")
    visits.mend()
    await page.locator(".composer .button-primary").click()
    await page.waitForSelector(".note .link-button + .link-button")
    assert.lengthOf(await notesOf(review.id), 1)
    assert.lengthOf(await texts(page, ".note"), 1)
    // The same once more is another note.
    await write(page, "Too dark here")
    await page.waitForFunction(() => document.querySelectorAll(".note").length === 2)
    assert.lengthOf(await notesOf(review.id), 2)
  })

  it("PAGE-195 a reader's clock that is a day ahead has nothing asked for again and again", async () => {
    // By their keys: in a hurry a call may be sent twice.
    const opened = new Set<string | undefined>()
    const { page, review } = await visit(async (page) => {
      page.on("request", (one) => {
        if (one.method() === "POST" && one.url().endsWith("/open-file-review")) {
          opened.add(one.headers()["idempotency-key"])
        }
      })
      await hurry(page)
      // What the drive does not know of a file is waited for.
      const peaksUrl = `${visits.host.drive.urls.site}/api/the-shape`
      await alterOpened(page, ({ file, ...answer }) => (
        { ...answer, peaksUrl, file: { ...file as object, frameRate: 25 } }
      ), { [peaksUrl]: "[-0.5, 0.5]" })
      await setClock(page, 86_400_000)
    })
    // Longer than the shortest wait: other things have come meanwhile, and were shown.
    for (const text of ["One", "Two", "Three", "Four"]) {
      await leave(visits.host, review.id, { reviewer: "Ada", text })
      await waitForText(page, text)
    }
    assert.strictEqual(opened.size, 1)
  })

  it("PAGE-196 after hours what was shown stays while the drive does not answer, and what was missed comes by itself", async () => {
    const { page, review } = await visit(async (page) => {
      await hurry(page)
      await setClock(page, 0)
    })
    await page.locator(".composer textarea").fill("What I write")
    visits.breaks({ status: 502 })
    await page.evaluate(() => void Object.assign(globalThis, { ahead: 7_200_000 }))
    await comeBack(page)
    await waitForText(page, "Not all notes could be loaded")
    assert.strictEqual(await page.$eval(".composer textarea", ({ value }) => value), "What I write")
    await leave(visits.host, review.id, { reviewer: "Ada", text: "Missed" })
    visits.mend()
    await waitForText(page, "Missed")
  })

  it("PAGE-196 playing goes on by itself when the drive is back", async () => {
    const { page } = await visit(hurry)
    // The page may load its own link at any moment: a film that the browser kept would play.
    await page.setCacheEnabled(false)
    visits.proxy.fault = () => ({ status: 502 })
    await page.evaluate(() => {
      const video = document.querySelector("video")!
      // As when its link has lapsed meanwhile.
      video.src = `${video.src}&`
    })
    await waitForText(page, "Playing didn’t work")
    visits.mend()
    await canPlay(page)
    await page.waitForFunction(() => document.querySelector(".stage-cover") === null)
  })

  it("PAGE-197 where the browser keeps nothing, notes are their writer's as long as the page", async () => {
    const { page, review } = await visit(forbidStorage)
    await write(page, "First", "Grace")
    await page.waitForSelector(".note")
    await write(page, "Second")
    await page.waitForFunction(() => document.querySelectorAll(".note").length === 2)
    await clickText(page, "Edit")
    await page.locator(".note .text-form textarea").fill("Changed")
    await page.locator(".note .text-form .button-primary").click()
    await page.waitForFunction(() => document.querySelector(".note .text-form") === null)
    assert.include((await notesOf(review.id)).map(({ text }) => text), "Changed")
  })

  it("PAGE-198 a reply and another text that are not sent yet are there after a reload", async () => {
    const { page } = await visit()
    await write(page, "First", "Grace")
    await page.waitForSelector(".note")
    await clickText(page, "Reply")
    await page.locator(".note textarea").fill("What I answer")
    await clickText(page, "Edit")
    await page.waitForFunction(() => document.querySelectorAll(".note textarea").length === 2)
    await page.locator(".note textarea").fill("Another text")
    await page.reload()
    await page.waitForSelector(".note textarea")
    const typed = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLTextAreaElement>(".note textarea")].map(({ value }) => value)
      )
    assert.deepStrictEqual(await typed(), ["Another text", "What I answer"])
    await page.locator(".note .text-form .button-primary").click()
    await page.waitForFunction(() => document.querySelectorAll(".note textarea").length === 1)
    await page.reload()
    await page.waitForSelector(".note textarea")
    assert.deepStrictEqual(await typed(), ["What I answer"])
  })

  it("PAGE-202 news and states of a newer server's are no fault", async () => {
    const review = await makeReview(visits.host)
    let isFirst = true
    const { faults, page } = await visits.visit(`/reviews/${review.id}`, async (page) => {
      await page.setRequestInterception(true)
      page.on("request", (one) => {
        if (!isFirst || !one.url().includes("/follow-file-review")) return void one.continue()
        isFirst = false
        void one.respond({
          status: 200,
          contentType: "text/event-stream",
          body: `event: reaction\ndata: {"noteId":"x"}\n\n`
        })
      })
    })
    await canPlay(page)
    await leave(visits.host, review.id, { reviewer: "Ada", text: "Afterwards" })
    await waitForText(page, "Afterwards")
    assert.deepStrictEqual(faults, [])
  })
})
