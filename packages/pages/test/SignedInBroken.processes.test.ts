/** Pages of people who are signed in while their server is away, or their session has ended, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { comeBack, forbidStorage, hurry, makeBrokenVisits } from "./Broken.ts"
import { axeFaults, because, haveChromium, shoot } from "./Browser.ts"
import { leaveNote, newReview } from "./Owner.ts"
import { waitForText } from "./RequestStates.ts"
import { scriptedAgent } from "./ScriptedAgent.ts"

describe.runIf(haveChromium)(
  `pages of who is signed in while their server is away${because}`,
  { timeout: 180_000 },
  () => {
    const agent = scriptedAgent()
    const visits = makeBrokenVisits({ agent: { model: agent.layer } })

    const visit = (path: string, prepare: (page: Page) => Promise<unknown> = async () => {}) =>
      visits.visit(path, async (page) => {
        await visits.host.signIn(page)
        await prepare(page)
      })
    /** Presses a button while the drive's answer is lost, and once more when it is not. */
    const pressTwice = async (page: Page, route: string, selector: string, failed: () => Promise<unknown>) => {
      visits.breaks({ losesAnswer: true }, route)
      await page.locator(selector).click()
      await failed()
      assert.isAbove(visits.proxy.count(`POST /api${route}`), 1, "the browser has sent it again by itself")
      visits.mend()
      await page.locator(selector).click()
    }

    it("PAGE-194 a request, an answer and a token are made once, also when the drive's answer was lost", async () => {
      const { owner } = visits.host
      const { page } = await visit("/requests?new")
      await page.locator("input[name=title]").fill("Once only")
      const notice = () => page.waitForSelector(".notice")
      await pressTwice(page, "/create-file-request", ".form-actions .button-primary", notice)
      await page.waitForSelector(".link-text")
      assert.lengthOf((await owner.selectFileRequests({})).requests, 1)

      const review = await newReview(visits.host)
      await leaveNote(visits.host, review.id)
      await page.goto(`${visits.host.drive.urls.site}/reviews?id=${review.id}`)
      await page.locator(".note-actions .button").click()
      await page.locator("textarea[name=reply]").fill("I will do that")
      await pressTwice(page, "/reply-to-review-note", ".reply-form .button-primary", notice)
      await page.waitForFunction(() => document.querySelector(".reply-form") === null)
      assert.lengthOf((await owner.selectFileReviews({ reviewIds: [review.id] })).reviews[0]!.notes[0]!.replies, 1)

      await page.goto(`${visits.host.drive.urls.site}/connections`)
      await page.locator("#new-token button").click()
      await page.locator("dialog input[name=name]").fill("laptop")
      await pressTwice(
        page,
        "/create-api-token",
        "dialog .button-primary",
        () => page.waitForSelector("dialog .field-error")
      )
      await page.waitForFunction(() => document.querySelector("dialog")?.textContent?.includes("Copy your token now"))
      assert.lengthOf(await owner.selectApiTokens(), 1)
    })

    it("PAGE-201 who leaves the page with a token that was not copied is asked", async () => {
      const { page } = await visit("/connections")
      const asked: Array<string> = []
      page.on("dialog", (dialog) => asked.push(dialog.type()))
      await page.locator("#new-token button").click()
      await page.locator("dialog input[name=name]").fill("desk")
      await page.locator("dialog .button-primary").click()
      await page.waitForFunction(() => document.querySelector("dialog")?.textContent?.includes("Copy your token now"))
      await page.reload()
      assert.deepStrictEqual(asked, ["beforeunload"])
      await page.waitForSelector("#new-token button")
      await page.reload()
      assert.lengthOf(asked, 1)
    })

    /** The page with a new token that was not copied. Whoever is asked whether to leave it stays; `asked` counts that. */
    const withToken = async () => {
      const one = await visit("/connections")
      const asked: Array<string> = []
      one.page.removeAllListeners("dialog")
      one.page.on("dialog", (dialog) => {
        asked.push(dialog.type())
        void dialog.dismiss()
      })
      await one.page.locator("#new-token button").click()
      await one.page.locator("dialog input[name=name]").fill("lap")
      await one.page.locator("dialog .button-primary").click()
      await one.page.waitForSelector("dialog .copy-field input")
      return { ...one, asked }
    }

    it("PAGE-216 who is signed out while a new token is shown keeps it, is told, and goes on after signing in", async () => {
      const { asked, page } = await withToken()
      await visits.host.signOut(page)
      await comeBack(page)
      await page.waitForSelector(".signed-out")
      await visits.host.signIn(page)
      await comeBack(page)
      await page.waitForFunction(() => document.querySelector(".signed-out") === null)
      assert.match(await page.$eval("dialog .copy-field input", ({ value }) => value), /^fdt_/)
      assert.deepStrictEqual(asked, [])
    })

    it("PAGE-216 where somebody else is signed in, nothing of the first person's stays", async () => {
      const { asked, page } = await withToken()
      const grace = await visits.host.drive.accounts.create({ handle: "grace", displayName: "Grace Hopper" })
      await visits.host.signIn(page, grace!.userId)
      await comeBack(page)
      await page.waitForFunction(() => document.querySelector(".person bdi")?.textContent === "Grace Hopper")
      assert.isNull(await page.$("dialog"))
      assert.deepStrictEqual(asked, [])
    })

    it.each(["/connections", "/requests", "/reviews"])(
      "PAGE-199 %s does not wait without end for a session",
      async (path) => {
        visits.proxy.fault = ({ path }) => path.endsWith("/page-session") ? { isSilent: true } : undefined
        const { page } = await visits.visit("/requests/x", async (page) => {
          await visits.host.signIn(page)
          await hurry(page)
        })
        await page.goto(visits.host.drive.urls.site + path, { waitUntil: "domcontentloaded" })
        await waitForText(page, "The server can’t be reached")
        visits.mend()
        await page.waitForFunction(() => document.querySelector(".person bdi")?.textContent === "Ada Lovelace")
      }
    )

    it("PAGE-200 who is signed out while they type keeps what they typed, and goes on after signing in elsewhere", async () => {
      const { page } = await visit("/requests?new")
      // Before it knows who is signed in, there is nobody to be signed out.
      await page.waitForSelector(".person bdi")
      await page.locator("input[name=title]").fill("A long title")
      await visits.host.signOut(page)
      await comeBack(page)
      await waitForText(page, "What is on this page is still here")
      assert.deepStrictEqual(await axeFaults(page), [])
      await shoot(page, "signed-out-while-typing")
      await page.locator(".form-actions .button-primary").click()
      // What it has may still be good: then it is made.
      await page.waitForSelector(".link-text")
      await visits.host.signIn(page)
      await comeBack(page)
      await page.waitForFunction(() => document.querySelector(".signed-out") === null)
      // Where nothing is typed one is led to where one signs in.
      await visits.host.signOut(page)
      await comeBack(page)
      await page.waitForFunction(() => document.title === "The host")
    })

    it("PAGE-197 where the browser keeps nothing, the page works, and says who was signed out", async () => {
      const { page } = await visit("/connections", forbidStorage)
      await page.waitForSelector("#new-token button")
      await visits.host.signOut(page)
      await comeBack(page)
      await waitForText(page, "You are signed out")
    })

    it("PAGE-202 states and permissions of a newer server's have their own names", async () => {
      await visits.host.owner.createApiToken({ name: "cli" })
      const { faults, page } = await visit("/connections", async (page) => {
        await page.setRequestInterception(true)
        page.on("request", (one) =>
          one.url().endsWith("/select-api-tokens")
            ? void one.respond({
              status: 200,
              contentType: "application/json",
              body: JSON.stringify([{
                id: "5e0c3a44-0000-4000-8000-000000000000",
                name: "cli",
                clientId: null,
                permissions: ["read", "publish"],
                folder: null,
                expireTime: null,
                lastUsedTime: null,
                more: 1
              }])
            })
            : void one.continue())
      })
      await waitForText(page, "publish")
      assert.notInclude(await page.$eval("main", ({ textContent }) => textContent ?? ""), "connections.")
      assert.deepStrictEqual(faults, [])
    })
  }
)
