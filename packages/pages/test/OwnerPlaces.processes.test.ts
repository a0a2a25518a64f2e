/** What an owner is told of where files land and whether there is room, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import { because, haveChromium } from "./Browser.ts"
import { clientsOf, deliver } from "./Owner.ts"
import { makeOwnerVisits } from "./OwnerVisits.ts"

describe.runIf(haveChromium)(`where the files of requests land${because}`, { timeout: 180_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/requests")

  it("PAGE-234, PAGE-235 a path runs from left to right, and a full request says that it is", async () => {
    const { id } = await clientsOf(visits.host).owner.createFileRequest({
      title: "Photos of the concert",
      folder: "/\u062d\u0641\u0644/Lisbon 2026",
      maxBytes: 10
    })
    await deliver(visits.host, id, { files: { "a.txt": new Uint8Array(10) } })
    const { page } = await visit(`?id=${id}`)
    const places = (where: string) =>
      page.$$eval(`${where} .path bdi`, (found) => found.map((one) => one.getBoundingClientRect().left))
    await page.waitForSelector(".detail-facts .path")
    const [concert, lisbon] = await places(".detail-facts")
    assert.isBelow(concert!, lisbon!)
    await page.waitForSelector(".detail .status-full")
    assert.include(await page.$eval(".link-box .field-hint", ({ textContent }) => textContent!), "is full")
    await page.locator(".back-link").click()
    await page.waitForSelector(".item:first-child .status-full")
    const [first, second] = await places(".item:first-child")
    assert.isBelow(first!, second!)
  })

  it("PAGE-237, PAGE-238 long names keep their extension, and long messages are shown whole at a press", async () => {
    const message = `${"Please send everything.\n".repeat(40)}Thank you!`
    const { id } = await clientsOf(visits.host).owner.createFileRequest({ title: "Photos of the concert", message })
    const name = `${"very long name ".repeat(12)}.tar.gz`
    await deliver(visits.host, id, { files: { [name]: new Uint8Array(10), "short.txt": new Uint8Array(10) } })
    const { page } = await visit(`?id=${id}`)
    await page.waitForSelector(".file-name")
    const names = await page.$$eval(".file-name bdi", (found) => found.map((one) => [one.textContent, one.title]))
    const long = names.find(([, title]) => title === name)!
    assert.match(long[0]!, /^very long name .{10,30}….*\.tar\.gz$/)
    assert.isBelow(long[0]!.length, 60)
    assert.deepInclude(names, ["short.txt", "short.txt"])

    for (
      const [where, text] of [[page.url(), ".detail-message"], [visits.host.linkOf({ id }), ".facts-message"]] as const
    ) {
      await page.goto(where)
      await page.waitForSelector(text)
      const isCut = () => page.$eval(text, ({ clientHeight, scrollHeight }) => scrollHeight > clientHeight)
      assert.isTrue(await isCut())
      await page.focus(".long-text .button")
      await page.keyboard.press("Enter")
      await page.waitForFunction(() => document.querySelector(".long-text .button")?.textContent === "Show less")
      assert.isFalse(await isCut())
    }
  })
})
