/** How files are read for those who look into them. */
import { assert, describe, it, vi } from "@effect/vitest"
import { DriveError } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { Server } from "node:net"
import * as RangeProxy from "../../src/media/ffmpeg/RangeProxy.ts"
import { blockBytes, make as blocksOf } from "../../src/media/SourceBlocks.ts"
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
            // Others come, and it is not kept any more.
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
  const ask = (url: string, range?: string, method = "GET") =>
    Effect.promise(async () => {
      const answer = await fetch(url, { method, headers: range === undefined ? {} : { range } })
      return {
        status: answer.status,
        range: answer.headers.get("content-range"),
        bytes: new Uint8Array(await answer.arrayBuffer())
      }
    })

  it.live("HOSTILE-23 serves a file by ranges at a path of its own, until it is no longer asked for", () =>
    Effect.gen(function*() {
      const proxy = yield* RangeProxy.make
      const { source } = numbered(200_000)
      const url = yield* Effect.scoped(Effect.gen(function*() {
        const { url } = yield* proxy.serve(yield* blocksOf(source, plenty))
        const other = yield* proxy.serve(yield* blocksOf(source, plenty))
        assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}$/)
        assert.notStrictEqual(url, other.url)
        assert.strictEqual((yield* ask(url)).bytes.byteLength, 200_000)
        const part = yield* ask(url, "bytes=100000-100009")
        assert.deepInclude(part, { status: 206, range: "bytes 100000-100009/200000" })
        assert.deepStrictEqual([...part.bytes], Array.from({ length: 10 }, (_, i) => (100_000 + i) % 251))
        assert.strictEqual((yield* ask(url, "bytes=199990-")).bytes.byteLength, 10)
        assert.strictEqual((yield* ask(url, "bytes=200000-")).status, 416)
        assert.strictEqual((yield* ask(url, undefined, "HEAD")).status, 200)
        assert.strictEqual((yield* ask(url, undefined, "DELETE")).status, 404)
        assert.strictEqual((yield* ask(url.slice(0, -1))).status, 404)
        return url
      }))
      assert.strictEqual((yield* ask(url)).status, 404)
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
      assert.strictEqual((yield* ask((yield* proxy.serve(blocks)).url)).bytes.byteLength, 1_000)
    }).pipe(Effect.scoped))

  it.live("HOSTILE-22 reads on only as far as it is read, and says when the store fails", () =>
    Effect.gen(function*() {
      const proxy = yield* RangeProxy.make
      const { source } = numbered(400 * 1024 ** 2)
      const blocks = yield* blocksOf(source, plenty)
      const { url } = yield* proxy.serve(blocks)
      yield* Effect.promise(async () => {
        const answer = await fetch(url)
        const reader = answer.body!.getReader()
        await reader.read()
        await new Promise((resolve) => setTimeout(resolve, 300))
        await reader.cancel()
      })
      assert.isBelow(blocks.bytesRead(), 64 * 1024 ** 2)
      const failing = yield* proxy.serve(
        yield* blocksOf(numbered(1e6, () => Stream.succeed(new Uint8Array(1))).source, plenty)
      )
      yield* Effect.promise(() => fetch(failing.url).then((answer) => answer.arrayBuffer()).catch(() => undefined))
      assert.strictEqual((yield* Effect.flip(failing.failed))._tag, "Unavailable")
    }).pipe(Effect.scoped))
})
