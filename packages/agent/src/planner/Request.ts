/** Reads a text: the requests in it in their order, with what they wait for and on what condition they are done. */
import { isLimiting, isQuestion, isReason, sentencesOf, withoutPoliteness } from "./grammar/clauses.ts"
import { languageOf } from "./grammar/Language.ts"
import { TooLong } from "./grammar/parseClause.ts"
import { type Moment, sentenceOf, type Span, textOf, tokensOf, wholeOf } from "./grammar/Sentence.ts"
import type { LanguageCode } from "./grammar/Vocabulary.ts"
import { type Clause, isBare, isNothing, reasonOf, remarkOf } from "./readClauses.ts"
import { applied, readSentence } from "./readPieces.ts"
import type { RequestOptions } from "./RequestOptions.ts"

export interface Request {
  readonly language: LanguageCode
  readonly clauses: ReadonlyArray<Clause>
  /** Parts that were not understood and may change what the others mean; nothing is done then. */
  readonly unknown: ReadonlyArray<string>
  /** Parts behind the others that look like requests and were not understood. */
  readonly left: ReadonlyArray<string>
}

const isGreeting = (span: Span): boolean => tokensOf(span).length === 0

/** Characters of a message that is read. */
export const longestRead = 1_000

/** Messages whose reading is remembered: the decisions of a task and the turns before it read the same ones again. */
const mostRemembered = 200
const known = new Map<string, Request>()

/** A reading holds for a minute, since "in two hours" counts from when it is said. */
const keyOf = (text: string, { lexicon, now, zone }: Moment, fallback: LanguageCode): string =>
  JSON.stringify([text, fallback, zone.toString(), Math.floor(now.epochMilliseconds / 60_000), lexicon?.key ?? ""])

/** Reads a whole message in the language that it is written in. One that is too long is not understood: half of it would be a guess. */
export const readRequest = (text: string, moment: Moment, fallback: LanguageCode): Request => {
  const key = keyOf(text.slice(0, longestRead + 1), moment, fallback)
  const found = known.get(key)
  known.delete(key)
  const request = found ?? readAfresh(text, moment, fallback)
  known.set(key, request)
  if (known.size > mostRemembered) known.delete(known.keys().next().value!)
  return request
}

const readAfresh = (text: string, moment: Moment, fallback: LanguageCode): Request => {
  const language = languageOf(text.slice(0, longestRead), fallback)
  const beginning = text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text
  if (text.length > longestRead) return { language, clauses: [], unknown: [beginning], left: [] }
  try {
    return requestOf(text, { ...moment }, language)
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
    if (sentences.length > 1 && isReason(part)) {
      clauses.push(...reasonOf(part).clauses)
      continue
    }
    const changed = clauses.length > 0 ? applied(clauses, span) : null
    if (changed !== null) {
      clauses.splice(0, clauses.length, ...changed)
      continue
    }
    const found = readSentence(span)
    // "Not the ones from March." beside a request is no request of its own.
    const isAside = found !== null && isBare(found) && sentences.length > 1 &&
      (remarkOf(span, clauses.length > 0) !== null || isLimiting(span, clauses.length > 0))
    if (found === null || isAside) unread.push({ span, at: clauses.length })
    else clauses.push(...found.clauses)
  }
  return { language, ...sortedOut(told(clauses), unread) }
}

/** What is wanted from people, and the request that is to be made for it: one request. */
const told = (clauses: ReadonlyArray<Clause>): ReadonlyArray<Clause> =>
  clauses.filter((clause, at) => {
    const next = clauses[at + 1]
    const options = clause.parsed.slots.get("options")
    return !(isCreation(clause) && next !== undefined && isCreation(next) && !request.test(clause.text) &&
      request.test(next.text) && options !== undefined && hasHeadOnly(options))
  })

const isCreation = ({ kind, parsed }: Clause): boolean => kind === "do" && parsed.intent.name === "create a request"

const request = /\b(?:requests?|\w*anfragen?|uploads?[ -]?(?:link|page|seite)s?)\b/i

const hasHeadOnly = ({ expireTime, folder, maxBytes, message, password }: RequestOptions): boolean =>
  [expireTime, folder, maxBytes, message, password].every((option) => option === null)

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
      else if (
        isAsked && !isLimiting(span, true) && (isQuestion(span) || (at > 0 && at === clauses.length))
      ) left.push(textOf(span))
      else unknown.push(textOf(span))
    }
    const clause = clauses[at]
    // "Hello!" before a request is no request.
    if (clause !== undefined && (!isAsked || clause.parsed.intent.name !== "hello")) all.push(clause)
  }
  return { clauses: all, unknown, left }
}
