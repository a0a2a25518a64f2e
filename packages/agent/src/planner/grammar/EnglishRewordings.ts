/** English wordings for which intents have no forms, as requests: "the photos should be moved to /A" is "move the photos to /A". */
import { verbOfParticiple } from "./Participles.ts"
import { slice, type Span, textOf } from "./Sentence.ts"

const modal =
  /^(?:can|could|should|shall|must|may|might|would|will|ought|needs?|has|have|wants?|wanted|is|are|cant|to)$/

/** Words that may stand between "should" and "be". */
const small =
  /^(?:to|now|all|also|please|then|both|just|simply|first|already|really|each|probably|immediately|asap|be|have|got)$/

const negation = /n't$|^(?:not|no|never|longer|nobody|cannot|dont|shouldnt|mustnt|cant|isnt|arent|neednt|wont)$/

/** Participles that tell which files are meant as often as what is to be done with them. */
const describing =
  /^(?:tagged|labell?ed|marked|flagged|taken|shot|recorded|shared|uploaded|saved|added|named|called|titled|made|created|sent|got|downloaded|imported|kept|written|drawn|filed|stored)$/

const norms = ({ from, sentence, to }: Span): ReadonlyArray<string> =>
  sentence.tokens.slice(from, to).map(({ norm }) => norm)

const text = (span: Span, from: number, to: number): string =>
  from >= to ? "" : textOf(slice(span, span.from + from, span.from + to)) === "" ? "" : rawText(span, from, to)

/** With the quotes of a quoted word. */
const rawText = ({ from: start, sentence }: Span, from: number, to: number): string =>
  sentence.text.slice(sentence.tokens[start + from]!.start, sentence.tokens[start + to - 1]!.end)

/** The words before a span in which somebody says what they want: "I'd like". */
const isWished = ({ from, sentence }: Span): boolean => {
  const before = sentence.tokens.slice(Math.max(0, from - 4), from).map(({ norm }) => norm).join(" ")
  return /(?:^| )(?:i|we|id|wed|ill|well)(?: would| d| will| just| only| still| could)? ?(?:like|want|need|love|prefer|use)(?: to)?$/
    .test(before) ||
    /(?:^| )(?:can|could|may) (?:i|we) (?:have|get)$/.test(before) ||
    /(?:^| )(?:what i (?:need|want) is|gimme)$/.test(before)
}

/** "X should be moved to Y", "can X be moved to Y", "X is to be moved". */
const passive = (span: Span, words: ReadonlyArray<string>): string | null => {
  for (let at = 1; at + 1 < words.length; at++) {
    if (words[at] !== "be" && words[at] !== "get") continue
    let verbAt = at + 1
    while (
      verbAt + 1 < words.length &&
      /^(?:then|now|also|all|both|always|permanently|please|completely)$/.test(words[verbAt]!)
    ) verbAt++
    const verb = verbOfParticiple("en", words[verbAt]!)
    if (verb === null || /^[A-Z]/.test(span.sentence.tokens[span.from + verbAt]!.raw)) continue
    let end = at
    while (end > 1 && (small.test(words[end - 1]!) || modal.test(words[end - 1]!))) end--
    const isAsked = modal.test(words[0]!) && words[0] !== "to"
    const subject = isAsked ? text(span, 1, at) : end < at || isWished(span) ? text(span, 0, end) : ""
    if (subject === "" || words.slice(0, at).some((word) => negation.test(word))) continue
    const extra = text(span, at + 1, verbAt)
    return [verb, subject, text(span, verbAt + 1, words.length), extra].filter((part) => part !== "").join(" ")
  }
  return null
}

