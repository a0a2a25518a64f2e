/** What is written in a PDF's forms and notes, and where on its page. */
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"

export interface Value {
  readonly text: string
  /** As the page has them: left, bottom, right, top. */
  readonly rect: readonly [number, number, number, number]
}

/** What is used of an annotation of the library's, which has no types for them. */
interface Annotation {
  readonly subtype?: string
  readonly rect: [number, number, number, number]
  readonly annotationFlags?: number
  readonly hidden?: boolean
  readonly contentsObj?: { readonly str: string }
  readonly textContent?: ReadonlyArray<string>
  readonly fieldType?: string | null
  readonly fieldValue?: unknown
  readonly password?: boolean
  readonly options?: ReadonlyArray<{ readonly exportValue: string; readonly displayValue: string }>
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly exportValue?: string
  readonly buttonValue?: string | null
  readonly alternativeText?: string
}

/** Flags of annotations that are not shown: hidden, and not for viewing. */
const unseen = 2 | 32

/** Those whose contents a person wrote to be read; of links, pictures and pop-ups they are descriptions or copies. */
const notes = new Set([
  "FreeText",
  "Text",
  "Highlight",
  "Underline",
  "Squiggly",
  "StrikeOut",
  "Caret",
  "Stamp",
  "Line",
  "Square",
  "Circle",
  "Polygon",
  "PolyLine",
  "Ink"
])

const wordsOf = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string")

/** A box or button that is on, by what it stands for; a bare number tells nothing where there is a label. */
const chosen = (value: string | null | undefined, { alternativeText, fieldValue }: Annotation): string => {
  if (value === null || value === undefined || value === "Off" || fieldValue !== value) return ""
  return /^\d+$/.test(value) && alternativeText ? alternativeText : value
}

const fieldText = (field: Annotation): string => {
  switch (field.fieldType) {
    case "Tx":
      return field.password === true ? "" : wordsOf(field.fieldValue).join("\n")
    case "Ch":
      return wordsOf(field.fieldValue)
        .map((word) => field.options?.find(({ exportValue }) => exportValue === word)?.displayValue ?? word)
        .join(", ")
    case "Btn":
      return field.checkBox === true
        ? chosen(field.exportValue, field)
        : field.radioButton === true
        ? chosen(field.buttonValue, field)
        : ""
    default:
      return ""
  }
}

const textOf = (annotation: Annotation): string => {
  if (annotation.hidden === true || ((annotation.annotationFlags ?? 0) & unseen) !== 0) return ""
  if (annotation.subtype === "Widget") return fieldText(annotation)
  if (!notes.has(annotation.subtype ?? "")) return ""
  const own = annotation.contentsObj?.str ?? ""
  return own !== "" || annotation.subtype !== "FreeText" ? own : annotation.textContent?.join("\n") ?? ""
}

/** In the order of the file; none where they are damaged, so that the page's own text is read all the same. */
export const valuesOf = async (page: PDFPageProxy): Promise<ReadonlyArray<Value>> => {
  const annotations: ReadonlyArray<Annotation> = await page.getAnnotations().catch(() => [])
  return annotations.flatMap((annotation) => {
    const text = textOf(annotation).replace(/\r\n?/g, "\n").trim()
    return text === "" ? [] : [{ text, rect: annotation.rect }]
  })
}
