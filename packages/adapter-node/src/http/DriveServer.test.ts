import { afterAll, assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { request } from "node:http"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { firstToGo } from "./Connections.ts"
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

  it("HOST-244 its handler finds the path of a target that is a whole URL", async () => {
    const { origin, stop } = await listen((request, response) => response.end(request.url), { port: 0 })
    stops.push(stop)
    const found = async (target: string, method = "GET") => {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1")
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: host.example\r\nConnection: close\r\n\r\n`)
      return (await text(socket)).split("\r\n\r\n")[1]
    }
    assert.strictEqual(await found("http://host.example"), "/")
    assert.strictEqual(await found("http://host.example?a=1"), "/?a=1")
    assert.strictEqual(await found("https://other.example:8443/b?a=1"), "/b?a=1")
    assert.strictEqual(await found("/b?a=http://host.example"), "/b?a=http://host.example")
    assert.strictEqual(await found("*", "OPTIONS"), "*")
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

  it("HOST-20 stopping closes connections that sent nothing, half a head or only whole calls at once, beside a transfer that continues", async () => {
    const { origin, stop } = await start({ graceMillis: 600_000 })
    const port = Number(new URL(origin).port)
    const sockets = await Promise.all(Array.from({ length: 51 }, async (_, at) => {
      const socket = connect(port, "127.0.0.1")
      await once(socket, "connect")
      if (at % 3 === 1) socket.write("GET / HTTP/1.1\r\nHost: x\r\nX-Mo")
      if (at % 3 !== 2) return socket
      // A whole call, and the first half of another behind it.
      socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nxPOST / HT")
      await once(socket, "data")
      return socket
    }))
    let stopped: Promise<void> | undefined
    const heard = await sendSlowly(origin, async () => {
      const closed = sockets.map((socket) => once(socket.on("error", () => {}).resume(), "close"))
      stopped = stop()
      await Promise.all(closed)
    })
    assert.strictEqual(heard, "20")
    await stopped
  })

  it("HOST-34 stopping cuts a call whose body stands still, beside one whose body continues", async () => {
    const { origin, stop } = await start({ graceMillis: 600_000, stallMillis: 1_000 })
    const still = connect(Number(new URL(origin).port), "127.0.0.1").on("error", () => {}).resume()
    await once(still, "connect")
    const going = request(origin, { method: "POST", headers: { "content-length": 100_000 } })
    const heard = new Promise<string>((resolve, reject) => {
      going.on("error", reject).on("response", (response) => resolve(text(response)))
    })
    still.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\nhalf")
    let sent = 0
    const send = () => new Promise<void>((resolve) => going.write("x", () => resolve(void sent++)))
    await send()
    const more = setInterval(() => void send(), 20)
    const cut = once(still, "close")
    const stopped = stop()
    await cut
    clearInterval(more)
    const before = sent
    going.end("x".repeat(100_000 - before))
    assert.strictEqual(await heard, "100000")
    await stopped
  })

  it("HOST-21 there are only so many connections: with one more the longest goes that waits, not one that carries a call", async () => {
    const { origin } = await start({ maxConnections: 3 })
    const port = Number(new URL(origin).port)
    const open = async () => {
      const socket = connect(port, "127.0.0.1").on("error", () => {}).resume()
      await once(socket, "connect")
      return { socket, closed: once(socket, "close") }
    }
    const heard = await sendSlowly(origin, async () => {
      const [first, second] = [await open(), await open()]
      const third = await open()
      await first.closed
      assert.deepStrictEqual([second.socket.destroyed, third.socket.destroyed], [false, false])
      await open()
      await second.closed
    })
    assert.strictEqual(heard, "20")
  })

  it("HOST-21 an address has its own limit", async () => {
    const { origin, server } = await start({ maxConnectionsPerAddress: 2 })
    const port = Number(new URL(origin).port)
    const accepted = () => once(server, "connection")
    const open = async (localAddress: string) => {
      const [socket] = await Promise.all([
        Promise.resolve(connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {}).resume()),
        accepted()
      ])
      return { socket, closed: once(socket, "close") }
    }
    const [mine, other, second] = [await open("127.0.0.1"), await open("127.0.0.2"), await open("127.0.0.1")]
    const third = await open("127.0.0.1")
    await mine.closed
    assert.deepStrictEqual([other, second, third].map(({ socket }) => socket.destroyed), [false, false, false])
  })

  it("HOST-21 of all connections one of the address goes that has most; who waits goes before who carries a call", () => {
    const held = [
      { address: "a", calls: 1, since: 0 },
      { address: "a", calls: 0, since: 3 },
      { address: "a", calls: 0, since: 2 },
      { address: "a", calls: 2, since: 1 }
    ]
    assert.strictEqual(firstToGo(held), held[2])
    assert.strictEqual(firstToGo(held.filter(({ calls }) => calls > 0)), held[0])
    assert.isUndefined(firstToGo([]))
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
