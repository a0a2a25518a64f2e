/** Reads the words for files: "the last three photos of Lisbon from March that aren't tagged". */
import { classAt, isFiller, isLight, type Sentence, slice, type Span, textOf } from "../grammar/Sentence.ts"
import { anyFile, type FileQuery, hasHead, isBareType, isWholeDrive } from "./FileQuery.ts"
import type { Draft, Reader } from "./FileRule.ts"
import { rules } from "./FileRules.ts"
import { sentAt } from "./SentRules.ts"

export interface ParsedFiles {
  readonly query: FileQuery
  /** How well the words were understood: free words count against it. */
  readonly score: number
}

const joins = (sentence: Sentence, at: number, end: number): number => {
  const raw = sentence.tokens[at]!.raw
  // "alles, was über die Anfrage Belege kam"
  if (raw === "," && at + 1 < end && sentAt(sentence, at + 1, end) !== null) return 0
  if (raw === ",") {
    return 1 +
      (at + 1 < end ? Math.max(classAt(sentence, at + 1, "and", end), classAt(sentence, at + 1, "or", end)) : 0)
  }
  return Math.max(classAt(sentence, at, "and", end), classAt(sentence, at, "or", end))
}

interface Piece {
  readonly draft: Draft
  readonly score: number
}

/** Between nouns they say nothing: "the letter to Weber". */
const isPreposition = /^(?:to|for|with|of|at|on|by|in|from|only|zu|zum|zur|fur|fuer|mit|an|bei|von|vom|auf|aus|im)$/

/** "Best of 12": what stands behind "of" between capitals is the end of a name. */
const isEndOfName = ({ tokens }: Sentence, from: number): boolean =>
  /^(?:of|von|der|des)$/.test(tokens[from - 1]?.norm ?? "") && tokens[from - 2]?.kind === "word" &&
  /^\p{Lu}/u.test(tokens[from - 2]!.raw) && /^(?:word|number)$/.test(tokens[from]!.kind) &&
  /^[\p{Lu}\p{N}]/u.test(tokens[from]!.raw)

