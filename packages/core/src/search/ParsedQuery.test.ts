import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Checked from "../../test/Checked.ts"
import * as ParsedQuery from "./ParsedQuery.ts"
import { decode, type SearchRequest } from "./SearchQuery.ts"

const parsed = (query: Checked.Search) => ParsedQuery.parse(Checked.search(query))

describe("ParsedQuery", () => {
  it("SRCH-16, SRCH-17 without fields it filters nothing and sorts by newest", () => {
    assert.deepStrictEqual(parsed({}), {
      terms: [],
      types: null,
      foldedTags: [],
      foldedPath: null,
      keys: null,
      sort: "newest"
    })
  })

  it.each<[types: Checked.Search["types"], type: Checked.Search["type"], both: ParsedQuery.ParsedQuery["types"]]>([
    [undefined, undefined, null],
    [[], undefined, null],
    [["Video", "Image", "Video"], undefined, ["Image", "Video"]],
    [undefined, "Image", ["Image"]],
    [["Video", "Image"], "Image", ["Image"]],
    [["Video"], "Image", []]
  ])("SRCH-16 types %j and type %j are %j", (types, type, both) => {
    const query = { ...types === undefined ? {} : { types }, ...type === undefined ? {} : { type } }
    assert.deepStrictEqual(parsed(query).types, both)
  })

  it("SRCH-12 tags are folded and sorted, and each is asked for once", () => {
    assert.deepStrictEqual(parsed({ tags: [" Rock", "jazz", "ROCK "] }).foldedTags, ["jazz", "rock"])
  })

  it("SRCH-12 a tag longer than any is cut before it is folded", () => {
    assert.isAtMost(parsed({ tags: ["a".repeat(100_000)] }).foldedTags[0]!.length, 1_000)
  })

  it.each<[folder: string, foldedPath: string | null]>([
    ["/", null],
    ["/Music/Live", "/music/live"],
    ["/MUSIC/live", "/music/live"]
  ])("SRCH-11 the folder %s is %s", (folder, foldedPath) => {
    assert.strictEqual(parsed({ folder }).foldedPath, foldedPath)
  })

  it("SRCH-4, SRCH-13 text without words filters nothing, and a key without a mode means both modes", () => {
    assert.deepStrictEqual(parsed({ text: " -- " }).terms, [])
    assert.lengthOf(parsed({ key: "A" }).keys!, 2)
    assert.lengthOf(parsed({ key: "Am" }).keys!, 1)
  })

  it("SRCH-15 ranges, the box and access stay as they are", () => {
    const rest = { minSize: 1, maxTempo: 120, isPublic: true, within: { south: 0, west: 170, north: 1, east: -170 } }
    assert.deepInclude(parsed({ ...rest, limit: 5, offset: 10 }), rest)
    assert.notProperty(parsed({ limit: 5, offset: 10 }), "limit")
  })

  it("SRCH-18 queries that ask for the same are equal, so that their pages are found again", () => {
    const one = parsed({ tags: ["b", "a"], types: ["Video", "Image"], text: "Tram" })
    assert.strictEqual(
      JSON.stringify(one),
      JSON.stringify(parsed({ types: ["Image", "Video"], tags: ["A", "b"], text: "tram" }))
    )
  })

  it.each<[query: SearchRequest, field: string]>([
    [{ folder: "Music" }, "folder"],
    [{ key: "H#" }, "key"]
  ])("SRCH-13, SRCH-20 %j is no query: its field is refused", (query, field) => {
    assert.deepInclude(Effect.runSync(Effect.flip(decode(query))), { code: "invalid_field", field })
  })
})
