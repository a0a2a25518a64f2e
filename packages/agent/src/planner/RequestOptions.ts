/** What may be said of a request or a review behind its name, in any order: a folder, an end, a limit, a message, a password. */
import { endAt } from "./Dates.ts"
import { nameLengthAt } from "./grammar/Names.ts"
import { classAt, isFiller, type Sentence, slice, type Span, textOf, trimmed } from "./grammar/Sentence.ts"
import { quantityAt } from "./Quantities.ts"

export interface RequestOptions {
  /** What is left: a name, or words for a file. */
  readonly head: Span
  readonly folder: string | null
  /** ISO 8601. */
  readonly expireTime: string | null
  readonly maxBytes: number | null
  readonly message: string | null
  readonly password: string | null
  readonly allowDownload: boolean | null
}

type Draft = { -readonly [Key in keyof RequestOptions]: RequestOptions[Key] }

interface At {
  readonly sentence: Sentence
  readonly at: number
  readonly end: number
}

type Reader = (place: At, draft: Draft) => number

const skip = (sentence: Sentence, at: number, end: number): number => {
  let next = at
  while (next < end && isFiller(sentence, next)) next++
  return next
}

const words = (sentence: Sentence, from: number, to: number): string => textOf({ sentence, from, to })

const due: Reader = ({ at, end, sentence }, draft) => {
  const lead = classAt(sentence, at, "due", end)
  if (lead === 0) return 0
  const found = endAt(sentence, at + lead, end)
  if (found === null) return 0
  draft.expireTime = found.time
  return lead + found.length
}

const limit: Reader = ({ at, end, sentence }, draft) => {
  const lead = Math.max(
    classAt(sentence, at, "under", end),
    /^(?:limit|limited|maximum|max|hochstens|maximal|most)$/.test(sentence.tokens[at]!.norm) ? 1 : 0
  )
  if (lead === 0) return 0
  let from = at + lead
  while (from < end && /^(?:of|to|limit|a|von|auf|to|size)$/.test(sentence.tokens[from]!.norm)) from++
  const found = quantityAt(sentence, from, end)
  if (found?.kind !== "bytes") return 0
  draft.maxBytes = found.value
  const tail = /^(?:limit|maximum|max|in|total|altogether|insgesamt)$/
  let next = from + found.length
  while (next < end && tail.test(sentence.tokens[next]!.norm)) next++
  return next - at
}

const password: Reader = ({ at, end, sentence }, draft) => {
  const lead = classAt(sentence, at, "password", end)
  let from = lead === 0 ? at : skip(sentence, at + lead, end)
  // "protected with the password kiwi"
  const again = from > at ? classAt(sentence, from, "password", end) : 0
  if (again > 0 && from + again < end) from = skip(sentence, from + again, end)
  if (sentence.tokens[from]?.raw === ":") from++
  const token = sentence.tokens[from]
  if (lead === 0 || token === undefined || from >= end) return 0
  draft.password = token.raw
  return from + 1 - at
}

const download: Reader = ({ at, end, sentence }, draft) => {
  const without = classAt(sentence, at, "nodownload", end)
  const allowed = classAt(sentence, at, "allowdownload", end)
  if (without + allowed === 0) return 0
  draft.allowDownload = allowed > without
  return Math.max(without, allowed)
}

/** A message goes on to the end, or is quoted. */
const message: Reader = ({ at, end, sentence }, draft) => {
  const lead = classAt(sentence, at, "message", end)
  const colon = sentence.tokens[at + lead]?.raw === ":" ? 1 : 0
  const from = at + lead + colon
  const token = sentence.tokens[from]
  if (lead === 0 || token === undefined || from >= end) return 0
  if (token.kind === "quoted") {
    draft.message = token.raw
    return from + 1 - at
  }
  draft.message = words(sentence, from, end)
  return end - at
}

const folder: Reader = ({ at, end, sentence }, draft) => {
  let lead = at
  while (
    lead < end &&
    /^(?:that|which|and|files|should|they|it|everything|all|end|ends|up|alles|sie|es|am|ende|kommen|kommt|landet|landen|gehen|ablegen|abgelegt|go|goes|going|land|lands|landing|saved|saving|save|collect|collecting|collected|put|putting|them|arriving|arrive|die|dateien|sollen|und|dropping|drop)$/
      .test(sentence.tokens[lead]!.norm)
  ) lead++
  const into = lead < end ? Math.max(classAt(sentence, lead, "into", end), 0) : 0
  if (into === 0) return 0
  const from = skip(sentence, lead + into, end)
  if (from >= end) return 0
  const noun = classAt(sentence, from, "n:folder", end)
  const called = classAt(sentence, from + noun, "called", end)
  const length = nameLengthAt(sentence, from + noun + called, end)
  const behind = length === 0 ? 0 : classAt(sentence, from + noun + called + length, "n:folder", end)
  const isPath = sentence.tokens[from]!.kind === "path"
  if (length === 0 || (noun === 0 && behind === 0 && !isPath)) return 0
  draft.folder = words(sentence, from + noun + called, from + noun + called + length)
  return from + noun + called + length + behind - at
}

const readers: ReadonlyArray<Reader> = [password, message, download, limit, due, folder]

/** Words around options: "the deadline is Friday", "and it should take no more than …". */
const connecting =
  /^(?:and|with|that|which|it|they|is|be|should|shall|must|can|may|to|please|make|set|put|let|end|ends|run|runs|stay|close|closes|take|takes|accept|und|mit|es|sie|soll|sollte|sollen|muss|kann|ist|sein|bitte|enden|laufen|bleiben|abgabe|abgabeschluss|einsendeschluss|protect|protected|only|also|then|dann|auch|das|die|request|review|anfrage|has|have|a|an|no|in|total|altogether|together|insgesamt|zusammen|each|per|person|open|offen)$/

const isConnecting = ({ tokens }: Sentence, at: number): boolean =>
  tokens[at]!.kind === "mark" || (tokens[at]!.kind === "word" && connecting.test(tokens[at]!.norm))

/** How many words of a span are no option of it. */
const leftOver = new WeakMap<RequestOptions, number>()

/** Whether a span says options and nothing else. */
export const isEmptyOf = (options: RequestOptions): boolean => leftOver.get(options) === 0

/** The options in a span; its head is what stands before the first of them. */
export const optionsOf = (span: Span): RequestOptions => {
  const { from, sentence, to } = span
  const draft: Draft = {
    head: span,
    folder: null,
    expireTime: null,
    maxBytes: null,
    message: null,
    password: null,
    allowDownload: null
  }
  let headEnd = to
  let unread = 0
  for (let at = from; at < to;) {
    let length = 0
    for (const reader of readers) {
      length = reader({ sentence, at, end: to }, draft)
      if (length > 0) break
    }
    if (length > 0) headEnd = Math.min(headEnd, at)
    else if (!isFiller(sentence, at) && !isConnecting(sentence, at)) unread++
    at += Math.max(length, 1)
  }
  let head = trimmed(slice(span, from, headEnd))
  while (
    head.to > head.from &&
    /^(?:and|with|the|a|an|that|which|und|mit|einem|einer|der|,)$/.test(sentence.tokens[head.to - 1]!.norm)
  ) {
    head = slice(head, head.from, head.to - 1)
  }
  const options = { ...draft, head }
  leftOver.set(options, unread)
  return options
}
