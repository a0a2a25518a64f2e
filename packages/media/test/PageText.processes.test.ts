/** What stands on a page of a PDF: forms, notes, and words from right to left. */
import { assert, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { sourceIn } from "./PictureFixtures.ts"

const textOf = (bytes: Uint8Array) =>
  Effect.flatMap(
    MediaTools.MediaTools,
    (tools) => tools.pages(sourceIn(bytes, "application/pdf"), { from: 1, to: 1, maxBytes: 100 * 1024 })
  ).pipe(Effect.map(({ text }) => text))

/** A page with this content; further objects have numbers from 6 on. The library finds them all by itself. */
const pageOf = (content: string, { font = "", more = [], onPage = "" }: {
  readonly font?: string
  readonly more?: ReadonlyArray<string>
  readonly onPage?: string
} = {}): Uint8Array => {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[4 0 R]>>",
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica${font}>>`,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F 3 0 R>>>>${onPage}>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ...more
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join("")
  return new TextEncoder().encode(`%PDF-1.7\n${body}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF`)
}

const written = (lines: ReadonlyArray<readonly [text: string, x: number, y: number]>): string =>
  `BT /F 12 Tf ${lines.map(([text, x, y]) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`).join(" ")} ET`

const annotated = (
  lines: ReadonlyArray<readonly [text: string, x: number, y: number]>,
  annotations: ReadonlyArray<string>,
  more: ReadonlyArray<string> = [],
  turned = ""
) =>
  pageOf(written(lines), {
    onPage: `/Annots[${annotations.map((one) => `<</Type/Annot${one}>>`).join("")}]${turned}`,
    more
  })

/** In what way the letters of a line are written. */
type Way = "in one go" | "letter by letter from the right" | "letter by letter from the left" | "word by word"

/** A page with these lines, each as it looks from left to right, in letters that are all half as wide as high. */
const looking = (lines: ReadonlyArray<string>, way: Way): Uint8Array => {
  const codes = [...new Set(lines.join(""))]
  const hex = (letter: string) => (codes.indexOf(letter) + 33).toString(16).padStart(2, "0")
  const shown = (text: string) => `<${[...text].map(hex).join("")}> Tj`
  const content = lines.flatMap((line, i) => {
    const at = (index: number) => `1 0 0 1 ${40 + index * 6} ${700 - i * 20} Tm`
    if (way === "in one go") return [`${at(0)} ${shown(line)}`]
    const words = way === "word by word" ? /\S+/g : /\S/g
    const parts = [...line.matchAll(words)].map((part) => `${at(part.index)} ${shown(part[0])}`)
    return way === "letter by letter from the left" ? parts : parts.toReversed()
  })
  const unicode = codes.map((letter) => `<${hex(letter)}> <${letter.charCodeAt(0).toString(16).padStart(4, "0")}>`)
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange
${unicode.length} beginbfchar
${unicode.join("\n")}
endbfchar endcmap end`
  return pageOf(`BT /F 12 Tf ${content.join(" ")} ET`, {
    font: `/FirstChar 33/LastChar 126/Widths[${"500 ".repeat(94)}]/ToUnicode 6 0 R`,
    more: [`<</Length ${map.length}>>stream\n${map}\nendstream`]
  })
}

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("the text of a page", (it) => {
  it.effect("MEDIA-100 values of form fields stand beside their labels; passwords and hidden fields are left out", () =>
    Effect.gen(function*() {
      const field = (rest: string, y: number) => `/Subtype/Widget/Rect[120 ${y - 8} 300 ${y + 12}]${rest}`
      const state = "/AP<</N<</On 7 0 R/Off 7 0 R>>>>"
      const size = (name: string, on: string, x: number) =>
        `/Subtype/Widget/Parent 6 0 R/Rect[${x} 492 ${x + 14} 508]/AS/${on}/AP<</N<</${name} 7 0 R/Off 7 0 R>>>>`
      const form = annotated([
        ["Surname:", 50, 700],
        ["Given name:", 320, 700],
        ["Country:", 50, 660],
        ["Password:", 50, 620],
        ["Agree:", 50, 580],
        ["News:", 50, 540],
        ["Size:", 50, 500],
        ["Remarks:", 50, 460],
        ["Signed", 50, 300]
      ], [
        field("/FT/Tx/T(a)/V(Lovelace)", 700),
        "/Subtype/Widget/Rect[400 692 500 712]/FT/Tx/T(b)/V(Ada)",
        field("/FT/Ch/Ff 131072/T(c)/V(gb)/Opt[[(fr)(France)][(gb)(United Kingdom)]]", 660),
        field("/FT/Tx/Ff 8192/T(d)/V(secret)", 620),
        field(`/FT/Btn/T(e)/V/On/AS/On${state}`, 580),
        field(`/FT/Btn/T(f)/V/Off/AS/Off${state}`, 540),
        size("Small", "Off", 120),
        size("Large", "Large", 160),
        "/Subtype/Widget/Rect[120 380 500 470]/FT/Tx/Ff 4096/T(g)/V(One line\\rand another)",
        field("/FT/Tx/F 2/T(h)/V(hidden)", 300),
        field("/FT/Tx/F 32/T(i)/V(not for viewing)", 300)
      ], ["<</FT/Btn/Ff 32768/T(size)/V/Large>>", "<</Subtype/Form/BBox[0 0 9 9]/Length 0>>stream\n\nendstream"])
      assert.strictEqual(
        yield* textOf(form),
        "Surname: Lovelace Given name: Ada\nCountry: United Kingdom\nPassword:\nAgree: On\nNews:\nSize: Large\n"
          + "Remarks:\nOne line\nand another\nSigned"
      )
    }))

  it.effect("MEDIA-100 notes stand at their places on the page, and no text appears twice", () =>
    Effect.gen(function*() {
      const lines = [["First line", 50, 700], ["Made part of the page", 50, 600], ["Last line", 50, 500]] as const
      const notes = [
        "/Subtype/FreeText/Rect[50 420 300 460]/Contents(At the end)",
        "/Subtype/FreeText/Rect[50 640 300 670]/Contents(Between)",
        "/Subtype/FreeText/Rect[50 590 300 615]/Contents(Made part of the page)",
        "/Subtype/FreeText/Rect[50 750 300 780]/Contents(On top)",
        "/Subtype/Text/Rect[300 495 320 515]/Contents(A remark)",
        "/Subtype/FreeText/F 2/Rect[50 640 300 670]/Contents(Hidden)",
        "/Subtype/Link/Rect[50 690 100 710]/Contents(A description)",
        "/Subtype/Popup/Rect[50 690 100 710]/Contents(A copy)"
      ]
      const read = "On top\nFirst line\nBetween\nMade part of the page\nLast line A remark\nAt the end"
      assert.strictEqual(yield* textOf(annotated(lines, notes)), read)
      assert.strictEqual(yield* textOf(annotated([], notes.slice(0, 2))), "Between\nAt the end")
    }))

  it.effect.each(
    [
      "in one go",
      "letter by letter from the right",
      "letter by letter from the left",
      "word by word"
    ] as const
  )(
    "MEDIA-101 lines from right to left, written %s, are read in their order and with their spaces",
    (way) =>
      Effect.gen(function*() {
        const lines = [
          ["?םכמולש המ ,םלוכל םולש", "שלום לכולם, מה שלומכם?"],
          ["3.5.2024 ךיראתמ 42 רפסמ תינובשח", "חשבונית מספר 42 מתאריך 3.5.2024"],
          [".החנה 50% דע Microsoft Office 365 לא ונפ", "פנו אל Microsoft Office 365 עד 50% הנחה."],
          ["(ديدج) 1,250.50 مقر ةروتافلا", "الفاتورة رقم 1,250.50 (جديد)"],
          ["The word םלוע םולש means hello.", "The word שלום עולם means hello."]
        ] as const
        const read = yield* textOf(looking(lines.map(([seen]) => seen), way))
        assert.strictEqual(read, lines.map(([, logical]) => logical).join("\n"))
      })
  )

  it.effect("MEDIA-101 presentation forms of letters are read as the letters", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* textOf(looking(["\ufee2\ufedc\ufe91 \ufe8e\ufe92\ufea3\ufeae\ufee3"], "in one go")),
        "مرحبا بكم"
      )
    }))
})
