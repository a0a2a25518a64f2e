/** The relay between senders and engines that behave badly. */
import { assert, describe, it } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Context, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { connect, type Socket } from "node:net"
import * as S3Store from "../src/storage/s3/S3Store.ts"
import { type FakeS3, serveFakeS3 } from "./FakeS3.ts"
import { formBody, formText } from "./formBody.ts"
import { relayedLayer } from "./RelayServer.ts"

const at = { bucket: "private", key: "incoming/a/b" } as const
const headers = { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" }
const lifetime = Duration.days(2)

/** A form's request as bytes: all up to the file, and what follows the file. */
const rawForm = (form: Port.SignedForm, sizeBytes: number) => {
  const boundary = "b0undary"
  const { after, before } = formText(form.fields, boundary)
  const url = new URL(form.url)
  const request = (length: string) =>
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n${length}\r\n` +
    `Content-Type: multipart/form-data; boundary=${boundary}\r\n\r\n`
  return { url, before, after, plain: request(`Content-Length: ${before.length + sizeBytes + after.length}`), request }
}

const dial = (url: URL) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(Number(url.port), url.hostname, () => resume(Effect.succeed(socket)))
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => void socket.destroy())
  )

/** The first line of the answer. */
const statusLine = (socket: Socket) =>
  Effect.callback<string>((resume) => {
    socket.once("data", (data) => resume(Effect.succeed(data.toString().split("\r\n")[0] ?? "")))
  })

const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => condition() ? Effect.void : Effect.andThen(Effect.sleep("5 millis"), until(condition)))

interface Engine {
  /** Bytes of the PUT that came. */
  received: number
  /** Whether it came whole, was cut off, or neither yet. */
  outcome: "whole" | "cut" | undefined
  /** Takes bytes only while true. */
  reads: boolean
  status: number
}

const withRelay = <A, E>(
  use: (store: typeof Port.ObjectStore.Service, engine: Engine, fake: FakeS3) => Effect.Effect<A, E, never>,
  engine: Engine = { received: 0, outcome: undefined, reads: true, status: 200 }
) =>
  Effect.scoped(Effect.gen(function*() {
    const fake = yield* serveFakeS3(({ method }, request, response) => {
      if (method !== "PUT") return undefined
      request.on("close", () => engine.outcome = request.complete ? "whole" : "cut")
      if (engine.status !== 200) return { status: engine.status, headers: { connection: "close" } }
      if (!engine.reads) return undefined
      request.on("data", (chunk: Buffer) => engine.received += chunk.length)
      request.on("end", () => response.end())
      return undefined
    })
    const context = yield* Layer.build(relayedLayer(fake.options))
    return yield* use(Context.get(context, Port.ObjectStore), engine, fake)
  }))

describe("FormRelay", () => {
  it.live("STO-50 a form's file continues with its headers, and its answer waits for the store", () =>
    withRelay((store, engine, fake) =>
      Effect.gen(function*() {
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 10, lifetime }), 10)
        const socket = yield* dial(raw.url)
        socket.write(`${raw.plain}${raw.before}0123456789${raw.after}`)
        assert.strictEqual(yield* statusLine(socket), "HTTP/1.1 204 No Content")
        assert.deepStrictEqual([engine.received, engine.outcome], [10, "whole"])
        const put = fake.asked.find(({ method }) => method === "PUT")
        assert.strictEqual(put?.url.pathname, `/drive-private/${at.key}`)
        assert.deepStrictEqual(
          ["content-length", "content-type", "content-disposition", "cache-control"].map((name) => put?.headers[name]),
          ["10", headers.contentType, headers.contentDisposition, headers.cacheControl]
        )
      }).pipe(Effect.scoped)
    ))

  it.live("STO-50 a body that comes byte by byte, with the form's own end inside the file, is understood", () =>
    withRelay((store, engine) =>
      Effect.gen(function*() {
        const file = "\r\n--b0undary--\r\n"
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: file.length, lifetime }), file.length)
        const socket = yield* dial(raw.url)
        socket.setNoDelay(true)
        socket.write(raw.plain)
        for (const byte of raw.before + file + raw.after) {
          socket.write(byte)
          yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
        }
        assert.strictEqual(yield* statusLine(socket), "HTTP/1.1 204 No Content")
        assert.deepStrictEqual([engine.received, engine.outcome], [file.length, "whole"])
      }).pipe(Effect.scoped)
    ))

  it.live.each(["0123456789x", "012345678"])(
    "STO-51 a chunked body with the file '%s' instead of ten bytes never arrives whole",
    (file) =>
      withRelay((store, engine) =>
        Effect.gen(function*() {
          const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 10, lifetime }), 10)
          const socket = yield* dial(raw.url)
          const body = `${raw.before}${file}${raw.after}`
          socket.write(
            `${raw.request("Transfer-Encoding: chunked")}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
          )
          assert.strictEqual(yield* statusLine(socket), "HTTP/1.1 400 Bad Request")
          assert.notStrictEqual(engine.outcome, "whole")
        }).pipe(Effect.scoped)
      )
  )

  it.live("STO-51 a byte too many that comes late still stops the file", () =>
    withRelay((store, engine) =>
      Effect.gen(function*() {
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 10, lifetime }), 10)
        const socket = yield* dial(raw.url)
        socket.write(`${raw.plain}${raw.before}01234`)
        yield* until(() => engine.received === 5)
        socket.write("56789")
        // Time in which the last bytes would arrive, were they not held back.
        yield* Effect.sleep("50 millis")
        socket.write(`x${raw.after.slice(0, -1)}`)
        assert.strictEqual(yield* statusLine(socket), "HTTP/1.1 400 Bad Request")
        yield* until(() => engine.outcome !== undefined)
        assert.deepStrictEqual([engine.received, engine.outcome], [5, "cut"])
      }).pipe(Effect.scoped)
    ))

  it.live("STO-51 a sender that goes away half-way stores nothing", () =>
    withRelay((store, engine) =>
      Effect.gen(function*() {
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 1_000_000, lifetime }), 1_000_000)
        const socket = yield* dial(raw.url)
        socket.write(raw.plain + raw.before + "x".repeat(500_000))
        yield* until(() => engine.received > 0)
        socket.destroy()
        yield* until(() => engine.outcome !== undefined)
        assert.strictEqual(engine.outcome, "cut")
      }).pipe(Effect.scoped)
    ))

  it.effect("STO-51 a sender that stalls is cut", () =>
    withRelay((store, engine) =>
      Effect.gen(function*() {
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 1_000_000, lifetime }), 1_000_000)
        const socket = yield* dial(raw.url)
        socket.write(raw.plain + raw.before + "x".repeat(500_000))
        yield* TestClock.withLive(until(() => engine.received > 400_000))
        yield* TestClock.adjust("1 minute")
        assert.isUndefined(engine.outcome)
        yield* TestClock.adjust("1 minute")
        yield* TestClock.withLive(until(() => engine.outcome === "cut" && socket.closed))
      }).pipe(Effect.scoped)
    ))

  it.effect("HOST-22 what is left of a refused form has 10 seconds, however much of it comes", () =>
    withRelay((store) =>
      Effect.gen(function*() {
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 90_000_000, lifetime }), 90_000_000)
        const socket = yield* dial(raw.url)
        socket.write(raw.plain + raw.before.replace(/attachment/, "inline"))
        assert.strictEqual(yield* statusLine(socket), "HTTP/1.1 403 Forbidden")
        socket.resume()
        for (let second = 1; second < 10; second++) {
          socket.write("x".repeat(100_000))
          yield* TestClock.adjust("1 second")
        }
        assert.isFalse(socket.closed)
        yield* TestClock.adjust("1 second")
        yield* TestClock.withLive(until(() => socket.closed))
      }).pipe(Effect.scoped)
    ))

  it.live("STO-51 a store that refuses is told as a fault of ours, at once", () =>
    withRelay((store) =>
      Effect.gen(function*() {
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes: 1_000_000, lifetime }), 1_000_000)
        const socket = yield* dial(raw.url)
        socket.write(raw.plain + raw.before + "x".repeat(500_000))
        assert.strictEqual(yield* statusLine(socket), "HTTP/1.1 500 Internal Server Error")
      }).pipe(Effect.scoped), { received: 0, outcome: undefined, reads: true, status: 503 }))

  it.live("STO-52 a sender is held back while the store is behind, so the relay keeps next to nothing", () =>
    withRelay((store) =>
      Effect.gen(function*() {
        const sizeBytes = 256 * 1024 * 1024
        const raw = rawForm(yield* store.signForm({ at, headers, sizeBytes, lifetime }), sizeBytes)
        const socket = yield* dial(raw.url)
        socket.write(raw.plain + raw.before)
        const chunk = Buffer.alloc(1024 * 1024)
        let sent = 0
        // Until the sockets on both sides are full: with nobody reading at the end, nothing more goes out.
        const stuck = () => socket.writableLength > 8 * chunk.length
        let flushed = -1
        while (flushed !== socket.bytesWritten - socket.writableLength || !stuck()) {
          flushed = socket.bytesWritten - socket.writableLength
          while (!stuck() && sent < 200) {
            socket.write(chunk)
            sent++
          }
          yield* Effect.sleep("100 millis")
        }
        assert.isBelow(flushed, 64 * 1024 * 1024)
      }).pipe(Effect.scoped), { received: 0, outcome: undefined, reads: false, status: 200 }))

  it.live("STO-50 another address, another method and another kind of body are refused", () =>
    withRelay((store) =>
      Effect.gen(function*() {
        const { url } = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
        const status = (path: string, init?: RequestInit) =>
          Effect.promise(async () => (await fetch(path, { ...init })).status)
        assert.strictEqual(yield* status(url.replace("private", "elsewhere"), { method: "POST" }), 404)
        assert.strictEqual(yield* status(url), 405)
        assert.strictEqual(yield* status(url, { method: "POST", body: "{}" }), 400)
        assert.strictEqual(yield* status(url, { method: "OPTIONS" }), 204)
        const long = new FormData()
        long.append("a", "x".repeat(100_000))
        assert.strictEqual(yield* status(url, { method: "POST", body: long }), 400)
      })
    ))

  it.live("STO-50 web-standard hosts are served alike", () =>
    Effect.scoped(Effect.gen(function*() {
      const received: Array<string> = []
      const fake = yield* serveFakeS3(({ method }, request, response) => {
        if (method !== "PUT") return undefined
        request.setEncoding("utf8").on("data", (text: string) => received.push(text)).on("end", () => response.end())
        return undefined
      })
      const context = yield* Layer.build(
        S3Store.layerWithRelay(fake.options, { url: "https://drive.example.org/storage" })
      )
      const form = yield* Context.get(context, Port.ObjectStore).signForm({ at, headers, sizeBytes: 4, lifetime })
      const send = (file: string, url = form.url) =>
        Effect.promise(() => {
          const body = formBody(form.fields, file)
          return Context.get(context, S3Store.FormRelay).handleWeb(new Request(url, { method: "POST", body }))
        })
      assert.strictEqual((yield* send("file")).status, 204)
      assert.strictEqual(received.join(""), "file")
      assert.strictEqual((yield* send("file", "https://drive.example.org/private")).status, 204)
      const refused = yield* send("files")
      assert.strictEqual(refused.status, 400)
      assert.include(yield* Effect.promise(() => refused.text()), "<Code>EntityTooLarge</Code>")
      for (const short of ["fil", "fi", ""]) {
        const refused = yield* send(short)
        assert.strictEqual(refused.status, 400)
        assert.include(yield* Effect.promise(() => refused.text()), "<Code>EntityTooSmall</Code>")
      }
    })))

  it.live("STO-53 a form is taken by every process of its drive, and by no other", () =>
    Effect.scoped(Effect.gen(function*() {
      const fake = yield* serveFakeS3(({ method }) => method === "PUT" ? { status: 200 } : undefined)
      const storeOf = (secret?: string, change: Partial<S3Store.S3Options> = {}) =>
        Effect.map(
          Layer.build(relayedLayer({ ...fake.options, ...change }, secret)),
          (context) => Context.get(context, Port.ObjectStore)
        )
      const form = (store: typeof Port.ObjectStore.Service) => store.signForm({ at, headers, sizeBytes: 0, lifetime })
      const [one, two, other] = [yield* storeOf(), yield* storeOf(), yield* storeOf("another drive's")]
      const signed = yield* form(one)
      const send = (store: typeof Port.ObjectStore.Service) =>
        Effect.flatMap(form(store), ({ url }) =>
          Effect.promise(async () => {
            const body = formBody(signed.fields, "")
            return (await fetch(url, { method: "POST", body })).status
          }))
      assert.deepStrictEqual([yield* send(one), yield* send(two), yield* send(other)], [204, 204, 403])

      const temporary = { credentials: { accessKeyId: "k", secretAccessKey: "s", sessionToken: "t" } }
      const failure = yield* Effect.flip(storeOf(undefined, temporary))
      assert.match(failure.message, /the relay needs a secret of its own/)
      yield* storeOf("given", temporary)
    })))
})
