/** What happened on a drive, read page by page and followed live. */
import { assert, it } from "@effect/vitest"
import type { DriveClient } from "../DriveClient.ts"
import { content, type CurrentHost, newClient } from "./HttpHost.ts"

interface Sent {
  readonly id: string
  readonly event: string
  readonly data: { readonly kind: string; readonly file: { readonly id: string; readonly fileName: string } }
}

/** Opens the live feed; `next` reads to the next event. */
const follow = async (client: DriveClient, query = "", headers: Readonly<Record<string, string>> = {}) => {
  const { gelToken } = await client.session()
  const response = await client.fetch(`${client.url}/api/drive-events${query}`, {
    headers: { authorization: `Bearer ${gelToken}`, "x-service-app": client.appId, ...headers }
  })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ""
  const next = async (): Promise<Sent> => {
    for (;;) {
      const end = text.indexOf("\n\n")
      if (end === -1) {
        const { done, value } = await reader.read()
        if (done) throw new Error("The stream ended.")
        text += decoder.decode(value, { stream: true })
        continue
      }
      const fields = text.slice(0, end).split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string])
      text = text.slice(end + 2)
      const { data, event, id } = Object.fromEntries(fields)
      if (data !== undefined) return { id: id!, event: event!, data: JSON.parse(data) }
    }
  }
  return { response, next, close: () => reader.cancel() }
}

export const feedCases = (host: CurrentHost): void => {
  it("FEED-1 HOST-2 files that join the drive are told in order, page by page", async () => {
    const client = await newClient(host())
    const ids = [
      await client.upload({ fileName: "a.bin", bytes: content(1) }),
      await client.upload({ fileName: "b.bin", bytes: content(2) })
    ]
    const first = await client.ok("/select-drive-events", { limit: 1 })
    assert.deepStrictEqual([first.events.length, first.more], [1, true])
    assert.deepInclude(first.events[0], { kind: "file", file: { id: ids[0]!, type: "Other", fileName: "a.bin" } })
    const second = await client.ok("/select-drive-events", { since: first.nextCursor })
    assert.deepStrictEqual(second.events.flatMap((event) => event.kind === "file" ? [event.file.id] : []), [ids[1]])
    assert.isFalse(second.more)
    const none = await client.ok("/select-drive-events", { since: second.nextCursor, kinds: ["view"] })
    assert.deepStrictEqual(none, { events: [], nextCursor: second.nextCursor, more: false })
    const wrong = await client.call("/select-drive-events", { since: "yesterday" })
    assert.deepStrictEqual([wrong.status, wrong.body.code, wrong.body.field], [400, "invalid_field", "since"])
  })

  it("FEED-10 HOST-2 the live feed sends what is there, then what happens, and continues after Last-Event-ID", async () => {
    const client = await newClient(host())
    const a = await client.upload({ fileName: "a.bin", bytes: content(1) })
    const live = await follow(client, "?kinds=file&kinds=view")
    assert.strictEqual(live.response.status, 200)
    assert.include(live.response.headers.get("content-type") ?? "", "text/event-stream")
    assert.include(live.response.headers.get("cache-control") ?? "", "no-store")
    assert.strictEqual(live.response.headers.get("x-accel-buffering"), "no")
    const before = await live.next()
    assert.deepInclude(before, { event: "file" })
    assert.strictEqual(before.data.file.id, a)
    const b = await client.upload({ fileName: "b.bin", bytes: content(2) })
    assert.strictEqual((await live.next()).data.file.id, b)
    await live.close()
    const resumed = await follow(client, "?kinds=file", { "last-event-id": before.id })
    assert.strictEqual((await resumed.next()).data.file.id, b)
    await resumed.close()
  })

  it("FEED-10 HOST-2 the live feed asks for what every route asks for", async () => {
    const client = await newClient(host())
    const { gelToken } = await client.session()
    const get = async (query: string, headers: Record<string, string>) => {
      const answer = await client.raw(`/drive-events${query}`, { method: "GET", headers })
      return [answer.status, answer.body.code, answer.body.field]
    }
    assert.deepStrictEqual(await get("", {}), [401, "no_session", undefined])
    const authorization = `Bearer ${gelToken}`
    assert.deepStrictEqual(await get("", { authorization, "x-service-app": "other" }), [403, "wrong_app", undefined])
    assert.deepStrictEqual(await get("?kinds=nothing", { authorization }), [400, "invalid_field", "kinds[0]"])
    assert.deepStrictEqual(await get("?since=e9", { authorization }), [400, "invalid_field", "since"])
    assert.strictEqual((await client.call("/drive-events")).status, 405)
  })
}
