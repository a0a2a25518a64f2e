/** Reviews to play in a real browser: a video whose frames tell their numbers, a track, and people who leave notes on them. */
import type { DriveOptions } from "@filedrive/adapter-node"
import type { HTTPRequest, Page } from "puppeteer-core"
import { film, filmSeconds, frameRate } from "./Film.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"
import { tone } from "./Tracks.ts"

/** Without programs of the host: what they would tell of a file, tests say by {@link alterOpened}. */
export const startReviewHost = (options: DriveOptions = {}): Promise<PagesHost> =>
  startHost({ media: false, ...options })

export interface ReviewOptions {
  readonly fileName?: string
  readonly message?: string
  readonly password?: string
  readonly expireTime?: string
  readonly allowDownload?: boolean
}

export const reviewLinkOf = (host: PagesHost, { id }: { readonly id: string }): string =>
  `${host.drive.urls.site}/reviews/${id}`

/** Makes a review of the video, or of the track. */
export const makeReview = async (
  host: PagesHost,
  { fileName, ...options }: ReviewOptions = {},
  kind: "video" | "track" = "video"
) => {
  const { id: fileId } = await host.owner.files.put(kind === "video" ? await film() : tone(filmSeconds), {
    fileName: fileName ?? (kind === "video" ? "Lisbon, second cut.webm" : "Night tram, mix 3.wav"),
    mimeType: kind === "video" ? "video/webm" : "audio/wav"
  })
  const review = await host.owner.createFileReview({ fileId, ...options })
  return { ...review, fileId }
}

export interface Left {
  readonly reviewer: string
  readonly text: string
  readonly seconds?: number
  readonly endSeconds?: number
  readonly replyTo?: string
}

export const leave = (host: PagesHost, reviewId: string, note: Left) =>
  host.drive.public.leaveReviewNote({ reviewId, ...note })

/** Opens it so that a change of the drive's answer is what the page gets: what it learns of a file depends on programs of the host. */
export const alterOpened = async (
  page: Page,
  change: (opened: Record<string, unknown>) => Record<string, unknown>,
  others: Readonly<Record<string, string>> = {}
): Promise<void> => {
  await page.setRequestInterception(true)
  page.on("request", (request) =>
    void (async () => {
      const other = others[request.url()]
      if (other !== undefined) return request.respond({ status: 200, contentType: "application/json", body: other })
      if (!request.url().endsWith("/open-file-review") || request.method() !== "POST") return request.continue()
      const answer = await sent(request)
      const body: Record<string, unknown> = JSON.parse(answer.body)
      return request.respond({ ...answer, body: JSON.stringify(answer.status === 200 ? change(body) : body) })
    })())
}

const sent = async (request: HTTPRequest) => {
  const response = await fetch(request.url(), {
    method: "POST",
    headers: request.headers(),
    body: request.postData() ?? null
  })
  return { status: response.status, contentType: "application/json", body: await response.text() }
}

const facts = { duration: filmSeconds, frameRate, width: 640, height: 360 }

/** An opened review, as on a host that has ffprobe. */
export const analysed = ({ file, ...opened }: Record<string, unknown>): Record<string, unknown> => ({
  ...opened,
  file: { ...file as object, ...facts }
})

export const withFacts = (page: Page): Promise<void> => alterOpened(page, analysed)

/** The number of the frame that the page shows, by its bars. */
export const shownFrame = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const video = document.querySelector("video")!
    const canvas = document.createElement("canvas")
    canvas.width = 640
    canvas.height = 360
    const context = canvas.getContext("2d")!
    context.drawImage(video, 0, 0, 640, 360)
    return Array.from({ length: 10 }, (_, bar) =>
      context.getImageData(bar * 64 + 32, 352, 1, 1).data[0]! > 128 ? 2 ** bar : 0)
      .reduce((sum, one) =>
        sum + one, 0)
  })

/** Waits until the page shows this frame, and none is being looked for. */
export const waitForFrame = (page: Page, frame: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => {
      const video = document.querySelector("video")
      if (video === null || video.seeking || video.readyState < 2) return false
      const canvas = document.createElement("canvas")
      canvas.width = 640
      canvas.height = 360
      const context = canvas.getContext("2d")!
      context.drawImage(video, 0, 0, 640, 360)
      let number = 0
      for (let bar = 0; bar < 10; bar++) {
        if (context.getImageData(bar * 64 + 32, 352, 1, 1).data[0]! > 128) number += 2 ** bar
      }
      return number === wanted
    },
    { polling: 50 },
    frame
  )

export const canPlay = (page: Page, selector: "video" | "audio" = "video"): Promise<unknown> =>
  page.waitForFunction((media) => (document.querySelector<HTMLMediaElement>(media)?.readyState ?? 0) >= 2, {}, selector)

export const texts = (page: Page, selector: string): Promise<ReadonlyArray<string>> =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll<HTMLElement>(wanted)].map((element) =>
        element.innerText.replaceAll(/[\u2066-\u2069]/g, "")
      ),
    selector
  )

/** Writes a note and sends it. */
export const write = async (page: Page, text: string, name?: string): Promise<void> => {
  await page.locator(".composer textarea").fill(text)
  if (name !== undefined) await page.locator(".composer input[name=name]").fill(name)
  await page.locator(".composer .button-primary").click()
}
