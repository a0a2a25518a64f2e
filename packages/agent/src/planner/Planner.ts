/**
 * The planner: decides by rules what to do next for a conversation. It is a pure function of the conversation so far; the plan of
 * the present request is run again from its beginning for every decision, with the results that there are.
 */
import { answerTo } from "./Answers.ts"
import type { Decision } from "./Decision.ts"
import { emptyFocus, type Focus } from "./Focus.ts"
import { languageOf } from "./grammar/Language.ts"
import { noNames } from "./grammar/Lexicon.ts"
import type { Moment } from "./grammar/Sentence.ts"
import type { LanguageCode } from "./grammar/Vocabulary.ts"
import { knownNames } from "./KnownNames.ts"
import { mentioned } from "./mentioned.ts"
import type { Plan, PlanReply, Question, StepAnswer } from "./Plan.ts"
import { nothingKnown, type PlanContext } from "./PlanContext.ts"
import { longestRead, readRequest } from "./Request.ts"
import { type PermissionOf, runRequest } from "./runRequest.ts"
import type { Transcript, Turn } from "./Transcript.ts"

export interface Options extends Moment {
  /** Names of the tools that the connection may use. */
  readonly tools: ReadonlySet<string>
  /** The permission that a tool needs, for the sentence that refuses it. Default: unknown. */
  readonly permissionOf?: PermissionOf | undefined
  /** Where links of the drive's pages begin, like `https://files.example.com`. */
  readonly siteUrl?: string | undefined
}

/** Earlier turns that are remembered. */
const turnsRemembered = 20

interface Conversation {
  readonly focus: Focus
  readonly earlier: Array<Turn>
  language: LanguageCode
  /** A plan that waits for the answer to its question. */
  open: { readonly plan: Plan<PlanReply>; readonly question: Question } | null
}

interface Started {
  readonly plan: Plan<PlanReply>
  readonly first: StepAnswer | null
}

/** Goes on with the plan whose question the turn answers, or makes one for what the turn asks. */
const start = (conversation: Conversation, turn: Turn, options: Options): Started => {
  const { language, open } = conversation
  conversation.open = null
  if (open !== null && turn.parts.length === 0) {
    const answer = answerTo(open.question, turn.userText, language, options)
    if (answer !== null) {
      const isRequest = open.question.expects === "text" && isOwnRequest(turn.userText, options, language)
      if (!isRequest) return { plan: open.plan, first: answer }
    }
  }
  conversation.language = languageOf(turn.userText.slice(0, longestRead), language)
  const it: PlanContext = {
    language: conversation.language,
    moment: { now: options.now, zone: options.zone },
    tools: options.tools,
    parts: turn.parts,
    focus: conversation.focus,
    earlier: [...conversation.earlier],
    siteUrl: options.siteUrl ?? null,
    known: nothingKnown()
  }
  return { plan: planOf(it, turn.userText, options), first: null }
}

/** Reads the text with the names that the drive has, and does what it asks for. */
function* planOf(it: PlanContext, text: string, { permissionOf = () => null }: Options): Plan<PlanReply> {
  const lexicon = text.length > longestRead ? noNames : yield* knownNames(it, text)
  const moment = { ...it.moment, lexicon }
  return yield* runRequest({ ...it, moment }, readRequest(text, moment, it.language), permissionOf)
}

/** A text that is clearly a request does not answer a question. */
const isOwnRequest = (text: string, moment: Moment, language: LanguageCode): boolean => {
  const { clauses, unknown } = readRequest(text, moment, language)
  return unknown.length === 0 && clauses.length > 0 &&
    clauses.every(({ kind, parsed }) => kind === "remark" || parsed.score >= 3.5)
}

/** Runs the turn's plan along the calls that were made in it, up to the first thing that is missing. */
const advance = (conversation: Conversation, turn: Turn, options: Options): Decision => {
  const { first, plan } = start(conversation, turn, options)
  let at = 0
  let step = first === null ? plan.next() : plan.next(first)
  for (;;) {
    if (step.done === true) return { _tag: "Reply", text: step.value.text, links: step.value.links ?? [] }
    const wanted = step.value
    if (wanted._tag === "Ask") {
      conversation.open = { plan, question: wanted }
      return { _tag: "Ask", text: wanted.text, choices: wanted.choices }
    }
    const made = turn.calls.slice(at, at + wanted.calls.length)
    if (made.some(({ name }, n) => name !== wanted.calls[n]!.name)) throw new Diverged(at)
    if (made.length < wanted.calls.length) return { _tag: "Call", calls: wanted.calls.slice(made.length) }
    at += made.length
    step = plan.next({ _tag: "Made", calls: made })
  }
}

/** The calls of a turn are not those of its plan, as when another brain decided them. */
class Diverged extends Error {
  readonly at: number
  constructor(at: number) {
    super(`The call ${at} is not the one that was planned.`)
    this.at = at
  }
}

/** Takes from a finished turn what later ones may refer to. */
const remember = (conversation: Conversation, turn: Turn, options: Options): void => {
  try {
    advance(conversation, turn, options)
  } catch (fault) {
    if (!(fault instanceof Diverged)) throw fault
    conversation.open = null
    turn.calls.forEach((call) => mentioned(conversation.focus, call))
  } finally {
    conversation.earlier.push(turn)
  }
}

/** What to do next. Throws only for a mistake in the planner itself. */
export const decide = ({ earlier, present }: Transcript, options: Options): Decision => {
  const conversation: Conversation = { focus: emptyFocus(), earlier: [], language: "en", open: null }
  for (const turn of earlier.slice(-turnsRemembered)) remember(conversation, turn, options)
  try {
    return advance(conversation, present, options)
  } catch (fault) {
    if (!(fault instanceof Diverged)) throw fault
    // Somebody else's calls: their results are not those of a plan, so nothing more is decided from them.
    return {
      _tag: "Reply",
      text: conversation.language === "de"
        ? "Diese Aufgabe wurde anders begonnen, deshalb mache ich hier nicht weiter."
        : "This task was begun in another way, so I stop here.",
      links: []
    }
  }
}
