/** A language model behind Anthropic's messages: `POST {baseUrl}/messages`. Answers are asked for whole, not as streams. */
import { Effect, Layer, Result, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response, Tool } from "effect/ai"
import type { HttpClient } from "effect/http"
import * as ModelHttp from "./ModelHttp.ts"
import * as ModelParts from "./ModelParts.ts"

const module = "AnthropicModel"

/** The version of the protocol that this module was written for. */
const protocolVersion = "2023-06-01"

export interface AnthropicOptions extends ModelHttp.ProviderOptions {
  /** The most that one answer may have. Default 8,192. */
  readonly maxTokens?: number
}

const maybe = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** A part of an answer; of kinds that are not known only the kind is read. */
const Block = Schema.Struct({
  type: Schema.String,
  text: maybe(Schema.String),
  id: maybe(Schema.String),
  name: maybe(Schema.String),
  input: Schema.optional(Schema.Unknown)
})

const Answer = Schema.Struct({
  id: maybe(Schema.String),
  model: maybe(Schema.String),
  content: Schema.Array(Block),
  stop_reason: maybe(Schema.String),
  usage: maybe(Schema.Struct({
    input_tokens: maybe(Schema.Int),
    output_tokens: maybe(Schema.Int),
    cache_read_input_tokens: maybe(Schema.Int),
    cache_creation_input_tokens: maybe(Schema.Int)
  }))
})

const decodeAnswer = Schema.decodeUnknownResult(Answer)

/** `{ type: "error", error: { type, message } }`. */
const errorOf = (body: unknown): ModelHttp.ProviderError => {
  const { error } = Object(body) as { readonly error?: unknown }
  const { message, type } = Object(error) as Readonly<Record<string, unknown>>
  return { code: typeof type === "string" ? type : "", message: typeof message === "string" ? message : "" }
}

type Content = ReadonlyArray<{ readonly type: string }>

const textBlock = (text: string): Content => text === "" ? [] : [{ type: "text", text } as { readonly type: string }]

const imageBlock = ({ mediaType, source }: ModelParts.Picture) => ({
  type: "image",
  source: "url" in source
    ? { type: "url", url: source.url }
    : { type: "base64", media_type: mediaType, data: source.base64 }
})

const userContent = (parts: Prompt.UserMessage["content"]): Content =>
  parts.flatMap((part): Content => {
    if (part.type === "text") return textBlock(part.text)
    const picture = ModelParts.pictureOf(part)
    return picture === null ? textBlock(ModelParts.noteOf(part)) : [imageBlock(picture)]
  })

/** Arguments are always objects here; a text is one that could not be read. */
const inputOf = (params: unknown): unknown =>
  typeof params === "object" && params !== null && !Array.isArray(params) ? params : { arguments: params }

const assistantContent = (parts: Prompt.AssistantMessage["content"]): Content =>
  parts.flatMap((part): Content => {
    if (part.type === "text") return textBlock(part.text)
    if (part.type !== "tool-call") return []
    return [
      { type: "tool_use", id: part.id, name: part.name, input: inputOf(part.params) } as { readonly type: string }
    ]
  })

const toolContent = (parts: Prompt.ToolMessage["content"]): Content =>
  parts.flatMap((part) =>
    part.type === "tool-result"
      ? [{
        type: "tool_result",
        tool_use_id: part.id,
        content: ModelParts.answerOf(part).flatMap((one) =>
          typeof one === "string" ? textBlock(one) : [imageBlock(one)]
        ),
        is_error: part.isFailure
      }]
      : []
  )

interface Turn {
  readonly role: "user" | "assistant"
  readonly content: Content
}

/** The conversation, in which the user and the assistant take turns; what tools answer is the user's. */
const turnsOf = ({ content }: Prompt.Prompt): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const message of content) {
    if (message.role === "system") continue
    const role = message.role === "assistant" ? "assistant" : "user"
    const added = message.role === "assistant"
      ? assistantContent(message.content)
      : message.role === "tool"
      ? toolContent(message.content)
      : userContent(message.content)
    if (added.length === 0) continue
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...added] }
    else turns.push({ role, content: added })
  }
  return turns
}

const systemOf = ({ content }: Prompt.Prompt): string =>
  content.flatMap((message) => message.role === "system" ? [message.content] : []).join("\n\n")

