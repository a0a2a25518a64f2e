/** How an owner finds their way on the pages of requests and reviews, and what happens when the drive or the session is away. */
import { assert, describe, expect, it } from "@effect/vitest"
import { because, haveChromium } from "./Browser.ts"
import { clientsOf, deliver, hostileTitle } from "./Owner.ts"
import { idOf, makeOwnerVisits, waitForNotice, waitForTitle } from "./OwnerVisits.ts"
import { clickText, waitForText } from "./RequestStates.ts"

describe.runIf(haveChromium)(`an owner's way through their requests${because}`, { timeout: 180_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/requests")
  const drive = () => clientsOf(visits.host)
  const stored = async (id: string) => (await drive().owner.selectFileRequests({ requestIds: [id] })).requests[0]
  const made = (options: object = {}) => drive().owner.createFileRequest({ title: "Photos of the concert", ...options })

  it("PAGE-126 what is open is in the address: back, forward and a reload lead to it, and to nobody else's", async () => {
    const { id } = await made({ title: "Photos of Monday" })
    const { page } = await visit()
    await page.locator(`a[href$='${id}']`).click()
    await page.waitForSelector(".detail")
    assert.strictEqual(idOf(page), id)
    assert.include(await page.title(), "Photos of Monday")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    await page.goBack()
    await page.waitForSelector(".items")
    await page.goForward()
    await page.waitForSelector(".detail")
    await page.reload()
    await waitForText(page, "Photos of Monday")
    const bob = (await visits.host.drive.accounts.create({ displayName: "Bob" }))!
    const theirs = await visits.host.drive.as(bob.userId).createFileRequest({ title: "Bob's" })
    await page.goto(`${visits.host.drive.urls.site}/requests?id=${theirs.id}`)
    await waitForText(page, "This request is not there")
  })

  it("PAGE-127 a list of any length is read a page at a time", async () => {
    const carol = (await visits.host.drive.accounts.create({ displayName: "Carol" }))!
    const as = visits.host.drive.as(carol.userId)
    for (let at = 1; at <= 103; at++) await as.createFileRequest({ title: `Number ${at}`, folder: "/In" })
    const { page } = await visits.open()
    await visits.host.signIn(page, carol.userId)
    await page.goto(`${visits.host.drive.urls.site}/requests`)
    const shows = (first: string, count: number) =>
      page.waitForFunction(
        (title, length) => {
          const titles = [...document.querySelectorAll(".item-title")].map(({ textContent }) => textContent)
          return titles[0] === title && titles.length === length
        },
        {},
        first,
        count
      )
    await shows("Number 103", 50)
    await clickText(page, "Older")
    await shows("Number 53", 50)
    await clickText(page, "Older")
    await shows("Number 3", 3)
    assert.isTrue(await page.$eval(".pager .button:last-child", (button) => (button as HTMLButtonElement).disabled))
    await page.locator(".item-title").click()
    await page.waitForSelector(".detail")
    await page.goBack()
    await shows("Number 3", 3)
    await clickText(page, "Newer")
    await shows("Number 53", 50)
    await clickText(page, "Newer")
    await shows("Number 103", 50)
  })

  it("PAGE-128 hostile titles and names are text", async () => {
    const { id } = await made({ title: hostileTitle, message: hostileTitle })
    await deliver(visits.host, id, {
      name: "<b>Mallory</b>",
      note: "<script>alert(1)</script>",
      files: { "<img src=x onerror=alert(1)>.png": new Uint8Array(20) }
    })
    const { faults, page } = await visit()
    await waitForText(page, hostileTitle)
    await page.locator(`a[href$='${id}']`).click()
    await page.waitForSelector(".delivery")
    await waitForText(page, "<b>Mallory</b>")
    await waitForText(page, "<script>alert(1)</script>")
    await waitForText(page, "<img src=x onerror=alert(1)>.png")
    assert.deepStrictEqual(await page.$$eval("main img, main b, main script", (found) => found.length), 0)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-129 without a network the page says so, keeps what it shows, and goes on by itself", async () => {
    const { id } = await made({ title: "Before the tunnel" })
    const { page } = await visit(`?id=${id}`)
    await waitForText(page, "Nothing has been sent yet")
    await page.setOfflineMode(true)
    await waitForText(page, "You are offline")
    await waitForText(page, "Before the tunnel")
    await deliver(visits.host, id)
    await page.setOfflineMode(false)
    await page.waitForSelector("[data-new=true]")
    await page.waitForFunction(() => document.querySelector(".connection") === null)
  })

  it("PAGE-129 while the drive does not answer, what is shown stays, and the page says that it may be out of date", async () => {
    const { id } = await made({ title: "Still there" })
    const { page } = await visit(`?id=${id}`)
    await waitForText(page, "Nothing has been sent yet")
    let isDown = true
    let refused = 0
    await page.setRequestInterception(true)
    page.on("request", (request) => {
      if (!isDown || !request.url().includes("/api/")) return void request.continue()
      if (request.url().endsWith("/select-file-requests")) refused++
      void request.respond({
        status: 503,
        contentType: "application/json",
        body: `{"error":"Down.","code":"unavailable","retryable":true}`
      })
    })
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await waitForText(page, "may be out of date")
    await waitForText(page, "Still there")
    const before = refused
    await clickText(page, "Close the link")
    await waitForNotice(page, "Something went wrong on our side")
    // What became of it is asked, too: as often as the client repeats a call.
    await expect.poll(() => refused, { timeout: 60_000 }).toBe(2 * before)
    isDown = false
    await clickText(page, "Try again")
    await page.waitForFunction(() => document.querySelector(".connection") === null)
    assert.isTrue((await stored(id))!.open)
  })

  it("PAGE-130 who was signed out meanwhile is led to where they sign in, and back to what was open", async () => {
    const { id } = await made()
    const { page } = await visit(`?id=${id}`)
    const other = await page.browserContext().newPage()
    await visits.host.signOut(other)
    // Coming back to the page.
    await other.close()
    await waitForTitle(page, "The host")
    assert.strictEqual(
      new URL(page.url()).searchParams.get("next"),
      `${visits.host.drive.urls.site}/requests?id=${id}`
    )
  })

  it("PAGE-131 the page is used by the keyboard alone", async () => {
    const { page } = await visit()
    const tabTo = async (selector: string) => {
      for (let at = 0; at < 60; at++) {
        await page.keyboard.press("Tab")
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return
      }
      assert.fail(`The keyboard does not reach ${selector}.`)
    }
    await tabTo("a[href$='?new']")
    await page.keyboard.press("Enter")
    await page.waitForSelector("form")
    await tabTo("input[name=title]")
    await page.keyboard.type("By keyboard")
    await tabTo(".form-actions .button-primary")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".link-text")
    await tabTo(".detail-actions .button:last-child")
    await page.keyboard.press("Enter")
    await page.waitForSelector("dialog[open]")
    await tabTo("dialog .button-danger")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".list-head")
    assert.isUndefined(await stored(idOf(page) ?? "5e0c3a44-0000-4000-8000-000000000000"))
  })
})
