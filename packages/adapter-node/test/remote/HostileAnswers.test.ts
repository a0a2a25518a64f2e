/** What a server may answer, and what it may not do to whoever asks. */
import { assert, describe, it } from "@effect/vitest"
import { RemoteFile } from "@filedrive/core"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer as createTlsServer } from "node:https"
import type { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { eventually, turn } from "../../../core/test/FilesTest.ts"
import { client, fetched, listening, publicAddress, reason, released, serve, serveRaw } from "./HostileServer.ts"

const head = (lines: ReadonlyArray<string>) => `HTTP/1.1 200 OK\r\n${lines.join("\r\n")}\r\n\r\n`

/** What comes of `fiber` while time passes: its server is in this process, so it has its turns as well. */
const joinAsTimePasses = Effect.fnUntraced(function*<A, E>(fiber: Fiber.Fiber<A, E>) {
  while (fiber.pollUnsafe() === undefined) {
    yield* turn
    yield* TestClock.adjust("100 millis")
  }
  return yield* Fiber.join(fiber)
})

/** A raw answer: its head, what follows, and whether the connection then ends. */
const answering = (lines: ReadonlyArray<string>, body: string, end = true) =>
  serveRaw((socket) => {
    socket.write(head(lines) + body, "latin1")
    if (end) socket.end()
  })

/** Writes again and again until the connection is gone. */
const flood = (socket: Socket, start: string, text: string) => {
  const more = () => {
    if (!socket.destroyed) socket.write(text, () => setImmediate(more))
  }
  socket.write(start, more)
}

describe("Answers", () => {
  it.effect("IMP-9 what a server says of a file comes as it was said", () =>
    Effect.gen(function*() {
      const server = yield* serve((_, response) => {
        response.setHeader("Content-Disposition", Buffer.from("attachment; filename=\"é.txt\"").toString("latin1"))
        response.writeHead(200, {
          "content-type": "text/plain; charset=utf-8",
          etag: "\"v1\"",
          "accept-ranges": "bytes"
        })
        response.end("hello")
      })
      const { disposition, ...answer } = yield* fetched(server.url)
      assert.strictEqual(Buffer.from(disposition!, "latin1").toString(), "attachment; filename=\"é.txt\"")
      assert.deepInclude(answer, {
        finalUrl: server.url,
        startBytes: 0,
        sizeBytes: null,
        mimeType: "text/plain; charset=utf-8",
        validator: "\"v1\"",
        acceptsRanges: true,
        text: "hello"
      })
      yield* released(server)
    }).pipe(Effect.provide(client())))

  const date = "Sun, 01 Mar 2026 12:00:00 GMT"
  it.effect.each<[lines: ReadonlyArray<string>, validator: string | null]>([
    [["ETag: \"a\""], "\"a\""],
    [["ETag: W/\"a\""], null],
    [["ETag: a"], null],
    [["ETag: W/\"a\"", `Date: ${date}`, "Last-Modified: Sun, 01 Mar 2020 12:00:00 GMT"], null],
    [[`Date: ${date}`, "Last-Modified: Sun, 01 Mar 2026 11:59:00 GMT"], "Sun, 01 Mar 2026 11:59:00 GMT"],
    [[`Date: ${date}`, "Last-Modified: Sun, 01 Mar 2026 11:59:01 GMT"], null],
    [["Last-Modified: Sun, 01 Mar 2020 12:00:00 GMT"], null],
    [[`Date: ${date}`, "Last-Modified: yesterday"], null]
  ])("IMP-9 by %j the file is known again: %s", ([lines, validator]) =>
    Effect.gen(function*() {
      const url = yield* answering([...lines, "Content-Length: 2"], "ok")
      assert.strictEqual((yield* fetched(url)).validator, validator)
    }).pipe(Effect.provide(client())))

  it.effect("IMP-9 the rest of a file is asked for on the condition that it is the same", () =>
    Effect.gen(function*() {
      const whole = "0123456789"
      let current = "\"v1\""
      const server = yield* serve((request, response) => {
        const { headers: { "if-range": condition, range } } = request
        const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0)
        if (condition !== current) return response.writeHead(200, { etag: current, "content-length": 10 }).end(whole)
        if (start >= whole.length) return response.writeHead(416, { "content-range": "bytes */10" }).end()
        return response.writeHead(206, { etag: current, "content-range": `bytes ${start}-9/10` }).end(
          whole.slice(start)
        )
      })
      const rest = yield* fetched(server.url, { startBytes: 4, validator: "\"v1\"" })
      assert.deepInclude(rest, { startBytes: 4, sizeBytes: 10, text: "456789", validator: "\"v1\"" })
      current = "\"v2\""
      const changed = yield* fetched(server.url, { startBytes: 4, validator: "\"v1\"" })
      assert.deepInclude(changed, { startBytes: 0, sizeBytes: 10, text: whole, validator: "\"v2\"" })
      const past = yield* fetched(server.url, { startBytes: 10, validator: "\"v2\"" })
      assert.deepInclude(past, { startBytes: 0, text: whole })
      assert.isUndefined(server.requests.at(-1)?.headers.range)
    }).pipe(Effect.provide(client())))

  it.effect.each<[what: string, validator: string, head: Readonly<Record<string, string>>, startBytes: number]>([
    ["another ETag", "\"v1\"", { etag: "\"v2\"" }, 0],
    ["a weak ETag", "\"v1\"", { etag: "W/\"v1\"" }, 0],
    ["another time of change", date, { "last-modified": "Sun, 01 Mar 2026 12:00:01 GMT" }, 0],
    ["the same ETag", "\"v1\"", { etag: "\"v1\"", "last-modified": date }, 4],
    ["the same time of change", date, { etag: "W/\"v2\"", "last-modified": date }, 4],
    ["no mark", "\"v1\"", {}, 4]
  ])(
    "IMP-9 where the condition is taken no notice of, a part with %s is of this file or of another",
    ([, validator, marks, startBytes]) =>
      Effect.gen(function*() {
        const server = yield* serve((request, response) => {
          const isPart = request.headers.range !== undefined
          const range = isPart ? { "content-range": "bytes 4-9/10" } : {}
          response.writeHead(isPart ? 206 : 200, { ...marks, ...range }).end("0123456789".slice(isPart ? 4 : 0))
        })
        const { startBytes: from, text } = yield* fetched(server.url, { startBytes: 4, validator })
        assert.deepStrictEqual([from, text], [startBytes, "0123456789".slice(startBytes)])
      }).pipe(Effect.provide(client()))
  )

  it.effect.each<[status: number, reason: RemoteFile.RemoteReason, retryable: boolean]>([
    [204, "server_refused", false],
    [304, "server_refused", false],
    [400, "server_refused", false],
    [401, "server_refused", false],
    [404, "server_refused", false],
    [416, "server_refused", false],
    [408, "server_failed", true],
    [429, "server_failed", true],
    [500, "server_failed", true],
    [503, "server_failed", true]
  ])("IMP-10 IMP-11 status %i is %s, to be tried again: %s", ([status, expected, retryable]) =>
    Effect.gen(function*() {
      const { url } = yield* serve((_, response) => response.writeHead(status).end())
      const failure = yield* Effect.flip(fetched(url))
      assert.deepInclude(failure, { reason: expected, retryable })
      assert.include(failure.message, String(status))
    }).pipe(Effect.provide(client())))

  it.effect.each<[what: string, lines: ReadonlyArray<string>, body: string, reason: string]>([
    ["is shorter than stated", ["Content-Length: 10"], "short", "connection_lost"],
    ["goes on behind its length", ["Content-Length: 5", "Connection: close"], "hello and more", "invalid_answer"],
    ["has a chunk cut off", ["Transfer-Encoding: chunked"], "a\r\nshort", "connection_lost"],
    ["lacks its last chunk", ["Transfer-Encoding: chunked"], "5\r\nhello\r\n", "connection_lost"],
    ["has chunks that are none", ["Transfer-Encoding: chunked"], "zz\r\nhello\r\n", "invalid_answer"],
    ["states two lengths", ["Content-Length: 5", "Content-Length: 6"], "hello!", "invalid_answer"],
    ["states a negative length", ["Content-Length: -1"], "hello", "invalid_answer"],
    ["states an endless length", [`Content-Length: ${"9".repeat(30)}`], "hello", "invalid_answer"],
    ["states a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n", "invalid_answer"],
    ["is coded twice", ["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n", "invalid_answer"],
    ["is coded in an unknown way", ["Transfer-Encoding: nonsense"], "hello", "invalid_answer"]
  ])("HOSTILE-33 a body that %s is refused", ([, lines, body, expected]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reason(yield* answering(lines, body)), expected)
    }).pipe(Effect.provide(client())))

  it.effect.each<[range: string, sent: string]>([
    ["bytes 3-9/10", "3456789"],
    ["bytes 4-8/10", "45678"],
    ["bytes 4-9/9", "456789"],
    ["bytes 4-9/*", "456789"],
    ["bytes 9-4/10", ""],
    ["items 4-9/10", "456789"],
    ["bytes 4-9/10", "456"],
    ["", "456789"]
  ])("HOSTILE-33 the part %j with %j is not the one that was asked for", ([range, sent]) =>
    Effect.gen(function*() {
      const { url } = yield* serve((_, response) => {
        response.writeHead(206, { "content-range": range, "content-length": sent.length }).end(sent)
      })
      assert.strictEqual(yield* reason(url, { startBytes: 4, validator: "\"v1\"" }), "invalid_answer")
      assert.strictEqual(yield* reason(url), "invalid_answer")
    }).pipe(Effect.provide(client())))

  it.effect.each(["gzip", "br", "deflate, gzip", "GZIP", "identity, gzip"])(
    "HOSTILE-33 a bomb in %s is left unopened",
    (encoding) =>
      Effect.gen(function*() {
        const bomb = gzipSync(Buffer.alloc(10 * 1024 ** 2))
        const server = yield* serve((_, response) =>
          response.writeHead(200, { "content-encoding": encoding }).end(bomb)
        )
        assert.strictEqual(yield* reason(server.url), "invalid_answer")
        yield* released(server)
      }).pipe(Effect.provide(client()))
  )

  it.effect("HOSTILE-34 a server that says nothing is left after 30 s, as is one that says its head a byte at a time", () =>
    Effect.gen(function*() {
      const silent = yield* serveRaw(() => undefined)
      const slow = yield* serveRaw((socket) => {
        // A line of the head that is not over.
        socket.write("HTTP/1.1 200 OK\r\nX: ")
        const timer = setInterval(() => socket.write("x"), 5)
        socket.on("close", () => clearInterval(timer))
      })
      for (const url of [silent, slow]) {
        const asking = yield* Effect.forkScoped(Effect.flip(fetched(url)))
        assert.deepInclude(yield* joinAsTimePasses(asking), { reason: "server_stalled", retryable: true })
      }
    }).pipe(Effect.provide(client())))

  it.effect("HOSTILE-34 a body that stands still for 60 s is left, and one that drips is", () =>
    Effect.gen(function*() {
      for (const drips of [false, true]) {
        const server = yield* serve((_, response) => {
          response.writeHead(200, { "content-length": 1_000_000 })
          response.write("x".repeat(16 * 1024))
          const timer = drips ? setInterval(() => response.write("x"), 2) : undefined
          response.on("close", () => clearInterval(timer))
        })
        let received = 0
        const asking = yield* Effect.forkScoped(Effect.flip(Effect.scoped(Effect.gen(function*() {
          const { body } = yield* (yield* RemoteFile.RemoteFile).open(server.url, null)
          yield* Stream.runForEach(body, (chunk) => Effect.sync(() => void (received += chunk.length)))
        }))))
        yield* eventually(Effect.sync(() => received), (bytes) => bytes >= 16 * 1024)
        yield* TestClock.adjust("59 seconds")
        assert.isUndefined(asking.pollUnsafe())
        const failure = drips
          ? yield* joinAsTimePasses(asking)
          : yield* Effect.andThen(TestClock.adjust("1 second"), Fiber.join(asking))
        assert.deepInclude(failure, { reason: "server_stalled", retryable: true })
        yield* released(server)
      }
    }).pipe(Effect.provide(client())))

  it.effect("HOSTILE-34 a reader that takes its time is not taken for a server that does", () =>
    Effect.gen(function*() {
      const server = yield* serve((_, response) => response.end(Buffer.alloc(4 * 1024 ** 2)))
      const bytes = yield* Effect.scoped(Effect.gen(function*() {
        const { body } = yield* (yield* RemoteFile.RemoteFile).open(server.url, null)
        return yield* Stream.runFold(
          Stream.mapEffect(body, (chunk) => Effect.as(TestClock.adjust("10 seconds"), chunk.length)),
          () => 0,
          (sum, length) => sum + length
        )
      }))
      assert.strictEqual(bytes, 4 * 1024 ** 2)
    }).pipe(Effect.provide(client())))

  it.effect.each<[what: string, answer: (socket: Socket) => void, reason: string]>([
    [
      "never ends",
      (socket) => flood(socket, "HTTP/1.1 200 OK", "\r\nX-More: header".repeat(100)),
      "invalid_answer"
    ],
    [
      "has one endless line",
      (socket) => flood(socket, "HTTP/1.1 200 OK\r\nX: ", "x".repeat(4_096)),
      "invalid_answer"
    ],
    [
      "has an endless status line",
      (socket) => flood(socket, "HTTP/1.1 200 ", "O".repeat(4_096)),
      "invalid_answer"
    ],
    [
      "is announced for ever",
      (socket) => flood(socket, "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
      "invalid_answer"
    ],
    ["is another protocol's", (socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "invalid_answer"],
    ["is nothing", (socket) => void socket.end(), "connection_lost"],
    ["is cut", (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-"), "connection_lost"],
    ["is reset", (socket) => void socket.resetAndDestroy(), "connection_lost"],
    [
      "wants another protocol",
      (socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
      "connection_lost"
    ]
  ])("HOSTILE-34 a head that %s is refused", ([, answer, expected]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reason(yield* serveRaw(answer)), expected)
    }).pipe(Effect.provide(client())))

  it.effect("HOSTILE-36 a server that speaks no TLS where it must is refused", () =>
    Effect.gen(function*() {
      const plain = yield* serve((_, response) => response.end("plain"))
      assert.strictEqual(yield* reason(plain.url.replace("http:", "https:")), "server_unreachable")
    }).pipe(Effect.provide(client())))

  const hasOpenssl = spawnSync("openssl", ["version"]).status === 0
  it.effect.skipIf(!hasOpenssl)(
    "HOSTILE-36 a certificate that nobody vouches for is refused, whatever the environment says (needs openssl)",
    () =>
      Effect.gen(function*() {
        const directory = mkdtempSync(join(tmpdir(), "filedrive-tls-"))
        const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
        const names = ["-subj", "/CN=files.test", "-addext", "subjectAltName=DNS:files.test"]
        const files = ["-keyout", key, "-out", cert]
        const made = spawnSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...names, ...files])
        assert.strictEqual(made.status, 0, String(made.stderr))
        const pair = { key: readFileSync(key), cert: readFileSync(cert) }
        rmSync(directory, { recursive: true })
        let asked = 0
        const server = createTlsServer(pair, (_, response) => {
          asked++
          response.end("mine")
        })
        const port = yield* listening(server, publicAddress)
        const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
        yield* Effect.acquireRelease(
          Effect.sync(() => void (process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0")),
          () =>
            Effect.sync(() => {
              if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
              else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before
            })
        )
        const failure = yield* Effect.flip(fetched(`https://files.test:${port}/`))
        assert.deepInclude(failure, { reason: "server_unreachable", retryable: false })
        assert.strictEqual(asked, 0)
      }).pipe(Effect.provide(client()))
  )
})
