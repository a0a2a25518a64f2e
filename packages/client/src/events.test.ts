/** A feed with a wire of the test's own, and a moved clock. */
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { follow } from "./events.ts"
import type { Wire } from "./Wire.ts"

beforeEach(async () => {
  // What is loaded with the first feed is loaded by no clock.
  await import("./messages.ts")
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

/** Answers requests one after the other; the last answer is given again and again. */
const wireOf = (...answers: ReadonlyArray<(signal: AbortSignal) => Promise<Response>>) => {
  const asked: Array<string> = []
  const wire = {
    api: "http://drive.test/api",
    authorized: <A>(_: unknown, run: (headers: object) => Promise<A>) => run({}),
    located: <A>(_at: unknown, _signal: unknown, run: (api: string) => Promise<A>) => run("http://drive.test/api"),
    respond: (url: string, { signal }: { readonly signal: AbortSignal }) => {
      asked.push(new URL(url).search)
      return answers[Math.min(asked.length, answers.length) - 1]!(signal)
    }
  }
  return { asked, wire: wire as unknown as Wire }
}

const feedOf = (body: BodyInit) => new Response(body, { headers: { "content-type": "text/event-stream" } })

const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))

const feed = {
  path: "/drive-events",
  query: { kinds: ["file", "drop"], fileId: null, since: "0" },
  cursor: "since"
} as const

describe("a feed", () => {
  it("CLIENT-162 whose request nobody answers is asked for again after 45 seconds", async () => {
    const { asked, wire } = wireOf(silent, async () => feedOf("id: 1\nevent: file\ndata: {}\n\n"))
    const messages = follow(wire, feed)
    const first = messages.next()
    await vi.advanceTimersByTimeAsync(44_000)
    assert.lengthOf(asked, 1)
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepStrictEqual((await first).value, { id: "1", event: "file", data: {} })
    await messages.return(undefined)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("CLIENT-11 reads what a message says, however its lines end, and goes on behind the last one", async () => {
    const blocks =
      ": alive\r\n\r\nid: 1\r\nevent: file\r\ndata: {\"a\":\r\ndata:1}\r\n\r\nid: 2\n\nevent: drop\nid: 3\ndata: {\"b\": 2}\n\nid: 4\ndata: cut"
    const { asked, wire } = wireOf(async () => feedOf(blocks), silent)
    const messages = follow(wire, feed)
    assert.deepStrictEqual((await messages.next()).value, { id: "1", event: "file", data: { a: 1 } })
    assert.deepStrictEqual((await messages.next()).value, { id: "3", event: "drop", data: { b: 2 } })
    void messages.next()
    await vi.advanceTimersByTimeAsync(1_000)
    assert.deepStrictEqual(asked, ["?kinds=file&kinds=drop&since=0", "?kinds=file&kinds=drop&since=3"])
  })

  it("CLIENT-244 takes for the end of a line only what ends it, so that texts are whole and add nothing", async () => {
    const told = { text: "at\u2028night\u2029id: 99\u0085 " }
    const { wire } = wireOf(async () => feedOf(`id: 1\nevent: file\ndata: ${JSON.stringify(told)}\n\n`), silent)
    const { value } = await follow(wire, feed).next()
    assert.deepStrictEqual(value, { id: "1", event: "file", data: told })
  })

  it("CLIENT-245 asks again within a minute when it is told to wait for days", async () => {
    const { asked, wire } = wireOf(async () =>
      new Response("Away.", { status: 503, headers: { "retry-after": "900000" } })
    )
    const ending = new AbortController()
    const first = follow(wire, { ...feed, signal: ending.signal }).next().catch(() => {})
    await vi.advanceTimersByTimeAsync(190_000)
    assert.strictEqual(asked.length, 4)
    ending.abort()
    await first
  })

  it("CLIENT-198 asks again at the usual pace when it is told to wait for years", async () => {
    const { asked, wire } = wireOf(
      async () => new Response("Away.", { status: 503, headers: { "retry-after": "31536000" } })
    )
    const ending = new AbortController()
    const first = follow(wire, { ...feed, signal: ending.signal }).next().catch(() => {})
    await vi.advanceTimersByTimeAsync(60_000)
    assert.isAtLeast(asked.length, 6)
    assert.isAtMost(asked.length, 10)
    ending.abort()
    await first
  })

  it("CLIENT-200 is left at an event without an end", async () => {
    let chunks = 0
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("id: 1\ndata: ")),
      pull: (controller) => {
        chunks++
        controller.enqueue(new Uint8Array(1_000_000).fill(97))
      }
    })
    const { asked, wire } = wireOf(async () => feedOf(endless))
    const failed = await follow(wire, feed).next().catch((error: unknown) => error)
    assert.deepInclude(failed, { code: "unexpected_answer", retryable: false })
    assert.isBelow(chunks, 20)
    assert.lengthOf(asked, 1)
  })
})
