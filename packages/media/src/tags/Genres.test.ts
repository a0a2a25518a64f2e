import { assert, describe, it } from "@effect/vitest"
import { genresOf } from "./Genres.ts"
import { tempoOf } from "./tempoOf.ts"

describe("Genres", () => {
  it.each([
    [["Techno (Peak / Time)"], ["Techno (Peak / Time)"]],
    [["Rock (90s) and Pop"], ["Rock (90s) and Pop"]],
    [["House (Deep)", "Techno"], ["House (Deep)", "Techno"]],
    [["(17)"], ["Rock"]],
    [["17"], ["Rock"]],
    [["(17)Rock"], ["Rock"]],
    [["(4)Eurodisco"], ["Disco", "Eurodisco"]],
    [["(51)(39)"], ["Techno-Industrial", "Noise"]],
    [["(RX)"], ["Remix"]],
    [["(CR)(52)"], ["Cover", "Electronic"]],
    [["((Foreword)"], ["(Foreword)"]],
    [["(17)((Live)"], ["Rock", "(Live)"]],
    [["191"], ["Psybient"]],
    [["(255)"], []],
    [["255"], []],
    [["1980"], ["1980"]],
    [["17", "Rock", "rock"], ["Rock"]],
    [["(Live"], ["(Live"]],
    [["()"], ["()"]],
    [[""], []]
  ])("MEDIA-93 the genre of %j is %j", (written, genres) => {
    assert.deepStrictEqual(genresOf(written), genres)
  })

  it.each([
    ["128", 128],
    ["128.5", 128.5],
    ["128,5", 128.5],
    [" 174.00 BPM", 174],
    ["0", null],
    ["0.0", null],
    ["fast", null],
    ["", null]
  ])("MEDIA-93 a tempo of %j is %s", (written, tempo) => {
    assert.strictEqual(tempoOf(written), tempo)
  })
})
