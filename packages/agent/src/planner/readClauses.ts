/** Reads the clauses of a sentence: requests, what they wait for, on what condition they are done, and remarks beside them. */
import { parseFiles } from "./files/parseFiles.ts"
import {
  asksOf,
  beginsRequest,
  beginsStatement,
  cutsOf,
  isLimiting,
  looksLikeRequest,
  withoutPoliteness,
  withVerb
} from "./grammar/clauses.ts"
import { type CompiledIntent, compileIntents, parseClause, type Parsed } from "./grammar/parseClause.ts"
import { remembered } from "./grammar/remembered.ts"
import { rewordings } from "./grammar/Rewordings.ts"
import { classAt, isFiller, slice, type Span, textOf } from "./grammar/Sentence.ts"
import { conditions } from "./intents/Conditions.ts"
import { events } from "./intents/Events.ts"
import type { Intent } from "./intents/Intent.ts"
import { intents } from "./intents/Intents.ts"
import { notices } from "./intents/Notices.ts"
import { ahead, remark } from "./intents/Remark.ts"
import { Slots } from "./Slots.ts"

/** One thing to do. What follows an `if` is done only when it holds. */
export interface Clause {
  readonly kind: "do" | "wait" | "if" | "remark"
  readonly parsed: Parsed
  /** The user's words. */
  readonly text: string
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
  const limited = kind === "do" ? exceptIn(inner, list) : null
  if ((limited?.score ?? 0) > (best?.score ?? 0)) best = limited
  if (kind === "do" && inner.from < inner.to) {
    for (const other of rewordings(inner)) {
      const found = parseClause(withoutPoliteness(other), list)
      if ((found?.score ?? 0) > (best?.score ?? 0)) best = found
    }
  }
  const asked = kind === "do" ? askedIn(inner) : null
  const answer = asked === null ? null : parseClause(asked, list)
  const parsed = (answer?.score ?? 0) + 1 > (best?.score ?? 0) ? answer ?? best : best
  return parsed === null ? null : { clauses: [{ kind, parsed, text: textOf(inner) }], score: parsed.score }
}

/** "Move everything to /Backup except the text files": what is left out may be said behind the rest. */
const exceptIn = (span: Span, list: ReadonlyArray<CompiledIntent>): Parsed | null => {
  const { from, sentence, to } = span
  for (let at = from + 2; at + 1 < to; at++) {
    const length = classAt(sentence, at, "except", to)
    if (length === 0 || classAt(sentence, at, "keepFiles", to) + classAt(sentence, at, "nodownload", to) > 0) continue
    const comma = sentence.tokens[at - 1]!.raw === "," ? 1 : 0
    const head = parseClause(slice(span, from, at - comma), list)
    const files = head?.slots.get("files")
    const { query, score } = parseFiles(slice(span, at + length, to))
    if (head === null || files === undefined || files.except !== null || score < -1) continue
    return {
      ...head,
      slots: head.slots.with("files", { ...files, except: query, number: "many" }),
      score: head.score + score + 0.5
    }
  }
  return null
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

const remarkAs = (intent: Intent, span: Span): Clause => ({
  kind: "remark",
  parsed: { intent, form: "", slots: new Slots(new Map()), score: remarkScore },
  text: textOf(span)
})

/** A statement that asks for nothing; null for what may be a request or a condition of one. */
export const remarkOf = (span: Span, isBehind: boolean): Read | null => {
  const inner = withoutPoliteness(span)
  if (inner.from >= inner.to || isLimiting(inner, isBehind) || looksLikeRequest(inner)) return null
  return { clauses: [remarkAs(remark(inner), inner)], score: remarkScore }
}

/** Why something is asked for: nothing is done, but "it" may mean what it names. */
export const reasonOf = (span: Span): Read => ({ clauses: [remarkAs(remark(span), span)], score: remarkScore })

/** Words for files without a verb are a request only when they stand alone. */
export const isBare = ({ clauses }: Read): boolean =>
  clauses.every(({ parsed }) => parsed.intent.name === "files without a verb")

/** Whether a search says nothing but "it": "…, have you got it?" */
const isPointing = ({ slots }: Parsed): boolean => {
  const files = slots.get("files")
  return files !== undefined && files.refer !== null && files.words.length === 0
}

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
export const sequence = remembered((span: Span): Read | null => {
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
      const isTail = first > 0 && last === first && beginsStatement(part, part.from)
      const isAside = first > 0 && last === first && asksOf(span.sentence, part.from) &&
        (plain === null || plain.clauses.every(({ parsed }) => isPointing(parsed)))
      const asked = !isTail && !isAside && (plain === null || (isBare(plain) && first > 0)) ? gapped() ?? plain : plain
      const isLead = first === 0 && last < ends.length - 1
      const read = isAside
        ? reasonOf(part)
        : (isLead || isTail) && (asked === null || isBare(asked))
        ? remarkOf(part, isTail) ?? asked
        : asked
      if (read === null || before.score + read.score <= (found?.score ?? 0)) continue
      found = { clauses: [...before.clauses, ...read.clauses], score: before.score + read.score }
    }
    best.push(found)
  }
  return best.at(-1) ?? null
})

