/** The review page with what the drive itself finds in files: their frame rate, their preview while it is made, the shape of their sound. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, Page } from "puppeteer-core"
import { vi } from "vitest"
import { type Opened, openPage, shoot, startBrowser } from "./Browser.ts"
import { because, canShowFilms, makeFilm } from "./FfmpegFilms.ts"
import { clientsOf } from "./Owner.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"
import { canPlay, reviewLinkOf, texts, waitForFrame } from "./Reviews.ts"
import { swelling } from "./Tracks.ts"

const h264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"]
const mpeg2 = ["-c:v", "mpeg2video", "-q:v", "6", "-pix_fmt", "yuv420p", "-c:a", "mp2", "-shortest"]

const now = async (page: Page): Promise<string> => (await texts(page, ".time-now"))[0]!

const press = async (page: Page, key: "ArrowRight" | "ArrowLeft" | "End", count = 1): Promise<void> => {
  for (let one = 0; one < count; one++) await page.keyboard.press(key)
}

describe.runIf(canShowFilms)(`real files on the review page${because}`, { timeout: 240_000 }, () => {
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
  }, 180_000)

  /** Somebody uploads a file over HTTP and makes a review of it. */
  const review = async (bytes: Uint8Array, fileName: string, mimeType: string) => {
    const { owner } = clientsOf(host)
    const type = mimeType.startsWith("audio/") ? "Audio" as const : "Video" as const
    const { id: fileId } = await owner.upload(bytes, { fileName, mimeType, type })
    return owner.createFileReview({ fileId })
  }

  const visit = async (id: string) => {
    const one = await openPage(browser)
    opened.push(one)
    one.page.setDefaultTimeout(120_000)
    await one.page.goto(reviewLinkOf(host, { id }))
    return one
  }

  const opening = (reviewId: string) => host.drive.public.openFileReview({ reviewId })

  const analysed = (id: string) =>
    vi.waitUntil(async () => {
      const { file, preview } = await opening(id)
      return file.frameRate !== null && preview.status !== "working" ? file : undefined
    }, { timeout: 120_000, interval: 200 })

  it("PAGE-60 a film of 25 frames a second is gone through by its frames", async () => {
    const fileName = "25.mp4"
    const film = await makeFilm(host.directory, { fileName, rate: "25", seconds: 4, codecs: h264 })
    const { id } = await review(film, fileName, "video/mp4")
    const { duration, frameRate } = await analysed(id)
    assert.deepStrictEqual([frameRate, Math.round(duration!)], [25, 4])
    const { faults, page } = await visit(id)
    await canPlay(page)
    assert.strictEqual(await now(page), "00:00:00:00")
    for (const frame of [1, 2, 3]) {
      await press(page, "ArrowRight")
      await waitForFrame(page, frame)
      assert.strictEqual(await now(page), `00:00:00:0${frame}`)
    }
    await press(page, "ArrowRight", 22)
    await waitForFrame(page, 25)
    assert.strictEqual(await now(page), "00:00:01:00")
    await press(page, "ArrowLeft")
    await waitForFrame(page, 24)
    assert.strictEqual(await now(page), "00:00:00:24")
    await press(page, "End")
    await waitForFrame(page, 99)
    assert.strictEqual(await now(page), "00:00:03:24")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-160 the page of a film that was just uploaded learns its rate of 29.97 while it is open", async () => {
    const fileName = "29.97.mp4"
    const film = await makeFilm(host.directory, { fileName, rate: "30000/1001", seconds: 4, codecs: h264 })
    const { id } = await review(film, fileName, "video/mp4")
    const { faults, page } = await visit(id)
    await canPlay(page)
    await page.waitForFunction(() => document.querySelector(".time-now")?.textContent === "00:00:00;00")
    await press(page, "ArrowRight", 29)
    await waitForFrame(page, 29)
    assert.strictEqual(await now(page), "00:00:00;29")
    await press(page, "ArrowRight")
    await waitForFrame(page, 30)
    assert.strictEqual(await now(page), "00:00:01;00")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-70 a film that no browser plays shows how far its preview is, and plays then", async () => {
    const fileName = "tape.mov"
    const film = await makeFilm(host.directory, {
      fileName,
      rate: "25",
      seconds: 40,
      width: 1280,
      height: 720,
      codecs: mpeg2
    })
    const { id } = await review(film, fileName, "video/quicktime")
    // Not before it is under way: a page asks every few seconds, and fast machines need no longer.
    await vi.waitUntil(async () => (await opening(id)).preview.progress > 0, { timeout: 120_000, interval: 100 })
    const { faults, page } = await visit(id)
    const shown = await page.waitForSelector(".stage-told [role=progressbar][aria-valuenow]")
    const share = Number(await shown!.evaluate((bar) => bar.getAttribute("aria-valuenow")))
    assert.isAbove(share, 0)
    assert.isBelow(share, 100)
    assert.isNull(await page.$("video"))
    await shoot(page, "review-preview")
    await canPlay(page)
    assert.strictEqual(await page.$(".stage-told"), null)
    await press(page, "ArrowRight", 3)
    await waitForFrame(page, 3)
    assert.strictEqual(await now(page), "00:00:00:03")
    await page.keyboard.press("Space")
    await page.waitForFunction(() => document.querySelector("video")!.currentTime > 0.5)
    await page.keyboard.press("Space")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-71 a track that was just uploaded shows the shape of its sound", async () => {
    const { id } = await review(swelling(6), "swelling.wav", "audio/wav")
    const { faults, page } = await visit(id)
    await canPlay(page, "audio")
    await page.waitForSelector(".wave-played")
    await shoot(page, "review-waveform")
    /** The share of each quarter that is painted. */
    const painted = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".wave")!
      return [0, 1, 2, 3].map((quarter) => {
        const width = Math.floor(canvas.width / 4)
        const { data } = canvas.getContext("2d")!.getImageData(quarter * width, 0, width, canvas.height)
        return data.filter((value, at) => at % 4 === 3 && value > 0).length / (data.length / 4)
      })
    })
    // It gets louder and louder.
    assert.deepStrictEqual(painted.toSorted((one, other) => one - other), painted)
    assert.isAbove(painted[3]!, 3 * painted[0]!)
    assert.deepStrictEqual(faults, [])
  })
})
