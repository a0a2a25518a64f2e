/** How files are read for decoders. */
import { assert, describe, it, vi } from "@effect/vitest"
import { DriveError } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { get, type IncomingMessage } from "node:http"
import { Server } from "node:net"
import * as RangeProxy from "../src/ffmpeg/RangeProxy.ts"
import { blockBytes, make as blocksOf } from "../src/SourceBlocks.ts"
import { numbered } from "./NumberedSource.ts"

const plenty = { readMaxBytes: 1e9, keepMaxBytes: 1e6 }

describe("blocks of a file", () => {
  const size = 40 * blockBytes + 5

  it.live("MEDIA-27 are fetched once, and in larger pieces the longer they are read on", () =>
    Effect.gen(function*() {
      const { ranges, source } = numbered(size)
      const blocks = yield* blocksOf(source, { readMaxBytes: 1e9, keepMaxBytes: 1e9 })
      const whole = yield* blocks.range(0, size - 1)
      assert.isTrue(whole.every((byte, i) => byte === i % 251))
      const pieces = ranges.map(([start, end]) => Math.ceil((end + 1 - start) / blockBytes))
      assert.deepStrictEqual(pieces, [4, 8, 16, 13])
      yield* blocks.range(1000, 200_000)
      assert.strictEqual(blocks.bytesRead(), size)
    }))

  it.live("HOSTILE-22 may be read up to a limit, and are kept up to another", () =>
    Effect.gen(function*() {
      const { ranges, source } = numbered(size)
      const blocks = yield* blocksOf(source, { readMaxBytes: 20 * blockBytes, keepMaxBytes: 4 * blockBytes })
      yield* blocks.range(0, blockBytes)
      yield* blocks.range(8 * blockBytes, 9 * blockBytes)
      yield* blocks.range(0, 9)
      assert.lengthOf(ranges, 3)
      assert.strictEqual((yield* Effect.flip(blocks.range(20 * blockBytes, size - 1)))._tag, "Unreadable")
    }))

  it.live("MEDIA-50 are freed when they are neither kept nor used any more, and all of them in the end", () =>
    Effect.gen(function*() {
      const { source } = numbered(size)
      const seen: Array<Uint8Array> = []
      const look = (bytes: Uint8Array) => Effect.sync(() => void seen.push(bytes))
      const lengths = () => seen.map(({ byteLength }) => byteLength)
      yield* Effect.scoped(Effect.gen(function*() {
        const blocks = yield* blocksOf(source, { readMaxBytes: 1e9, keepMaxBytes: 4 * blockBytes })
        yield* blocks.withBlock(5, (first) =>
          Effect.gen(function*() {
            yield* look(first)
            // Others come, and it is not kept any longer.
            yield* blocks.range(4 * blockBytes, 20 * blockBytes)
            assert.deepStrictEqual([...first.subarray(0, 3)], [5, 6, 7])
          }))
        assert.deepStrictEqual(lengths(), [0])
        yield* blocks.withBlock(20 * blockBytes, look)
        yield* Effect.exit(blocks.withBlock(21 * blockBytes, (bytes) => Effect.andThen(look(bytes), Effect.die("cut"))))
        assert.deepStrictEqual(lengths(), [0, blockBytes, blockBytes])
        // Two that fetch the same at once: the one whose block is not kept loses nothing.
        const both = yield* Effect.all(Array.from({ length: 2 }, () => blocks.range(0, 2 * blockBytes)), {
          concurrency: 2
        })
        for (const bytes of both) assert.isTrue(bytes.every((byte, at) => byte === at % 251))
        yield* blocks.withBlock(20 * blockBytes, look)
      }))
      // What was cut off may be read by the system still.
      assert.deepStrictEqual(lengths(), [0, 0, blockBytes, 0])
    }))

  it.live.each(
    [
      ["fails", () => Stream.fail(new DriveError.Unavailable({ code: "fetching_file_failed", cause: "away" }))],
      ["hands over too little", () => Stream.succeed(new Uint8Array(10))],
      ["stands still", () => Stream.never]
    ] as const
  )("HOSTILE-22 of a store that %s are told as what passes", ([, read]) =>
    Effect.gen(function*() {
      const blocks = yield* blocksOf(numbered(size, read).source, { ...plenty, stallMillis: 100 })
      assert.strictEqual((yield* Effect.flip(blocks.range(0, 9)))._tag, "Unavailable")
    }))
})

