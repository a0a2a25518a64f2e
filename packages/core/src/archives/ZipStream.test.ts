import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import * as zlib from "node:zlib"
import { planOf } from "../../test/ZeroArchive.ts"
import { ofBytes, readZip } from "../../test/ZipReader.ts"
import { crc32 } from "./TableCrc32.ts"
import type * as Zip from "./Zip.ts"
import * as ZipPlan from "./ZipPlan.ts"
import * as ZipStream from "./ZipStream.ts"

interface File {
  readonly name: string
  readonly bytes: Uint8Array
}

const encoder = new TextEncoder()

/** A source that hands bytes out `chunk` at a time. */
const sourceOf = (files: ReadonlyArray<File>, chunk: number): ZipStream.ZipSource<Zip.Entry & File, never> => ({
  entries: (from, to) =>
    Effect.succeed(
      files.slice(from, to).map((file) => ({
        ...file,
        name: encoder.encode(file.name) as never,
        sizeBytes: file.bytes.length,
        modifiedSeconds: 0
      }))
    ),
  bytes: ({ bytes }, from, to) =>
    Stream.fromIterable(
      Array.from(
        { length: Math.ceil((to - from) / chunk) },
        (_, at) => bytes.subarray(from + at * chunk, Math.min(to, from + (at + 1) * chunk))
      )
    )
})

const sizesOf = (files: ReadonlyArray<File>) => files.map(({ bytes, name }) => ({ name, sizeBytes: bytes.length }))

/** The archive, made in stretches of `partSize`, each of them begun with no more than a checkpoint knows. */
const build = Effect.fnUntraced(function*(files: ReadonlyArray<File>, partSize: number, chunk: number) {
  const plan = planOf(sizesOf(files))
  const parts: Array<Uint8Array> = []
  let known = new Uint32Array(files.length)
  for (let from = 0; from < plan.totalBytes; from += partSize) {
    const to = Math.min(plan.totalBytes, from + partSize)
    const crcs = known.slice()
    const source = sourceOf(files, chunk)
    parts.push(yield* Stream.mkUint8Array(ZipStream.stretch({ plan, source, crcs, crc32, from, to })))
    // Those after the one the part ends in are not known yet.
    known = crcs.map((crc, at) => at <= ZipPlan.entryAt(plan, to) ? crc : 0xbad)
  }
  return new Uint8Array(Buffer.concat(parts))
})

describe("ZipStream", () => {
  it.effect("ZIP-4 ZIP-8 made in any parts, by any reads, an archive is the same and holds the files as they are", () => {
    const file = fc.record({ name: fc.string({ maxLength: 8 }), bytes: fc.uint8Array({ maxLength: 300 }) })
    return Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(file, { maxLength: 12 }),
          fc.integer({ min: 1, max: 2_000 }),
          fc.integer({ min: 1, max: 400 }),
          async (files, partSize, chunk) => {
            const whole = await Effect.runPromise(build(files, Number.MAX_SAFE_INTEGER, 1_000))
            assert.deepStrictEqual(await Effect.runPromise(build(files, partSize, chunk)), whole)
            const entries = readZip(ofBytes(whole))
            assert.strictEqual(entries.length, files.length)
            for (const [at, { crc, dataOffset, sizeBytes }] of entries.entries()) {
              assert.deepStrictEqual(whole.slice(dataOffset, dataOffset + sizeBytes), files[at]!.bytes)
              assert.strictEqual(crc, zlib.crc32(files[at]!.bytes))
            }
          }
        ),
        { numRuns: 60 }
      )
    )
  })

  it.effect("ZIP-9 large entries pass through as they come, and small ones in blocks of a megabyte at most", () =>
    Effect.gen(function*() {
      const files = [
        { name: "large", bytes: new Uint8Array(5_000_000) },
        ...Array.from({ length: 3_000 }, (_, at) => ({ name: `small ${at}`, bytes: new Uint8Array(2_000) }))
      ]
      const plan = planOf(sizesOf(files))
      const crcs = new Uint32Array(files.length)
      const sizes = (yield* Stream.runCollect(
        ZipStream.stretch({ plan, source: sourceOf(files, 65_536), crcs, crc32, from: 0, to: plan.totalBytes })
      )).map((bytes) => bytes.length)
      assert.strictEqual(sizes.reduce((sum, size) => sum + size, 0), plan.totalBytes)
      assert.isAtMost(Math.max(...sizes), 1024 * 1024)
      assert.isBelow(sizes.length, 120)
    }))

  it.effect("ZIP-10 a source that fails fails the stretch", () =>
    Effect.gen(function*() {
      const files = [{ name: "a", bytes: new Uint8Array(10) }]
      const plan = planOf(sizesOf(files))
      const source: ZipStream.ZipSource<Zip.Entry, string> = {
        ...sourceOf(files, 10),
        bytes: () => Stream.fail("away")
      }
      const failed = yield* Stream.runDrain(
        ZipStream.stretch({ plan, source, crcs: new Uint32Array(1), crc32, from: 0, to: plan.totalBytes })
      ).pipe(Effect.flip)
      assert.strictEqual(failed, "away")
    }))
})
