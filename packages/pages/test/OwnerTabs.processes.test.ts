/** Many tabs of an owner's pages at once, in a real browser, which has six connections to a host. */
import { assert, describe, it } from "@effect/vitest"
import { because, haveChromium } from "./Browser.ts"
import { deliver } from "./Owner.ts"
import { makeOwnerVisits } from "./OwnerVisits.ts"
import { waitForText } from "./RequestStates.ts"

const tabs = 8

describe.runIf(haveChromium)(`many tabs of an owner's pages${because}`, { timeout: 180_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/requests")

  it("PAGE-150 a tab that nobody sees holds no connection, and shows what came meanwhile when somebody looks at it", async () => {
    const { id } = await visits.host.owner.createFileRequest({ title: "Photos of the concert" })
    const { faults, page: first } = await visit(`?id=${id}`)
    await waitForText(first, "Nothing has been sent yet")
    const opened = [first]
    while (opened.length < tabs) {
      const page = await first.browserContext().newPage()
      opened.push(page)
      await page.goto(`${visits.host.drive.urls.site}/${opened.length % 2 === 0 ? "reviews" : "requests"}`, {
        timeout: 20_000
      })
      await page.waitForSelector("main h1, main h2", { timeout: 20_000 })
    }
    await deliver(visits.host, id)
    await first.bringToFront()
    await waitForText(first, "tram-28.jpg")
    // It follows again.
    await deliver(visits.host, id, { files: { "bridge.jpg": new Uint8Array(9) } })
    await waitForText(first, "bridge.jpg")
    assert.deepStrictEqual(faults, [])
  })
})
