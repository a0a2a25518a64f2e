/** Every state of the review page, brought about in a real browser. */
import type { Page } from "puppeteer-core"
import type { PagesHost } from "./PagesHost.ts"
import {
  alterOpened,
  canPlay,
  leave,
  makeReview,
  reviewLinkOf,
  type ReviewOptions,
  withFacts,
  write
} from "./Reviews.ts"

interface State {
  readonly name: string
  readonly bring: (page: Page, host: PagesHost) => Promise<void>
}

const message = "Second cut, with the new ending.\nPlease look at the colours of the harbour above all."

/** A conversation as people have it. */
const converse = async (host: PagesHost, reviewId: string) => {
  const first = await leave(host, reviewId, {
    reviewer: "Grace Hopper",
    seconds: 4.2,
    text: "The music begins a second too early."
  })
  await leave(host, reviewId, {
    reviewer: "Linus",
    text: "I like the early start, but then the cut should follow.",
    replyTo: first.id
  })
  await host.owner.replyToReviewNote({ noteId: first.id, text: "Moved it, please look again." })
  await leave(host, reviewId, { reviewer: "Grace Hopper", text: "Lovely altogether. The end is much better now." })
  await leave(host, reviewId, {
    reviewer: "Aminata",
    seconds: 9.5,
    endSeconds: 12.8,
    text: "These colours are too warm compared with the shot before."
  })
  const done = await leave(host, reviewId, { reviewer: "Linus", seconds: 15.1, text: "Typo in the caption." })
  await host.owner.setReviewNoteResolved({ noteId: done.id, resolved: true })
}

/** The shape of a sound that swells and falls. */
const peaks = Array.from({ length: 4_000 }, (_, at) => {
  const loudness = (0.2 + 0.8 * Math.sin(at / 320) ** 2) * (0.55 + 0.45 * Math.sin(at * 12.9898) ** 2)
  return Math.round((at % 2 === 0 ? -loudness : loudness) * 1_000) / 1_000
})

/** As on a host that has made the shape of the sound. */
export const withPeaks = (page: Page, host: PagesHost, facts: object = {}): Promise<void> => {
  const peaksUrl = `${host.drive.urls.site}/api/peaks-of-the-test.json`
  return alterOpened(
    page,
    ({ file, ...opened }) => ({ ...opened, peaksUrl, file: { ...file as object, ...facts } }),
    { [peaksUrl]: JSON.stringify(peaks) }
  )
}

const open = async (page: Page, host: PagesHost, options: ReviewOptions = {}, kind: "video" | "track" = "video") => {
  const review = await makeReview(host, options, kind)
  await page.goto(reviewLinkOf(host, review))
  return review
}

const opened = async (page: Page, host: PagesHost, options: ReviewOptions = {}) => {
  await withFacts(page)
  const review = await open(page, host, options)
  await canPlay(page)
  return review
}

const ended = async (page: Page) => {
  await page.waitForSelector(".notable")
}

