import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as ContentDisposition from "./ContentDisposition.ts"

/** A strict reader of RFC 6266: both names, or undefined for anything it does not allow. */
const read = (header: string) => {
  const found =
    /^attachment; filename="((?:[\x20\x21\x23-\x5b\x5d-\x7e])*)"(?:; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+\-.^_`|~]|%[0-9A-F]{2})*))?$/
      .exec(header)
  if (found === null) return undefined
  const [, plain = "", extended] = found
  return { plain, name: extended === undefined ? plain : decodeURIComponent(extended) }
}

describe("ContentDisposition", () => {
  it.each([
    ["plain.txt", "plain.txt", "plain.txt"],
    ["two words.txt", "two words.txt", "two words.txt"],
    ["it's (1)*.txt", "it's (1)*.txt", "it's (1)*.txt"],
    ["say \"hi\".txt", "say _hi_.txt", "say \"hi\".txt"],
    ["50%41.txt", "50_41.txt", "50%41.txt"],
    ["naïve 漢 😀.txt", "na_ve _ _.txt", "naïve 漢 😀.txt"],
    ["../../etc/passwd", ".._.._etc_passwd", ".._.._etc_passwd"],
    ["a\\b", "a_b", "a_b"],
    ["a\r\nSet-Cookie: x=1", "a__Set-Cookie: x=1", "a__Set-Cookie: x=1"],
    ["..", "___", "___"],
    ["", "_", "_"],
    ["\ud800.txt", "_.txt", "\ufffd.txt"],
    [`${"é".repeat(500)}.txt`, `${"_".repeat(500)}.txt`, `${"é".repeat(500)}.txt`]
  ])("DL-6 %j is offered as %j, and as %j where UTF-8 is understood", (fileName, plain, name) => {
    assert.deepStrictEqual(read(ContentDisposition.attachment(fileName)), { plain, name })
  })

  it("DL-6 whatever the name, the header is one line of its grammar", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (fileName) => {
        const header = ContentDisposition.attachment(fileName)
        const names = read(header)
        assert.isDefined(names, header)
        assert.notMatch(names!.name, /[/\\]|^\.{0,2}$/)
      }),
      { numRuns: 2_000 }
    )
  })

  it("SEC-3 a name made to break out of the header stays inside it", () => {
    const hostile = fc.array(fc.constantFrom("\"", "\\", ";", "\r", "\n", "%", "'", "=", "*", "/", "..", "\u0000", "é"))
    fc.assert(
      fc.property(hostile, (pieces) => {
        assert.isDefined(read(ContentDisposition.attachment(pieces.join(""))))
      }),
      { numRuns: 2_000 }
    )
  })
})