/** What stands before "when". "zip it and tell me when …" is done first, "share it when …" afterwards. */
const leadOf = (span: Span): { readonly before: Span; readonly isFirst: boolean } => {
  const whole = withoutPoliteness(span)
  const { from, sentence } = whole
  const joins = (at: number): number =>
    Math.max(classAt(sentence, at, "and", whole.to), sentence.tokens[at]!.raw === "," ? 1 : 0)
  for (let at = whole.to - 1; at > from; at--) {
    const length = joins(at)
    if (length === 0) continue
    const rest = slice(whole, at + length, whole.to)
    const isNotice = rest.from < rest.to && parsedAs("do", rest, compiled.notices) !== null
    if (!isNotice && !isNothing(rest)) continue
    return {
      before: withoutPoliteness(slice(whole, from, sentence.tokens[at - 1]!.raw === "," ? at - 1 : at)),
      isFirst: true
    }
  }
  return { before: whole, isFirst: false }
}

/** "Warte, bis …": without the comma and the small word. */
const eventStart = ({ sentence, to }: Span, from: number): number => {
  let at = from
  while (
    at + 1 < to &&
    (sentence.tokens[at]!.kind === "mark" || /^(?:bis|until|till|dass|that)$/.test(sentence.tokens[at]!.norm))
  ) at++
  return at
}

/** Where an event or condition may end: at a comma, at "afterwards", before the next request, at the end. */
const endsFrom = (span: Span, at: number): ReadonlyArray<{ readonly end: number; readonly start: number }> => {
  const found: Array<{ readonly end: number; readonly start: number }> = []
  for (let end = at + 1; end < span.to; end++) {
    if (span.sentence.tokens[end]!.raw === ",") {
      const then = classAt(span.sentence, end + 1, "afterwards", span.to)
      found.push({ end, start: end + 1 + then })
    }
  }
  // "when files arrive in /Inbox move them to /Sorted": no mark between.
  for (let end = at + 2; end < span.to; end++) {
    if (span.sentence.vocabulary.code === "en" && beginsRequest(span, end)) found.push({ end, start: end })
  }
  found.push(...cutsOf(slice(span, at, span.to)), { end: span.to, start: span.to })
  return found.toSorted((a, b) => a.end - b.end)
}

export const isNothing = (span: Span): boolean => {
  for (let at = span.from; at < span.to; at++) if (!isFiller(span.sentence, at)) return false
  return true
}

/** "tell me when …", "when …, do …", "do … as soon as …", "wait for …, then do …", "if there are …, do …". */
export const conditional = remembered((span: Span): Read | null => {
  const { sentence, to } = span
  for (let at = span.from; at < to; at++) {
    for (const className of ["wait", "when"] as const) {
      const length = classAt(sentence, at, className, to)
      if (length === 0 || (className === "wait" && at > span.from + 1)) continue
      const { before, isFirst } = leadOf(slice(span, span.from, at))
      const event = eventStart(span, at + length)
      let best: Read | null = null
      for (const { end, start } of endsFrom(span, event)) {
        const inner = slice(span, event, end)
        // "if there are …" is looked up, "if somebody opens …" is waited for.
        const isIf = classAt(sentence, at, "if", to) > 0
        const [waited, held] = [
          parsedAs("wait", inner, compiled.events),
          isIf ? parsedAs("if", inner, compiled.conditions) : null
        ]
        const awaited = (held?.score ?? 0) > (waited?.score ?? 0) ? held : waited
        if (awaited === null || holdsRequest(inner)) continue
        const rest = slice(span, start, to)
        const main = read(before)
        const after = isNothing(rest) ? { clauses: [], score: 0 } : partOf(rest)
        if (main === null || after === null) continue
        const score = awaited.score + main.score + after.score
        if (score > (best?.score ?? 0)) {
          const told = !isFirst && main.clauses.length > 0 &&
              awaited.clauses.some(({ parsed }) => (parsed.slots.get("files")?.refer ?? null) !== null)
            ? [remarkAs(ahead(before), before)]
            : []
          const begun = isFirst ? [...main.clauses, ...awaited.clauses] : [...told, ...awaited.clauses, ...main.clauses]
          best = { clauses: [...begun, ...after.clauses], score }
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
