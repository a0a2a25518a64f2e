/** Every state of the request page, brought about in a real browser. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "puppeteer-core"
import type { PagesHost } from "./PagesHost.ts"

export const hostileNames = [
  "<img src=x onerror=alert(1)>.png",
  "invoice \u202Egpj.exe",
  "صورة من الحفل ٢٠٢٦.jpg",
  `${"very long name ".repeat(15)}.tar.gz`
]

/** Files of these sizes, made on the disk. */
export const filesOf = async (
  host: PagesHost,
  files: Readonly<Record<string, number>>
): Promise<ReadonlyArray<string>> =>
  Promise.all(
    Object.entries(files).map(async ([name, size]) => {
      const path = join(host.directory, name.replaceAll("/", "_"))
      await writeFile(path, Buffer.alloc(size, name))
      return path
    })
  )

export const choose = async (page: Page, paths: ReadonlyArray<string>): Promise<void> => {
  const field = await page.waitForSelector("input#files")
  await field!.uploadFile(...paths)
}

export const clickText = (page: Page, text: string): Promise<void> =>
  page.locator(`::-p-xpath(//button[contains(normalize-space(.), "${text}")])`).click()

/** Waits until the page says so. What isolates values in its texts can't be seen. */
export const waitForText = (page: Page, text: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => document.querySelector("main")?.innerText.replaceAll(/[\u2068\u2069]/g, "").includes(wanted),
    {},
    text
  )

export const send = async (page: Page, name = "Grace"): Promise<void> => {
  await page.locator("input[name=name]").fill(name)
  await page.locator(".actions .button-primary").click()
}

/** Sends so slowly that what is under way can be looked at. */
export const slowDown = (page: Page, bytesPerSecond: number): Promise<void> =>
  page.emulateNetworkConditions({ upload: bytesPerSecond, download: 10_000_000, latency: 0, offline: false })

const message = "Please send everything from Saturday, also the blurred ones.\n\nThank you!"

interface State {
  readonly name: string
  readonly bring: (page: Page, host: PagesHost) => Promise<void>
}

const small = { "tram-28.jpg": 300_000, "notes.txt": 1_200, "sound check.wav": 900_000 }

const open = async (page: Page, host: PagesHost, options: object = {}) => {
  const request = await host.owner.createFileRequest({ title: "Photos of the concert", ...options })
  await page.goto(host.linkOf(request))
  return request
}

const openWithFiles = async (page: Page, host: PagesHost, files: Readonly<Record<string, number>>, options = {}) => {
  const request = await open(page, host, options)
  await choose(page, await filesOf(host, files))
  await page.waitForSelector(".row")
  return request
}

export const states: ReadonlyArray<State> = [
  {
    name: "open",
    bring: async (page, host) => {
      await open(page, host, { message, maxBytes: 10_000_000_000, expireTime: "2099-03-01T12:00:00Z" })
      await page.waitForSelector(".zone")
    }
  },
  {
    name: "chosen",
    bring: async (page, host) => {
      await openWithFiles(page, host, { ...small, ...Object.fromEntries(hostileNames.map((name) => [name, 20_000])) })
      await page.locator(".actions .button-primary").click()
      await page.waitForSelector(".field-error")
    }
  },
  {
    name: "sending",
    bring: async (page, host) => {
      await openWithFiles(page, host, {
        ...small,
        "concert.mp4": 9_000_000,
        "encore.mp4": 8_000_000,
        "b.mp4": 4_000_000
      })
      await slowDown(page, 400_000)
      await send(page)
      await page.waitForSelector(".row-sent")
      await page.locator(
        "button[aria-label*='Pause'][aria-label*='concert'], button[aria-label*='concert'][aria-label*='anhalten']"
      )
        .click()
      await page.waitForSelector(".row-paused")
      await page.waitForFunction(() => (document.querySelector(".overall-facts")?.children.length ?? 0) > 3)
    }
  },
  {
    name: "failed",
    bring: async (page, host) => {
      await openWithFiles(page, host, { "large.bin": 700_000, ...small }, { maxBytes: 1_300_000 })
      await send(page)
      await page.waitForSelector(".row-failed")
      await page.waitForSelector(".arrived")
    }
  },
  {
    name: "arrived",
    bring: async (page, host) => {
      await openWithFiles(page, host, small)
      await send(page)
      await page.waitForSelector(".arrived")
    }
  },
  {
    name: "takeBack",
    bring: async (page, host) => {
      await openWithFiles(page, host, small)
      await send(page)
      await page.waitForSelector(".arrived")
      await page.locator(".row-actions .icon-button").click()
      await page.waitForSelector("dialog[open]")
    }
  },
  {
    name: "thanks",
    bring: async (page, host) => {
      await openWithFiles(page, host, small)
      await send(page)
      await page.waitForSelector(".arrived")
      await page.locator(".arrived .button-primary").click()
      await page.waitForSelector(".notable-good")
    }
  },
  {
    name: "missing",
    bring: async (page, host) => {
      await openWithFiles(page, host, { ...small, "concert.mp4": 40_000_000 })
      await slowDown(page, 1_000_000)
      await send(page)
      await page.waitForFunction(() => document.querySelectorAll(".row-sent").length === 3)
      await page.reload()
      await page.waitForSelector(".row-missing")
    }
  },
  {
    name: "closed",
    bring: async (page, host) => {
      const { id } = await host.owner.createFileRequest({ title: "Photos of the concert" })
      await host.owner.setFileRequestOpen({ requestId: id, open: false })
      await page.goto(host.linkOf({ id }))
      await page.waitForSelector(".notable")
    }
  },
  {
    name: "closedMeanwhile",
    bring: async (page, host) => {
      const { id } = await openWithFiles(page, host, { ...small, "concert.mp4": 9_000_000 })
      await slowDown(page, 1_500_000)
      await send(page)
      await page.waitForFunction(() => document.querySelectorAll(".row-sent").length === 3)
      await host.owner.setFileRequestOpen({ requestId: id, open: false })
      await page.waitForSelector(".notable")
    }
  },
  {
    name: "expired",
    bring: async (page, host) => {
      const expireTime = new Date(Date.now() + 1_500).toISOString()
      await open(page, host, { expireTime })
      await page.waitForSelector(".notable")
    }
  },
  {
    name: "full",
    bring: async (page, host) => {
      const { id } = await openWithFiles(page, host, { "notes.txt": 1_200 }, { maxBytes: 1_200 })
      await send(page)
      await page.waitForSelector(".arrived")
      await page.evaluate(() => localStorage.clear())
      await page.goto(host.linkOf({ id }))
      await page.waitForSelector(".notable")
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
    name: "notFound",
    bring: async (page, host) => {
      await page.goto(host.linkOf({ id: "5e0c3a44-0000-4000-8000-000000000000" }))
      await page.waitForSelector(".notable")
    }
  },
  {
    name: "failedToLoad",
    bring: async (page, host) => {
      await page.setRequestInterception(true)
      page.on(
        "request",
        (request) =>
          void (request.url().endsWith("/open-file-request")
            ? request.respond({ status: 500, body: "{}" })
            : request.continue())
      )
      await open(page, host)
      await page.waitForSelector(".notable", { timeout: 60_000 })
    }
  }
]
