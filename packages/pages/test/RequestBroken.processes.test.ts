/** The request page while its server is away, or is another version, in a real browser. */
import { assert, describe, expect, it } from "@effect/vitest"
import { comeBack, forbidStorage, hurry, makeBrokenVisits } from "./Broken.ts"
import { axeFaults, because, haveChromium, shoot } from "./Browser.ts"
import { choose, clickText, filesOf, send, waitForText } from "./RequestStates.ts"
import { rows } from "./Visits.ts"

describe.runIf(haveChromium)(`the request page while its server is away${because}`, { timeout: 180_000 }, () => {
  const visits = makeBrokenVisits()

  const visit = async (options: object = {}) => {
    const request = await visits.host.owner.createFileRequest({ title: "Photos of the concert", ...options })
    return { ...await visits.visit(`/requests/${request.id}`, hurry), request }
  }

  const drops = async (id: string) =>
    (await visits.host.owner.selectFileRequests({ requestIds: [id] })).requests[0]!.drops

  it.each([502, 503, 429])("PAGE-190 coming back while it answers %i takes nothing away", async (status) => {
    const { page } = await visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await page.locator("textarea").fill("From Saturday")
    visits.breaks({ status })
    const asked = page.waitForResponse((response) => response.status() === status)
    await comeBack(page)
    await asked
    // The second and last time that it is asked for.
    await page.waitForResponse((response) => response.status() === status)
    visits.mend()
    await send(page)
    await rows(page, "sent", 1)
  })

  it("PAGE-191 what could not be loaded is loaded as soon as it can be", async () => {
    const { page } = await visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await send(page)
    await rows(page, "sent", 1)
    visits.breaks({ status: 503 }, "/open-file-request")
    await page.reload()
    await waitForText(page, "That didn’t work")
    visits.mend()
    await rows(page, "sent", 1)
  })

  it("PAGE-210 a reload while the drive does not tell of the delivery loses nothing of it", async () => {
    const { page, request } = await visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 }))
    await rows(page, "staged", 2)
    await send(page)
    await rows(page, "sent", 2)
    visits.breaks({ status: 503 }, "/select-drop")
    await page.reload()
    await waitForText(page, "That didn’t work")
    // And once more.
    await page.reload()
    await waitForText(page, "That didn’t work")
    visits.mend()
    await rows(page, "sent", 2)
    assert.lengthOf(await drops(request.id), 1)
  })

  it("PAGE-192 what has become of a delivery is asked until there is an answer", async () => {
    const { page, request } = await visit()
    const paths = await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 })
    await choose(page, [paths[0]!])
    await rows(page, "staged", 1)
    await send(page)
    await rows(page, "sent", 1)
    await visits.host.owner.setFileRequestOpen({ requestId: request.id, open: false })
    visits.breaks({ losesAnswer: true }, "/open-file-request")
    let failures = 0
    page.on("requestfailed", (one) => void (one.url().endsWith("/open-file-request") && failures++))
    await choose(page, [paths[1]!])
    // The last time that it is asked for in a row.
    await expect.poll(() => failures, { timeout: 60_000 }).toBe(2)
    visits.mend()
    await waitForText(page, "This request is closed")
    await waitForText(page, "1 file that you sent before has arrived")
  })

  it("PAGE-193 files wait for a server that is away behind its proxy, and the page says so", async () => {
    const { page, request } = await visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000, "two.jpg": 60_000 }))
    await rows(page, "staged", 2)
    let answers = 0
    page.on("response", (response) => void (response.status() === 502 && answers++))
    visits.breaks({ status: 502 }, "/drop-file-urls")
    await send(page)
    await rows(page, "offline", 2)
    await waitForText(page, "The server can’t be reached at the moment. It goes on by itself.")
    // More often than anything else is tried.
    await page.waitForResponse(() => answers > 14)
    visits.mend()
    await rows(page, "sent", 2)
    assert.lengthOf(await drops(request.id), 1)
  })

  it("PAGE-203 where the browser can't keep a delivery, leaving it unfinished is asked about", async () => {
    const request = await visits.host.owner.createFileRequest({ title: "Photos of the concert" })
    const { page } = await visits.visit(`/requests/${request.id}`, forbidStorage)
    const asked: Array<string> = []
    page.on("dialog", (dialog) => asked.push(dialog.type()))
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await send(page)
    await rows(page, "sent", 1)
    await page.reload()
    assert.deepStrictEqual(asked, ["beforeunload"])
    // One that is kept is not asked about.
    const other = await visit()
    other.page.on("dialog", (dialog) => asked.push(dialog.type()))
    await choose(other.page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(other.page, "staged", 1)
    await send(other.page)
    await rows(other.page, "sent", 1)
    await other.page.reload()
    await rows(other.page, "sent", 1)
    assert.lengthOf(asked, 1)
  })

  it("PAGE-204 a server without room says so", async () => {
    const { page } = await visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await page.setRequestInterception(true)
    page.on("request", (one) =>
      one.url().endsWith("/start-drop") && one.method() === "POST"
        ? void one.respond({
          status: 503,
          contentType: "application/json",
          headers: { "retry-after": "60" },
          body: JSON.stringify({ code: "no_space", error: "The drive's disk is full.", retryable: true })
        })
        : void one.continue())
    await page.locator("input[name=name]").fill("Grace")
    await page.locator(".actions .button-primary").click()
    await page.waitForFunction(() =>
      document.querySelector(".notice")?.textContent?.includes("The server has no room at the moment")
    )
  })

  it("PAGE-192 a delivery that is refused although the request is open is not begun without end", async () => {
    const { page } = await visit()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    let refused = 0
    await page.setRequestInterception(true)
    page.on("request", (one) => {
      if (!one.url().endsWith("/drop-file-urls") || one.method() !== "POST") return void one.continue()
      refused++
      void one.respond({
        status: 403,
        contentType: "application/json",
        body: JSON.stringify({ code: "request_closed", error: "It is closed.", retryable: false })
      })
    })
    await send(page)
    await expect.poll(() => refused, { timeout: 60_000 }).toBe(2)
    await rows(page, "paused", 1)
    // What is asked for on coming back is not what begins it again.
    for (let times = 0; times < 8; times++) {
      const opened = page.waitForResponse((response) => response.url().endsWith("/open-file-request"))
      await comeBack(page)
      await opened
    }
    assert.strictEqual(refused, 2)
  })

  it("PAGE-199 a server that says nothing is not waited for without end", async () => {
    const { page, request } = await visit()
    await page.waitForSelector(".zone")
    visits.breaks({ isSilent: true }, "/open-file-request")
    await page.goto("about:blank")
    await page.goto(visits.host.linkOf(request), { waitUntil: "domcontentloaded" })
    await waitForText(page, "The server can’t be reached")
    visits.mend()
    await page.waitForSelector(".zone")
  })

  it.each(
    [
      { fault: { isSilent: true }, says: "The server can’t be reached" },
      { fault: { status: 503, retryAfter: "100" }, says: "Something went wrong" }
    ] as const
  )("PAGE-199, PAGE-206 nor with a delivery that is under way: $says", async ({ fault, says }) => {
    const request = await visits.host.owner.createFileRequest({ title: "Photos of the concert" })
    // What takes longer than a minute is what nobody waits for.
    const { page } = await visits.visit(
      `/requests/${request.id}`,
      (page) => hurry(page, { mostMillis: 60_000, answersBy: 20 })
    )
    const notice = async () => {
      await page.waitForFunction(
        (text) => document.querySelector(".notice")?.textContent?.includes(text),
        // It goes soon.
        { polling: "mutation" },
        says
      )
      await page.waitForFunction(() => document.querySelector(".notice") === null)
    }
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    await send(page)
    await rows(page, "sent", 1)
    visits.breaks(fault)
    await clickText(page, "Finish")
    await notice()
    await page.locator("button[aria-label*='Take'][aria-label*='one.jpg']").click()
    await clickText(page, "Take it back")
    await notice()
    await rows(page, "sent", 1)
    visits.breaks(fault, "/select-drop")
    await page.reload({ waitUntil: "domcontentloaded" })
    await waitForText(page, says)
    visits.mend()
    await rows(page, "sent", 1)
  })

  it("PAGE-206 a server that asks to come back in hours is tried again when it is back", async () => {
    const { page, request } = await visit()
    await page.waitForSelector(".zone")
    visits.breaks({ status: 503, retryAfter: "36000" })
    await page.goto("about:blank")
    await page.goto(visits.host.linkOf(request))
    await waitForText(page, "That didn’t work")
    visits.mend()
    await choose(page, await filesOf(visits.host, { "one.jpg": 50_000 }))
    await rows(page, "staged", 1)
    visits.breaks({ status: 503, retryAfter: "36000" }, "/drop-file-urls")
    await send(page)
    await rows(page, "offline", 1)
    visits.mend()
    await rows(page, "sent", 1)
  })

  it("PAGE-205 where the program of the page does not come, the page says so and leads to another try", async () => {
    const { page, request } = await visit()
    await page.waitForSelector(".zone")
    visits.proxy.fault = ({ path }) => path.endsWith(".js") ? { status: 502 } : undefined
    const other = await visits.visit("/requests/x", async (page) => {
      const devtools = await page.createCDPSession()
      await devtools.send("Animation.enable")
      await devtools.send("Animation.setPlaybackRate", { playbackRate: 100 })
    })
    await other.page.goto(visits.host.linkOf(request))
    const isShown = () => getComputedStyle(document.querySelector(".wait-slow")!).visibility === "visible"
    await other.page.waitForFunction(isShown)
    assert.deepStrictEqual(await axeFaults(other.page), [])
    await shoot(other.page, "request-slow")
    visits.mend()
    await other.page.locator(".wait-slow a").click()
    await other.page.waitForSelector(".zone")
  })

  it("PAGE-202 a reason of a newer server's is a closed request", async () => {
    const { faults, page, request } = await visit()
    await page.waitForSelector(".zone")
    await page.setRequestInterception(true)
    page.on("request", (one) =>
      one.url().endsWith("/open-file-request")
        ? void one.respond({
          status: 200,
          contentType: "application/json",
          body: JSON.stringify({
            ...request,
            owner: { displayName: "Ada" },
            remainingBytes: null,
            takesFiles: false,
            closedBecause: "on_hold",
            more: {}
          })
        })
        : void one.continue())
    await comeBack(page)
    await waitForText(page, "This request is closed")
    assert.deepStrictEqual(faults, [])
  })
})
