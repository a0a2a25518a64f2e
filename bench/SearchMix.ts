/**
 * Searches as people make them, over every field and sort, and the nasty ones among them: for the benchmark and for
 * the test that none of them scans a table. They speak of a library as `library/Shape.ts` makes one.
 */
import type { SearchQuery } from "@filedrive/core"

/** What of the library the mix is about. */
export interface MixLibrary {
  readonly files: number
  /** Paths of folders. The first few hold most of the others. */
  readonly folders: ReadonlyArray<string>
}

export type MixedQuery = readonly [name: string, query: SearchQuery.SearchRequest]

export const searchMix = ({ files, folders }: MixLibrary): ReadonlyArray<MixedQuery> => {
  const depth = (path: string) => path.split("/").length - 1
  const large = folders[0]!
  const middle = folders.find((path) => depth(path) === 2) ?? large
  const deep = folders.reduce((one, other) => depth(other) > depth(one) ? other : one, large)
  const at = (share: number) => Math.floor(files * share)
  return [
    ["newest", {}],
    ["newest, some pages on", { offset: 500 }],
    ["newest, a tenth in", { offset: at(0.1) }],
    ["newest, nearly all the way in", { offset: at(0.9) }],
    ["oldest", { sort: "oldest" }],
    ["largest", { sort: "largest" }],
    ["smallest, a tenth in", { sort: "smallest", offset: at(0.1) }],
    ["by name", { sort: "name" }],
    ["by name, half way in", { sort: "name", offset: at(0.5) }],
    ["a page of 200", { limit: 200 }],

    ["a common word", { text: "vacation" }],
    ["a very common word", { text: "img" }],
    ["a rare word", { text: "befi" }],
    ["two common words", { text: "vacation beach" }],
    ["a common and a rare word", { text: "vacation befi" }],
    ["three words", { text: "img vacation beach" }],
    ["two words that are hardly together", { text: "img flac" }],
    ["a word nothing has", { text: "qqqqzz" }],
    ["the beginning of a word", { text: "vacat" }],
    ["two letters", { text: "ve" }],
    ["one letter", { text: "x" }],
    ["two letters nothing begins with", { text: "qz" }],
    ["two beginnings of many words", { text: "ma be" }],
    ["a pasted file name", { text: "IMG_20210304_101112.jpg" }],
    ["a word and a month in a name", { text: "img 201803" }],
    ["a year", { text: "2019" }],
    ["a word by name", { text: "vacation", sort: "name" }],
    ["a word, 200 pages in", { text: "vacation", offset: 10_000 }],
    ["two words, largest", { text: "beach remix", sort: "largest" }],
    ["words, a page of 200", { text: "vacation", limit: 200 }],

    ["audio", { types: ["Audio"] }],
    ["one type", { type: "Document", sort: "name" }],
    ["video above 1 GB, largest", { types: ["Video"], minSize: 1e9, sort: "largest" }],
    ["a common tag", { tags: ["vacation"] }],
    ["two tags", { tags: ["Vacation", "BEACH"] }],
    ["a tag and a word", { tags: ["beach"], text: "sunset" }],
    ["a tag nobody has", { tags: ["no such tag"] }],
    ["a deep folder", { folder: deep }],
    ["a folder", { folder: middle }],
    ["the largest folder", { folder: large }],
    ["a folder and a word", { folder: middle, text: "beach" }],
    ["a folder and a rare word", { folder: large, text: "befi" }],
    ["a folder by name", { folder: middle, sort: "name" }],
    ["no such folder", { folder: "/No such folder" }],
    ["public", { isPublic: true }],
    ["private, largest", { isPublic: false, sort: "largest" }],

    ["a month, largest", {
      uploadedAfter: "2021-03-01T00:00:00Z",
      uploadedBefore: "2021-04-01T00:00:00Z",
      sort: "largest"
    }],
    ["taken in a week", { takenAfter: "2020-05-01T00:00:00Z", takenBefore: "2020-05-08T00:00:00Z" }],
    ["taken long ago, newest", { takenBefore: "2019-06-01T00:00:00Z" }],
    ["a word, taken long ago", { text: "vacation", takenBefore: "2019-06-01T00:00:00Z" }],
    ["video of two to three minutes", { types: ["Video"], minDuration: 120, maxDuration: 180 }],
    ["longer than any", { minDuration: 4_003 }],
    ["tempo and key", { minTempo: 120, maxTempo: 125, key: "Am" }],
    ["a key in either mode", { key: "F#" }],
    ["a key no image has", { types: ["Image"], key: "F#" }],
    ["a city", { within: { south: 48.5, west: 2, north: 49.2, east: 2.8 } }],
    ["over the antimeridian", { within: { south: -25, west: 170, north: -10, east: -165 } }],
    ["a continent and a word", { within: { south: -40, west: -120, north: 60, east: 20 }, text: "beach" }],
    ["above 30 GB", { minSize: 30e9 }],
    ["rare, large and old", { types: ["Archive"], uploadedBefore: "2019-01-01T00:00:00Z", minSize: 9.9e8 }],
    ["a word, a type and a month", {
      text: "beach",
      types: ["Image"],
      uploadedAfter: "2022-06-01T00:00:00Z",
      uploadedBefore: "2022-07-01T00:00:00Z"
    }],
    ["everything at once", {
      text: "vacation",
      types: ["Video", "Image"],
      tags: ["beach"],
      uploadedAfter: "2019-01-01T00:00:00Z",
      uploadedBefore: "2025-01-01T00:00:00Z",
      minSize: 1e5,
      within: { south: -60, west: -180, north: 80, east: 180 },
      sort: "largest"
    }]
  ]
}
