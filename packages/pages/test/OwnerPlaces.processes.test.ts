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
})