describe("the range proxy", () => {
  /** As a program asks: the proxy that its environment names, with the word in there. */
  const fetched = ({ environment: { http_proxy = "" } }: RangeProxy.Served, init: RequestInit = {}) => {
    const { host, password, username } = new URL(http_proxy)
    const word = Buffer.from(`${username}:${password}`).toString("base64")
    return fetch(`http://${host}/`, { ...init, headers: { ...init.headers, "proxy-authorization": `Basic ${word}` } })
  }

  const ask = (served: RangeProxy.Served, range?: string, method = "GET") =>
    Effect.promise(async () => {
      const answer = await fetched(served, { method, headers: range === undefined ? {} : { range } })
      return {
        status: answer.status,
        range: answer.headers.get("content-range"),
        bytes: new Uint8Array(await answer.arrayBuffer())
      }
    })

  it.live("HOSTILE-23 HOSTILE-48 serves a file by ranges to who knows its word, until it is no longer asked for", () =>
    Effect.gen(function*() {
      const proxy = yield* RangeProxy.make
      const { source } = numbered(200_000)
      const served = yield* Effect.scoped(Effect.gen(function*() {
        const url = yield* proxy.serve(yield* blocksOf(source, plenty))
        const other = yield* proxy.serve(yield* blocksOf(source, plenty))
        assert.match(url.environment["http_proxy"]!, /^http:\/\/filedrive:[\w-]{32}@127\.0\.0\.1:\d+$/)
        assert.notStrictEqual(url.environment["http_proxy"], other.environment["http_proxy"])
        assert.strictEqual(url.url, other.url, "what is in the arguments tells nothing")
        const { port } = new URL(url.environment["http_proxy"]!)
        const unasked = yield* Effect.promise(() =>
          new Promise<IncomingMessage>((resolve) => get(`http://127.0.0.1:${port}/`, resolve))
        )
        unasked.resume()
        assert.strictEqual(unasked.statusCode, 407)
        assert.strictEqual((yield* ask(url)).bytes.byteLength, 200_000)
        const part = yield* ask(url, "bytes=100000-100009")
        assert.deepInclude(part, { status: 206, range: "bytes 100000-100009/200000" })
        assert.deepStrictEqual([...part.bytes], Array.from({ length: 10 }, (_, i) => (100_000 + i) % 251))
        assert.strictEqual((yield* ask(url, "bytes=199990-")).bytes.byteLength, 10)
        assert.strictEqual((yield* ask(url, "bytes=200000-")).status, 416)
        assert.strictEqual((yield* ask(url, undefined, "HEAD")).status, 200)
        assert.strictEqual((yield* ask(url, undefined, "DELETE")).status, 404)
        const guessed = { http_proxy: url.environment["http_proxy"]!.replace(/.@/, "@") }
        assert.strictEqual((yield* ask({ ...url, environment: guessed })).status, 404)
        return url
      }))
      assert.strictEqual((yield* ask(served)).status, 404)
    }).pipe(Effect.scoped))

  it.live("HOSTILE-45 that could not listen tries again for who asks next", () =>
    Effect.gen(function*() {
      const blocks = yield* blocksOf(numbered(1_000).source, plenty)
      const listen = vi.spyOn(Server.prototype, "listen").mockImplementationOnce(function(this: Server) {
        queueMicrotask(() => this.emit("error", new Error("listen EMFILE: too many open files")))
        return this
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => listen.mockRestore()))
      const proxy = yield* RangeProxy.make
      assert.deepInclude(yield* Effect.flip(proxy.serve(blocks)), { _tag: "Unavailable", code: "unavailable" })
      assert.strictEqual((yield* ask(yield* proxy.serve(blocks))).bytes.byteLength, 1_000)
    }).pipe(Effect.scoped))

  it.live("HOSTILE-22 reads on only as far as it is read, and says when the store fails", () =>
    Effect.gen(function*() {
      const proxy = yield* RangeProxy.make
      const { source } = numbered(400 * 1024 ** 2)
      const blocks = yield* blocksOf(source, plenty)
      const served = yield* proxy.serve(blocks)
      yield* Effect.promise(async () => {
        const answer = await fetched(served)
        const reader = answer.body!.getReader()
        await reader.read()
        await new Promise((resolve) => setTimeout(resolve, 300))
        await reader.cancel()
      })
      assert.isBelow(blocks.bytesRead(), 64 * 1024 ** 2)
      const failing = yield* proxy.serve(
        yield* blocksOf(numbered(1e6, () => Stream.succeed(new Uint8Array(1))).source, plenty)
      )
      yield* Effect.promise(() => fetched(failing).then((answer) => answer.arrayBuffer()).catch(() => undefined))
      assert.strictEqual((yield* Effect.flip(failing.failed))._tag, "Unavailable")
    }).pipe(Effect.scoped))
})