const readPiece = (sentence: Sentence, from: number, to: number): Piece => {
  const draft: Draft = { ...anyFile }
  let score = isEndOfName(sentence, from) ? -0.8 : 0
  const free: Array<string> = []
  for (let at = from; at < to;) {
    const reader: Reader = { sentence, at, end: to, draft }
    let length = 0
    for (const rule of rules) {
      length = rule(reader)
      if (length > 0) break
    }
    if (length > 0) {
      score += 0.3 * length
      at += length
      continue
    }
    const token = sentence.tokens[at]!
    if (isFiller(sentence, at) || (token.kind === "mark" && !/[#$%€]/.test(token.raw)) || token.norm === "'s") {
      at++
      continue
    }
    // "put it back", "clear it out"
    const isParticle = draft.refer !== null && /^(?:out|up|off|away|back|over|in|her|him)$/.test(token.norm) &&
      !/^(?:her|him)$/.test(token.norm)
    if (isLight(sentence, at) || isParticle) {
      score -= 0.3
      at++
      continue
    }
    if (isPreposition.test(token.norm)) {
      score -= 0.2
      at++
      continue
    }
    // A verb at the beginning of a noun phrase is a sign that the span is wrong.
    const isVerb = sentence.hits[at]!.some(({ className, isCorrected }) =>
      !isCorrected && sentence.vocabulary.verbs.has(className)
    )
    // A number or a third word of a name says little against it.
    score -= isVerb ? 0.7 : token.kind === "number" ? 0.15 : free.length > 1 ? 0.25 : 0.4
    free.push(token.raw)
    at++
  }
  draft.words = [...draft.words, ...free]
  // "die Datei a.pdf", "den Fotos das": an article is no pronoun beside a name or a kind.
  const isGerman = sentence.vocabulary.code === "de"
  if (draft.refer !== null && draft.names.length + draft.nameParts.length > 0) draft.refer = null
  if (draft.refer !== null && isGerman && /^(?:der|die|das|den)$/.test(sentence.tokens[to - 1]!.norm)) {
    if (to - 1 > from) {
      score -= 0.9
      if (draft.types.length + draft.extensions.length + draft.tags.length > 0) draft.refer = null
    }
  }
  // "it" and other words beside it are two things.
  if (draft.refer !== null) score -= 1.5 * draft.words.length
  const isPlural = /(?:[^s]s|en)$/i.test(free.at(-1) ?? "s")
  if (draft.sort !== null && draft.count === null && draft.number === "unknown" && !isPlural) {
    draft.count = 1
    draft.number = "one"
  }
  return { draft, score }
}

/** Filters of one part hold for the parts beside it that have none of their kind: "photos and videos from last week". */
const shared = (from: FileQuery, to: FileQuery): Partial<FileQuery> => ({
  ...(to.types.length === 0 && to.extensions.length === 0 && to.names.length === 0
    ? { types: from.types, extensions: from.extensions }
    : {}),
  folder: to.folder ?? from.folder,
  somewhere: to.somewhere ?? from.somewhere,
  list: to.list ?? from.list,
  sent: to.sent ?? from.sent,
  uploaded: to.uploaded ?? from.uploaded,
  taken: to.taken ?? from.taken,
  dated: to.dated ?? from.dated,
  size: to.size ?? from.size,
  duration: to.duration ?? from.duration,
  tempo: to.tempo ?? from.tempo,
  isPublic: to.isPublic ?? from.isPublic,
  isTrashed: to.isTrashed || from.isTrashed,
  isUntagged: to.isUntagged || from.isUntagged,
  tags: to.tags.length > 0 ? to.tags : from.tags
})

const narrowed = (query: FileQuery, by: FileQuery): FileQuery => ({
  ...query,
  ...Object.fromEntries(
    Object.entries(by).filter(([key, value]) =>
      key !== "number" && key !== "said" && value !== null && value !== false &&
      !(Array.isArray(value) && value.length === 0)
    )
  ),
  tags: [...query.tags, ...by.tags],
  nameParts: [...query.nameParts, ...by.nameParts]
})

const joined = (left: FileQuery, right: FileQuery): FileQuery => {
  // "the card, is it …": a pronoun behind what it means adds nothing.
  if (right.refer === "it" && left.refer === null && isWholeDrive({ ...right, refer: null })) return left
  // "the first and the third photo"
  if (left.position !== null && right.position !== null) {
    return { ...left, ...shared(right, left), number: "many", or: [...left.or, { ...right, ...shared(left, right) }] }
  }
  if (!hasHead(right) && right.or.length === 0) return narrowed(left, right)
  if (left.names.length > 0 && right.names.length > 0 && left.words.length === 0 && right.words.length === 0) {
    return { ...narrowed(left, { ...right, names: [] }), names: [...left.names, ...right.names], number: "many" }
  }
  if (isBareType(left) && right.types.length + right.extensions.length > 0) {
    return {
      ...right,
      types: [...left.types, ...right.types],
      extensions: [...left.extensions, ...right.extensions],
      number: "many"
    }
  }
  const first = { ...left, ...(left.names.length > 0 ? {} : shared(right, left)), or: [] }
  const second = { ...right, ...(right.names.length > 0 ? {} : shared(left, right)) }
  return { ...first, or: [...left.or, second], number: "many" }
}

/** "without tags" takes no files away. */
const unfiled = ["notin", "nodescription", "nofolder"]

/** More words about files do not make it more likely that the request is about files. */
const mostScore = 2

/** "…, only the notes are needed" narrows what stands before it in a way of its own. */
const isNarrowed = ({ from, sentence: { tokens }, to }: Span): boolean =>
  tokens.slice(from + 1, to).some(({ kind, norm }) => kind === "word" && /^(?:only|nur)$/.test(norm))

/** "all but the PDFs", "everything but the plan". */
const butLength = ({ from, sentence: { tokens }, to }: Span, at: number): number =>
  /^(?:but|bar|save)$/.test(tokens[at]!.norm) && at + 1 < to &&
    tokens.slice(from, at).some(({ norm }) => /^(?:all|every|everything|any|anything|both)$/.test(norm))
    ? 1
    : 0

/** What a span of words means as files. Everything means something; the score tells how plausible it is. */
export const parseFiles = (span: Span): ParsedFiles => {
  const { from, sentence, to } = span
  for (let at = from + 1; at < to; at++) {
    const length = Math.max(classAt(sentence, at, "except", to), butLength(span, at))
    if (length === 0 || at + length >= to || unfiled.some((name) => classAt(sentence, at, name, to) > 0)) continue
    const [all, left] = [parseFiles(slice(span, from, at)), parseFiles(slice(span, at + length, to))]
    return {
      query: { ...all.query, except: left.query, number: "many", said: textOf(span) },
      score: all.score + left.score + 0.3
    }
  }
  const pieces: Array<Piece> = []
  let start = from
  for (let at = from; at < to; at++) {
    const length = joins(sentence, at, to)
    // "tagged a and b", "between 100 and 120" and a name with a comma are one piece: rules read over the word.
    if (length === 0 || at === start || isInside(sentence, start, at, to)) continue
    pieces.push(readPiece(sentence, start, at))
    start = at + length
    at = start - 1
  }
  if (start < to) pieces.push(readPiece(sentence, start, to))
  const [head, ...rest] = pieces
  if (head === undefined) return { query: anyFile, score: -5 }
  const query = rest.reduce<FileQuery>((left, { draft }) => joined(left, draft), head.draft)
  const isEmpty = isWholeDrive(query) && query.number === "unknown"
  return {
    query: { ...query, said: textOf(span) },
    // A part that is mostly free words and verbs is no noun phrase.
    score: Math.min(mostScore, pieces.reduce((sum, { score }) => sum + score, 0)) + (isEmpty ? -5 : 0) +
      (isNarrowed(span) ? -4 : 0) +
      (pieces.some(({ score }, at) => score < (at === 0 ? -1.2 : -0.9)) ? -3 : 0)
  }
}

/** Whether a rule that began before "and" reads on behind it. */
const isInside = (sentence: Sentence, start: number, at: number, to: number): boolean => {
  for (let from = Math.max(start, at - 12); from < at; from++) {
    const reader: Reader = { sentence, at: from, end: to, draft: { ...anyFile } }
    for (const rule of rules) {
      const length = rule(reader)
      if (length > 0) {
        if (from + length > at) return true
        break
      }
    }
  }
  return false
}
