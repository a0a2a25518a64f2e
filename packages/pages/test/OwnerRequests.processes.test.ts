/** What an owner does on the page of their file requests, in a real browser, while visitors send files. */
import { assert, describe, it } from "@effect/vitest"
import { because, haveChromium } from "./Browser.ts"
import { clientsOf, deliver, picture } from "./Owner.ts"
import {
  askToDeleteAll,
  behind,
  clear,
  downloadsTo,
  idOf,
  makeOwnerVisits,
  spoken,
  waitForDialog,
  waitForNotice,
  waitForTextBehind
} from "./OwnerVisits.ts"
import { clickText, waitForText } from "./RequestStates.ts"
import { tone } from "./Tracks.ts"

describe.runIf(haveChromium)(`the page of an owner's requests${because}`, { timeout: 180_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/requests")
  const drive = () => clientsOf(visits.host)
  const stored = async (id: string) => (await drive().owner.selectFileRequests({ requestIds: [id] })).requests[0]
  const made = (options: object = {}) => drive().owner.createFileRequest({ title: "Photos of the concert", ...options })

  it("PAGE-165 beside the link stands who can use it", async () => {
    const hint = async (id: string) => {
      const { page } = await visit(`?id=${id}`)
      return page.$eval(".link-box .field-hint", ({ textContent }) => textContent)
    }
    assert.strictEqual(await hint((await made()).id), "Whoever has this link can send you files.")
    assert.strictEqual(
      await hint((await made({ password: "correct horse" })).id),
      "Whoever has this link and its password can send you files."
    )
  })

  it("PAGE-120 a request is made with all that the drive offers, and its link is copied", async () => {
    const { faults, page } = await visit()
    const site = visits.host.drive.urls.site
    await page.browserContext().overridePermissions(site, ["clipboard-read", "clipboard-write"])
    await page.locator("a[href$='?new']").click()
    await page.locator("input[name=title]").fill("Photos of Saturday")
    await page.locator("textarea[name=message]").fill("All of them.\nThank you!")
    await page.locator("input[name=folder]").fill("Concerts/Lisbon/")
    await page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>("input[name=expireTime]")!
      field.value = "2099-03-01T12:30"
      field.dispatchEvent(new Event("input", { bubbles: true }))
    })
    await page.locator("input[name=maxBytes]").fill("2,5")
    await page.locator("input[name=password]").fill("correct horse")
    await page.locator(".form-actions .button-primary").click()
    await page.waitForSelector(".link-text")
    const id = idOf(page)!
    const request = (await stored(id))!
    assert.deepInclude(request, {
      title: "Photos of Saturday",
      message: "All of them.\nThank you!",
      maxBytes: 2_500_000_000,
      hasPassword: true
    })
    assert.strictEqual(request.folder.path, "/Concerts/Lisbon")
    assert.strictEqual(
      request.expireTime,
      await page.evaluate(() => new Date("2099-03-01T12:30").toISOString())
    )
    await clickText(page, "Copy link")
    await waitForNotice(page, "The link was copied")
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), `${site}/requests/${id}`)
    // The form is not gone back to: its request is made.
    await page.goBack()
    await page.waitForSelector(".item")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-121 without the Clipboard API the link is copied all the same, and where it can't be, the page says so", async () => {
    const { id } = await made()
    const { page } = await visit(`?id=${id}`, (page) =>
      page.evaluateOnNewDocument(() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined })
        const own = globalThis as unknown as { copied: string; canCopy: boolean }
        own.canCopy = true
        document.execCommand = () => {
          const field = document.activeElement as HTMLTextAreaElement
          own.copied = field.value.slice(field.selectionStart, field.selectionEnd)
          return own.canCopy
        }
      }))
    await clickText(page, "Copy link")
    await waitForNotice(page, "The link was copied")
    assert.strictEqual(
      await page.evaluate(() => (globalThis as unknown as { copied: string }).copied),
      `${visits.host.drive.urls.site}/requests/${id}`
    )
    await page.evaluate(() => void ((globalThis as unknown as { canCopy: boolean }).canCopy = false))
    await clickText(page, "Copy link")
    await waitForNotice(page, "could not be copied")
  })

  it("PAGE-122 what is wrong is said beside its field, also what the drive alone knows", async () => {
    const { page } = await visit("?new")
    const wrong = () =>
      page.$$eval("form [aria-invalid=true]", (fields) => fields.map((field) => (field as HTMLInputElement).name))
    await page.locator("input[name=maxBytes]").fill("lots")
    await page.locator(".form-actions .button-primary").click()
    await page.waitForSelector(".field-error")
    assert.deepStrictEqual(await wrong(), ["title", "maxBytes"])
    await waitForText(page, "Please give the request a title.")
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === "title")
    await page.locator("input[name=title]").fill("Photos")
    await clear(page, "input[name=maxBytes]")
    await page.locator("input[name=folder]").fill("/a//b")
    await page.locator(".form-actions .button-primary").click()
    await waitForText(page, "This is not a path of folders")
    assert.deepStrictEqual(await wrong(), ["folder"])
    const described = await page.$eval(
      "input[name=folder]",
      (field) =>
        field.getAttribute("aria-describedby")!.split(" ").map((id) => document.getElementById(id)!.textContent).join(
          " "
        )
    )
    assert.include(described, "This is not a path of folders")
    await page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>("input[name=expireTime]")!
      field.value = "2020-03-01T12:30"
      field.dispatchEvent(new Event("input", { bubbles: true }))
    })
    await page.locator("input[name=folder]").fill("/a/b")
    await page.locator(".form-actions .button-primary").click()
    await waitForText(page, "in the future")
    assert.deepStrictEqual(await wrong(), ["expireTime"])
  })

  it("PAGE-123 a delivery appears while its owner looks, in the list and in the request, and is told", async () => {
    const { id } = await made()
    const { page } = await visit(`?id=${id}`)
    await waitForText(page, "Nothing has been sent yet")
    const list = await page.browserContext().newPage()
    await list.goto(`${visits.host.drive.urls.site}/requests`)
    await list.waitForSelector(".item")
    await deliver(visits.host, id, { note: "From Saturday", files: { "one.jpg": new Uint8Array(2_000) } })
    await list.waitForFunction(
      (href) => document.querySelector(`a[href$='${href}']`)?.closest(".item")?.querySelector(".item-new"),
      behind,
      id
    )
    await spoken(list, "Grace.* has sent files")
    await page.bringToFront()
    await page.waitForSelector("[data-new=true]")
    await waitForText(page, "From Saturday")
    await spoken(page, "Grace.* has sent files")
    await deliver(visits.host, id, { name: "Linus" })
    await spoken(page, "Linus.* has sent files")
    await list.close()
  })

  it("PAGE-124 files are opened and saved from the page, and their delivery counts as seen in every tab", async () => {
    const { id } = await made()
    await deliver(visits.host, id, {
      files: { "tram.png": picture(), "song.wav": tone(1), "plan.pdf": new Uint8Array(900) }
    })
    await deliver(visits.host, id, { name: "Linus", files: { "b.txt": new Uint8Array(100) } })
    await deliver(visits.host, id, { name: "Edsger", files: { "c.txt": new Uint8Array(100) } })
    const { faults, page } = await visit(`?id=${id}`)
    await page.waitForFunction(() => document.querySelectorAll("[data-new=true]").length === 3)
    const other = await page.browserContext().newPage()
    await other.goto(page.url())
    await other.waitForFunction(() => document.querySelectorAll("[data-new=true]").length === 3)
    await page.bringToFront()
    await page.locator("button[aria-label*='Open'][aria-label*='tram.png']").click()
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".view-media")?.naturalWidth === 480)
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    for (const tab of [page, other]) {
      await tab.waitForFunction(() => document.querySelectorAll("[data-new=true]").length === 2, behind)
    }
    await page.locator("button[aria-label*='Open'][aria-label*='song.wav']").click()
    await page.waitForFunction(() => (document.querySelector<HTMLAudioElement>(".view-sound")?.duration ?? 0) === 1)
    await clickText(page, "Close")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    const downloads = await downloadsTo(page, visits.host.directory)
    const { named } = downloads.next()
    await page.locator("button[aria-label*='Download'][aria-label*='plan.pdf']").click()
    assert.strictEqual(await named, "plan.pdf")
    await clickText(page, "Mark all as seen")
    for (const tab of [page, other]) {
      await tab.waitForFunction(() => document.querySelectorAll("[data-new=true]").length === 0, behind)
    }
    assert.isTrue((await stored(id))!.drops.every(({ viewed }) => viewed))
    await other.close()
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-230 all from one sender is deleted after a question, and other tabs follow", async () => {
    const { id } = await made()
    const name = "Mallory <b>\u202egnp.exe"
    await deliver(visits.host, id, { name, files: { "a.txt": new Uint8Array(10), "b.txt": new Uint8Array(20) } })
    await deliver(visits.host, id, { name: "Grace", files: { "c.txt": new Uint8Array(30) } })
    await deliver(visits.host, id, { name, files: { "d.txt": new Uint8Array(40) }, isFinished: false })
    const { faults, page } = await visit(`?id=${id}`)
    await page.waitForFunction(() => document.querySelectorAll("[data-drop]").length === 3)
    const other = await page.browserContext().newPage()
    await other.goto(page.url())
    await other.waitForFunction(() => document.querySelectorAll("[data-drop]").length === 3, behind)
    await page.bringToFront()

    const asked = await askToDeleteAll(page, ".delivery:has(.status)")
    for (
      const said of ["Mallory", "2 deliveries with 3 files", "Delete 2 deliveries", "gone for good", "proves nothing"]
    ) assert.include(asked, said)
    assert.lengthOf((await stored(id))!.drops, 3)

    await page.locator("dialog .button-danger").click()
    await waitForNotice(page, "2 deliveries from")
    for (const tab of [page, other]) {
      await tab.waitForFunction(() => document.querySelectorAll("[data-drop]").length === 1, behind)
    }
    await page.waitForFunction(() => document.activeElement?.matches(".part-head h2"))
    assert.deepStrictEqual((await stored(id))!.drops.map(({ senderName }) => senderName), ["Grace"])
    const trashed = await drive().owner.selectTrashedFiles()
    assert.includeMembers(trashed.map(({ fileName }) => fileName), ["a.txt", "b.txt", "d.txt"])
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-233 one delivery is deleted after a question", async () => {
    const { id } = await made()
    for (const name of ["a.txt", "b.txt"]) {
      await deliver(visits.host, id, { name: "Grace", files: { [name]: new Uint8Array(10) } })
    }
    const { faults, page } = await visit(`?id=${id}`)
    await page.waitForFunction(() => document.querySelectorAll("[data-drop]").length === 2)
    await page.locator(".delivery:first-child .delivery-actions .icon-button").click()
    await waitForDialog(page, "It has 1 file.")
    await page.locator("dialog .button-danger").click()
    await waitForNotice(page, "1 delivery from")
    await page.waitForFunction(() => document.querySelectorAll("[data-drop]").length === 1)
    await page.waitForFunction(() => document.activeElement?.matches(".part-head h2"))
    const { drops } = (await stored(id))!
    assert.deepStrictEqual(drops.flatMap(({ files }) => files.map(({ fileName }) => fileName)), ["a.txt"])
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-125 a request is changed, closed, opened again and deleted, after a question; other tabs follow", async () => {
    const { id } = await made({ message: "Please", password: "correct horse", maxBytes: 1_234_567 })
    const { page } = await visit(`?id=${id}`)
    const other = await page.browserContext().newPage()
    await other.goto(page.url())
    await waitForTextBehind(other, "Photos of the concert")
    await page.bringToFront()

    await clickText(page, "Edit")
    assert.strictEqual(
      await page.$eval("input[name=maxBytes]", (field) => (field as HTMLInputElement).value),
      "1.234567"
    )
    // As people type: what a program empties without an event, a form that is drawn anew meanwhile fills again.
    await clear(page, "input[name=title]")
    await page.keyboard.type("Photos of Sunday")
    await clear(page, "textarea[name=message]")
    await page.locator("input[name=removePassword]").click()
    await clickText(page, "Save")
    await waitForText(page, "Photos of Sunday")
    assert.deepInclude(await stored(id), {
      title: "Photos of Sunday",
      message: null,
      hasPassword: false,
      maxBytes: 1_234_567
    })
    await waitForTextBehind(other, "Photos of Sunday")

    await clickText(page, "Close the link")
    await page.waitForSelector(".detail .status-closed")
    await other.waitForSelector(".detail .status-closed")
    assert.isFalse((await stored(id))!.open)
    await clickText(page, "Open again")
    await page.waitForSelector(".detail .status-open")
    assert.isTrue((await stored(id))!.open)

    await clickText(page, "Delete")
    await page.waitForSelector("dialog[open]")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.querySelector("dialog") === null)
    assert.isDefined(await stored(id))
    await clickText(page, "Delete")
    await page.locator("dialog .button-danger").click()
    await page.waitForSelector(".list-head")
    assert.isUndefined(await stored(id))
    await waitForTextBehind(other, "This request is not there")
    await other.close()
  })
})
