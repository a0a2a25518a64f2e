/** Reads a text: the requests in it in their order, with what they wait for and on what condition they are done. */
import {
  beginsRequest,
  cutsOf,
  isLimiting,
  looksLikeRequest,
  sentencesOf,
  withoutPoliteness,
  withVerb
} from "./grammar/clauses.ts"
import { languageOf } from "./grammar/Language.ts"
import { type CompiledIntent, compileIntents, parseClause, type Parsed, TooLong } from "./grammar/parseClause.ts"
import { remembered } from "./grammar/remembered.ts"
import {
  classAt,
  isFiller,
  type Moment,
  sentenceOf,
  slice,
  type Span,
  textOf,
  tokensOf,
  wholeOf
} from "./grammar/Sentence.ts"
import type { LanguageCode } from "./grammar/Vocabulary.ts"
import { conditions } from "./intents/Conditions.ts"
import { events } from "./intents/Events.ts"
import { intents } from "./intents/Intents.ts"
import { notices } from "./intents/Notices.ts"
import { remark } from "./intents/Remark.ts"
import { Slots } from "./Slots.ts"

/** One thing to do. What follows an `if` is done only when it holds. */
export interface Clause {
  readonly kind: "do" | "wait" | "if" | "remark"
  readonly parsed: Parsed
  /** The user's words. */
  readonly text: string
}

export interface Request {
  readonly language: LanguageCode
  readonly clauses: ReadonlyArray<Clause>
  /** Parts that were not understood and may change what the others mean; nothing is done then. */
  readonly unknown: ReadonlyArray<string>
  /** Parts behind the others that look like requests and were not understood. */
  readonly left: ReadonlyArray<string>
}

const compiled = {
  intents: compileIntents(intents),
  events: compileIntents(events),
  notices: compileIntents(notices),
  conditions: compileIntents(conditions)
}

type Clauses = ReadonlyArray<Clause>

interface Read {
  readonly clauses: Clauses
  readonly score: number
}

const parsedAs = (kind: Clause["kind"], span: Span, list: ReadonlyArray<CompiledIntent>): Read | null => {
  const inner = withoutPoliteness(span)
  let best = inner.from < inner.to ? parseClause(inner, list) : null
  // "Nimm a.jpg in die Galerie Meier auf": the end of the verb is no part of the name.
  if (inner.to - inner.from > 2 && span.sentence.vocabulary.code === "de" && isParticle(inner)) {
    const short = parseClause(slice(inner, inner.from, inner.to - 1), list)
    if ((short?.score ?? 0) > (best?.score ?? 0)) best = short
  }
  const asked = kind === "do" ? askedIn(inner) : null
  const answer = asked === null ? null : parseClause(asked, list)
  const parsed = (answer?.score ?? 0) + 1 > (best?.score ?? 0) ? answer ?? best : best
  return parsed === null ? null : { clauses: [{ kind, parsed, text: textOf(inner) }], score: parsed.score }
}

/** The question in "tell me who opened it" and "do you know whether …"; null for a text without a question. */
const askedIn = (span: Span): Span | null => {
  const { from, sentence, to } = span
  let at = from + classAt(sentence, from, "know", to)
  if (at === from) return null
  while (at < to && (isFiller(sentence, at) || classAt(sentence, at, "me", to) > 0)) at++
  return at + 1 < to && /^(?:who|whom|how|when|wer|wem|wie|wann)$/.test(sentence.tokens[at]!.norm)
    ? slice(span, at, to)
    : null
}

const isParticle = ({ sentence, to }: Span): boolean =>
  /^(?:ab|an|auf|aus|ein|um|hin|her|hinzu|dazu|zu|rein|raus|heraus|hinein|weg|vor|zusammen|los|frei|hoch|runter|herunter|bereit|fest|zuruck|wieder|unter|durch|mit|nach)$/
    .test(sentence.tokens[to - 1]!.norm)

const remarkScore = 0.01

