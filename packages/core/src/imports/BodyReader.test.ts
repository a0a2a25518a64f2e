import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import * as BodyReader from "./BodyReader.ts"

const KiB = 1024

/** Bytes that differ from place to place, cut into chunks of these lengths. */
const chunked = (lengths: ReadonlyArray<number>) => {
  let at = 0
  return lengths.map((length) => Uint8Array.from({ length }, () => at++ * 31 % 251))
}

const readerOf = (chunks: ReadonlyArray<Uint8Array>) =>
  BodyReader.make(Stream.fromIterable(chunks, { chunkSize: 7 }), () => Effect.void)

/** Every block of this size, to the end. */
const blocksOf = Effect.fnUntraced(function*(chunks: ReadonlyArray<Uint8Array>, sizeBytes: number) {
  const reader = yield* readerOf(chunks)
  const blocks: Array<BodyReader.Block> = []
  do blocks.push(yield* reader.take(sizeBytes))
  while (!blocks.at(-1)!.isLast)
  return blocks
})

const joined = (chunks: ReadonlyArray<Uint8Array>) => Buffer.concat(chunks)

describe("BodyReader", () => {
  it.effect("IMP-16 what comes a byte at a time is held in as few chunks as if it came at once", () =>
    Effect.gen(function*() {
      const bytes = chunked(Array.from({ length: 200 * KiB }, () => 1))
      const blocks = yield* blocksOf(bytes, 150 * KiB)
      assert.deepStrictEqual(blocks.map(({ isLast, sizeBytes }) => [sizeBytes / KiB, isLast]), [[150, false], [
        50,
        true
      ]])
      for (const { chunks } of blocks) assert.isAtMost(chunks.length, 4)
      const held = new Set(blocks.flatMap(({ chunks }) => chunks.map(({ buffer }) => buffer)))
      assert.isAtMost([...held].reduce((sum, { byteLength }) => sum + byteLength, 0), 256 * KiB)
      assert.isTrue(joined(blocks.flatMap(({ chunks }) => chunks)).equals(joined(bytes)))
    }))

  it.effect.prop(
    "IMP-9 blocks are what came, however it was cut",
    [
      Schema.Array(Schema.Literals([0, 1, 2, 700, 4 * KiB - 1, 4 * KiB, 9_000, 70_000])),
      Schema.Literals([1_000, 4 * KiB, 50_000, 100_000])
    ],
    ([lengths, sizeBytes]) =>
      Effect.gen(function*() {
        const given = chunked(lengths)
        const blocks = yield* blocksOf(given, sizeBytes)
        assert.isTrue(joined(blocks.flatMap(({ chunks }) => chunks)).equals(joined(given)))
        for (const { chunks, isLast, sizeBytes: has } of blocks) {
          assert.strictEqual(joined(chunks).length, has)
          assert.isTrue(isLast ? has <= sizeBytes : has === sizeBytes)
        }
      }).pipe(Effect.scoped)
  )
})
