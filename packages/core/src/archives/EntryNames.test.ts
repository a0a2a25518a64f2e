import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { entryNames } from "../../test/entryNames.ts"
import { foldCase, utf8Length } from "../shared/Text.ts"
import { segment } from "./EntryNames.ts"

const names = (...fileNames: ReadonlyArray<string>) =>
  entryNames(fileNames.map((fileName) => ({ fileName, folderPath: null })))

describe("EntryNames", () => {
  it.each([
    ["plain.jpg", "plain.jpg"],
    ["日本 ü 🎉.png", "日本 ü 🎉.png"],
    ["e\u0301.txt", "é.txt"],
    ["../../etc/passwd", ".._.._etc_passwd"],
    ["/abs", "_abs"],
    ["C:\\boot.ini", "C__boot.ini"],
    ["a*b?c\"d<e>f|g:h", "a_b_c_d_e_f_g_h"],
    ["line\nfeed\u0000\u007f\u009f", "line_feed___"],
    ["..", "_"],
    [".", "_"],
    ["...", "_"],
    ["", "_"],
    ["   ", "_"],
    ["ends in dots...", "ends in dots"],
    ["ends in blanks  ", "ends in blanks"],
    [".hidden", ".hidden"],
    ["con", "_con"],
    ["NUL.txt", "_NUL.txt"],
    ["com1.tar.gz", "_com1.tar.gz"],
    ["LPT³", "_LPT³"],
    ["aux .c", "_aux .c"],
    ["console.txt", "console.txt"],
    ["\ud800lone", "\ufffdlone"],
    [`${"x".repeat(300)}.jpg`, `${"x".repeat(251)}.jpg`],
    [`${"ü".repeat(300)}.jpg`, `${"ü".repeat(125)}.jpg`],
    ["🎉".repeat(100), "🎉".repeat(63)]
  ])("ZIP-5 %j becomes a name that every system takes", (given, expected) => {
    assert.strictEqual(segment(given), expected)
  })

  it("ZIP-5 folders keep their paths, each name of them made safe", () => {
    assert.deepStrictEqual(
      entryNames([
        { folderPath: "/A/B", fileName: "x.txt" },
        { folderPath: null, fileName: "y.txt" },
        { folderPath: "/con/a:b/..", fileName: "z.txt" }
      ]),
      ["A/B/x.txt", "y.txt", "_con/a_b/_/z.txt"]
    )
  })

  it("ZIP-6 names that are one where case and accents' spelling don't matter get numbers before their extension", () => {
    assert.deepStrictEqual(
      names("a.jpg", "A.JPG", "a (2).jpg", "é", "e\u0301", "E\u0301", "a.jpg", "x.tar.gz", "x.tar.gz", ".git", ".git"),
      [
        "a.jpg",
        "A (2).JPG",
        "a (2) (2).jpg",
        "é",
        "é (2)",
        "É (3)",
        "a (3).jpg",
        "x.tar.gz",
        "x.tar (2).gz",
        ".git",
        ".git (2)"
      ]
    )
  })

  it("ZIP-6 no file is called like a folder", () => {
    assert.deepStrictEqual(
      entryNames([{ folderPath: null, fileName: "a" }, { folderPath: "/A/b", fileName: "c" }, {
        folderPath: "/A",
        fileName: "B"
      }]),
      ["a (2)", "A/b/c", "A/B (2)"]
    )
  })

  it("ZIP-6 ten thousand files of one long name are told apart, quickly", () => {
    const made = names(...Array.from({ length: 10_000 }, () => `${"n".repeat(300)}.bin`))
    assert.strictEqual(new Set(made).size, 10_000)
    assert.isTrue(made.every((name) => utf8Length(name) <= 255 && name.endsWith(".bin")))
  })

  it("ZIP-5 ZIP-6 whatever files are called, their names are safe and no two the same", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("a", "A", "..", "con.txt", "a (2)", "x.jpg", "X.JPG", "\u202e", "e\u0301", "é")
    )
    const folder = fc.option(fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`))
    const files = fc.array(fc.record({ fileName: part, folderPath: folder }), { maxLength: 30 })
    fc.assert(fc.property(files, (given) => {
      const made = entryNames(given)
      assert.strictEqual(new Set(made.map(foldCase)).size, given.length)
      for (const name of made) {
        for (const each of name.split("/")) {
          assert.isAtMost(utf8Length(each), 255)
          assert.notMatch(
            each,
            // oxlint-disable-next-line no-control-regex
            /[\u0000-\u001f\u007f-\u009f\\:*?"<>|]|^\.*$|[. ]$|^(con|nul|aux|prn|com\d|lpt\d)(\.|$)/i
          )
          assert.isTrue(each.isWellFormed() && each.normalize("NFC") === each)
        }
      }
      const files = new Set(made.map(foldCase))
      const folders = made.flatMap((name) =>
        [...name.matchAll(/\//g)].map(({ index }) => foldCase(name.slice(0, index)))
      )
      assert.isFalse(folders.some((path) => files.has(path)))
    }))
  })
})