/** A statement that asks for nothing; null for what may be a request or a condition of one. */
const remarkOf = (span: Span, isBehind: boolean): Read | null => {
  const inner = withoutPoliteness(span)
  if (inner.from >= inner.to || isLimiting(inner, isBehind) || looksLikeRequest(inner)) return null
  const parsed: Parsed = { intent: remark(inner), form: "", slots: new Slots(new Map()), score: remarkScore }
  return { clauses: [{ kind: "remark", parsed, text: textOf(inner) }], score: remarkScore }
}

/** Words for files without a verb are a request only when they stand alone. */
const isBare = ({ clauses }: Read): boolean =>
  clauses.every(({ parsed }) => parsed.intent.name === "files without a verb")

/** The verb with which a span begins, for the part behind it that says none. */
const verbOf = (span: Span): string => {
  const { sentence } = span
  for (let at = span.from; at < span.to; at++) {
    const hit = sentence.hits[at]!.find(({ className }) => sentence.vocabulary.verbs.has(className))
    if (hit !== undefined) return textOf(slice(span, at, at + hit.length))
  }
  return ""
}

/** The best way to cut a span into requests that are all understood; null when no way is. */
const sequence = remembered((span: Span): Read | null => {
  const cuts = cutsOf(span)
  const starts = [span.from, ...cuts.map(({ start }) => start)]
  const ends = [...cuts.map(({ end }) => end), span.to]
  const best: Array<Read | null> = []
  for (let last = 0; last < ends.length; last++) {
    let found: Read | null = null
    for (let first = last; first >= 0; first--) {
      const before = first === 0 ? { clauses: [], score: 0 } : best[first - 1]!
      if (before === null) continue
      const part = slice(span, starts[first]!, ends[last]!)
      const gapped = first > 0 && last === first
        ? () => parsedAs("do", withVerb(verbOf(span), part), compiled.intents)
        : () => null
      const plain = parsedAs("do", part, compiled.intents)
      // "put a.txt into /A and b.txt into /B": the second part alone would only be looked for.
      const asked = plain === null || (isBare(plain) && first > 0) ? gapped() ?? plain : plain
      const isLead = first === 0 && last < ends.length - 1
      const read = isLead && (asked === null || isBare(asked)) ? remarkOf(part, false) ?? asked : asked
      if (read === null || before.score + read.score <= (found?.score ?? 0)) continue
      found = { clauses: [...before.clauses, ...read.clauses], score: before.score + read.score }
    }
    best.push(found)
  }
  return best.at(-1) ?? null
})

/** Where an event or condition may end: at a comma, at "afterwards", before the next request, at the end. */
const endsFrom = (span: Span, at: number): ReadonlyArray<{ readonly end: number; readonly start: number }> => {
  const found: Array<{ readonly end: number; readonly start: number }> = []
  for (let end = at + 1; end < span.to; end++) {
    if (span.sentence.tokens[end]!.raw === ",") {
      const then = classAt(span.sentence, end + 1, "afterwards", span.to)
      found.push({ end, start: end + 1 + then })
    }
  }
  found.push(...cutsOf(slice(span, at, span.to)), { end: span.to, start: span.to })
  return found.toSorted((a, b) => a.end - b.end)
}

const isNothing = (span: Span): boolean => {
  for (let at = span.from; at < span.to; at++) if (!isFiller(span.sentence, at)) return false
  return true
}

/** "tell me when …", "when …, do …", "do … as soon as …", "wait for …, then do …", "if there are …, do …". */
const conditional = remembered((span: Span): Read | null => {
  const { sentence, to } = span
  for (let at = span.from; at < to; at++) {
    for (const className of ["wait", "when"] as const) {
      const length = classAt(sentence, at, className, to)
      if (length === 0 || (className === "wait" && at > span.from + 1)) continue
      const before = withoutPoliteness(slice(span, span.from, at))
      let best: Read | null = null
      for (const { end, start } of endsFrom(span, at + length)) {
        const inner = slice(span, at + length, end)
        // "if there are …" is looked up, "if somebody opens …" is waited for.
        const isIf = classAt(sentence, at, "if", to) > 0
        const [waited, held] = [
          parsedAs("wait", inner, compiled.events),
          isIf ? parsedAs("if", inner, compiled.conditions) : null
        ]
        const event = (held?.score ?? 0) > (waited?.score ?? 0) ? held : waited
        if (event === null || holdsRequest(inner)) continue
        const rest = slice(span, start, to)
        const main = read(before)
        const after = isNothing(rest) ? { clauses: [], score: 0 } : partOf(rest)
        if (main === null || after === null) continue
        const score = event.score + main.score + after.score
        if (score > (best?.score ?? 0)) {
          best = { clauses: [...event.clauses, ...main.clauses, ...after.clauses], score }
        }
      }
      if (best !== null) return best
    }
  }
  return null
})

