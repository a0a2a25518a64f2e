/** Every state of the connections page in a real browser: what axe finds, what it asks for, what it writes to the console; and its pictures. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser } from "puppeteer-core"
import { axeFaults, because, haveChromium, openPage, passesAxe, shoot, startBrowser } from "./Browser.ts"
import {
  emptyStates,
  furnish,
  furnishNicely,
  give,
  openConnections,
  type State,
  states,
  waitForState
} from "./ConnectionsStates.ts"
import { hostLinks, type PagesHost, startHost } from "./PagesHost.ts"
import { scriptedAgent } from "./ScriptedAgent.ts"

const widths = [390, 1280] as const

describe.runIf(haveChromium)(`the states of the connections page${because}`, { timeout: 180_000 }, () => {
  let browser: Browser
  let empty: PagesHost
  let full: PagesHost
  let german: PagesHost
  const agents = [scriptedAgent(), scriptedAgent(), scriptedAgent()] as const

  beforeAll(async () => {
    browser = await startBrowser()
    empty = await startHost({ pages: { name: "Studio Lumière", links: hostLinks } })
    full = await startHost({ pages: { name: "Studio Lumière", links: hostLinks }, agent: { model: agents[1].layer } })
    german = await startHost({
      pages: { colours: { accent: "#ffee00", accentDark: "#3b0764" }, links: hostLinks },
      agent: { model: agents[2].layer }
    })
    await furnish(full)
    await furnish(german)
  })
  afterAll(async () => {
    for (const { release } of agents) release()
    await browser?.close()
    await Promise.all([empty?.stop(), full?.stop(), german?.stop()])
  })

  const check = async ({ bring, name }: State, host: PagesHost, width: number) => {
    const { close, faults, page, requested } = await openPage(browser, { width })
    try {
      await bring(page, host)
      await passesAxe(page, `connections-${name}-${width}`)
      const { site } = host.drive.urls
      assert.deepStrictEqual(requested.filter((url) => !url.startsWith(`${site}/`)), [])
      assert.isTrue(requested.every((url) => /\/(?:connections|api|auth|storage)(?:\/|$)/.test(url)))
      assert.deepStrictEqual(faults, [])
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.isAtMost(sideways, 0, "It scrolls sideways.")
    } finally {
      await close()
    }
  }

  it.each(emptyStates.flatMap((state) => widths.map((width) => ({ ...state, width }))))(
    "PAGE-13, PAGE-14 $name, $width pixels wide",
    (state) => check(state, empty, state.width)
  )

  it.each(states.flatMap((state) => widths.map((width) => ({ ...state, width }))))(
    "PAGE-13, PAGE-14 $name, $width pixels wide",
    (state) => check(state, full, state.width)
  )

  it("PAGE-13, PAGE-14 in German, with a host's colours", async () => {
    const { close, faults, page } = await openPage(browser, { language: "de-AT,de", width: 390 })
    try {
      await states[0]!.bring(page, german)
      await passesAxe(page, "connections-de")
      assert.deepStrictEqual(faults, [])
      assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "de")
    } finally {
      await close()
    }
  })

  it("PAGE-13, PAGE-14 a drive that is used", async () => {
    const agent = scriptedAgent()
    const host = await startHost({ pages: { name: "Studio Lumière", links: hostLinks }, agent: { model: agent.layer } })
    await furnishNicely(host)
    const { close, faults, page } = await openPage(browser, { width: 1080 })
    try {
      await openConnections(page, host)
      await give(page, "find the report of the year")
      await waitForState(page, "completed", "find the report")
      await give(page, "wait for the pictures of Saturday, then share them with Bob")
      await waitForState(page, "waiting", "wait for")
      // This is the picture in the documentation.
      await shoot(page, "connections-page")
      assert.deepStrictEqual(await axeFaults(page), [])
      assert.deepStrictEqual(faults, [])
    } finally {
      agent.release()
      await close()
      await host.stop()
    }
  })
})