const choiceOf = (choice: LanguageModel.ProviderOptions["toolChoice"]) => {
  if (typeof choice === "object" && "tool" in choice) return { type: "tool", name: choice.tool }
  const mode = typeof choice === "string" ? choice : choice.mode ?? "auto"
  return { type: mode === "required" ? "any" : mode }
}

const toolOf = (name: string, description: string, input_schema: unknown) => ({ name, description, input_schema })

const toolsOf = ({ responseFormat, toolChoice, tools }: LanguageModel.ProviderOptions) => {
  // An answer of a form is asked for as the arguments of the one tool that must be called.
  if (responseFormat.type === "json") {
    const { objectName, schema } = responseFormat
    return {
      tools: [toolOf(objectName, "The answer.", Tool.getJsonSchemaFromSchema(schema))],
      tool_choice: { type: "tool", name: objectName }
    }
  }
  const named = typeof toolChoice === "object" && "oneOf" in toolChoice
    ? tools.filter(({ name }) => toolChoice.oneOf.includes(name))
    : tools
  return named.length === 0 ? {} : {
    tools: named.map((tool) => toolOf(tool.name, Tool.getDescription(tool) ?? "", Tool.getJsonSchema(tool))),
    tool_choice: choiceOf(toolChoice)
  }
}

const reasons: Readonly<Record<string, Response.FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  pause_turn: "pause",
  refusal: "content-filter"
}

/** What is said when the model declines and gives no words of its own. */
const refusal = "The language model declined to answer this."

/** The parts of an answer to a request for `form`, or for text. */
const partsOf = (
  json: unknown,
  form: string | null
): Result.Result<Array<Response.PartEncoded>, AiError.AiError> => {
  const decoded = decodeAnswer(json)
  if (Result.isFailure(decoded)) {
    const description = "The provider's answer is not a message."
    return Result.fail(
      AiError.make({ module, method: "generateText", reason: new AiError.InvalidOutputError({ description }) })
    )
  }
  const { content, id, model, stop_reason, usage } = decoded.success
  const parts = content.flatMap(({ id: callId, input, name, text, type }, index): Array<Response.PartEncoded> => {
    if (type === "text") return text ? [{ type: "text", text }] : []
    if (type !== "tool_use" || !name) return []
    return name === form
      ? [{ type: "text", text: JSON.stringify(input ?? {}) }]
      : [{ type: "tool-call", id: callId || `call-${index}`, name, params: input ?? {} }]
  })
  const isRefused = stop_reason === "refusal" && !parts.some(({ type }) => type === "text")
  return Result.succeed([
    { type: "response-metadata", id: id ?? undefined, modelId: model ?? undefined },
    ...parts,
    ...isRefused ? [{ type: "text" as const, text: refusal }] : [],
    {
      type: "finish",
      reason: reasons[stop_reason ?? ""] ?? "unknown",
      usage: ModelParts.usageOf(
        usage?.input_tokens == null
          ? undefined
          : usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        usage?.output_tokens ?? undefined,
        usage?.cache_read_input_tokens ?? undefined
      )
    }
  ])
}

/** The service. Its failures are `AiError`; those that may pass were tried again. */
export const make = Effect.fnUntraced(function*({ maxTokens = 8_192, ...options }: AnthropicOptions) {
  const call = yield* ModelHttp.make(options)
  const headers = {
    "anthropic-version": protocolVersion,
    ...ModelHttp.withKey(options.apiKey, (key) => ({ "x-api-key": key }))
  }
  const generateText = (given: LanguageModel.ProviderOptions) => {
    const system = systemOf(given.prompt)
    return call({
      module,
      path: "/messages",
      headers,
      body: {
        model: options.model,
        max_tokens: maxTokens,
        ...system !== "" && { system },
        messages: turnsOf(given.prompt),
        ...toolsOf(given)
      },
      errorOf
    }).pipe(
      Effect.flatMap((json) =>
        Effect.fromResult(partsOf(json, given.responseFormat.type === "json" ? given.responseFormat.objectName : null))
      )
    )
  }
  return yield* LanguageModel.make({
    generateText,
    streamText: (given) => Stream.fromIterableEffect(Effect.map(generateText(given), ModelParts.streamed))
  })
})

/** Asks for an HTTP client. */
export const layerNoDeps = (
  options: AnthropicOptions
): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))

/** By `fetch`, which follows no redirects: they would take the key elsewhere. */
export const layer = (options: AnthropicOptions): Layer.Layer<LanguageModel.LanguageModel> =>
  layerNoDeps(options).pipe(Layer.provide(ModelHttp.fetchLayer))
