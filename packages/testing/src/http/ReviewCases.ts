/** A review: its owner and somebody at the link, without a session, with notes that come live. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { type CurrentHost, newClient } from "./HttpHost.ts"

/** What the head of an MP4 is recognized by. */
const head = new TextEncoder().encode("\0\0\0\x18ftypisom\0\0\x02\0isomiso2")

/** A call by somebody without an account. */
const sent = async (client: DriveClient, route: string, body: object) => {
  const response = await client.fetch(`${client.url}/api${route}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  // oxlint-disable-next-line no-explicit-any
  return { status: response.status, body: await response.json() as any }
}

/** The live stream of a review; `next` reads to the next event. */
const follow = async (client: DriveClient, query: Readonly<Record<string, string>>) => {
  const response = await client.fetch(`${client.url}/api/follow-file-review?${new URLSearchParams(query)}`, {})
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ""
  const next = async () => {
    for (;;) {
      const data = /^data: (.*)$/m.exec(text)
      const end = text.indexOf("\n\n")
      if (end !== -1 && (data === null || data.index > end)) {
        text = text.slice(end + 2)
      } else if (end !== -1) {
        text = text.slice(end + 2)
        return JSON.parse(data![1]!)
      } else {
        const { done, value } = await reader.read()
        if (done) throw new Error("The stream ended.")
        text += decoder.decode(value, { stream: true })
      }
    }
  }
  return { response, next, close: () => reader.cancel() }
}

export const reviewCases = (host: CurrentHost): void => {
  it("REV-30 REV-50 HOST-2 somebody at the link plays the file and leaves notes, which others see as they come", async () => {
    const client = await newClient(host())
    const fileId = await client.upload({ fileName: "cut.mp4", bytes: head, type: "Video", mimeType: "video/mp4" })
    const { id: reviewId } = await client.ok("/create-file-review", { fileId })
    const opened = await sent(client, "/open-file-review", { reviewId })
    assert.strictEqual(opened.status, 200, JSON.stringify(opened.body))
    const live = await follow(client, { reviewId, after: opened.body.followAfter })
    assert.strictEqual(live.response.status, 200)
    assert.include(live.response.headers.get("content-type") ?? "", "text/event-stream")
    assert.include(live.response.headers.get("cache-control") ?? "", "no-store")
    const note = await sent(client, "/leave-review-note", { reviewId, reviewer: "Grace", seconds: 65.2, text: "Early" })
    assert.strictEqual(note.status, 200, JSON.stringify(note.body))
    assert.strictEqual((await live.next()).note.id, note.body.id)
    await client.ok("/reply-to-review-note", { noteId: note.body.id, text: "Done" })
    assert.strictEqual((await live.next()).note.replies[0].text, "Done")
    await live.close()
    const range = await client.fetch(opened.body.stream.url, { headers: { range: "bytes=4-7" } })
    assert.strictEqual(range.status, 206)
    assert.strictEqual(await range.text(), "ftyp")
    const { events } = await client.ok("/select-drive-events", { reviewId })
    assert.strictEqual(events.length, 1)
    await client.ok("/update-file-review", { reviewId, open: false })
    const closed = await sent(client, "/open-file-review", { reviewId })
    assert.deepStrictEqual([closed.status, closed.body.code], [403, "review_closed"])
  })
}