/** Whether a request begins behind a comma: then the words before it alone are the event. */
const holdsRequest = (span: Span): boolean => {
  for (let at = span.from; at + 1 < span.to; at++) {
    if (span.sentence.tokens[at]!.raw === "," && beginsRequest(span, at + 1)) return true
  }
  return false
}

/** What stands before "when": nothing, only that one wants to be told, or requests. */
const read = (span: Span): Read | null =>
  isNothing(span) || parsedAs("do", span, compiled.notices) !== null ? { clauses: [], score: 0 } : sequence(span)

/** "then tell me" behind an event asks for nothing more. */
const partOf = (span: Span): Read | null =>
  parsedAs("do", span, compiled.notices) !== null ? { clauses: [], score: 0 } : conditional(span) ?? sequence(span)

const isGreeting = (span: Span): boolean => tokensOf(span).length === 0

/** Characters of a message that is read. */
const longest = 1_000

/** Reads a whole message in the language that it is written in. One that is too long is not understood: half of it would be a guess. */
export const readRequest = (text: string, moment: Moment, fallback: LanguageCode): Request => {
  const language = languageOf(text.slice(0, longest), fallback)
  const beginning = text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text
  if (text.length > longest) return { language, clauses: [], unknown: [beginning], left: [] }
  try {
    return requestOf(text, moment, language)
  } catch (fault) {
    if (!(fault instanceof TooLong)) throw fault
    return { language, clauses: [], unknown: [beginning], left: [] }
  }
}

const requestOf = (text: string, moment: Moment, language: LanguageCode): Request => {
  const whole = wholeOf(sentenceOf(text, language, moment))
  const clauses: Array<Clause> = []
  const unread: Array<{ readonly span: Span; readonly at: number }> = []
  const sentences = sentencesOf(whole)
  for (const part of sentences) {
    const span = withoutPoliteness(part)
    if (isGreeting(span) || isNothing(span)) continue
    const found = conditional(span) ?? sequence(span)
    // "Not the ones from March." beside a request is no request of its own.
    const isAside = found !== null && isBare(found) && sentences.length > 1 &&
      (remarkOf(span, clauses.length > 0) !== null || isLimiting(span, clauses.length > 0))
    if (found === null || isAside) unread.push({ span, at: clauses.length })
    else clauses.push(...found.clauses)
  }
  return { language, ...sortedOut(clauses, unread) }
}

/** Which of the parts that were not understood matter: remarks are kept among the requests, the rest is said. */
const sortedOut = (
  clauses: ReadonlyArray<Clause>,
  unread: ReadonlyArray<{ readonly span: Span; readonly at: number }>
): Pick<Request, "clauses" | "unknown" | "left"> => {
  const all: Array<Clause> = []
  const [unknown, left]: [Array<string>, Array<string>] = [[], []]
  const asked = clauses.filter(({ kind, parsed }) => kind !== "remark" && parsed.intent.name !== "hello")
  const isAsked = asked.length > 0
  for (let at = 0; at <= clauses.length; at++) {
    for (const { span } of unread.filter((one) => one.at === at)) {
      const told = isAsked ? remarkOf(span, at > 0) : null
      if (told !== null) all.push(...told.clauses)
      else if (at > 0 && at === clauses.length && !isLimiting(span, true)) left.push(textOf(span))
      else unknown.push(textOf(span))
    }
    const clause = clauses[at]
    // "Hello!" before a request is no request.
    if (clause !== undefined && (!isAsked || clause.parsed.intent.name !== "hello")) all.push(clause)
  }
  return { clauses: all, unknown, left }
}
