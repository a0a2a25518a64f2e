import { assert, describe, it } from "@effect/vitest"
import { allowsRange, evaluate, parseDate } from "./Preconditions.ts"

const modified = "Sun, 06 Nov 1994 08:49:37 GMT"
const modifiedMillis = Date.UTC(1994, 10, 6, 8, 49, 37)
const now = Date.UTC(2026, 10, 28)
const [before, same, after] = ["Sun, 06 Nov 1994 08:49:36 GMT", modified, "Sun, 06 Nov 1994 08:49:38 GMT"]

const strong = { etag: `"a"`, lastModifiedMillis: modifiedMillis + 400 }
const weak = { etag: `W/"a"`, lastModifiedMillis: null }

const of = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name]

describe("Preconditions", () => {
  it.each<[name: string, headers: Record<string, string>, ofStrong: string, ofWeak: string]>([
    ["none", {}, "proceed", "proceed"],
    ["If-Match of this", { "if-match": `"a"` }, "proceed", "failed"],
    ["If-Match of another", { "if-match": `"b"` }, "failed", "failed"],
    ["If-Match of a list with this", { "if-match": `"b", "c,d" ,"a"` }, "proceed", "failed"],
    ["If-Match of this, weak", { "if-match": `W/"a"` }, "failed", "failed"],
    ["If-Match of any", { "if-match": " * " }, "proceed", "proceed"],
    ["If-Match without quotes", { "if-match": "a" }, "failed", "failed"],
    ["If-Match of nothing", { "if-match": "" }, "failed", "failed"],
    ["If-None-Match of this", { "if-none-match": `"a"` }, "notModified", "notModified"],
    ["If-None-Match of this, weak", { "if-none-match": `W/"a"` }, "notModified", "notModified"],
    ["If-None-Match of another", { "if-none-match": `"b"` }, "proceed", "proceed"],
    ["If-None-Match of a list with this", { "if-none-match": `"b",W/"a"` }, "notModified", "notModified"],
    ["If-None-Match of a tag that contains this", { "if-none-match": `"x,a", "aa"` }, "proceed", "proceed"],
    ["If-None-Match of any", { "if-none-match": "*" }, "notModified", "notModified"],
    ["If-Modified-Since before", { "if-modified-since": before }, "proceed", "proceed"],
    ["If-Modified-Since the same", { "if-modified-since": same }, "notModified", "proceed"],
    ["If-Modified-Since after", { "if-modified-since": after }, "notModified", "proceed"],
    ["If-Modified-Since no date", { "if-modified-since": "yesterday" }, "proceed", "proceed"],
    ["If-Modified-Since an ISO date", { "if-modified-since": "2026-01-01T00:00:00Z" }, "proceed", "proceed"],
    [
      "If-Modified-Since an impossible day",
      { "if-modified-since": "Thu, 31 Feb 2011 00:00:00 GMT" },
      "proceed",
      "proceed"
    ],
    ["If-Unmodified-Since before", { "if-unmodified-since": before }, "failed", "proceed"],
    ["If-Unmodified-Since the same", { "if-unmodified-since": same }, "proceed", "proceed"],
    ["If-Unmodified-Since after", { "if-unmodified-since": after }, "proceed", "proceed"],
    ["If-Unmodified-Since no date", { "if-unmodified-since": "0" }, "proceed", "proceed"],
    [
      "If-Match wins over If-Unmodified-Since",
      { "if-match": `"a"`, "if-unmodified-since": before },
      "proceed",
      "failed"
    ],
    [
      "If-Match fails in spite of If-Unmodified-Since",
      { "if-match": `"b"`, "if-unmodified-since": after },
      "failed",
      "failed"
    ],
    ["If-Match comes before If-None-Match", { "if-match": `"b"`, "if-none-match": `"a"` }, "failed", "failed"],
    ["If-Match and If-None-Match", { "if-match": `"a"`, "if-none-match": `"a"` }, "notModified", "failed"],
    [
      "If-Unmodified-Since before If-None-Match",
      { "if-unmodified-since": before, "if-none-match": `"a"` },
      "failed",
      "notModified"
    ],
    [
      "If-None-Match of another wins over If-Modified-Since",
      { "if-none-match": `"b"`, "if-modified-since": same },
      "proceed",
      "proceed"
    ],
    [
      "If-None-Match wins over If-Modified-Since",
      { "if-none-match": `"a"`, "if-modified-since": before },
      "notModified",
      "notModified"
    ],
    ["both dates", { "if-unmodified-since": after, "if-modified-since": same }, "notModified", "proceed"]
  ])("STO-42 %s", (_name, headers, ofStrong, ofWeak) => {
    assert.deepStrictEqual([evaluate(of(headers), strong, now), evaluate(of(headers), weak, now)], [ofStrong, ofWeak])
  })

  it.each<[list: string, matches: boolean]>([
    [`"a"`, true],
    [`, "b",, "a" ,`, true],
    [`\t"b"\t,\t"a"`, true],
    [`"b""a"`, false],
    [`"b" "a"`, false],
    [`"a" "b"`, false],
    [`"a";"b"`, false],
    [`x"a"`, false],
    [`"a"x`, false],
    [`"b", a, "a"`, false],
    [`"a", "b`, false],
    [`"a", *`, false],
    [`*, "a"`, false],
    [`w/"b", "a"`, false],
    [`W/ "b", "a"`, false],
    [`"b c", "a"`, false],
    [`"a"\n`, false],
    ["", false],
    [",", false]
  ])("STO-42 a list of tags that is malformed anywhere matches nothing: %s", (list, matches) => {
    const outcomes = ["if-match", "if-none-match"].map((name) => evaluate(of({ [name]: list }), strong, now))
    assert.deepStrictEqual(outcomes, matches ? ["proceed", "notModified"] : ["failed", "proceed"])
  })

  it("STO-42 blanks without an end are read once", () => {
    const blanks = " ".repeat(1_000_000)
    assert.strictEqual(evaluate(of({ "if-match": `${blanks}x"a"` }), strong, now), "failed")
    assert.strictEqual(evaluate(of({ "if-match": `${blanks}"a"${blanks}` }), strong, now), "proceed")
  })

  it.each<[ifRange: string | undefined, ofStrong: boolean, ofWeak: boolean]>([
    [undefined, true, true],
    [`"a"`, true, false],
    [` "a" `, true, false],
    [`"b"`, false, false],
    [`W/"a"`, false, false],
    [same, true, false],
    [before, false, false],
    [after, false, false],
    ["*", false, false],
    ["yesterday", false, false]
  ])("STO-42 a range with If-Range %s", (ifRange, ofStrong, ofWeak) => {
    const header = of(ifRange === undefined ? {} : { "if-range": ifRange })
    assert.deepStrictEqual([allowsRange(header, strong, now), allowsRange(header, weak, now)], [ofStrong, ofWeak])
  })

  it.each<[text: string, millis: number | undefined]>([
    [modified, modifiedMillis],
    ["Sunday, 06-Nov-94 08:49:37 GMT", modifiedMillis],
    ["Sun Nov  6 08:49:37 1994", modifiedMillis],
    ["Saturday, 28-Nov-76 00:00:00 GMT", Date.UTC(2076, 10, 28)],
    ["Saturday, 28-Nov-77 00:00:00 GMT", Date.UTC(1977, 10, 28)],
    ["Tue, 29 Feb 2000 00:00:00 GMT", Date.UTC(2000, 1, 29)],
    ["Mon, 29 Feb 2100 00:00:00 GMT", undefined],
    ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2017, 0, 1)],
    ["Sat, 01 Jan 0050 00:00:00 GMT", -60_589_296_000_000],
    ["Sun, 06 Nov 1994 24:00:00 GMT", undefined],
    ["Sun, 06 Nov 1994 08:60:00 GMT", undefined],
    ["Sun, 06 Nov 1994 08:49:37 PST", undefined],
    ["Sun, 6 Nov 1994 08:49:37 GMT", undefined],
    ["sun, 06 nov 1994 08:49:37 gmt", undefined],
    [`${modified}, ${modified}`, undefined],
    ["", undefined]
  ])("STO-42 the date %s", (text, millis) => assert.strictEqual(parseDate(text, now), millis))
})
