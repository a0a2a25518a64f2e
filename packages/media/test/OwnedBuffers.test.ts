import { assert, describe, it } from "@effect/vitest"
import { OwnedBuffers } from "@filedrive/core"
import { Effect, Stream } from "effect"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { awaited, quadrants } from "./PictureFixtures.ts"

describe("bytes that are handed to a decoder", () => {
  it.live("MEDIA-50 are freed then, and those that others hold are not", () =>
    Effect.scoped(Effect.gen(function*() {
      const sandbox = yield* Sandbox.make({ processes: 1 })
      const picture = yield* awaited(() => quadrants().jpeg().toBuffer())
      for (const isOwn of [true, false]) {
        const chunks = [picture.subarray(0, 100), picture.subarray(100)].map((bytes) => {
          const chunk = new Uint8Array(bytes)
          return isOwn ? OwnedBuffers.asOwned(chunk) : chunk
        })
        const content = { sizeBytes: picture.length, bytes: Stream.fromIterable(chunks) }
        const { height, width } = yield* sandbox.run("still", { maxSide: 360, fileName: "a file" }, content)
        assert.isAbove(width * height, 0)
        assert.deepStrictEqual(
          chunks.map(({ byteLength }) => byteLength),
          isOwn ? [0, 0] : [100, picture.length - 100]
        )
      }
    })), 60_000)
})
