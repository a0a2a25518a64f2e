import { assert, describe, it } from "@effect/vitest"
import { OwnedBuffers } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
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
})
