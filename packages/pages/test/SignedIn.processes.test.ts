/** Pages of people who are signed in: the session, the frame, and what happens when somebody signs out. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { because, haveChromium } from "./Browser.ts"
import { behind } from "./OwnerVisits.ts"
import { waitForText } from "./RequestStates.ts"
import { makeVisits } from "./Visits.ts"

describe.runIf(haveChromium)(`pages of people who are signed in${because}`, { timeout: 180_000 }, () => {
  const visits = makeVisits()

  const visit = async () => {
    const one = await visits.open()
    await visits.host.signIn(one.page)
    await one.page.goto(`${visits.host.drive.urls.site}/connections`)
    await one.page.waitForFunction(() => document.querySelector(".person bdi")?.textContent === "Ada Lovelace")
    return one
  }

  it("PAGE-94 say who is signed in, and keep the session in the page's memory alone", async () => {
    const { faults, page } = await visit()
    assert.strictEqual(await page.$eval(".navigation [aria-current]", ({ textContent }) => textContent), "Connections")
    const kept = await page.evaluate(async () => [
      ...Object.entries(localStorage),
      ...Object.entries(sessionStorage),
      document.cookie.replace(/pages-user=[\w-]+/, ""),
      ...(await indexedDB.databases()).map(({ name }) => name)
    ])
    assert.deepStrictEqual(kept, [""])
    assert.deepStrictEqual(faults, [])
  })

  const seesHost = (page: Page, options: object = {}) =>
    page.waitForFunction(() => document.querySelector("h1")?.textContent === "Sign in at the host", options)

  it("PAGE-162 the reader signs out by the keyboard; every tab leads to where they sign in, without what was open", async () => {
    const { faults, page } = await visit()
    const other = await page.browserContext().newPage()
    await other.goto(`${visits.host.drive.urls.site}/reviews`)
    await other.waitForFunction(() => document.querySelector(".person bdi") !== null, behind)
    await page.bringToFront()
    await page.goto(`${visits.host.drive.urls.site}/requests?new`)
    await page.waitForSelector("input[name=title]")
    await page.focus(".navigation a:last-child")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("href")), "/upload")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Sign out")
    await page.keyboard.press("Enter")
    await seesHost(page)
    assert.strictEqual(new URL(page.url()).searchParams.get("next"), `${visits.host.drive.urls.site}/requests`)
    assert.notInclude((await page.browserContext().cookies()).map(({ name }) => name), "pages-user")
    await seesHost(other, behind)
    await page.goBack()
    await seesHost(page)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-162 whom the host did not sign out is told so, and stays", async () => {
    const { page } = await visit()
    let answer: "nothing" | "refused" | "led on" = "refused"
    await page.setRequestInterception(true)
    page.on("request", (request) => {
      if (!request.url().endsWith("/logout")) return void request.continue()
      if (answer === "nothing") return void request.abort("connectionfailed")
      void request.respond(answer === "refused" ? { status: 503 } : { status: 303, headers: { location: "/" } })
    })
    for (const one of ["refused", "led on", "nothing"] as const) {
      answer = one
      await page.locator(".account .button").click()
      await page.waitForSelector(".notice-error")
      await page.waitForSelector(".account .button:not([aria-busy])")
      await page.locator(".notice-error .icon-button").click()
      await page.waitForFunction(() => document.querySelector(".notice-error") === null)
      assert.strictEqual(new URL(page.url()).pathname, "/connections")
      assert.isNotNull(await page.$(".person bdi"))
    }
  })

  it("PAGE-95 who has signed out in another tab is led to where they sign in, and back", async () => {
    const { page } = await visit()
    const other = await page.browserContext().newPage()
    await visits.host.signOut(other)
    await other.close()
    await page.bringToFront()
    // A browser may tell the page by itself that it is seen: then it has left already.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange"))).catch(() => {})
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Sign in at the host")
    assert.strictEqual(
      new URL(page.url()).searchParams.get("next"),
      `${visits.host.drive.urls.site}/connections`
    )
  })

  it("PAGE-95 a page whose reader is another person by now begins anew", async () => {
    const { page } = await visit()
    const bob = await visits.host.drive.accounts.create({ displayName: "Bob" })
    await visits.host.signIn(page, bob!.userId)
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await page.waitForFunction(() => document.querySelector(".person bdi")?.textContent === "Bob")
  })

  it("PAGE-95 a page that the server shows to somebody who is not signed in is loaded once more, and not again", async () => {
    const { page } = await visits.open()
    await visits.host.signIn(page)
    let loads = 0
    await page.setRequestInterception(true)
    page.on("request", (request) => {
      if (request.url().endsWith("/connections")) loads++
      if (request.url().endsWith("/page-session")) {
        void request.respond({ status: 401, contentType: "application/json", body: `{"code":"not_signed_in"}` })
      } else void request.continue()
    })
    await page.goto(`${visits.host.drive.urls.site}/connections`)
    await waitForText(page, "You are signed out")
    assert.strictEqual(loads, 2)
  })
})
