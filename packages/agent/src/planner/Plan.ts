/**
 * A plan is a generator: it yields the calls that it needs and the questions that it has, and goes on with what came of them.
 * It is run from its beginning for every decision, with the results so far, so it must be made of nothing else.
 */
import type { Link, ToolCall } from "./Decision.ts"
import type { MadeCall, ToolFailure } from "./Transcript.ts"

/** How an answer to a question is read. */
export type Answer = { readonly _tag: "Choice"; readonly at: number } | { readonly _tag: "Text"; readonly text: string }

export interface Question {
  readonly _tag: "Ask"
  readonly text: string
  readonly choices: ReadonlyArray<string>
  /** `choice`: one of the choices; `yes`: a yes; `text`: any text. Another answer is a request of its own. */
  readonly expects: "choice" | "yes" | "text"
  /** The place of the choice that words mean which are not in its text, like "the newer one"; null for none. */
  readonly pick?: (text: string) => number | null
}

export type Step = { readonly _tag: "Calls"; readonly calls: ReadonlyArray<ToolCall> } | Question

export type StepAnswer = { readonly _tag: "Made"; readonly calls: ReadonlyArray<MadeCall> } | Answer

export type Plan<A> = Generator<Step, A, StepAnswer>

/** What is told of something that was done. */
export interface PlanReply {
  readonly text: string
  readonly links?: ReadonlyArray<Link>
}

/** A call failed; the request ends with the reason, after what was done before. */
export class ToolFailed extends Error {
  readonly tool: string
  readonly failure: ToolFailure
  constructor(tool: string, failure: ToolFailure) {
    super(failure.error)
    this.tool = tool
    this.failure = failure
  }
}

/** A tool is needed that the connection may not use. */
export class NotPermitted extends Error {
  readonly tool: string
  constructor(tool: string) {
    super(tool)
    this.tool = tool
  }
}

/** The request ends here with this answer. */
export class Stopped extends Error {
  readonly said: PlanReply
  constructor(said: PlanReply) {
    super(said.text)
    this.said = said
  }
}

/** Makes calls, all of them wanted whatever comes of the others. */
export function* makeCalls(calls: ReadonlyArray<ToolCall>): Plan<ReadonlyArray<MadeCall>> {
  if (calls.length === 0) return []
  const answer = yield { _tag: "Calls", calls }
  return answer._tag === "Made" ? answer.calls : []
}

/** Asks the user. The task ends with the question, and goes on here when the next message answers it. */
export function* ask(question: Omit<Question, "_tag">): Plan<Answer> {
  const answer = yield { _tag: "Ask", ...question }
  return answer._tag === "Made" ? { _tag: "Text", text: "" } : answer
}
