import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Words from "./Words.ts"

/** Whether a search for `text` finds a file with these texts: what the database is asked, in plain words. */
const finds = (text: string, ...texts: ReadonlyArray<string>): boolean => {
  const found = texts.map(Words.index)
  const grams = new Set(found.flatMap(({ grams }) => [...grams]))
  const words = new Set(found.flatMap(({ words }) => [...words]))
  const has = ({ kind, text }: Words.Word) =>
    kind === "gram" ? grams.has(text) : [...words].some((word) => word.startsWith(text))
  return Words.terms(text).every((term) => term.some((words) => words.every(has)))
}

const cut = (text: string): ReadonlyArray<string> =>
  Words.terms(text).map((term) => term[0]!.map(({ text }) => text).join("+"))

const alphabets = [
  "abcXYZéÀß",
  "0123456789",
  "-_. ()[]'\"&|!:*<>\\%",
  "アイウがっ写真日本語",
  "กำลังไปเที่ยว",
  "ភាសាខ្មែរ",
  "हिन्दीक़",
  "שָׁלוֹםعربيّة",
  "İıςΣŁø",
  "😀👨‍👩‍👧🏳️‍🌈️"
]
const fileName = fc.string({
  unit: fc.oneof(...alphabets.map((letters) => fc.constantFrom(...Array.from(letters)))),
  maxLength: 60
})

describe("Words", () => {
  it.each([
    ["vacation_2024.jpg", ["vacation", "2024", "jpg"]],
    ["Straße", ["strasse"]],
    ["STRAẞE", ["strasse"]],
    ["İstanbul", ["istanbul"]],
    ["ISPARTA ısparta", ["isparta"]],
    ["Ærøskøbing Łódź", ["aeroskobing", "lodz"]],
    ["Ｆｕｌｌ－ｗｉｄｔｈ９", ["full", "width", "9"]],
    ["ﬁn\u00adish", ["finish"]],
    ["résumé re\u0301sume\u0301", ["resume"]],
    ["ΟΔΟΣ", ["οδοσ"]],
    ["party🎉time 👨‍👩‍👧kids❤️", ["party", "time", "kids"]],
    ["HTTPServer", ["http+server"]],
    ["myVacationPhotos", ["my+vacation+photos"]],
    ["IMG0042", ["img", "0042"]],
    ["שָׁלוֹם", ["שלום"]],
    ["عَرَبِيّ", ["عربي"]],
    ["हिन्दी", ["हिन्दी"]],
    ["va vacation", ["vacation"]],
    ["2️⃣", ["2"]]
  ])("SRCH-1 %s is cut and folded", (text, words) => {
    assert.deepStrictEqual(cut(text), words)
  })

  it.each(["", " ", "---", "()&|!:*'\\\"", "😀 ❤️", "\u0301", "\u200d", "\n\t"])(
    "SRCH-4 %j, without a letter or digit, is no filter",
    (text) => {
      assert.deepStrictEqual(Words.terms(text), [])
    }
  )

  it("SRCH-2 a pasted file name finds its file, and so does the beginning of any of its words", () => {
    fc.assert(fc.property(fileName, (name) => {
      assert.isTrue(finds(name, name))
      assert.isTrue(finds(name.toUpperCase(), name.toUpperCase()))
      for (const word of Words.index(name).words) {
        for (let length = 1; length <= word.length; length++) assert.isTrue(finds(word.slice(0, length), name))
      }
    }))
  })

  it("SRCH-3 any part of a run without spaces finds it", () => {
    const letters = fc.constantFrom(...Array.from("東京都日本語のカメラ写真กำลังเที่ยวភាសាខ្មែរမြန်မာ한국어사진"))
    fc.assert(fc.property(fc.array(letters, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (run, a, b) => {
      // Marks of two scripts on one letter have an order of their own, whatever order they are written in.
      const written = Array.from(run.join("").normalize("NFC"))
      const [from, to] = [a % written.length, b % written.length].sort((x, y) => x - y)
      assert.isTrue(finds(written.slice(from, to! + 1).join(""), `x${run.join("")}.jpg`))
    }))
  })

  it.each([
    ["京", "東京旅行", true],
    ["旅行東京", "東京旅行", true],
    ["西京", "東京旅行", false],
    ["カメラ", "新しいカメラ.jpg", true],
    ["ラメカ", "カメラ", false],
    ["เที่ยว", "ไปเที่ยวทะเล", true],
    ["사진", "여름휴가사진", true],
    ["写真", "iPhone写真2024", true]
  ])("SRCH-3 %s in %s: %s", (text, name, found) => {
    assert.strictEqual(finds(text, name), found)
  })

  it.each([
    ["iphone", "iPhone.jpg", true],
    ["iPhone", "iphone.jpg", true],
    ["phone", "iPhone.jpg", true],
    ["vacationphotos", "myVacationPhotos", true],
    ["cation", "vacation", false],
    ["2024", "IMG_20240501", true],
    ["024", "IMG_20240501", false],
    ["strasse", "Hauptstraße", false],
    ["haupts", "Hauptstraße", true]
  ])("SRCH-1 %s in %s: %s", (text, name, found) => {
    assert.strictEqual(finds(text, name), found)
  })

  it("SRCH-2 words may be in different texts of a file, and all must be there", () => {
    assert.isTrue(finds("beach summer", "beach.jpg", "Summer of '69"))
    assert.isFalse(finds("beach winter", "beach.jpg", "Summer of '69"))
  })

  it("SRCH-1 folding again changes nothing", () => {
    fc.assert(fc.property(fc.oneof(fileName, fc.string({ unit: "grapheme" })), (text) => {
      assert.strictEqual(Words.fold(Words.fold(text)), Words.fold(text))
    }))
  })

  it("SRCH-5 whatever is written, words hold letters, digits and marks only", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const { grams, words } = Words.index(text)
      for (const word of [...words, ...grams, ...Words.terms(text).flat(2).map((word) => word.text)]) {
        assert.match(word, /^[\p{L}\p{N}\p{M}]+$/u)
        assert.isTrue(word.isWellFormed())
      }
    }))
  })
})
