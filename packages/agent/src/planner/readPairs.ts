/** Reads pairs of files and folders that share a verb or have none: "cows to /Cows, pigs to /Pigs". */
import { beginsRequest } from "./grammar/clauses.ts"
import { isRestLeft } from "./grammar/harmless.ts"
import { classAt, sentenceOf, slice, type Span, textOf, wholeOf } from "./grammar/Sentence.ts"
import { type Clause, conditional, sequence } from "./readClauses.ts"

const going =
  /^(?:go|goes|belong|belongs|should|shall|must|be|gehen|geht|kommt|kommen|sollen|soll|mussen|gehoren|gehort|wandern|all|alle|please|bitte)$/

/** Parts between commas and "and"; a comma inside a list of files is none. */
const partsOf = (span: Span): ReadonlyArray<Span> => {
  const parts: Array<Span> = []
  let { from } = span
  for (let at = span.from; at < span.to; at++) {
    const comma = /^[,;]$/.test(span.sentence.tokens[at]!.raw) ? 1 : 0
    const and = classAt(span.sentence, at + comma, "and", span.to)
    if (comma + and === 0 || at === from) continue
    parts.push(slice(span, from, at))
    from = at + comma + and
    at = from - 1
  }
  return from < span.to ? [...parts, slice(span, from, span.to)] : parts
}

/** Files and the path that they go to; null for a part that is no pair. */
const pairOf = (part: Span): { readonly files: string; readonly path: string } | null => {
  const { tokens } = part.sentence
  const last = tokens[part.to - 1]!
  const before = tokens[part.to - 2]
  if (last.kind !== "path" || before === undefined || !/^(?:to|into|in|nach|under|onto)$/.test(before.norm)) return null
  let end = part.to - 2
  while (end > part.from && going.test(tokens[end - 1]!.norm)) end--
  return end <= part.from ? null : { files: textOf(slice(part, part.from, end)), path: last.raw }
}

/** "cows" is no mistyped verb. */
const isCorrected = ({ from, sentence }: Span): boolean => {
  const verbs = sentence.hits[from]!.filter(({ className }) => sentence.vocabulary.verbs.has(className))
  return verbs.length > 0 && verbs.every((hit) => hit.isCorrected)
}

/** The moves of all pairs; null where a part is none. */
export const readPairs = (span: Span): { readonly clauses: ReadonlyArray<Clause>; readonly score: number } | null => {
  const parts = partsOf(span).filter((part, at) => at === 0 || !isRestLeft(part))
  const pairs = parts.map(pairOf)
  const { moment, vocabulary } = span.sentence
  const verb = vocabulary.code === "de" ? "verschiebe" : "move"
  const clauses: Array<Clause> = []
  let score = 0
  if (pairs.length < 2) return null
  // "once a file lands in /Inbox, move it to /Sorted" waits first; "zip them into /A and move it to /B" says its verbs.
  const isOwn = (part: Span, at: number): boolean =>
    ["when", "wait", "if"].some((name) => classAt(span.sentence, part.from, name, part.to) > 0) ||
    (beginsRequest(part, part.from) && !isCorrected(part) &&
      !(at === 0 && classAt(span.sentence, part.from, "move", part.to) > 0))
  if (parts.some(isOwn) || conditional(span) !== null) return null
  for (const [at, pair] of pairs.entries()) {
    if (pair === null) return null
    const isSaid = at === 0 && classAt(span.sentence, span.from, "move", span.to) > 0
    const text = `${isSaid ? "" : `${verb} `}${pair.files} ${vocabulary.code === "de" ? "nach" : "to"} ${pair.path}`
    const read = sequence(wholeOf(sentenceOf(text, vocabulary.code, moment)))
    const [clause] = read?.clauses ?? []
    if (
      read === null || clause === undefined || read.clauses.length > 1 || clause.parsed.intent.name !== "move files"
    ) {
      return null
    }
    clauses.push(clause)
    score += read.score
  }
  return { clauses, score }
}
