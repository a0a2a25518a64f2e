/** The agent's tasks on the connections page, in a real browser with a scripted agent. */
import { afterAll, assert, beforeAll, describe, expect, it } from "@effect/vitest"
import type { Browser } from "puppeteer-core"
import { because, haveChromium, type Opened, openPage, startBrowser } from "./Browser.ts"
import { give, openConnections, pathOf, waitForState } from "./ConnectionsStates.ts"
import { type PagesHost, startHost } from "./PagesHost.ts"
import { clickText, waitForText } from "./RequestStates.ts"
import { scriptedAgent } from "./ScriptedAgent.ts"

const taskButton = (text: string, button: string) =>
  `::-p-xpath(//li[contains(@class, "task")][contains(., "${text}")]//button[contains(., "${button}")])`

describe.runIf(haveChromium)(`tasks on the connections page${because}`, { timeout: 180_000 }, () => {
  const agent = scriptedAgent()
  let browser: Browser
  let host: PagesHost
  const opened: Array<Opened> = []

  beforeAll(async () => {
    browser = await startBrowser()
    host = await startHost({ agent: { model: agent.layer } })
    await host.owner.files.put(new TextEncoder().encode("hello"), { fileName: "<i>report</i>.txt" })
  })
  afterAll(async () => {
    agent.release()
    await Promise.all(opened.map(({ close }) => close()))
    await browser?.close()
    await host?.stop()
  })

  const visit = async () => {
    const one = await openPage(browser)
    opened.push(one)
    one.page.setDefaultTimeout(60_000)
    await openConnections(one.page, host)
    return one
  }

  const waiting = async () => (await host.owner.selectWaitingTasks()).length

  it("PAGE-98 what waits is shown in two tabs, and stopped in one of them", async () => {
    const { page } = await visit()
    const other = await page.browserContext().newPage()
    other.setDefaultTimeout(60_000)
    await other.goto(pathOf(host))
    await other.waitForSelector("#waiting")
    await page.bringToFront()
    await give(page, "wait for the pictures")
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await tab.waitForSelector("[data-waiting]")
      await waitForText(tab, "Waits for files in /Inbox. (wait for the pictures)")
    }
    assert.strictEqual(await waiting(), 1)
    await other.locator("[data-waiting] button").click()
    for (const tab of [other, page]) {
      await tab.bringToFront()
      await tab.waitForFunction(() => document.querySelector("[data-waiting]") === null)
      await waitForState(tab, "canceled", "wait for the pictures")
    }
    assert.strictEqual(await waiting(), 0)
  })

  it("PAGE-154 while a task is at work it is read again and again, and the tokens are not", async () => {
    const { page } = await visit()
    await give(page, "hold while it counts")
    await waitForState(page, "working", "hold while it counts")
    let tokens = 0
    let tasks = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/select-api-tokens")) tokens++
      if (request.url().endsWith("/select-agent-tasks")) tasks++
    })
    await expect.poll(() => tasks, { timeout: 60_000 }).toBeGreaterThan(4)
    assert.isBelow(tokens, 3)
    await page.locator(".task .item-bottom .button").click()
    await waitForState(page, "canceled", "hold while it counts")
  })

  it("PAGE-98 what waits for a token of somebody's program says so, and goes on by itself when it happens", async () => {
    const { page } = await visit()
    const { token } = await host.owner.createApiToken({ name: "Assistant <b>" })
    await fetch(host.drive.urls.a2a, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "a2a-version": "1.0", "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "SendMessage",
        params: { message: { messageId: "1", role: "ROLE_USER", parts: [{ text: "wait here" }] } }
      })
    })
    await page.evaluate(() => void dispatchEvent(new Event("online")))
    await waitForText(page, "by Assistant <b>")
    await page.waitForSelector("[data-waiting]")
    await host.owner.files.put(new TextEncoder().encode("a"), { fileName: "a.txt", folder: "/Inbox" })
    await page.waitForFunction(() => document.querySelector("[data-waiting]") === null)
    await waitForState(page, "completed", "wait here")
  })

  it("PAGE-164 a question of the agent's needs an answer, and is done when it was answered", async () => {
    const { page } = await visit()
    await give(page, "ask me something")
    await waitForState(page, "asks", "ask me something")
    await waitForText(page, "Needs your answer")
    await page.locator(taskButton("ask me something", "Answer")).click()
    await give(page, "the second one")
    await waitForState(page, "completed", "the second one")
    await waitForState(page, "completed", "ask me something")
  })

  it("PAGE-99 a task is given and followed to its reply and its files, without a reload", async () => {
    const { faults, page } = await visit()
    await give(page, "find all reports")
    await waitForState(page, "completed", "find all reports")
    await waitForText(page, "You said: find all reports")
    assert.strictEqual(await page.$eval(".composer textarea", ({ value }) => value), "")
    const devtools = await browser.target().createCDPSession()
    const download = new Promise<string>((resolve) =>
      devtools.once("Browser.downloadWillBegin", ({ suggestedFilename }) => resolve(suggestedFilename))
    )
    await devtools.send("Browser.setDownloadBehavior", {
      behavior: "deny",
      browserContextId: page.browserContext().id!,
      eventsEnabled: true
    })
    await page.locator("::-p-xpath(//button[@class='file'][contains(., '<i>report</i>.txt')])").click()
    assert.match(await download, /report.*\.txt$/)
    await devtools.detach()
    // The page itself stays.
    assert.strictEqual(page.url(), pathOf(host))
    const said = await page.$$eval("[role=status]", (regions) => regions.map(({ textContent }) => textContent).join())
    assert.include(said, "Done")
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-99 what is typed while a task is being sent stays", async () => {
    const { page } = await visit()
    await page.setRequestInterception(true)
    let send: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      page.on("request", (request) => {
        if (!request.url().endsWith("/start-agent-task")) return void request.continue()
        send = () => void request.continue()
        resolve()
      })
    })
    await page.locator(".composer textarea").fill("hello first")
    await page.locator(".composer .button-primary").click()
    await asked
    await page.focus(".composer textarea")
    await page.keyboard.press("End")
    await page.keyboard.type(" and second")
    send()
    await waitForState(page, "completed", "hello first")
    await page.waitForSelector(".composer .button-primary:not([aria-busy])")
    assert.strictEqual(await page.$eval(".composer textarea", ({ value }) => value), "and second")
  })

  it("PAGE-99 an answer goes on with the conversation; a task at work is stopped", async () => {
    const { page } = await visit()
    await give(page, "hello agent")
    await waitForState(page, "completed", "hello agent")
    await page.locator(taskButton("hello agent", "Answer")).click()
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA")
    await give(page, "hold on")
    await waitForState(page, "working", "hold on")
    const { tasks } = await host.owner.selectAgentTasks({ limit: 2 })
    assert.strictEqual(tasks[0]!.contextId, tasks[1]!.contextId)
    await page.locator(taskButton("hold on", "Stop")).click()
    await waitForState(page, "canceled", "hold on")
  })

  it("PAGE-99 a task whose answer was lost on its way is given again as the same", async () => {
    const { page } = await visit()
    await page.setRequestInterception(true)
    let isLost = false
    page.on("request", (request) => {
      if (!isLost && request.url().endsWith("/start-agent-task")) {
        isLost = true
        // It arrives, and its answer does not.
        void fetch(request.url(), {
          method: "POST",
          headers: request.headers(),
          body: request.postData() ?? null
        }).then(() => request.abort("connectionreset"))
      } else void request.continue()
    })
    await give(page, "count to three")
    await waitForState(page, "completed", "count to three")
    assert.isTrue(isLost)
    const { tasks } = await host.owner.selectAgentTasks({ limit: 100 })
    assert.lengthOf(tasks.filter(({ text }) => text === "count to three"), 1)
  })

  it("PAGE-100 what a task says is text; addresses of this site alone are links", async () => {
    const { faults, page } = await visit()
    const { site } = host.drive.urls
    const text = `<img src=x onerror=alert(1)> ${site}/requests/abc. https://evil.example/x javascript:alert(1)`
    await give(page, text)
    await waitForState(page, "completed", "onerror")
    const links = await page.$$eval("main .task a", (found) => found.map(({ href }) => href))
    assert.deepStrictEqual(links, [`${site}/requests/abc`])
    assert.strictEqual(await page.$$eval("main img", ({ length }) => length), 0)
    assert.deepStrictEqual(faults, [])
  })

  it("PAGE-101 offline it shows how it was, keeps what was typed, and goes on by itself", async () => {
    const { page } = await visit()
    await page.setOfflineMode(true)
    await give(page, "hello from the tunnel")
    await page.waitForSelector(".composer .field-error")
    await page.evaluate(() => void dispatchEvent(new Event("online")))
    await page.waitForSelector(".stale")
    assert.strictEqual(await page.$eval(".composer textarea", ({ value }) => value), "hello from the tunnel")
    assert.isAbove(await page.$$eval(".item", ({ length }) => length), 0)
    await page.setOfflineMode(false)
    await page.waitForFunction(() => document.querySelector(".stale") === null)
    await clickText(page, "Give task")
    await waitForState(page, "completed", "hello from the tunnel")
  })

  it("PAGE-102 without an agent there are tokens and apps alone", async () => {
    const without = await startHost({ agent: false })
    const one = await openPage(browser)
    opened.push(one)
    await openConnections(one.page, without)
    assert.isNull(await one.page.$("#agent, #waiting"))
    await clickText(one.page, "New token")
    await one.page.waitForSelector("dialog[open]")
    assert.isNull(await one.page.$("dialog input[name=agent]"))
    assert.deepStrictEqual(one.faults, [])
    await without.stop()
  })
})
