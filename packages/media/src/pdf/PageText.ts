/** The text of a page as it is read: its lines, and what is written in its forms and notes where it stands. */
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import { isFromRight, lineOf, type Piece } from "./RightToLeft.ts"
import { type Value, valuesOf } from "./Values.ts"

type Content = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>
type Item = Extract<Content["items"][number], { str: string }>

/** A piece with its place on the page as it is shown: `y` is where its letters stand, counted from above. */
interface Put extends Piece {
  readonly y: number
  readonly em: number
  /** From left to right as usual, and not turned. */
  readonly isUpright: boolean
  /** A blank of the library's own, in place of a gap. */
  readonly isGap: boolean
  readonly direction: readonly [number, number]
}

interface Line {
  readonly pieces: ReadonlyArray<Put>
  readonly values: Array<Box>
}

interface Box {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const put = (item: Item, [va, vb, vc, vd, ve, vf]: ReadonlyArray<number>): Put => {
  const [a, b, c, d, e, f] = item.transform as [number, number, number, number, number, number]
  const [dx, dy] = [va! * a + vc! * b, vb! * a + vd! * b]
  const length = Math.hypot(dx, dy) || 1
  const direction = [dx / length, dy / length] as const
  const [x, y] = [va! * e + vc! * f + ve!, vb! * e + vd! * f + vf!]
  const isUpright = direction[0] > 0.999
  const left = isUpright ? x : x * direction[0] + y * direction[1]
  return {
    text: item.str,
    isAsItLooks: item.dir === "ltr",
    left,
    right: left + item.width,
    y,
    em: Math.hypot(c, d),
    isUpright,
    isGap: item.str.trim() === "" && item.height === 0,
    direction
  }
}

/** Lines as the library ends them. */
const linesOf = ({ items, styles }: Content, transform: ReadonlyArray<number>) => {
  const lines: Array<Line & { readonly isVertical: boolean }> = []
  let pieces: Array<Put> = []
  let isVertical = false
  const end = () => {
    lines.push({ pieces, values: [], isVertical })
    pieces = []
    isVertical = false
  }
  for (const item of items) {
    if (!("str" in item)) continue
    pieces.push(put(item, transform))
    isVertical ||= styles[item.fontName]?.vertical === true
    if (item.hasEOL) end()
  }
  end()
  return lines
}

const boxOf = ({ rect, text }: Value, [va, vb, vc, vd, ve, vf]: ReadonlyArray<number>): Box => {
  const [x1, y1, x2, y2] = rect
  const xs = [va! * x1 + vc! * y1 + ve!, va! * x2 + vc! * y2 + ve!]
  const ys = [vb! * x1 + vd! * y1 + vf!, vb! * x2 + vd! * y2 + vf!]
  return { text, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, "")

/** Whether the page itself has the text at that place, as where a form was made part of it. */
const isWritten = ({ bottom, left, right, text, top }: Box, lines: ReadonlyArray<Line>): boolean => {
  const there = lines.flatMap(({ pieces }) =>
    pieces.filter((one) =>
      one.isUpright && one.right > left && one.left < right && one.y > top && one.y - one.em < bottom
    )
  )
  return withoutBlanks(there.map((one) => one.text).join("")).includes(withoutBlanks(text))
}

/** A field higher than so many lines is a block of text of its own. */
const blockLines = 3

/** The line that a value stands in: the nearest one before it at its height, or else after it. */
const besideOf = (box: Box, lines: ReadonlyArray<Line>): Line | undefined => {
  const beside = lines.filter(({ pieces }) => {
    const first = pieces.find((one) => one.text.trim() !== "")
    if (first === undefined || !first.isUpright) return false
    const slack = first.em * 0.2
    return box.bottom - box.top < first.em * blockLines && first.y > box.top - slack && first.y < box.bottom + slack
  })
  const startOf = ({ pieces }: Line) => Math.min(...pieces.map(({ left }) => left))
  const before = beside.filter((line) => startOf(line) < box.left)
  return before.length > 0
    ? before.reduce((best, line) => startOf(line) > startOf(best) ? line : best)
    : beside.toSorted((one, other) => startOf(one) - startOf(other))[0]
}

/** The line that a block begins beside, else the nearest above it, first of those that stand over it; -1 where there is none. */
const aboveOf = (box: Box, lines: ReadonlyArray<Line>): number => {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const [index, { pieces }] of lines.entries()) {
    const shown = pieces.filter((one) => one.isUpright && one.text.trim() !== "")
    const [first] = shown
    if (first === undefined || first.y > box.top + first.em) continue
    const isOver = shown.some((one) => one.right > box.left && one.left < box.right)
    const isBeside = first.y > box.top - first.em / 2 && first.left < box.left
    const distance = box.top - first.y + (isBeside || isOver ? 0 : 1e6)
    if (distance <= least) [best, least] = [index, distance]
  }
  return best
}

const spaced = (parts: ReadonlyArray<string>): string =>
  parts.reduce((whole, part) => whole + (/\s$/.test(whole) || whole === "" || /^\s/.test(part) ? "" : " ") + part, "")

/** The pieces as they come, with each value after the last one that begins before it. */
const inOrder = ({ pieces, values }: Line): string => {
  const placed = values.toSorted((one, other) => one.left - other.left)
  const after = placed.map(({ left }) => pieces.findLastIndex((one) => !one.isGap && one.left < left))
  const parts: Array<string> = []
  let text = ""
  for (let index = -1; index < pieces.length; index++) {
    text += pieces[index]?.text ?? ""
    for (const [i, value] of placed.entries()) {
      if (after[i] !== index) continue
      parts.push(text, value.text)
      text = ""
    }
  }
  return spaced([...parts, text].filter((part) => part !== ""))
}

const fromPieces = (line: Line & { readonly isVertical: boolean }, isPageFromRight: boolean): string => {
  const { pieces, values } = line
  const [first] = pieces
  const isMixed = pieces.some((one) => isFromRight(one.text)) && !line.isVertical && first !== undefined
    && pieces.every(({ direction: [x, y] }) => Math.hypot(x - first.direction[0], y - first.direction[1]) < 0.02)
  if (!isMixed) return values.length === 0 ? pieces.map(({ text }) => text).join("") : inOrder(line)
  const em = Math.max(...pieces.map((one) => one.em))
  const fields = values.map(({ left, right, text }) => ({
    text: text.replace(/\s+/g, " "),
    left: left + em / 4,
    right: Math.max(left + em / 4, right - em / 4)
  }))
  return lineOf([...pieces.filter((one) => !one.isGap), ...fields], { em, isPageFromRight })
}

/** Letters of Arabic and Hebrew themselves, in place of their shapes within a word. */
const withPlainLetters = (text: string): string =>
  text.replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize("NFKC"))

export const textOf = async (page: PDFPageProxy): Promise<string> => {
  const { transform } = page.getViewport({ scale: 1 })
  const content = await page.getTextContent()
  const lines = linesOf(content, transform)
  const all = content.items.map((item) => "str" in item ? item.str : "").join("")
  const right = [...all].filter(isFromRight).length
  const isPageFromRight = right > 0 && right * 2 >= [...all].filter((one) => /\p{L}/u.test(one)).length

  const boxes = (await valuesOf(page)).map((value) => boxOf(value, transform)).filter((box) => !isWritten(box, lines))
  const between = new Map<number, Array<Box>>()
  for (const box of boxes) {
    const beside = besideOf(box, lines)
    if (beside !== undefined) beside.values.push(box)
    else {
      const above = aboveOf(box, lines)
      between.set(above, [...between.get(above) ?? [], box])
    }
  }
  const blocks = (index: number) =>
    (between.get(index) ?? []).toSorted((one, other) => one.top - other.top || one.left - other.left)
      .map(({ text }) => text)
  const texts = lines.flatMap((line, index) => [fromPieces(line, isPageFromRight), ...blocks(index)])
  return withPlainLetters([...blocks(-1), ...texts].join("\n").trim())
}
