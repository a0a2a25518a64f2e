import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { encoded, song } from "../../test/Prints.ts"
import { AccountId } from "../shared/Ids.ts"
import * as Soundprint from "./Soundprint.ts"

const account = AccountId.make("019845e1-682f-7b02-a706-3b2422d13aff")
const other = AccountId.make("019845e1-682f-7b02-a706-3b2422d13afe")

const print = (numbers: ReadonlyArray<number>) => {
  const made = Soundprint.make(numbers)
  assert.isNotNull(made)
  return made!
}

const compare = (one: ReadonlyArray<number>, two: ReadonlyArray<number>) => Soundprint.compare(print(one), print(two))

const sharedKeys = (one: ReadonlyArray<number>, two: ReadonlyArray<number>) => {
  const keys = new Set(Soundprint.keys(account, print(one)))
  return Soundprint.keys(account, print(two)).filter((key) => keys.has(key)).length
}

describe("Soundprint", () => {
  it("MEDIA-30 a recording is known by another encoding of it, another song is not", () => {
    fc.assert(
      fc.property(fc.nat(9_999), fc.double({ min: 0, max: 0.05, noNaN: true }), (seed, errors) => {
        const similarity = compare(song(seed), encoded(song(seed), errors))
        assert.closeTo(similarity ?? 0, 1 - 2 * errors, 0.02)
        assert.isNull(compare(song(seed), song(seed + 10_000)))
      }),
      { numRuns: 60 }
    )
    assert.strictEqual(compare(song(1), song(1)), 1)
  })

  it("MEDIA-31 wherever in either it begins, as long as enough of it is in both", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 550 }), fc.boolean(), (cut, isSwapped) => {
        const [one, two] = [song(3), encoded(song(3), 0.01).slice(cut)]
        const similarity = isSwapped ? compare(two, one) : compare(one, two)
        assert.isAbove(similarity ?? 0, 0.9)
        // Begun later and ended earlier.
        assert.isNotNull(compare(song(3).slice(0, 700), two.slice(0, 700)))
      }),
      { numRuns: 60 }
    )
    assert.isNull(compare(song(3).slice(0, 500), song(3).slice(420)), "80 numbers of 480 are no recording")
  })

  it("MEDIA-31 a short track is compared too, more strictly", () => {
    assert.isAbove(compare(song(4, 30), encoded(song(4, 30), 0.01)) ?? 0, 0.9)
    assert.isNull(compare(song(4, 30), encoded(song(4, 30), 0.25)))
    assert.isAbove(
      compare(song(4, 300), encoded(song(4, 300).map((n, i) => i % 3 === 0 ? n : n ^ 0x0f0f0f00), 0)) ?? 0,
      0.3
    )
  })

  it("MEDIA-32 what says nothing of a recording is no soundprint, and a silence in common no likeness", () => {
    const silence = Array.from({ length: 400 }, () => 627_964_279)
    assert.isNull(Soundprint.make([]))
    assert.isNull(Soundprint.make(song(1, 15)))
    assert.isNull(Soundprint.make(silence))
    assert.isNull(Soundprint.make(Array.from({ length: 400 }, (_, index) => index % 8)))
    assert.isNull(compare([...song(5, 300), ...silence], [...silence, ...song(6, 300)]))
    assert.isNull(compare([...silence.slice(0, 100), ...song(5, 300)], [...silence.slice(0, 100), ...song(6, 300)]))
  })

  it("MEDIA-33 the same recording shares keys, other songs and other accounts hardly any", () => {
    assert.isAbove(sharedKeys(song(7), encoded(song(7), 0.01)), 45)
    assert.isAbove(sharedKeys(song(7), encoded(song(7).slice(300), 0.02)), 20)
    assert.isAbove(sharedKeys(song(7), encoded(song(7), 0.08)), 2)
    assert.isBelow(sharedKeys(song(7), song(8)), 2)
    assert.strictEqual(Soundprint.keys(account, print(song(7))).length, Soundprint.keysMaxCount)
    const theirs = new Set(Soundprint.keys(other, print(song(7))))
    assert.isBelow(Soundprint.keys(account, print(song(7))).filter((key) => theirs.has(key)).length, 2)
  })

  it("MEDIA-33 bytes and back", () => {
    fc.assert(fc.property(fc.array(fc.nat(2 ** 32 - 1)), (numbers) => {
      const bytes = Soundprint.encode(Uint32Array.from(numbers))
      assert.deepStrictEqual([...Soundprint.decode(bytes)], numbers)
      // As the database hands them over: part of a larger buffer, at any place in it.
      const shifted = new Uint8Array(bytes.length + 3).subarray(3)
      shifted.set(bytes)
      assert.deepStrictEqual([...Soundprint.decode(shifted)], numbers)
    }))
  })
})
