/**
 * The order in which a line with words from right to left is read, by where its pieces stand: a PDF has them in any order,
 * often letter by letter, and gaps instead of spaces.
 */

/** A piece of a line. */
export interface Piece {
  readonly text: string
  /** Whether what is in it from right to left stands among the rest as it looks, and not in the order it is read in. */
  readonly isAsItLooks?: boolean
  readonly left: number
  readonly right: number
}

type Kind = "right" | "left" | "number" | "neutral"

interface Placed extends Piece {
  readonly kind: Kind
}

const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const letters = /\p{L}/u
/** Digits of Arabic are read from left to right too, and so is what belongs to an amount. */
const digits = /\p{Nd}|^[\p{Sc}%‰°#]+$/u

/** Letters or marks from right to left. */
export const isFromRight = (text: string): boolean => fromRight.test(text)

/** Of the height of letters: a gap this wide is a space, one that wide separates columns. */
const spaceGap = 0.15
const columnGap = 2

const countOf = (text: string, what: RegExp): number => [...text].filter((one) => what.test(one)).length

const kindOf = (text: string): Kind => {
  const [right, all] = [countOf(text, fromRight), countOf(text, letters)]
  if (right > 0) return right * 2 >= all ? "right" : "left"
  return all > 0 ? "left" : digits.test(text) ? "number" : "neutral"
}

/** Marks at the ends of a word or number are pieces of their own; those of an amount belong to it. */
const ends = /^([^\p{L}\p{N}\p{M}\p{Sc}%‰°#]*)(.*?)([^\p{L}\p{N}\p{M}\p{Sc}%‰°#]*)$/su

/** A piece without blanks at its ends; from left to right, without marks at them either. */
const split = (piece: Piece): ReadonlyArray<Placed> => {
  const kind = kindOf(piece.text)
  const width = (piece.right - piece.left) / piece.text.length
  const isRight = kind === "right"
  const part = (from: number, to: number): ReadonlyArray<Placed> => {
    const text = piece.text.slice(from, to)
    const start = from + text.length - text.trimStart().length
    const end = to - text.length + text.trimEnd().length
    if (start >= end) return []
    const [left, right] = isRight
      ? [piece.right - width * end, piece.right - width * start]
      : [piece.left + width * start, piece.left + width * end]
    return [{ text: piece.text.slice(start, end), left, right, kind: kindOf(piece.text.slice(start, end)) }]
  }
  if (kind !== "left" && kind !== "number") return part(0, piece.text.length)
  const [, before = "", , after = ""] = ends.exec(piece.text) ?? []
  const [from, to] = [before.length, piece.text.length - after.length]
  return [...part(0, from), ...part(from, to), ...part(to, piece.text.length)]
}

const parts = (() => {
  const right = fromRight.source
  return new RegExp(`${right}(?:[^\\p{L}]*${right})*|(?:(?!${right}).)+`, "gsu")
})()

/** What is from right to left in a piece, and what is not, each a piece of its own. */
const divided = (piece: Piece): ReadonlyArray<Piece> => {
  if (piece.isAsItLooks !== true || !isFromRight(piece.text)) return [piece]
  const width = (piece.right - piece.left) / piece.text.length
  return [...piece.text.matchAll(parts)].map(({ 0: text, index }) => ({
    text,
    left: piece.left + width * index,
    right: piece.left + width * (index + text.length)
  }))
}

/** Points and tones join the letter that they stand at. */
const joinMarks = (pieces: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const isMark = ({ text }: Piece) => /^\p{M}+$/u.test(text)
  const bases = pieces.filter((piece) => !isMark(piece))
  for (const mark of pieces.filter(isMark)) {
    const middle = (mark.left + mark.right) / 2
    const at = bases.findIndex(({ left, right }) => left <= middle && middle <= right)
    const base = bases[at]
    if (base === undefined) bases.push(mark)
    else bases[at] = { ...base, text: base.text + mark.text }
  }
  return bases
}

/** A gap between letters that are spaced out is no space. */
const leastGap = (pieces: ReadonlyArray<Placed>, em: number): number => {
  const single = pieces.filter(({ text }) => [...text].length === 1).length
  if (single < pieces.length * 0.8 || pieces.length < 8) return em * spaceGap
  const gaps = pieces.slice(1).map(({ left }, i) => left - pieces[i]!.right).sort((one, other) => one - other)
  return Math.max(em * spaceGap, gaps[Math.floor(gaps.length / 2)]! + em * spaceGap)
}

/** Parts of a line in the order they are read in, with spaces where the gaps are. */
const join = (pieces: ReadonlyArray<Piece>, gap: number): Piece =>
  pieces.reduce((whole, next) => ({
    text: whole.text + (Math.max(next.left - whole.right, whole.left - next.right) >= gap ? " " : "") + next.text,
    left: Math.min(whole.left, next.left),
    right: Math.max(whole.right, next.right)
  }))

/** What stands between parts of one number, without a gap. */
const inNumber = /^[.,:/+-]$/

/** Where the run from left to right ends that begins at `at`: with its last word or number, or with one number. */
const endOfRun = (pieces: ReadonlyArray<Placed>, at: number, gap: number, em: number): number => {
  const gapBefore = (i: number) => pieces[i]!.left - pieces[i - 1]!.right
  let stop = at + 1
  while (stop < pieces.length && pieces[stop]!.kind !== "right" && gapBefore(stop) < em * columnGap) stop++
  const span = pieces.slice(at, stop)
  if (span.some(({ kind }) => kind === "left")) return at + span.findLastIndex(({ kind }) => kind !== "neutral") + 1
  let end = at + 1
  const isNumber = (i: number) => i < stop && pieces[i]!.kind === "number" && gapBefore(i) < gap
  while (end < stop) {
    if (isNumber(end)) end++
    else if (inNumber.test(pieces[end]!.text) && gapBefore(end) < gap && isNumber(end + 1)) end += 2
    else break
  }
  return end
}

/** Words and numbers that are read from the left, among the other pieces; all as they stand from left to right. */
const runsOf = (pieces: ReadonlyArray<Placed>, gap: number, em: number): ReadonlyArray<ReadonlyArray<Placed>> => {
  const runs: Array<ReadonlyArray<Placed>> = []
  for (let at = 0; at < pieces.length; at += runs.at(-1)!.length) {
    const { kind } = pieces[at]!
    runs.push(pieces.slice(at, kind === "left" || kind === "number" ? endOfRun(pieces, at, gap, em) : at + 1))
  }
  return runs
}

const brackets: Readonly<Record<string, string>> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" }

/** Brackets as they are written, where the font has them as they look from right to left. */
const mirrored = (text: string): string => {
  const first = /[()[\]{}]/.exec(text)?.[0]
  const isTurned = first !== undefined && ")]}".includes(first) && text.includes(brackets[first]!)
  return isTurned ? text.replace(/[()[\]{}]/g, (one) => brackets[one]!) : text
}

/** Whether a line as a whole is read from the right: by what stands at its two ends, else as its page is. */
const isLineFromRight = (pieces: ReadonlyArray<Placed>, isPage: boolean): boolean => {
  const strong = pieces.filter(({ kind }) => kind === "right" || kind === "left")
  const [first, last] = [strong[0]?.kind, strong.at(-1)?.kind]
  return first === last ? first === "right" : isPage
}

const fromRightToLeft = (pieces: ReadonlyArray<Placed>, gap: number, em: number): Piece =>
  join(runsOf(pieces, gap, em).map((run) => join(run, gap)).toReversed(), gap)

const fromLeftToRight = (pieces: ReadonlyArray<Placed>, gap: number, em: number): Piece => {
  const parts: Array<Piece> = []
  let at = 0
  while (at < pieces.length) {
    let end = at + 1
    if (pieces[at]!.kind === "right") {
      for (let i = end; i < pieces.length && pieces[i]!.kind !== "left"; i++) {
        if (pieces[i]!.kind === "right") end = i + 1
      }
    }
    parts.push(fromRightToLeft(pieces.slice(at, end), gap, em))
    at = end
  }
  return join(parts, gap)
}

/** The text of a line of letters `em` high. */
export const lineOf = (
  line: ReadonlyArray<Piece>,
  { em, isPageFromRight }: { readonly em: number; readonly isPageFromRight: boolean }
): string => {
  const pieces = joinMarks(line.flatMap(divided).flatMap(split)).toSorted((one, other) => one.left - other.left)
  if (pieces.length === 0) return ""
  const gap = leastGap(pieces, em)
  return isLineFromRight(pieces, isPageFromRight)
    ? mirrored(fromRightToLeft(pieces, gap, em).text)
    : fromLeftToRight(pieces, gap, em).text
}
