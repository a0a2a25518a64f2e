/** People who open reviews in a real browser. */
import { afterAll, beforeAll } from "@effect/vitest"
import type { Browser } from "puppeteer-core"
import { type Opened, type OpenOptions, openPage, startBrowser } from "./Browser.ts"
import type { PagesHost } from "./PagesHost.ts"
import { canPlay, makeReview, reviewLinkOf, type ReviewOptions, startReviewHost, withFacts } from "./Reviews.ts"

/** A browser and a drive for the tests of a file. */
export const makeReviewVisits = () => {
  let browser: Browser
  let host: PagesHost
  const opened: Array<Opened> = []

  beforeAll(async () => {
    browser = await startBrowser()
    host = await startReviewHost()
  })
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()))
    await browser?.close()
    await host?.stop()
  })

  const open = async (options?: OpenOptions) => {
    const one = await openPage(browser, options)
    opened.push(one)
    one.page.setDefaultTimeout(30_000)
    return one
  }

  /** Somebody opens a review, and can play it. */
  const visit = async (review: { readonly id: string }, kind: "video" | "audio" = "video") => {
    const one = await open()
    if (kind === "video") await withFacts(one.page)
    await one.page.goto(reviewLinkOf(host, review))
    await canPlay(one.page, kind)
    return one
  }

  return {
    get host() {
      return host
    },
    open,
    visit,
    visitNew: async (options?: ReviewOptions) => {
      const review = await makeReview(host, options)
      return { ...await visit(review), review }
    },
    notesOf: async (reviewId: string) =>
      (await host.owner.selectFileReviews({ reviewIds: [reviewId] })).reviews[0]!.notes
  }
}
