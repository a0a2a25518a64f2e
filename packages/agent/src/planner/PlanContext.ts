/** What a plan has at hand: who may do what, what was mentioned before, and the language of the answer. */
import type { ToolCall } from "./Decision.ts"
import type { Collections, RequestItem, ReviewItem } from "./drive/Records.ts"
import type { Focus } from "./Focus.ts"
import type { Moment } from "./grammar/Sentence.ts"
import type { LanguageCode } from "./grammar/Vocabulary.ts"
import { ask, makeCalls, NotPermitted, type Plan, Stopped, ToolFailed } from "./Plan.ts"
import type { MadeCall, Part, ToolFailure, Turn } from "./Transcript.ts"

export interface PlanContext {
  readonly language: LanguageCode
  readonly moment: Moment
  /** Names of the tools that may be called. */
  readonly tools: ReadonlySet<string>
  readonly parts: ReadonlyArray<Part>
  readonly focus: Focus
  /** What was done before in the conversation, oldest first. */
  readonly earlier: ReadonlyArray<Turn>
  /** Where links of the drive's pages begin, like `https://files.example.com`; null when that is unknown. */
  readonly siteUrl: string | null
  /** What was asked of the drive before, as long as nothing has changed. */
  readonly known: Known
}

export interface Known {
  /** Folders, lists and tags. */
  collections: Collections | null
  requests: ReadonlyArray<RequestItem> | null
  reviews: ReadonlyArray<ReviewItem> | null
}

export const nothingKnown = (): Known => ({ collections: null, requests: null, reviews: null })

/** Tools that change nothing. While one waits, others may change anything. */
const reads = /^(?:search|select|get|read|generate_download|export)_/

/** One of two sentences, in the language of the request. */
export const say = ({ language }: PlanContext, en: string, de: string): string => language === "de" ? de : en

const request = (it: PlanContext, name: string): void => {
  if (!it.tools.has(name)) throw new NotPermitted(name)
  if (!reads.test(name)) Object.assign(it.known, nothingKnown())
}

/** What the agent refuses because it did not find the user's words for it is asked about, and called again after a yes. */
function* callAsked(it: PlanContext, calls: ReadonlyArray<ToolCall>): Plan<ReadonlyArray<MadeCall>> {
  const made = yield* makeCalls(calls)
  const refused = calls.filter((_, at) => made[at]?.failure?.code === "consent_needed")
  if (refused.length === 0) return made
  const act = refused[0]!.name.replaceAll("_", " ")
  const answer = yield* ask({
    text: say(
      it,
      `I am not sure that you want this: ${act}. Shall I do it?`,
      `Ich bin nicht sicher, ob das gemeint ist: ${act}. Soll ich es tun?`
    ),
    choices: [],
    expects: "yes"
  })
  if (answer._tag !== "Choice" || answer.at !== 0) {
    throw new Stopped({ text: say(it, "All right, I did not do that.", "In Ordnung, das habe ich nicht getan.") })
  }
  const again = [...yield* makeCalls(refused)]
  return made.map((call) => call.failure?.code === "consent_needed" ? again.shift() ?? call : call)
}

/** Calls a tool; its failure ends the request. The result is the operation's JSON answer. */
export function* call<Result>(
  it: PlanContext,
  name: string,
  args: Readonly<Record<string, unknown>> = {}
): Plan<Result> {
  const { failure, result } = yield* attempt<Result>(it, name, args)
  if (failure !== undefined) throw new ToolFailed(name, failure)
  return result as Result
}

/** Calls a tool whose failure the plan handles. */
export function* attempt<Result>(
  it: PlanContext,
  name: string,
  args: Readonly<Record<string, unknown>> = {}
): Plan<{ readonly result?: Result; readonly failure?: ToolFailure | undefined }> {
  request(it, name)
  const [made] = yield* callAsked(it, [{ name, args }])
  return made as { readonly result?: Result; readonly failure?: ToolFailure | undefined }
}

/** Calls a tool once for each of some arguments. */
export function* callEach(
  it: PlanContext,
  name: string,
  all: ReadonlyArray<Readonly<Record<string, unknown>>>
): Plan<ReadonlyArray<MadeCall>> {
  request(it, name)
  return yield* callAsked(it, all.map((args) => ({ name, args })))
}
