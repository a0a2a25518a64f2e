/** Tokens and apps on the connections page, in a real browser with a real drive. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { vi } from "vitest"
import { because, haveChromium } from "./Browser.ts"
import { connectApp } from "./connectApp.ts"
import { makeToken, nameToken, openConnections, pathOf } from "./ConnectionsStates.ts"
import { clickText, waitForText } from "./RequestStates.ts"
import { makeVisits } from "./Visits.ts"

/** The text of the token that is shown. */
const secretOf = (page: Page): Promise<string> =>
  page.waitForSelector(".copy-field input").then((input) => input!.evaluate((element) => element.value))

const row = (name: string, button: string) =>
  `::-p-xpath(//li[contains(@class, "item")][contains(., "${name}")]//button[contains(., "${button}")])`

const gone = (page: Page, text: string) =>
  page.waitForFunction((wanted) => !document.querySelector("main")!.innerText.includes(wanted), {}, text)

describe.runIf(haveChromium)(`tokens and apps on the connections page${because}`, { timeout: 180_000 }, () => {
  const visits = makeVisits()

  const visit = async () => {
    const one = await visits.open()
    await openConnections(one.page, visits.host)
    return one
  }

  /** What a program gets that has the token: the status of a call, after its exchange. */
  const use = async (token: string, route: string, body: object = {}) => {
    const { api, auth } = visits.host.drive.urls
    const headers = { authorization: `Bearer ${token}` }
    const exchanged = await fetch(`${auth}/exchange-token`, { method: "POST", headers })
    if (exchanged.status !== 200) return exchanged.status
    const { gelToken } = await exchanged.json() as { readonly gelToken: string }
    const answer = await fetch(`${api}${route}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gelToken}`,
        "x-service-app": "filedrive",
        "content-type": "application/json"
      },
      body: JSON.stringify(body)
    })
    return answer.status
  }

  it("PAGE-96 a token is made with limits, shown once to be copied, and is limited", async () => {
    const { id } = await visits.host.owner.createFolder({ path: "/Scans" })
    const { faults, page } = await visit()
    await page.browserContext().setPermission(visits.host.drive.urls.site, {
      permission: { name: "clipboard-write" },
      state: "granted"
    })
    await nameToken(page, "Scanner")
    await page.locator("dialog input[name=add]").click()
    await page.waitForSelector(`dialog option[value="${id}"]`)
    await page.select("dialog select", id)
    await makeToken(page)
    const secret = await secretOf(page)
    assert.match(secret, /^fdt_/)
    await clickText(page, "Copy")
    await page.waitForFunction(() => document.querySelector(".copy-field button")?.textContent === "Copied")
    await clickText(page, "Done")
    await waitForText(page, "/Scans")
    assert.notInclude(await page.content(), secret)
    assert.notInclude(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])), secret)
    const made = (await visits.host.owner.selectApiTokens()).find(({ name }) => name === "Scanner")
    assert.deepInclude(made, { permissions: ["read", "add"], folder: id })
    const year = Date.parse(made!.expireTime!) - Date.now()
    assert.approximately(year / 86_400_000, 365, 1)
    assert.strictEqual(await use(secret, "/search-files"), 200)
    assert.strictEqual(await use(secret, "/create-folder", { path: "/Scans/a" }), 403)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-96 where the browser does not let the page copy, the text is selected; who closes it uncopied is asked", async () => {
    const { page } = await visit()
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { get: () => undefined })
    })
    await nameToken(page, "By hand")
    await makeToken(page)
    const secret = await secretOf(page)
    await page.keyboard.press("Escape")
    await waitForText(page, "You have not copied it yet")
    await clickText(page, "Copy")
    await waitForText(page, "copy it by the keyboard")
    assert.strictEqual(await page.evaluate(() => String(getSelection())), secret)
    await page.evaluate(() => document.execCommand("copy"))
    await clickText(page, "Done")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
  })

  it("PAGE-96 what the drive refuses stands beside its field, and nothing is made twice", async () => {
    const { page } = await visit()
    await clickText(page, "New token")
    await makeToken(page)
    await waitForText(page, "Please give the token a name")
    const folder = await visits.host.owner.createFolder({ path: "/Gone soon" })
    await clickText(page, "Cancel")
    await nameToken(page, "\u200b")
    await makeToken(page)
    await waitForText(page, "This name can’t be used")
    await page.locator("dialog input[name=name]").fill("Refused")
    await page.waitForFunction((id) => document.querySelector(`dialog option[value="${id}"]`) !== null, {}, folder.id)
    await page.select("dialog select", folder.id)
    await visits.host.owner.deleteFolder({ folderId: folder.id, files: "parent" })
    await makeToken(page)
    await waitForText(page, "This folder is not there any more")
    await page.select("dialog select", "")
    await makeToken(page)
    await secretOf(page)
    const made = (await visits.host.owner.selectApiTokens()).filter(({ name }) => name === "Refused")
    assert.lengthOf(made, 1)
  })

  it("PAGE-97 a token is revoked after a question, at once, and another tab shows it", async () => {
    const { token } = await visits.host.owner.createApiToken({ name: "Old backup" })
    const { page } = await visit()
    const other = await page.browserContext().newPage()
    await other.goto(pathOf(visits.host))
    await waitForText(other, "Old backup")
    await page.bringToFront()
    assert.strictEqual(await use(token, "/search-files"), 200)
    await page.locator(row("Old backup", "Revoke")).click()
    await page.waitForSelector("dialog[open]")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    assert.strictEqual(await use(token, "/search-files"), 200)
    await page.locator(row("Old backup", "Revoke")).click()
    await page.locator("dialog .button-danger").click()
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    assert.strictEqual(await use(token, "/search-files"), 401)
    await page.waitForFunction(() =>
      ![...document.querySelectorAll(".item")].some(({ textContent }) => textContent.includes("Old backup"))
    )
    // A tab behind another is not drawn, and so not looked at.
    await other.bringToFront()
    await gone(other, "Old backup")
  })

  it("PAGE-97 an app says what it may do, and is disconnected at once", async () => {
    const app = await connectApp(visits.host, "Photo Sorter", ["read", "organize"])
    assert.strictEqual(await app.calls(), 200)
    const { page } = await visit()
    await waitForText(page, "Photo Sorter")
    await waitForText(page, "Tag, move, rename and describe files")
    await page.locator(row("Photo Sorter", "Disconnect")).click()
    await page.locator("dialog .button-danger").click()
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    assert.strictEqual(await app.calls(), 401)
    // The row has gone with its button: what is next to it has the focus.
    await page.waitForFunction(() => document.activeElement?.id === "apps")
    await page.waitForFunction(() => document.querySelector("[aria-labelledby=apps] .item") === null)
  })

  it("PAGE-100 hostile names are text", async () => {
    const names = ["<img src=x onerror=alert(1)>", "\"'><script>alert(1)</script>", "نسخة ٢٠٢٦"]
    for (const name of names) await visits.host.owner.createApiToken({ name })
    await connectApp(visits.host, `<svg onload="alert(1)">`, ["read"])
    const { faults, page } = await visit()
    for (const name of [...names, `<svg onload="alert(1)">`]) await waitForText(page, name)
    assert.strictEqual(await page.evaluate(() => document.querySelectorAll("main img, main script").length), 0)
    await page.locator(`::-p-xpath(//button[@aria-label[contains(., "onerror")]])`).click()
    await waitForText(page, "Programs that use “<img src=x onerror=alert(1)>” are signed out")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-103 the keyboard alone makes a token", async () => {
    const { page } = await visit()
    const focus = async (text: string) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab")
        const found = await page.evaluate(() => {
          const element = document.activeElement
          const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : ""
          return `${element?.getAttribute("aria-label") ?? ""} ${label} ${element?.textContent}`
        })
        if (found.includes(text)) return
      }
      assert.fail(`Tab never comes to ${text}.`)
    }
    await focus("New token")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "name")
    await page.keyboard.type("By keys")
    await page.keyboard.press("Enter")
    await secretOf(page)
    await focus("Copy")
    await focus("Done")
    await page.keyboard.press("Enter")
    await waitForText(page, "You have not copied it yet")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    await vi.waitFor(async () =>
      assert.include((await visits.host.owner.selectApiTokens()).map(({ name }) => name), "By keys")
    )
    await page.waitForFunction(() => document.activeElement?.textContent === "New token")
  })

  it("PAGE-95 who signs out while the page is open is led to where they sign in with the next call that needs a session", async () => {
    const { page } = await visit()
    await visits.host.signOut(page)
    await visits.host.drive.sessions.endAll(visits.host.userId)
    await page.evaluate(() => void dispatchEvent(new Event("online")))
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Sign in at the host")
  })

  it("PAGE-154 of many tokens a part is shown, and the others when they are asked for", async () => {
    for (let made = 0; made < 60; made++) await visits.host.owner.createApiToken({ name: `Job ${made}` })
    const total = (await visits.host.owner.selectApiTokens()).filter(({ clientId }) => clientId === null).length
    const { page } = await visit()
    const rows = (count: number) =>
      page.waitForFunction(
        (wanted) => document.querySelectorAll("[aria-labelledby=tokens] .item").length === wanted,
        {},
        count
      )
    await rows(50)
    await page.locator("[aria-labelledby=tokens] ::-p-text(Show more)").click()
    await rows(Math.min(100, total))
  })
})
