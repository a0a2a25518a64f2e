import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as MusicalKey from "./MusicalKey.ts"

describe("MusicalKey", () => {
  it.each([
    ["Am", ["Am"]],
    ["A minor", ["Am"]],
    ["A min", ["Am"]],
    ["a MINOR", ["Am"]],
    ["a-moll", ["Am"]],
    ["AM", ["A"]],
    ["F#", ["F#", "F#m"]],
    ["F♯", ["F#", "F#m"]],
    ["f sharp", ["F#", "F#m"]],
    ["Gb", ["F#", "F#m"]],
    ["B♭m", ["A#m"]],
    ["Bb minor", ["A#m"]],
    ["bb", ["A#", "A#m"]],
    ["b", ["B", "Bm"]],
    ["bm", ["Bm"]],
    ["B-flat  minor ", ["A#m"]],
    ["Cb", ["B", "Bm"]],
    ["B#", ["C", "Cm"]],
    ["E#maj", ["F"]],
    ["C major", ["C"]],
    ["Cmaj", ["C"]]
  ])("SRCH-13 %s is read as %s", (text, keys) => {
    assert.deepStrictEqual(Result.getOrThrow(MusicalKey.parse(text)).map(MusicalKey.format), keys)
  })

  it.each(["", "H", "A minorish", "Abc", "#", "m", "8A", "A##", "C maj min", "A'; DROP TABLE"])(
    "SRCH-13 %j is no key",
    (text) => {
      assert.isTrue(Result.isFailure(MusicalKey.parse(text)))
    }
  )

  it.each([
    ["8B", "C"],
    ["8A", "Am"],
    ["1A", "G#m"],
    ["12b", "E"],
    ["5A", "Cm"],
    ["1d", "C"],
    ["1m", "Am"],
    ["12d", "F"],
    ["6m", "G#m"],
    ["Bb minor", "A#m"],
    ["Ebm", "D#m"],
    ["C", "C"],
    [" F#m ", "F#m"],
    ["5B - Eb", "D#"],
    ["5A - Cm", "Cm"],
    ["8A - Am", "Am"],
    ["08A", "Am"],
    ["Am - 8A", "Am"],
    ["8A/Am", "Am"],
    ["Am (8A)", "Am"],
    ["8A - Energy 7", "Am"],
    ["8A - 7", "Am"],
    ["1m - Am", "Am"],
    ["Eb 5B", "D#"],
    ["D♯/E♭ Minor", "D#m"],
    ["8A/9A", "Am"],
    ["Am/C", "Am"]
  ])("MEDIA-3 a tag of %s is %s", (tag, key) => {
    assert.strictEqual(MusicalKey.format(MusicalKey.ofTag(tag)!), key)
  })

  it.each(["", "0A", "13B", "8", "o", "8C", "n/a", "All", "13B - X", "a - z", "A tune"])(
    "MEDIA-3 a tag of %j names no key",
    (tag) => {
      assert.isNull(MusicalKey.ofTag(tag))
    }
  )

  it("MEDIA-3 the wheels name every key once", () => {
    for (const [minor, major] of ["AB", "md"]) {
      const tags = Array.from({ length: 12 }, (_, at) => [`${at + 1}${minor}`, `${at + 1}${major}`]).flat()
      assert.strictEqual(new Set(tags.map(MusicalKey.ofTag)).size, 24)
    }
  })

  it("SRCH-13 every key is read as it is written", () => {
    for (let key = 0; key < 24; key++) {
      assert.include(Result.getOrThrow(MusicalKey.parse(MusicalKey.format(key))), key)
    }
  })
})
