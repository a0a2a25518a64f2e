/** Texts of others that turn the direction of what is around them, on every page that shows texts of others. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "puppeteer-core"
import { because, haveChromium } from "./Browser.ts"
import { clientsOf, deliver, leaveNote, newReview } from "./Owner.ts"
import { makeOwnerVisits } from "./OwnerVisits.ts"
import { waitForText } from "./RequestStates.ts"

/** Overrides, an embedding and isolates that nothing ends, around letters of both directions. */
const turning = (word: string) => `\u202e\u2067${word} \u202b\u05e9\u05dc\u05d5\u05dd \u2066gpj.exe`

/** What turns the direction of a text, left on the page; and texts that stand beside others in one line without an isolation of their own. */
const flawsOf = (page: Page) =>
  page.evaluate(() => {
    const flaws: Array<string> = []
    // The page's own isolations of what is within a sentence, also one within the other.
    const outer = (text: string): string => {
      const rest = text.replaceAll(/\u2068[^\u2066-\u2069]*\u2069/g, "")
      return rest === text ? text : outer(rest)
    }
    const check = (where: string, text: string) => {
      if (/[\u202a-\u202e\u2066-\u2069]/.test(outer(text))) flaws.push(`${where}: ${text}`)
    }
    check("title", document.title)
    for (const element of document.body.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) check(`${element.tagName} ${name}`, value)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) {
      const text = walker.currentNode.textContent ?? ""
      let around = walker.currentNode.parentElement!
      if (around.closest("script, style, textarea") !== null) continue
      check(around.tagName, text)
      if (!/[\u0590-\u05ff]/.test(outer(text))) continue
      while (getComputedStyle(around).unicodeBidi === "normal") around = around.parentElement!
      if (around.textContent!.trim() !== text.trim()) flaws.push(`${around.tagName} has other text beside: ${text}`)
    }
    return flaws
  })

describe.runIf(haveChromium)(`texts of others${because}`, { timeout: 300_000 }, () => {
  const { visit, visits } = makeOwnerVisits("/requests")

  it("PAGE-128 PAGE-15 turn the direction of nothing around them, on any page", async () => {
    const { host } = visits
    const { owner } = clientsOf(host)
    const message = turning("message")
    const request = await owner.createFileRequest({ title: turning("title"), message })
    assert.strictEqual(request.message, message)
    await deliver(host, request.id, {
      name: turning("sender"),
      note: turning("note"),
      files: { [`${turning("file")}.png`]: new Uint8Array(20) }
    })
    const review = await newReview(host, { message }, `${turning("film")}.mp4`)
    const note = await leaveNote(host, review.id, { reviewer: turning("reviewer"), text: turning("text") })
    await leaveNote(host, review.id, { reviewer: turning("other"), text: turning("reply"), replyTo: note.id })
    await owner.replyToReviewNote({ noteId: note.id, text: turning("answer") })
    await owner.createApiToken({ name: turning("token") })
    const { page } = await visit()
    const pages: ReadonlyArray<readonly [path: string, words: ReadonlyArray<string>]> = [
      ["/requests", ["title"]],
      [`/requests?id=${request.id}`, ["title", "message", "sender", "note", "file"]],
      ["/reviews", ["film", "message"]],
      [`/reviews?id=${review.id}`, ["film", "message", "reviewer", "text", "other", "reply", "answer"]],
      ["/connections", ["token"]],
      [`/requests/${request.id}`, ["title", "message"]],
      [`/reviews/${review.id}`, ["film", "message", "reviewer", "text", "other", "reply", "answer"]]
    ]
    for (const [path, words] of pages) {
      await page.goto(host.drive.urls.site + path)
      for (const word of words) await waitForText(page, `${word} \u05e9\u05dc\u05d5\u05dd gpj.exe`)
      assert.deepStrictEqual(await flawsOf(page), [], path)
    }
  })
})
