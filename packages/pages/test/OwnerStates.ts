/** Every state of the owner's pages, brought about in a real browser. */
import type { Page } from "puppeteer-core"
import { clientsOf, deliver, hostileFiles, hostileTitle, leaveNote, longTitle, newReview, picture } from "./Owner.ts"
import type { PagesHost } from "./PagesHost.ts"
import { clickText } from "./RequestStates.ts"

interface State {
  readonly name: string
  /** Brings it about on a host of its own, whose owner has nothing yet. */
  readonly bring: (page: Page, host: PagesHost) => Promise<unknown>
}

const message = "Please send everything from Saturday, also the blurred ones.\n\nThank you!"

const goTo = async (page: Page, host: PagesHost, path: string, shown: string) => {
  await page.goto(`${host.drive.urls.site}${path}`)
  await page.waitForSelector(shown)
}

const request = (host: PagesHost, options: object = {}) =>
  clientsOf(host).owner.createFileRequest({ title: "Photos of the concert", ...options })

const sent = {
  "tram-28.png": picture(),
  "rehearsal.wav": new Uint8Array(900_000),
  "contract, signed.pdf": new Uint8Array(120_000)
}

const manyRequests = async (host: PagesHost) => {
  const { owner } = clientsOf(host)
  const closed = await request(host, { title: "Invoices 2025", folder: "/Accounts/2025" })
  await owner.setFileRequestOpen({ requestId: closed.id, open: false })
  await request(host, { title: hostileTitle, folder: "/In" })
  await request(host, { title: longTitle, folder: `/${longTitle}` })
  const { id } = await request(host, { folder: "/Concerts/Lisbon", expireTime: "2099-03-01T12:00:00Z" })
  await deliver(host, id, { files: sent })
  await deliver(host, id, { name: "Linus" })
}

const fullRequest = async (host: PagesHost) => {
  const { id } = await request(host, {
    message,
    folder: "/Concerts/Lisbon",
    expireTime: "2099-03-01T12:00:00Z",
    maxBytes: 10_000_000_000,
    password: null
  })
  await deliver(host, id, { name: "Linus", files: { "setlist.txt": new Uint8Array(900) } })
  await clientsOf(host).owner.markDropsViewed({
    dropIds: (await host.owner.selectFileRequests({ requestIds: [id] })).requests[0]!.drops.map(({ id }) => id)
  })
  await deliver(host, id, { note: "From Saturday.\nThe last one is blurred.", files: sent })
  return id
}

const notedReview = async (host: PagesHost) => {
  const { id } = await newReview(host, { message: "Second cut. What do you think of the end?", allowDownload: true })
  await leaveNote(host, id, { seconds: null, text: "I like it. The colours are much better now." })
  const { id: noteId } = await leaveNote(host, id)
  await leaveNote(host, id, {
    seconds: 80,
    endSeconds: 92.5,
    reviewer: "Linus",
    text: "Could this be shorter?\nTwo seconds, say."
  })
  const done = await leaveNote(host, id, { seconds: 3_725, reviewer: "Linus", text: "A typo in the credits." })
  const { owner, visitor } = clientsOf(host)
  await owner.replyToReviewNote({ noteId, text: "Done, please look again." })
  await visitor.leaveReviewNote({ reviewId: id, reviewer: "Grace", replyTo: noteId, text: "Perfect." })
  await owner.setReviewNoteResolved({ noteId: done.id, resolved: true })
  return { id, noteId }
}