export const reviewStates: ReadonlyArray<State> = [
  {
    name: "empty",
    bring: async (page, host) => {
      await opened(page, host)
      await page.waitForSelector(".notes-empty")
    }
  },
  {
    name: "notes",
    bring: async (page, host) => {
      await withPeaks(page, host, { duration: 20.02, frameRate: 30_000 / 1_001, width: 640, height: 324 })
      const review = await makeReview(host, { message, allowDownload: true, expireTime: "2099-03-01T12:00:00Z" })
      await converse(host, review.id)
      await page.goto(reviewLinkOf(host, review))
      await canPlay(page)
      await page.waitForSelector(".wave")
      await page.waitForFunction(() => document.querySelectorAll(".note").length === 4)
      await page.locator(".note:nth-child(3) button.chip").click()
      await page.waitForSelector(".note-selected")
      // The bars that tell the frame are for tests, not for the picture of the documentation.
      await page.$eval("video", (video) => void (video.style.objectFit = "cover"))
    }
  },
  {
    name: "writing",
    bring: async (page, host) => {
      await opened(page, host)
      await write(page, "The first note of mine.", "Grace")
      await page.waitForSelector(".note")
      await page.locator(".note .note-actions .link-button:nth-child(2)").click()
      await page.waitForSelector(".note .text-form")
      await page.focus(".track")
      for (const key of ["i", "ArrowRight", "ArrowRight", "ArrowRight", "o"] as const) await page.keyboard.press(key)
      await page.locator(".composer textarea").fill("Too dark from here on")
    }
  },
  {
    name: "missingName",
    bring: async (page, host) => {
      await opened(page, host)
      await write(page, "Who am I?")
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "hostile",
    bring: async (page, host) => {
      // The drive takes no name that turns the direction of text; the page shows none either.
      const fileName = `<img src=x onerror=alert(1)> ${"long ".repeat(40)}\u202Egpj.webm`
      await alterOpened(page, ({ file, ...opened }) => ({ ...opened, file: { ...file as object, fileName } }))
      const review = await makeReview(host, { allowDownload: true })
      for (const reviewer of ["<b>Bold</b>", "صورة من الحفل", "W".repeat(100)]) {
        await leave(host, review.id, {
          reviewer,
          seconds: 5,
          text: `<script>alert(1)</script> ${"unbroken".repeat(60)} 😀\n\nA second paragraph.`
        })
      }
      await page.goto(reviewLinkOf(host, review))
      await canPlay(page)
      await page.waitForFunction(() => document.querySelectorAll(".note").length === 3)
    }
  },
  {
    name: "track",
    bring: async (page, host) => {
      await withPeaks(page, host, { duration: 20.02 })
      const review = await makeReview(host, { message: "Is the bass too loud?" }, "track")
      await converse(host, review.id)
      await page.goto(reviewLinkOf(host, review))
      await canPlay(page, "audio")
      await page.waitForSelector(".wave")
      await page.waitForFunction(() => document.querySelectorAll(".note").length === 4)
      await page.locator(".note:nth-child(3) button.chip").click()
    }
  },
  {
    name: "keys",
    bring: async (page, host) => {
      await opened(page, host)
      await page.keyboard.press("?")
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "deleting",
    bring: async (page, host) => {
      await opened(page, host)
      await write(page, "A note to be deleted.", "Grace")
      await page.waitForSelector(".note")
      await page.locator(".note .note-actions .link-button:nth-child(3)").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "preparing",
    bring: async (page, host) => {
      await alterOpened(
        page,
        (opened) => ({ ...opened, stream: null, preview: { status: "working", progress: 0.42, error: null } })
      )
      await open(page, host)
      await page.waitForSelector(".stage-told .progress")
    }
  },
  {
    name: "noPreview",
    bring: async (page, host) => {
      await alterOpened(
        page,
        (opened) => ({ ...opened, stream: null, preview: { status: "failed", progress: 0, error: null } })
      )
      await open(page, host, { allowDownload: true })
      await page.waitForSelector(".stage-told")
    }
  },
  {
    name: "deletedFile",
    bring: async (page, host) => {
      const review = await makeReview(host)
      await leave(host, review.id, { reviewer: "Grace", seconds: 4, text: "What was here?" })
      await host.owner.deleteFiles([{ id: review.fileId }])
      await page.goto(reviewLinkOf(host, review))
      await page.waitForSelector(".stage-told")
      await page.waitForSelector(".note")
    }
  },
  {
    name: "unplayable",
    bring: async (page, host) => {
      await alterOpened(page, ({ stream, ...opened }) => ({
        ...opened,
        stream: { ...stream as object, url: `${host.drive.urls.site}/storage/nothing` }
      }))
      await open(page, host)
      await page.waitForSelector(".stage-cover")
    }
  },
  {
    name: "offline",
    bring: async (page, host) => {
      const review = await opened(page, host)
      await leave(host, review.id, { reviewer: "Grace", seconds: 4, text: "Before the tunnel." })
      await page.waitForSelector(".note")
      await page.setOfflineMode(true)
      await page.waitForSelector(".offline")
      await write(page, "In the tunnel.", "Linus")
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "password",
    bring: async (page, host) => {
      await open(page, host, { password: "correct horse" })
      await page.waitForSelector(".gate")
    }
  },
  {
    name: "passwordWrong",
    bring: async (page, host) => {
      await open(page, host, { password: "correct horse" })
      await page.locator(".gate input[type=password]").fill("battery staple")
      await page.locator(".gate .button").click()
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "closed",
    bring: async (page, host) => {
      const { id } = await opened(page, host)
      await host.owner.updateFileReview({ reviewId: id, open: false })
      await ended(page)
    }
  },
  {
    name: "expired",
    bring: async (page, host) => {
      const { id } = await opened(page, host)
      await host.owner.updateFileReview({ reviewId: id, expireTime: new Date(Date.now() + 1_000).toISOString() })
      await ended(page)
    }
  },
  {
    name: "notFound",
    bring: async (page, host) => {
      await page.goto(reviewLinkOf(host, { id: "5e0c3a44-0000-4000-8000-000000000000" }))
      await ended(page)
    }
  },
  {
    name: "failedToLoad",
    bring: async (page, host) => {
      await page.setRequestInterception(true)
      page.on("request", (request) =>
        void (request.url().endsWith("/open-file-review")
          ? request.respond({ status: 500, body: "{}" })
          : request.continue()))
      await open(page, host)
      await ended(page)
    }
  }
]