/** "X shouldn't be tagged Y any longer". */
const denied = (span: Span, words: ReadonlyArray<string>): string | null => {
  const at = words.findIndex((word, n) =>
    n > 0 && word === "be" && /^(?:tagged|labell?ed|marked|flagged|shared)$/.test(words[n + 1] ?? "")
  )
  if (at < 2) return null
  const first = words.findIndex((word) => negation.test(word) || modal.test(word))
  if (first < 1 || !words.slice(0, at).some((word) => negation.test(word))) return null
  const rest = text(span, at + 2, words.length).replace(/^(?:as|with)\s+/i, "")
  if (rest === "") return null
  const subject = text(span, 0, first)
  return words[at + 1] === "shared" ? `stop sharing ${subject} with ${rest}` : `remove the tag ${rest} from ${subject}`
}

/** "I'd like X moved to Y", "have X moved to Y", "I want X tagged with Y" where X is a file's name. */
const wished = (span: Span, words: ReadonlyArray<string>): string | null => {
  const start = /^(?:have|get|see|with)$/.test(words[0]!) ? 1 : isWished(span) ? 0 : -1
  if (start < 0) return null
  for (let at = start + 1; at < words.length; at++) {
    const verb = verbOfParticiple("en", words[at]!)
    const isFile = ["file", "quoted"].includes(span.sentence.tokens[span.from + at - 1]!.kind) ||
      words[at - 1] === "it" || words[at - 1] === "them"
    if (verb === null || words[at] === verb && verb !== "put" && verb !== "set") continue
    if (describing.test(words[at]!) && !isFile && !/^(?:public|private|into|available)$/.test(words[at + 1] ?? "")) {
      continue
    }
    return `${verb} ${text(span, start, at)} ${text(span, at + 1, words.length)}`.trim()
  }
  return null
}

/** "I'd like X to go to Y", "… to have the tag Z": as a statement. */
const infinitive = (span: Span, words: ReadonlyArray<string>): string | null => {
  if (!isWished(span)) return null
  const at = words.findIndex((word, n) =>
    n > 0 && word === "to" &&
    /^(?:go|be|have|get|live|land|end|contain|say|see|read|open|download)$/.test(words[n + 1] ?? "")
  )
  return at < 1 || verbOfParticiple("en", words[at + 2] ?? "") !== null && words[at + 1] === "be"
    ? null
    : `${text(span, 0, at)} should ${text(span, at + 1, words.length)}`
}

/** "the invoices need tagging with 2026". */
const gerund = (span: Span, words: ReadonlyArray<string>): string | null => {
  const at = words.findIndex((word, n) => n > 0 && /^needs?$/.test(word) && (words[n + 1] ?? "").endsWith("ing"))
  if (at < 1) return null
  return `${text(span, at + 1, at + 2)} ${text(span, 0, at)} ${text(span, at + 2, words.length)}`.trim()
}

const counted = /^(?:an?|another|some|new|two|three|four|five|six|[2-6])$/

/** "I need a folder for the taxes", "can I get a public link to X": something that is to be made. */
const made = (span: Span, words: ReadonlyArray<string>): string | null => {
  const start = /^(?:have|get)$/.test(words[0]!) ? 1 : 0
  if (start === 0 && !isWished(span)) return null
  const { hits } = span.sentence
  const isThing = counted.test(words[start]!) ||
    hits[span.from + start]!.some(({ className }) =>
      /^n:(?:folder|playlist|gallery|request|review|note|link)$/.test(className)
    )
  // "I need a picture from yesterday" is looked for.
  return isThing ? `create ${text(span, start, words.length)}` : null
}

/** "I want contract.pdf in /Legal", "I'd like cut.mp4 on the playlist Reel". */
const placed = (span: Span, words: ReadonlyArray<string>): string | null => {
  if (!isWished(span) || !["file", "quoted"].includes(span.sentence.tokens[span.from]!.kind)) return null
  return words.some((word) => /^(?:in|into|on|under|onto)$/.test(word)) ? `put ${text(span, 0, words.length)}` : null
}

const ways = [passive, denied, wished, infinitive, gerund, made, placed]

export const englishRewordings = (span: Span): ReadonlyArray<string> => {
  const words = norms(span)
  return words.length < 3 ? [] : ways.flatMap((way) => way(span, words) ?? [])
}