export const requestsStates: ReadonlyArray<State> = [
  { name: "empty", bring: (page, host) => goTo(page, host, "/requests", ".empty") },
  {
    name: "list",
    bring: async (page, host) => {
      await manyRequests(host)
      await goTo(page, host, "/requests", ".item")
    }
  },
  {
    name: "new",
    bring: async (page, host) => {
      await goTo(page, host, "/requests?new", "form")
      await page.locator("input[name=maxBytes]").fill("many")
      await page.locator("input[name=folder]").fill("Concerts/Lisbon")
      await page.locator(".form-actions .button-primary").click()
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "made",
    bring: async (page, host) => {
      const { id } = await request(host, { message, password: "correct horse" })
      await goTo(page, host, `/requests?id=${id}`, ".nothing")
      await page.waitForFunction(() => !/Loading|geladen/.test(document.querySelector(".nothing")!.textContent!))
      await page.locator(".link-line .button-primary").click()
      await page.waitForSelector(".notice")
    }
  },
  {
    name: "deliveries",
    bring: async (page, host) => {
      await goTo(page, host, `/requests?id=${await fullRequest(host)}`, "[data-new=true]")
      await page.waitForFunction(() => document.querySelectorAll(".delivery").length === 2)
    }
  },
  {
    name: "hostile",
    bring: async (page, host) => {
      const { id } = await request(host, { title: hostileTitle, message: `${hostileTitle}\n${longTitle}` })
      await deliver(host, id, { name: hostileTitle.slice(0, 60), note: hostileTitle, files: hostileFiles })
      await deliver(host, id, { isFinished: false })
      await goTo(page, host, `/requests?id=${id}`, ".delivery")
      await page.waitForFunction(() => document.querySelectorAll(".delivery").length === 2)
    }
  },
  {
    name: "picture",
    bring: async (page, host) => {
      await goTo(page, host, `/requests?id=${await fullRequest(host)}`, "[data-new=true]")
      await page.locator("button[aria-label*='tram-28.png']").click()
      await page.waitForFunction(() => (document.querySelector<HTMLImageElement>(".view-media")?.naturalWidth ?? 0) > 0)
    }
  },
  {
    name: "edit",
    bring: async (page, host) => {
      const { id } = await request(host, { message, maxBytes: 2_500_000_000, password: "correct horse" })
      await goTo(page, host, `/requests?id=${id}`, ".detail")
      await page.locator(".detail-actions .button").click()
      await page.waitForSelector("form")
    }
  },
  {
    name: "closed",
    bring: async (page, host) => {
      const { id } = await request(host)
      await clientsOf(host).owner.setFileRequestOpen({ requestId: id, open: false })
      await goTo(page, host, `/requests?id=${id}`, ".detail .status-closed")
    }
  },
  {
    name: "delete",
    bring: async (page, host) => {
      await goTo(page, host, `/requests?id=${(await request(host)).id}`, ".detail")
      await page.locator(".detail-actions .button:last-child").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "deleteDelivery",
    bring: async (page, host) => {
      await goTo(page, host, `/requests?id=${await fullRequest(host)}`, ".delivery")
      await page.locator(".delivery-actions .icon-button").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "deleteSender",
    bring: async (page, host) => {
      await goTo(page, host, `/requests?id=${await fullRequest(host)}`, ".delivery")
      await page.locator(".delivery .more").click()
      await page.locator(".delivery .more-list .button").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "missing",
    bring: (page, host) => goTo(page, host, "/requests?id=5e0c3a44-0000-4000-8000-000000000000", ".notable")
  },
  {
    name: "offline",
    bring: async (page, host) => {
      await manyRequests(host)
      await goTo(page, host, "/requests", ".item")
      await page.setOfflineMode(true)
      await page.waitForSelector(".connection")
    }
  },
  {
    name: "failed",
    bring: async (page, host) => {
      await page.setRequestInterception(true)
      page.on("request", (one) =>
        void (one.url().endsWith("/select-file-requests")
          ? one.respond({ status: 500, body: "{}" })
          : one.continue()))
      await goTo(page, host, "/requests", ".notable")
    }
  }
]

export const reviewsStates: ReadonlyArray<State> = [
  { name: "empty", bring: (page, host) => goTo(page, host, "/reviews", ".empty") },
  {
    name: "list",
    bring: async (page, host) => {
      const closed = await newReview(host, {}, "interview.mp4")
      await clientsOf(host).owner.updateFileReview({ reviewId: closed.id, open: false })
      await newReview(host, { message: longTitle }, "<img src=x onerror=alert(1)>.mp4")
      await notedReview(host)
      await goTo(page, host, "/reviews", ".item")
    }
  },
  {
    name: "search",
    bring: async (page, host) => {
      await newReview(host, {}, "interview.mp4")
      await newReview(host)
      await goTo(page, host, "/reviews?new", ".choice-file")
      await page.locator(".form-actions .button-primary").click()
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "chosen",
    bring: async (page, host) => {
      await newReview(host)
      await goTo(page, host, "/reviews?new", ".choice-file")
      await page.locator(".choice-file").click()
      await page.waitForSelector(".choice-one")
    }
  },
  {
    name: "made",
    bring: async (page, host) => {
      const { id } = await newReview(host, { password: "correct horse", expireTime: "2099-03-01T12:00:00Z" })
      await goTo(page, host, `/reviews?id=${id}`, ".nothing")
    }
  },
  {
    name: "notes",
    bring: async (page, host) => {
      await goTo(page, host, `/reviews?id=${(await notedReview(host)).id}`, ".note-resolved")
    }
  },
  {
    name: "reply",
    bring: async (page, host) => {
      const { id, noteId } = await notedReview(host)
      await goTo(page, host, `/reviews?id=${id}`, ".note-resolved")
      await page.locator(`[data-note='${noteId}'] .note-actions .button`).click()
      await page.locator(".reply-form .button-primary").click()
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "deleteNote",
    bring: async (page, host) => {
      const { id, noteId } = await notedReview(host)
      await goTo(page, host, `/reviews?id=${id}`, ".note-resolved")
      await page.locator(`[data-note='${noteId}'] .note-actions .icon-button`).click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "deleteReviewer",
    bring: async (page, host) => {
      const { id, noteId } = await notedReview(host)
      await goTo(page, host, `/reviews?id=${id}`, ".note-resolved")
      await page.locator(`[data-note='${noteId}'] .note-head .more`).click()
      await page.locator(`[data-note='${noteId}'] .more-list .button`).click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "edit",
    bring: async (page, host) => {
      const { id } = await newReview(host, { message, password: "correct horse" })
      await goTo(page, host, `/reviews?id=${id}`, ".detail")
      await clickText(
        page,
        await page.evaluate(() => document.querySelector(".detail-actions .button")!.textContent!.trim())
      )
      await page.waitForSelector("form")
    }
  },
  { name: "missing", bring: (page, host) => goTo(page, host, "/reviews?id=nothing", ".notable") },
  {
    name: "hostile",
    bring: async (page, host) => {
      const { id } = await newReview(host, { message: hostileTitle }, "<script>alert(1)</script> صورة.mp4")
      await leaveNote(host, id, { reviewer: "<b>Mallory</b>", text: `\u202E${hostileTitle}\n${longTitle}` })
      await goTo(page, host, `/reviews?id=${id}`, ".note")
    }
  }
]
