/** Playing a file on the review page, in a real browser: the bars in the video tell which frame is shown. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { vi } from "vitest"
import { because, haveChromium } from "./Browser.ts"
import {
  alterOpened,
  analysed,
  canPlay,
  leave,
  makeReview,
  reviewLinkOf,
  shownFrame,
  texts,
  waitForFrame
} from "./Reviews.ts"
import { withPeaks } from "./ReviewStates.ts"
import { makeReviewVisits } from "./ReviewVisits.ts"

const now = async (page: Page): Promise<string> => (await texts(page, ".time-now"))[0]!

const press = async (page: Page, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) {
    const [last, ...modifiers] = key.split("+").toReversed()
    for (const modifier of modifiers) await page.keyboard.down(modifier as "Shift")
    await page.keyboard.press(last as "Space")
    for (const modifier of modifiers) await page.keyboard.up(modifier as "Shift")
  }
}

const isPaused = (page: Page, paused: boolean): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector("video")!.paused === wanted, {}, paused)

const passes = (page: Page, seconds: number): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelector("video")!.currentTime > wanted, {}, seconds)

describe.runIf(haveChromium)(`playing a file on the review page${because}`, { timeout: 120_000 }, () => {
  const visits = makeReviewVisits()

  it("PAGE-60 a step is one frame of 29.97, and the timecode is that of the frame that is shown", async () => {
    const { faults, page } = await visits.visitNew()
    await press(page, "ArrowRight")
    await waitForFrame(page, 1)
    assert.strictEqual(await now(page), "00:00:00;01")
    await press(page, ...Array.from({ length: 28 }, () => "ArrowRight"))
    await waitForFrame(page, 29)
    assert.strictEqual(await now(page), "00:00:00;29")
    await press(page, "ArrowRight")
    await waitForFrame(page, 30)
    assert.strictEqual(await now(page), "00:00:01;00")
    await press(page, "Shift+ArrowRight", "ArrowLeft")
    await waitForFrame(page, 39)
    await page.locator("button[aria-label='One frame back']").click()
    await waitForFrame(page, 38)
    assert.strictEqual(await now(page), "00:00:01;08")
    await press(page, "End")
    await waitForFrame(page, 599)
    await press(page, "Home", "ArrowLeft")
    await waitForFrame(page, 0)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-60 what is shown after a pause is the frame whose timecode is told", async () => {
    const { page } = await visits.visitNew()
    await press(page, "l")
    await passes(page, 0.7)
    await press(page, "k")
    await isPaused(page, true)
    // The frame that was on its way to the screen still comes.
    await vi.waitUntil(async () => {
      const [seconds, frames] = (await now(page)).split(/[;:]/).slice(2).map(Number)
      return (seconds ?? 0) * 30 + (frames ?? 0) === await shownFrame(page)
    }, { timeout: 30_000 })
    const shown = await shownFrame(page)
    await press(page, "ArrowRight")
    await waitForFrame(page, shown + 1)
  })

  it("PAGE-61 keys play, faster and backwards, and pause", async () => {
    const { page } = await visits.visitNew()
    await press(page, "Space")
    await isPaused(page, false)
    await press(page, "Space")
    await isPaused(page, true)
    await press(page, "l", "l")
    assert.strictEqual(await page.evaluate(() => document.querySelector("video")!.playbackRate), 2)
    assert.strictEqual(await page.evaluate(() => document.querySelector<HTMLSelectElement>(".speed")!.value), "2")
    await passes(page, 1)
    await press(page, "j")
    const before = await page.evaluate(() => document.querySelector("video")!.currentTime)
    await page.waitForFunction((from) => document.querySelector("video")!.currentTime < from - 0.3, {}, before)
    await press(page, "k")
    await page.waitForSelector("button[aria-label=Play]")
    await page.select(".speed", "0.5")
    await press(page, "k")
    assert.strictEqual(await page.evaluate(() => document.querySelector("video")!.playbackRate), 0.5)
    await page.waitForSelector("button[aria-label=Pause]")
  })

  it("PAGE-61 keys do nothing where somebody types, nor when they are switched off", async () => {
    const { page } = await visits.visitNew()
    await press(page, "m")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA")
    await page.keyboard.type("look, jkl i o")
    assert.strictEqual(await page.evaluate(() => document.querySelector("textarea")!.value), "look, jkl i o")
    assert.strictEqual(await now(page), "00:00:00;00")
    await press(page, "Escape", "?")
    await page.locator("dialog .keys-on input").click()
    await press(page, "Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await press(page, "ArrowRight", "l")
    assert.strictEqual(await now(page), "00:00:00;00")
    await page.focus(".track")
    await press(page, "ArrowRight")
    await waitForFrame(page, 1)
  })

  it("PAGE-61 full screen shows the player with its timeline, and M leaves it to write", async () => {
    const { page } = await visits.visitNew()
    await press(page, "f")
    await page.waitForFunction(() => document.fullscreenElement?.classList.contains("player"))
    await page.waitForSelector("button[aria-label='Leave full screen']")
    await press(page, "m")
    await page.waitForFunction(() =>
      document.fullscreenElement === null && document.activeElement?.tagName === "TEXTAREA"
    )
  })

  it("PAGE-62 sound is muted and made louder", async () => {
    const { page } = await visits.visitNew()
    await page.locator("button[aria-label=Mute]").click()
    await page.waitForFunction(() => document.querySelector("video")!.muted)
    await page.locator(".volume input").fill("0.5")
    await page.waitForFunction(() => {
      const { muted, volume } = document.querySelector("video")!
      return !muted && volume === 0.5
    })
  })

  it("PAGE-63 dragging across the track moves the player, dragging above it selects a span", async () => {
    const { page, review } = await visits.visitNew()
    const box = await page.$eval(".track", (track) => track.getBoundingClientRect().toJSON())
    const x = (share: number) => box.left + share * box.width
    await page.mouse.move(x(0.1), box.top + 20)
    await page.mouse.down()
    await page.mouse.move(x(0.3), box.top + 20, { steps: 5 })
    await page.mouse.up()
    await page.waitForFunction(() => Math.abs(document.querySelector("video")!.currentTime - 6) < 0.1)
    await page.mouse.move(x(0.5), box.top - 12)
    await page.mouse.down()
    await page.mouse.move(x(0.25), box.top - 12, { steps: 5 })
    await page.mouse.up()
    assert.match((await texts(page, ".place-now"))[0]!, /^At 00:00:0[45];\d\d – 00:00:(?:09;\d\d|10;00)$/)
    await page.locator(".composer textarea").fill("All of this")
    await page.locator(".composer input[name=name]").fill("Grace")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".note")
    const [note] = await visits.notesOf(review.id)
    assert.closeTo(note!.seconds!, 5, 0.1)
    assert.closeTo(note!.endSeconds!, 10, 0.1)
  })

  it("PAGE-63 keys select a span by its frames", async () => {
    const { page, review } = await visits.visitNew()
    await press(page, "ArrowRight", "ArrowRight", "i", "Shift+ArrowRight", "o", "m")
    await page.keyboard.type("These ten")
    await page.locator(".composer input[name=name]").fill("Grace")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".note")
    const [note] = await visits.notesOf(review.id)
    assert.deepStrictEqual([note!.seconds, note!.endSeconds], [0.066_733, 0.4004])
    assert.deepStrictEqual(await texts(page, ".note button.chip"), ["At 00:00:00;02 – 00:00:00;12"])
  })

  it("PAGE-64 a note and its marker lead to its frame; notes at one moment are gone through one after the other", async () => {
    const review = await makeReview(visits.host)
    for (const text of ["first", "second"]) {
      await leave(visits.host, review.id, { reviewer: "Grace", seconds: 300 * 1_001 / 30_000, text })
    }
    await leave(visits.host, review.id, { reviewer: "Linus", seconds: 450 * 1_001 / 30_000, text: "third" })
    const { page } = await visits.visit(review)
    await page.waitForFunction(() => document.querySelectorAll(".mark").length === 2)
    assert.deepStrictEqual(await texts(page, ".mark"), ["2", "L"])
    for (const text of ["first", "second", "first"]) {
      await page.locator(".mark").click()
      await page.waitForFunction(
        (wanted) => document.querySelector<HTMLElement>(".note-selected .note-text")?.innerText === wanted,
        {},
        text
      )
    }
    await waitForFrame(page, 300)
    await page.locator(".note:last-child button.chip").click()
    await waitForFrame(page, 450)
    await press(page, "Escape", "p")
    await waitForFrame(page, 300)
    await press(page, "n")
    await waitForFrame(page, 450)
  })

  it("PAGE-70 a preview shows how far it is, and plays when it is there", async () => {
    const { page } = await visits.open()
    let calls = 0
    await alterOpened(page, (opened) => {
      calls++
      return calls > 2 ? analysed(opened) : {
        ...analysed(opened),
        stream: null,
        preview: { status: "working", progress: 0.25 * calls, error: null }
      }
    })
    await page.goto(reviewLinkOf(visits.host, await makeReview(visits.host)))
    await page.waitForSelector(".stage-told [aria-valuenow='25']")
    await page.waitForSelector(".stage-told [aria-valuenow='50']")
    await canPlay(page)
    await press(page, "ArrowRight")
    await waitForFrame(page, 1)
  })

  it("PAGE-71 a track shows its shape, and arrows go by seconds", async () => {
    const { page } = await visits.open()
    await withPeaks(page, visits.host)
    await page.goto(reviewLinkOf(visits.host, await makeReview(visits.host, {}, "track")))
    await canPlay(page, "audio")
    await page.waitForSelector(".wave-played")
    const painted = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>(".wave")!
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height)
        return data.filter((value, at) => at % 4 === 3 && value > 0).length / (data.length / 4)
      })
    assert.isAbove(await painted(), 0.15)
    await press(page, "ArrowRight", "ArrowRight")
    assert.strictEqual(await now(page), "0:02.0")
    await page.waitForFunction(() => document.querySelector("audio")!.currentTime === 2)
    await page.waitForFunction(() =>
      /inset\(0px 90\.\d+% 0px 0px\)/.test(document.querySelector<HTMLElement>(".wave-played")!.style.clipPath)
    )
  })

  it("PAGE-74 when the link to the file has lapsed, another is asked for, and it goes on where it was", async () => {
    const review = await makeReview(visits.host)
    const { page } = await visits.open()
    let calls = 0
    await alterOpened(page, ({ stream, ...opened }) => {
      calls++
      const { url, ...rest } = stream as { readonly url: string }
      return {
        ...analysed(opened),
        stream: { ...rest, url: calls === 1 ? url.replace("/storage/", "/storage/lapsed-") : url }
      }
    })
    await page.goto(reviewLinkOf(visits.host, review))
    await canPlay(page)
    assert.strictEqual(calls, 2)
    await press(page, "ArrowRight")
    await waitForFrame(page, 1)
  })
})
