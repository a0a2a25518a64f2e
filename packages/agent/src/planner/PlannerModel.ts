/**
 * The planner as a language model of Effect's, so that it stands where any other may: prompt to transcript, decision to parts.
 * What a text part can't say, whether it is a question and what it names, is in its metadata under `filedrive`.
 */
import { DateTime, Effect, Layer, Stream } from "effect"
import { LanguageModel, type Prompt, type Response } from "effect/ai"
import type { Decision } from "./Decision.ts"
import { languageOf } from "./grammar/Language.ts"
import { decide } from "./Planner.ts"
import type { PermissionOf } from "./runRequest.ts"
import type { MadeCall, Part, ToolFailure, Transcript, Turn } from "./Transcript.ts"

export interface PlannerModelOptions {
  /** Where the user is: their "yesterday" begins there. Default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** Where links of the drive's pages begin. */
  readonly siteUrl?: string | undefined
  /** The permission that a tool needs, for the sentence that refuses it. */
  readonly permissionOf?: PermissionOf | undefined
}

/** What is in the metadata of the text. */
export interface PlannerMetadata {
  readonly isQuestion: boolean
  readonly choices: ReadonlyArray<string>
  readonly links: ReadonlyArray<
    { readonly kind: string; readonly id: string; readonly name: string; readonly url: string | null }
  >
}

const emptyTurn = (): { -readonly [Key in keyof Turn]: Turn[Key] } & {
  calls: Array<MadeCall>
  parts: Array<Part>
} => ({
  userText: "",
  parts: [],
  calls: [],
  reply: ""
})

/** A failure as a tool returned it: an object with the drive's sentence, or anything else as text. */
const failureOf = (result: unknown): ToolFailure => {
  if (typeof result === "object" && result !== null) {
    const { code, error, message } = result as Readonly<Record<string, unknown>>
    const sentence = typeof error === "string" ? error : message
    if (typeof sentence === "string") return { error: sentence, code: typeof code === "string" ? code : undefined }
  }
  return { error: String(result) }
}

interface ToldPart {
  readonly kind: string
  readonly name: string
  readonly index: number
}

/** What the options of a part of a message say of it: a file, a link or data that came with the user's words. */
const partOf = ({ options }: Prompt.UserMessagePart): ToldPart | null => {
  const part = (options["filedrive"] as { readonly part?: Partial<ToldPart> } | null | undefined)?.part
  return typeof part?.kind === "string" && typeof part.index === "number"
    ? { kind: part.kind, name: part.name ?? "", index: part.index }
    : null
}

/** The turns of a prompt: each begins with a message of the user. Calls without a result yet are left out, with those behind them. */
export const transcriptOf = (prompt: Prompt.Prompt): Transcript => {
  const turns = [emptyTurn()]
  const wanted = new Map<string, { readonly name: string; readonly args: unknown }>()
  for (const message of prompt.content) {
    if (message.role === "system") continue
    if (message.role === "user") {
      const turn = emptyTurn()
      // A part that is no text of the user's own is told in words for other brains; here its options count.
      const own = message.content.flatMap((part) => part.type === "text" && partOf(part) === null ? [part.text] : [])
      turn.userText = own.join("\n")
      turn.parts = message.content.flatMap((part): ReadonlyArray<Part> => {
        const told = partOf(part)
        if (told?.kind === "raw" || told?.kind === "url") return [{ ...told, kind: told.kind }]
        return part.type !== "file" ? [] : [{
          kind: part.data instanceof URL ? "url" : "raw",
          name: part.fileName ?? (part.data instanceof URL ? part.data.href : "file")
        }]
      })
      turns.push(turn)
      continue
    }
    const turn = turns.at(-1)!
    for (const part of message.content) {
      if (part.type === "text" && message.role === "assistant") turn.reply += part.text
      if (part.type === "tool-call") wanted.set(part.id, { name: part.name, args: part.params })
      if (part.type === "tool-result") {
        const call = wanted.get(part.id) ?? { name: part.name, args: {} }
        turn.calls.push({
          ...call,
          ...(part.isFailure ? { failure: failureOf(part.result) } : { result: part.result })
        })
      }
    }
  }
  const [first, ...rest] = turns
  const present = rest.at(-1) ?? first!
  return resumed({ earlier: rest.slice(0, -1), present })
}

