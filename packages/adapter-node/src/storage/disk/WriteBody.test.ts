import { assert, describe, it, vi } from "@effect/vitest"
import { OwnedBuffers } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { type FileHandle, mkdtemp, open, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeBody } from "./WriteBody.ts"

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "filedrive-write-body-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

describe("a body that is written to a file", () => {
  it.live("ZIP-9 frees the memory of bytes that were passed on for good when they are written, and of no others", () =>
    Effect.scoped(Effect.gen(function*() {
      const root = yield* directory
      for (const isOwn of [true, false]) {
        const chunks = [1, 2, 3].map((byte) => {
          const chunk = new Uint8Array(1_000).fill(byte)
          return isOwn ? OwnedBuffers.asOwned(chunk) : chunk
        })
        const path = join(root, String(isOwn))
        // As they come: one at a time, and several at once.
        const body = Stream.concat(Stream.fromIterable(chunks.slice(0, 1)), Stream.fromIterable(chunks.slice(1)))
        yield* writeBody(path, 3_000, false, body)
        const written = yield* Effect.promise(() => readFile(path))
        assert.deepStrictEqual([...new Set(written)], [1, 2, 3])
        assert.strictEqual(written.length, 3_000)
        assert.deepStrictEqual(chunks.map(({ byteLength }) => byteLength), isOwn ? [0, 0, 0] : [1_000, 1_000, 1_000])
      }
    })))

  it.live("STO-130 is whole also where the disk takes fewer bytes of a write than it was given", () =>
    Effect.scoped(Effect.gen(function*() {
      const root = yield* directory
      const any = yield* Effect.promise(() => open(join(root, "any"), "wx"))
      yield* Effect.promise(() => any.close())
      const handles: FileHandle = Object.getPrototypeOf(any)
      const { writev } = handles
      // As a disk that becomes full does: a part of the first chunk, then one chunk and a part, and so on.
      const spy = vi.spyOn(handles, "writev").mockImplementation(function(this: FileHandle, chunks) {
        const [first, second] = chunks as ReadonlyArray<Uint8Array>
        return writev.call(this, second === undefined ? [first!.subarray(0, 700)] : [first!, second.subarray(0, 300)])
      })
      const chunks = [1, 2, 3, 4, 5].map((byte) => new Uint8Array(1_000).fill(byte))
      yield* writeBody(join(root, "body"), 5_000, false, Stream.fromIterable(chunks)).pipe(
        Effect.ensuring(Effect.sync(() => spy.mockRestore()))
      )
      const written = yield* Effect.promise(() => readFile(join(root, "body")))
      assert.isTrue(written.equals(Buffer.concat(chunks)))
    })))
})
