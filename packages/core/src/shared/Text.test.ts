import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Archive from "../archives/Archive.ts"
import * as ImportedFile from "../bulk/ImportedFile.ts"
import * as ToolFacts from "../facts/ToolFacts.ts"
import { FileName } from "../files/FileDetail.ts"
import * as RemoteName from "../imports/RemoteName.ts"
import * as List from "../organize/List.ts"
import * as Tag from "../organize/Tag.ts"
import { noFacts } from "../ports/MediaTools.ts"
import * as FolderPath from "./FolderPath.ts"
import * as Given from "./Given.ts"
import { AccountId } from "./Ids.ts"
import { Line, LineOfBytes, nameFlaw, withoutHidden } from "./Text.ts"

/** The directional marks, and what has no width. */
const hidden = [
  "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
  "\u200b\u2060\u2061\u2064\ufeff\u00ad\u180e\u2028\u2029\u3164\uffa0\u115f\u206a\ufff9\u{e0001}\u{e0041}"
].flatMap((marks) => [...marks])

const sentence = "must not contain invisible characters or marks that turn the direction of text"

const shown = [
  "naïve – “quoted” 文件 файл.txt",
  "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.pdf",
  "\u0915\u094d\u200d\u0937 \u0dc1\u0dca\u200d\u0dbb\u0dd3",
  "👨‍👩‍👧 ❤️‍🔥 👩🏽‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "\u0600\u0661 \u05e9\u05dc\u05d5\u05dd.txt",
  "narrow\u202fspace"
]

/** What every kind of name is. */
const names = [
  FileName,
  Line,
  Tag.TagText,
  List.ListTitle,
  Archive.ArchiveTitle,
  FolderPath.FolderName
]

/** What is wrong with a text, or undefined when it is taken. */
const flawOf = (schema: Schema.Codec<unknown, unknown>, text: string) =>
  Result.match(Given.reader(schema)(text), { onFailure: ({ because }) => because, onSuccess: () => undefined })

describe("names", () => {
  it("UP-70 hold nothing that is not seen or turns the direction of text", () => {
    for (const mark of [...hidden, "\u200c", "\u200d"]) {
      const code = mark.codePointAt(0)!.toString(16)
      const name = `photo${mark}gpj.exe`
      assert.strictEqual(nameFlaw(name), sentence, code)
      assert.strictEqual(withoutHidden(name), "photogpj.exe", code)
      for (const schema of names) assert.strictEqual(flawOf(schema, name), sentence, code)
      assert.strictEqual(flawOf(FolderPath.Path, `/a/${name}`), sentence, code)
    }
  })

  it("UP-73 show something: blanks and what nobody sees are no name, in the same words everywhere", () => {
    const blank = [
      " ",
      "\u00a0\u2003\u3000",
      "\u2800",
      "\u2800 \u2800",
      "\ufffe",
      "\u{1ffff}",
      "\u{e0100}",
      "\ufe0f",
      "\u{1d159}"
    ]
    for (const name of blank) {
      const code = name.codePointAt(0)!.toString(16)
      const sentence = "must contain at least one visible character"
      assert.strictEqual(nameFlaw(name), sentence, code)
      for (const schema of names) assert.strictEqual(flawOf(schema, name), sentence, code)
      assert.strictEqual(flawOf(FolderPath.Path, `/a/${name}`), sentence, code)
      const said = `filename*=UTF-8''${encodeURIComponent(name)}`
      assert.strictEqual(RemoteName.of(`attachment; ${said}`, "https://a.example/b", "x/y"), "b")
    }
    // A character of a later Unicode, one of private use, marks and signs are seen, and so is what has blanks about it.
    for (const name of ["\u{1faff}", "\uf8ff", "\u0301", "\u0600", " a ", "\u2800a", ".", "_"]) {
      assert.isUndefined(nameFlaw(name), name.codePointAt(0)!.toString(16))
    }
  })

  it("UP-70 keep every character that is seen, and joiners where writing needs them", () => {
    for (const name of shown) {
      assert.isUndefined(nameFlaw(name), name)
      assert.strictEqual(withoutHidden(name), name)
      assert.isTrue(Result.isSuccess(Schema.decodeUnknownResult(FileName)(name)), name)
    }
  })

  it("UP-105 hold no default-ignorable character at their beginning, or where it chooses no form", () => {
    const ignorable: Array<string> = []
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code)
      if (/\p{Default_Ignorable_Code_Point}/u.test(character)) ignorable.push(character)
    }
    assert.isAbove(ignorable.length, 4_000)
    for (const mark of ignorable) {
      const code = mark.codePointAt(0)!.toString(16)
      for (
        const name of [`${mark}photo`, `photo${mark}.jpg`, `1${mark}.jpg`, `漢${mark}${mark}字`, `❤${mark}${mark}`]
      ) {
        assert.strictEqual(nameFlaw(name), sentence, `${code} in ${name}`)
        assert.notInclude(withoutHidden(name), mark.repeat(2), code)
      }
      assert.isDefined(nameFlaw(mark), code)
      assert.strictEqual(withoutHidden(`${mark}photo${mark}`), "photo", code)
    }
    for (
      const name of [
        "葛\u{e0100}城",
        "❤\ufe0f",
        "❤\ufe0e",
        "1\ufe0f\u20e3",
        "\u2229\ufe00",
        "\u3001\ufe01",
        "\ua840\ufe00"
      ]
    ) {
      assert.isUndefined(nameFlaw(name), name)
      assert.strictEqual(withoutHidden(name), name)
    }
  })

  // What takes time that grows with the square of these lengths ends this test by its timeout.
  it("HOSTILE-60 texts of any length are looked through in time that grows with their length", () => {
    for (const part of ["\u{e0041}", "\u{e007f}", "\u200d", "\ufe0f", "\u0301\u0316", "\u00ad", " "]) {
      const text = "\u{1f3f4}" + part.repeat(500_000)
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(LineOfBytes(1, 255))(text)))
      nameFlaw(text)
      withoutHidden(text)
    }
  })

  it("UP-70 lose such characters where a server, a file or an import tells them", () => {
    for (const mark of hidden) {
      const said = `filename*=UTF-8''${encodeURIComponent(`photo${mark}gpj.exe`)}`
      assert.strictEqual(RemoteName.of(`attachment; ${said}`, "https://a.example/", "x/y"), "photogpj.exe")
      const text = `a${mark}b`
      const facts = { title: text, artists: [text, mark], album: text, genre: text, camera: mark }
      const wanted = { title: "ab", artists: ["ab"], album: "ab", genre: "ab", camera: null }
      assert.deepInclude(ToolFacts.stored({ ...noFacts, ...facts }, null), wanted)
      const id = AccountId.make("019a0000-0000-7000-8000-000000000001")
      const row = { objectKey: `users/${id}/a`, storedAs: "a", fileName: "a", type: "Audio", fileSize: 1, media: facts }
      const prepared = Result.getOrThrow(ImportedFile.prepare(id, row, 0, new Date(0)))
      assert.deepInclude(prepared.media as object, wanted)
    }
  })
})
