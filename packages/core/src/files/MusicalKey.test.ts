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

  it("SRCH-13 every key is read as it is written", () => {
    for (let key = 0; key < 24; key++) {
      assert.include(Result.getOrThrow(MusicalKey.parse(MusicalKey.format(key))), key)
    }
  })
})
