/** Sending by a host's `fetch`, with storage and files that are not as they should be. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { DriveError, failure } from "../DriveError.ts"
import type { Piece } from "../Platform.ts"
import { sendByFetch } from "./sendByFetch.ts"
import { sendByHttp } from "./sendByHttp.ts"

const sending = (url: string, pieces: ReadonlyArray<Piece>) => ({
  method: "PUT" as const,
  url,
  headers: {},
  pieces,
  signal: new AbortController().signal,
  onSent: () => {}
})

const failureOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as DriveError)

describe("sending by a fetch of the host's own", () => {
  it("CLIENT-231 keeps the beginning of a long answer, and leaves the rest", async () => {
    let isLeft = false
    let given = 0
    const body = new ReadableStream({
      pull: (controller) => given++ < 1_000 ? controller.enqueue(new Uint8Array(10_000).fill(97)) : controller.close(),
      cancel: () => void (isLeft = true)
    })
    const send = sendByFetch(async () => new Response(body, { status: 400, headers: { "retry-after": "5" } }))
    const { text, ...answer } = await send(sending("https://storage.example/1", [new Uint8Array(10)]))
    assert.deepStrictEqual(answer, { status: 400, retryAfter: "5" })
    assert.match(text, /^a{65536,80000}$/)
    assert.isTrue(isLeft)
  })

  it("CLIENT-231 keeps all of an answer that is short, and of one without a body nothing", async () => {
    const send = sendByFetch(async (url) => new Response(url.endsWith("/1") ? "é" : null, { status: 200 }))
    assert.strictEqual((await send(sending("https://storage.example/1", []))).text, "é")
    assert.strictEqual((await send(sending("https://storage.example/2", []))).text, "")
  })

  it.each([
    ["by it", sendByFetch((url, init) => fetch(url, init))],
    ["by node:http", sendByHttp]
  ])("CLIENT-229 tells why the file can't be read, %s", async (_, send) => {
    const brokenBy = (error: Error): Piece => ({
      size: 10,
      read: async function*() {
        yield new Uint8Array(5)
        throw error
      }
    })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    try {
      const told = failure("source_changed", "It was changed.")
      assert.strictEqual(await failureOf(send(sending(url, [brokenBy(told)]))), told)
      const failed = await failureOf(send(sending(url, [brokenBy(new Error("EIO"))])))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "source_unreadable", retryable: false })
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
