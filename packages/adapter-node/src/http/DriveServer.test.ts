import { afterAll, assert, describe, it } from "@effect/vitest"
import { request } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { listen, type ListenOptions } from "./DriveServer.ts"

const stops: Array<() => Promise<void>> = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

/** A server that answers with how many bytes came. */
const start = async (options: ListenOptions = {}) => {
  const server = await listen((request, response) => {
    let length = 0
    request.on("data", (chunk) => length += chunk.length)
    request.on("end", () => response.end(String(length)))
  }, { port: 0, ...options })
  stops.push(server.stop)
  return server
}

/** Begins a request's headers and never ends them; answers what the server says when it cuts the client. */
const neverEndingHeaders = (origin: string): Promise<string> => {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1")
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nX-More: ")
  return text(socket)
}

/** Sends the second half of a body once `between` is over. */
const sendSlowly = (origin: string, between: () => Promise<unknown>): Promise<string> =>
  new Promise((resolve, reject) => {
    const sending = request(origin, { method: "POST", headers: { "content-length": 20 } })
    sending.on("error", reject).on("response", (response) => resolve(text(response)))
    sending.write("x".repeat(10), () => void between().then(() => sending.end("y".repeat(10)), reject))
  })

describe("DriveServer", () => {
  it("HOST-4 a body may outlast every timeout of a client that never ends its headers, who is cut", async () => {
    const { origin, server } = await start({ headersMillis: 50 })
    const heard = await sendSlowly(origin, async () => {
      assert.match(await neverEndingHeaders(origin), /^HTTP\/1\.1 408 /)
      assert.match(await neverEndingHeaders(origin), /^HTTP\/1\.1 408 /)
    })
    assert.strictEqual(heard, "20")
    assert.strictEqual(server.requestTimeout, 0)
  })

  it("HOST-4 unless told otherwise headers have 20 seconds, and a silent socket 5 minutes", async () => {
    const { server } = await start()
    assert.deepStrictEqual([server.headersTimeout, server.timeout, server.requestTimeout], [20_000, 300_000, 0])
  })

  it("HOST-6 stopping lets a request end, takes no other, and closes kept connections", async () => {
    const { origin, stop } = await start()
    assert.strictEqual(await (await fetch(origin, { method: "POST", body: "abc" })).text(), "3")
    let stopped: Promise<void> | undefined
    const heard = await sendSlowly(origin, async () => {
      stopped = stop()
      const refused = await fetch(origin).then(() => false, () => true)
      assert.isTrue(refused)
    })
    assert.strictEqual(heard, "20")
    await stopped
    assert.strictEqual(stop(), stopped)
  })

  it("HOST-6 a request that does not end in the grace is cut", async () => {
    const { origin, stop } = await start({ graceMillis: 20 })
    const failure = await sendSlowly(origin, stop).catch((error: unknown) => error)
    assert.instanceOf(failure, Error)
  })

  it("HOST-4 a port that is taken is told", async () => {
    const { origin } = await start()
    const taken = await listen(() => undefined, { port: Number(new URL(origin).port) }).catch((error) => error.code)
    assert.strictEqual(taken, "EADDRINUSE")
  })
})
