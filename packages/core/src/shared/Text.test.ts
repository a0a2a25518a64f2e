import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as AccountInput from "../accounts/AccountInput.ts"
import * as Archive from "../archives/Archive.ts"
import * as ImportedFile from "../bulk/ImportedFile.ts"
import * as ToolFacts from "../facts/ToolFacts.ts"
import { FileName } from "../files/FileDetail.ts"
import * as RemoteName from "../imports/RemoteName.ts"
import * as List from "../organize/List.ts"
import * as Tag from "../organize/Tag.ts"
import { noFacts } from "../ports/MediaTools.ts"
import * as Drop from "../requests/Drop.ts"
import * as Request from "../requests/Request.ts"
import * as ReviewNote from "../reviews/ReviewNote.ts"
import * as FolderPath from "./FolderPath.ts"
import * as Given from "./Given.ts"
import { AccountId } from "./Ids.ts"
import { LineOfBytes, LineOfLength, nameFlaw, withoutOverrides } from "./Text.ts"

/** Overrides, embeddings and isolates of direction. */
const overrides = [..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]

/** Format characters that files of phones, chats and word processors have in their names, and others that nobody draws. */
const kept = [
  ..."\u200b\u200c\u200d\u200e\u200f\u061c\u00ad\ufeff\u2060\u2061\u180e\u034f\u115f\u3164\ufe0f\ufe0e\u206a\ufff9\u{e0001}\u{e0041}\u{e0100}"
]

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
  LineOfLength(1, 255),
  Tag.TagText,
  List.ListTitle,
  Archive.ArchiveTitle,
  FolderPath.FolderName,
  Request.RequestTitle,
  Drop.SenderName,
  ReviewNote.ReviewerName,
  AccountInput.TokenName
]

const read = (schema: Schema.Codec<unknown, unknown>, text: string) => Given.reader(schema)(text)

/** What is wrong with a text, or undefined when it is taken. */
const flawOf = (schema: Schema.Codec<unknown, unknown>, text: string) =>
  Result.match(read(schema, text), { onFailure: ({ because }) => because, onSuccess: () => undefined })

describe("names", () => {
  it("UP-70 lose overrides and isolates of direction wherever they stand, and nothing else", () => {
    for (const mark of overrides) {
      const code = mark.codePointAt(0)!.toString(16)
      for (const schema of names) {
        assert.strictEqual(Result.getOrThrow(read(schema, `${mark}photo${mark}gpj.exe${mark}`)), "photogpj.exe", code)
      }
      assert.strictEqual(Result.getOrThrow(read(FolderPath.Path, `/a${mark}/${mark}b`)), "/a/b", code)
    }
  })

  it("UP-70 keep every other format character as it is given", () => {
    for (const mark of kept) {
      const code = mark.codePointAt(0)!.toString(16)
      for (const name of [`${mark}photo.jpg`, `photo${mark}.jpg`, `photo.jpg${mark}`, `a${mark}${mark}b`]) {
        assert.isUndefined(nameFlaw(name), code)
        for (const schema of names) assert.strictEqual(Result.getOrThrow(read(schema, name)), name, code)
        assert.strictEqual(Result.getOrThrow(read(FolderPath.Path, `/x/${name}`)), `/x/${name}`, code)
      }
    }
  })

  it("UP-8 hold no control character, line separator or half of a character", () => {
    const [controls, separators] = ["must not contain control characters", "must not contain line separators"]
    for (
      const [mark, sentence] of [["\n", controls], ["\u007f", controls], ["\u0085", controls], ["\u2028", separators], [
        "\u2029",
        separators
      ]]
    ) {
      for (const schema of names) assert.strictEqual(flawOf(schema, `a${mark}b`), sentence, JSON.stringify(mark))
      assert.strictEqual(flawOf(FolderPath.Path, `/a${mark}b`), sentence, JSON.stringify(mark))
    }
    for (const mark of ["\u0000", "\ud800"]) for (const schema of names) assert.isDefined(flawOf(schema, `a${mark}b`))
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
      "\u{1d159}",
      "\u200b\u200e",
      "\u202e"
    ]
    for (const name of blank) {
      const code = name.codePointAt(0)!.toString(16)
      const sentence = "must contain at least one visible character"
      for (const schema of names) {
        assert.match(
          flawOf(schema, name) ?? "",
          /^must (?:contain at least one visible character|have 1 to \d+ characters)$/,
          code
        )
      }
      assert.include([sentence, "must not contain an empty folder name"], flawOf(FolderPath.Path, `/a/${name}/b`), code)
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
      assert.strictEqual(withoutOverrides(name), name)
      assert.isTrue(Result.isSuccess(Schema.decodeUnknownResult(FileName)(name)), name)
    }
  })

  // What takes time that grows with the square of these lengths ends this test by its timeout.
  it("HOSTILE-60 texts of any length are looked through in time that grows with their length", () => {
    for (const part of ["\u{e0041}", "\u{e007f}", "\u200d", "\ufe0f", "\u0301\u0316", "\u00ad", " "]) {
      const text = "\u{1f3f4}" + part.repeat(500_000)
      assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(LineOfBytes(1, 255))(text)))
      nameFlaw(text)
      withoutOverrides(text)
    }
  })

  it("UP-70 lose overrides from a server, a file or an import, and are no names if nothing is visible", () => {
    for (const mark of overrides) {
      const said = `filename*=UTF-8''${encodeURIComponent(`photo${mark}gpj.exe`)}`
      assert.strictEqual(RemoteName.of(`attachment; ${said}`, "https://a.example/", "x/y"), "photogpj.exe")
      const text = `a${mark}b`
      const facts = { title: text, artists: [text, mark], album: text, genre: text, camera: mark }
      const wanted = { title: "ab", artists: ["ab"], album: "ab", genre: "ab", camera: null }
      assert.deepInclude(ToolFacts.stored({ ...noFacts, ...facts }, null), wanted)
      const id = AccountId.make("019a0000-0000-7000-8000-000000000001")
      const row = {
        objectKey: `users/${id}/a`,
        storedAs: "a",
        fileName: text,
        folder: `/x${mark}`,
        type: "Audio",
        mimeType: "",
        fileSize: 1,
        media: facts
      }
      const prepared = Result.getOrThrow(ImportedFile.prepare(id, row, 0, new Date(0)))
      assert.deepInclude(prepared.media as object, wanted)
      assert.strictEqual(prepared.fileName, "ab")
    }
    assert.deepInclude(ToolFacts.stored({ ...noFacts, title: "\u200b", album: "x\u200by" }, null), {
      title: null,
      album: "x\u200by"
    })
  })
})
