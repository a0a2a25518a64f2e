/**
 * When a phone shows something of a page that it opens for the first time: in Chromium with a processor four times slower and the network of
 * Lighthouse's "slow 4G" (1.6 Mbit/s, answers after 150 ms), from the drive's own server. Each page is measured in a profile of its own, with
 * some content.
 */
import { createDrive, type Drive, serve } from "@filedrive/adapter-node"
import { accessSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, launch } from "puppeteer-core"
import { signIn, userOf } from "../../examples/node-server/src/signIn/SignIn.ts"
import { withDirectory } from "../DriveCaller.ts"
import { median } from "../Rounds.ts"
import { startRounds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const limitMillis = 1_000

const what = "first paint on a phone"

const chromium = (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "chromium")).find(
  (path) => {
    try {
      accessSync(path)
      return true
    } catch {
      return false
    }
  }
)

interface MeasuredPage {
  readonly name: string
  readonly path: string
  /** What is there as soon as the page can be used. */
  readonly usable: string
}

interface Visitor {
  /** Of somebody who is signed in; null for anybody. */
  readonly session: string | null
  readonly site: string
}

/** First paint, and until the page can be used, in milliseconds. */
const measure = async (browser: Browser, { path, usable }: MeasuredPage, { session, site }: Visitor) => {
  const context = await browser.createBrowserContext()
  try {
    if (session !== null) {
      await context.setCookie({ name: "filedrive", value: session, domain: new URL(site).hostname, path: "/" })
    }
    const page = await context.newPage()
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true })
    await page.emulateCPUThrottling(4)
    await page.emulateNetworkConditions({ download: 1.6e6 / 8, upload: 750e3 / 8, latency: 150, offline: false })
    await page.goto(site + path)
    await page.waitForSelector(usable)
    return await page.evaluate(() => ({
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
      ready: performance.now()
    }))
  } finally {
    await context.close()
  }
}

/** A user with requests and reviews; the pages, and who opens them. */
const furnish = async (drive: Drive) => {
  const { userId } = (await drive.accounts.create({ handle: "ada" }))!
  const owner = drive.as(userId)
  const film = Buffer.alloc(100_000)
  film.write("\0\0\0\u0018ftypisom", "latin1")
  const { id: fileId } = await owner.files.put(film, { fileName: "cut.mp4", mimeType: "video/mp4" })
  const request = await owner.createFileRequest({ title: "Photos of the concert" })
  const review = await owner.createFileReview({ fileId })
  await drive.public.leaveReviewNote({ reviewId: review.id, reviewer: "Grace", seconds: 1, text: "Too early." })
  const { token: session } = await drive.sessions.open(userId)
  const { site } = drive.urls
  const anybody = { session: null, site }
  const ada = { session, site }
  return [
    { name: "request page", path: `/requests/${request.id}`, usable: ".zone", visitor: anybody },
    { name: "review page", path: `/reviews/${review.id}`, usable: ".composer textarea", visitor: anybody },
    { name: "sign-in page", path: "/sign-in", usable: "form button", visitor: anybody },
    { name: "connections page", path: "/connections", usable: "#tokens", visitor: ada },
    { name: "owner's requests", path: "/requests", usable: ".item", visitor: ada },
    { name: "owner's reviews", path: "/reviews", usable: ".item", visitor: ada }
  ] as const
}

export const firstPaint = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    if (chromium === undefined) return [{ what, because: "there is no Chromium here" }]
    const drive: Drive = createDrive({
      dataDirectory: directory,
      media: false,
      pages: { name: "Studio" },
      rateLimits: false,
      signIn: { user: ({ headers }) => userOf(drive, headers.get("cookie")), loginUrl: () => "/sign-in" }
    })
    const answer = signIn(drive, { dataDirectory: directory, firstUserId: () => undefined, trustedProxies: 0 })
    const server = await serve(drive, {
      port: 0,
      otherwise: (request, response) =>
        void answer(request, response).then((isAnswered) => isAnswered ? undefined : response.writeHead(404).end())
    })
    const browser = await launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-dev-shm-usage"] })
    const outcomes: Array<Outcome> = []
    try {
      for (const { visitor, ...page } of await furnish(drive)) {
        // What the server makes once.
        await measure(browser, page, visitor)
        const rounds = []
        for (let round = 0; round < startRounds; round++) rounds.push(await measure(browser, page, visitor))
        const paints = rounds.map(({ paint }) => paint)
        const paint = median(paints)
        outcomes.push({
          what: `${page.name}, ${what}`,
          own: `${Math.round(paint)} ms`,
          against: `usable after ${Math.round(median(rounds.map(({ ready }) => ready)))} ms`,
          result: `${Math.round(Math.min(...paints))} to ${Math.round(Math.max(...paints))} ms`,
          target: `under ${limitMillis} ms`,
          met: paint < limitMillis
        })
      }
      return outcomes
    } finally {
      await browser.close()
      await server.stop()
      await drive.close()
    }
  })