const isStillWaiting = ({ name, result }: MadeCall): boolean =>
  name === "wait_for" && (result as { readonly waiting?: unknown } | undefined)?.waiting === true

/** What was waited for has happened after other messages were answered: the turn that began the wait goes on, with what came of it. */
const resumed = ({ earlier, present }: Transcript): Transcript => {
  const woken = present.calls.findIndex(({ name, result }) =>
    name === "wait_for" && (result as { readonly woken?: unknown } | undefined)?.woken === true
  )
  const at = woken < 0 ? -1 : earlier.findLastIndex(({ calls }) => calls.some(isStillWaiting))
  const turn = earlier[at]
  if (turn === undefined) return { earlier, present }
  const since = { ...present, calls: present.calls.slice(0, woken) }
  const calls = turn.calls.map((call) => isStillWaiting(call) ? { ...call, ...present.calls[woken] } : call)
  return {
    earlier: [...earlier.toSpliced(at, 1), since],
    present: { ...turn, calls: [...calls, ...present.calls.slice(woken + 1)], reply: "" }
  }
}

const usage = {
  inputTokens: { uncached: undefined, total: 0, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 0, text: undefined, reasoning: undefined }
} as const

/** A decision as a model's answer. Ids of calls are unique in the conversation: by turn and place. */
export const partsOf = (decision: Decision, { earlier, present }: Transcript): Array<Response.PartEncoded> => {
  if (decision._tag === "Call") {
    return [
      ...decision.calls.map(({ args, name }, at) => ({
        type: "tool-call" as const,
        id: `planner-${earlier.length}-${present.calls.length + at}`,
        name,
        params: args
      })),
      { type: "finish", reason: "tool-calls", usage, response: undefined }
    ]
  }
  const isQuestion = decision._tag === "Ask"
  const said = {
    isQuestion,
    choices: isQuestion ? [...decision.choices] : [],
    links: isQuestion ? [] : decision.links.map((link) => ({ ...link }))
  }
  return [
    { type: "text", text: decision.text, metadata: { filedrive: said } },
    { type: "finish", reason: "stop", usage, response: undefined }
  ]
}

/** Data that came with other parts of the last message is of no use to the planner, which says so. */
const saysUnused = (decision: Decision, prompt: Prompt.Prompt, userText: string): Decision => {
  const last = prompt.content.findLast(({ role }) => role === "user")
  const isUnused = last?.role === "user" && last.content.some((part) => partOf(part)?.kind === "data")
  if (decision._tag === "Call" || !isUnused) return decision
  const told = languageOf(userText, "en") === "de"
    ? "Die Daten in der Nachricht habe ich nicht verwendet. Ein Aufruf { tool, args } muss ihr einziger Teil sein."
    : "I did not use the data in the message. A call { tool, args } must be its only part."
  return { ...decision, text: `${decision.text}\n${told}` }
}

/** What `LanguageModel.make` takes. */
export type Provider = Parameters<typeof LanguageModel.make>[0]

/** The planner as the provider of a model. It answers in whole: a stream of it is one piece. */
export const provider = (options: PlannerModelOptions = {}): Provider => {
  const answer = ({ prompt, tools }: LanguageModel.ProviderOptions) =>
    Effect.map(DateTime.now, (now) => {
      const transcript = transcriptOf(prompt)
      const decided = decide(transcript, {
        now,
        zone: options.zone ?? DateTime.zoneMakeNamedUnsafe("UTC"),
        tools: new Set(tools.map(({ name }) => name)),
        siteUrl: options.siteUrl,
        permissionOf: options.permissionOf
      })
      return partsOf(saysUnused(decided, prompt, transcript.present.userText), transcript)
    })
  return {
    generateText: answer,
    streamText: (given) =>
      Stream.fromIterableEffect(
        Effect.map(answer(given), (parts) =>
          parts.flatMap((part): ReadonlyArray<Response.StreamPartEncoded> =>
            part.type !== "text" ? [part as Response.StreamPartEncoded] : [
              { type: "text-start", id: "planner" },
              { type: "text-delta", id: "planner", delta: part.text },
              { type: "text-end", id: "planner" }
            ]
          ))
      )
  }
}

/** The planner as a model. */
export const make = (options: PlannerModelOptions = {}): Effect.Effect<LanguageModel.LanguageModel> =>
  LanguageModel.make(provider(options))

export const layer = (options: PlannerModelOptions = {}): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))
