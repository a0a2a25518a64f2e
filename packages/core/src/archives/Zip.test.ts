import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { modifiedSeconds, planOf, virtual } from "../../test/ZeroArchive.ts"
import { readZip } from "../../test/ZipReader.ts"
import * as Zip from "./Zip.ts"
import * as ZipPlan from "./ZipPlan.ts"

const GiB = 1024 ** 3
const crcOf = (sizeBytes: number) => (sizeBytes * 2_654_435_761) >>> 0

const sizes = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }),
  fc.integer({ min: 0, max: 12 * GiB }),
  fc.constantFrom(0, 0xfffffffe, 0xffffffff, 0x100000000)
)

const files = fc.array(
  fc.record({ name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }), sizeBytes: sizes }),
  { maxLength: 40 }
).map((all) => all.map((file, at) => ({ ...file, name: `${at}${file.name.toWellFormed()}` })))

describe("Zip", () => {
  it("ZIP-4 an archive of any entries is read back as it was planned, to the byte", () => {
    fc.assert(fc.property(files, (given) => {
      const entries = readZip(virtual(given, crcOf))
      assert.deepStrictEqual(
        entries.map(({ crc, modifiedSeconds, name, sizeBytes }) => ({ name, sizeBytes, crc, modifiedSeconds })),
        given.map(({ name, sizeBytes }) => ({ name, sizeBytes, crc: crcOf(sizeBytes), modifiedSeconds }))
      )
    }))
  })

  it.each([
    ["an entry of 4 GiB−2", [{ name: "a", sizeBytes: 0xfffffffe }], [false]],
    ["an entry of 4 GiB−1", [{ name: "a", sizeBytes: 0xffffffff }], [true]],
    [
      "an entry that begins at 4 GiB−2",
      [{ name: "a", sizeBytes: 0xfffffffe - Zip.entryLength({ nameBytes: 1, sizeBytes: 0 }) }, {
        name: "b",
        sizeBytes: 1
      }],
      [false, false]
    ],
    [
      "an entry that begins at 4 GiB−1",
      [{ name: "a", sizeBytes: 0xffffffff - Zip.entryLength({ nameBytes: 1, sizeBytes: 0 }) }, {
        name: "b",
        sizeBytes: 1
      }],
      [false, true]
    ]
  ])("ZIP-4 %s has ZIP64 where a number needs it and nowhere else", (_, given, expected) => {
    assert.deepStrictEqual(readZip(virtual(given, crcOf)).map(({ usesZip64 }) => usesZip64), expected)
  })

  it.each([[65_534, 22], [65_535, 98]])("ZIP-4 an archive of %d entries has an end of %d bytes", (count, endLength) => {
    const given = Array.from({ length: count }, (_, at) => ({ name: String(at), sizeBytes: 0 }))
    const plan = planOf(given)
    assert.strictEqual(plan.totalBytes - plan.centralStarts[count]!, endLength)
    assert.strictEqual(Zip.end(ZipPlan.directory(plan)).length, endLength)
  })

  it("ZIP-4 an archive of nothing is one", () => {
    assert.deepStrictEqual(readZip(virtual([], crcOf)), [])
  })

  it("ZIP-4 any stretch of an archive consists of the things that are there", () => {
    fc.assert(fc.property(files, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const plan = planOf(given)
      const cut = Math.floor(plan.totalBytes * share)
      const whole = [...ZipPlan.pieces(plan, 0, plan.totalBytes)]
      const halves = [...ZipPlan.pieces(plan, 0, cut), ...ZipPlan.pieces(plan, cut, plan.totalBytes)]
      const joined: Array<ZipPlan.Piece> = []
      for (const piece of halves) {
        const last = joined.at(-1)
        if (last?.kind === piece.kind && last.of === piece.of && last.to === piece.from) {
          joined[joined.length - 1] = { ...last, to: piece.to }
        } else joined.push(piece)
      }
      assert.deepStrictEqual(joined, whole)
      assert.strictEqual(whole.reduce((sum, { from, to }) => sum + to - from, 0), plan.totalBytes)
    }))
  })

  it.each([
    ["1969-12-31T23:59:59Z", "1980-01-01T00:00:00"],
    ["2026-09-21T14:13:21Z", "2026-09-21T14:13:20"],
    ["2500-01-01T00:00:00Z", "2107-12-31T23:59:58"]
  ])("ZIP-4 %s is written as DOS can, as %s", (given, expected) => {
    const [time, day] = Zip.dosTime(Date.parse(given) / 1000)
    const two = (number: number) => String(number).padStart(2, "0")
    assert.strictEqual(
      `${(day >> 9) + 1980}-${two((day >> 5) & 15)}-${two(day & 31)}T${two(time >> 11)}:${two((time >> 5) & 63)}:${
        two((time & 31) * 2)
      }`,
      expected
    )
  })
})
