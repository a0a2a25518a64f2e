/**
 * A language model behind any endpoint that speaks OpenAI's chat completions: `POST {baseUrl}/chat/completions`. Answers are asked for
 * whole, not as streams.
 */
import { Effect, Layer, Result, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response, Tool } from "effect/ai"
import type { HttpClient } from "effect/http"
import * as ModelHttp from "./ModelHttp.ts"
import * as ModelParts from "./ModelParts.ts"

const module = "OpenAiModel"

const maybe = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

const ToolCall = Schema.Struct({
  id: maybe(Schema.String),
  function: Schema.Struct({ name: Schema.String, arguments: maybe(Schema.Union([Schema.String, Schema.Unknown])) })
})

const Completion = Schema.Struct({
  id: maybe(Schema.String),
  model: maybe(Schema.String),
  choices: Schema.NonEmptyArray(Schema.Struct({
    finish_reason: maybe(Schema.String),
    message: Schema.Struct({
      content: maybe(Schema.String),
      refusal: maybe(Schema.String),
      tool_calls: maybe(Schema.Array(ToolCall))
    })
  })),
  usage: maybe(Schema.Struct({ prompt_tokens: maybe(Schema.Int), completion_tokens: maybe(Schema.Int) }))
})

const decodeCompletion = Schema.decodeUnknownResult(Completion)

/** `{ error: { code, type, message } }`; some servers answer `{ error: "…" }`. */
const errorOf = (body: unknown): ModelHttp.ProviderError => {
  const { error } = Object(body) as { readonly error?: unknown }
  if (typeof error === "string") return { code: "", message: error }
  const { code, message, type } = Object(error) as Readonly<Record<string, unknown>>
  return {
    code: [code, type].find((name) => typeof name === "string") as string | undefined ?? "",
    message: typeof message === "string" ? message : ""
  }
}

const imageOf = ({ mediaType, source }: ModelParts.Picture) => ({
  type: "image_url",
  image_url: { url: "url" in source ? source.url : `data:${mediaType};base64,${source.base64}` }
})

const userContent = (parts: Prompt.UserMessage["content"]) =>
  parts.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text }
    const picture = ModelParts.pictureOf(part)
    return picture === null ? { type: "text", text: ModelParts.noteOf(part) } : imageOf(picture)
  })

const assistantMessage = (parts: Prompt.AssistantMessage["content"]) => {
  const text = parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("")
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{
        id: part.id,
        type: "function",
        function: {
          name: part.name,
          arguments: typeof part.params === "string" ? part.params : JSON.stringify(part.params ?? {})
        }
      }]
      : []
  )
  return { role: "assistant", content: text === "" ? null : text, ...calls.length > 0 && { tool_calls: calls } }
}

/** A tool's answers are texts; pictures of theirs follow in a message of the user's, as this protocol has no other place for them. */
const toolMessages = (parts: Prompt.ToolMessage["content"]): ReadonlyArray<object> => {
  const results = parts.flatMap((part) =>
    part.type === "tool-result" ? [{ part, answer: ModelParts.answerOf(part) }] : []
  )
  const texts = results.map(({ answer, part }) => ({
    role: "tool",
    tool_call_id: part.id,
    content: answer.map((one) => typeof one === "string" ? one : `[picture, ${one.mediaType}]`).join("\n")
  }))
  const pictures = results.flatMap(({ answer }) =>
    answer.flatMap((one) => typeof one === "string" ? [] : [imageOf(one)])
  )
  return pictures.length === 0 ? texts : [
    ...texts,
    { role: "user", content: [{ type: "text", text: "The pictures that the tools answered:" }, ...pictures] }
  ]
}

const messagesOf = ({ content }: Prompt.Prompt): ReadonlyArray<object> =>
  content.flatMap((message): ReadonlyArray<object> => {
    switch (message.role) {
      case "system":
        return [{ role: "system", content: message.content }]
      case "user":
        return [{ role: "user", content: userContent(message.content) }]
      case "assistant":
        return [assistantMessage(message.content)]
      case "tool":
        return toolMessages(message.content)
    }
  })

const choiceOf = (choice: LanguageModel.ProviderOptions["toolChoice"]) =>
  typeof choice === "string"
    ? choice
    : "tool" in choice
    ? { type: "function", function: { name: choice.tool } }
    : choice.mode ?? "auto"

const toolsOf = ({ toolChoice, tools }: LanguageModel.ProviderOptions) => {
  // The protocol has no way to name several that may be chosen.
  const named = typeof toolChoice === "object" && "oneOf" in toolChoice
    ? tools.filter(({ name }) => toolChoice.oneOf.includes(name))
    : tools
  return named.length === 0 ? {} : {
    tools: named.map((tool) => ({
      type: "function",
      function: { name: tool.name, description: Tool.getDescription(tool) ?? "", parameters: Tool.getJsonSchema(tool) }
    })),
    tool_choice: choiceOf(toolChoice)
  }
}

const formatOf = ({ responseFormat }: LanguageModel.ProviderOptions) =>
  responseFormat.type === "text" ? {} : {
    response_format: {
      type: "json_schema",
      json_schema: { name: responseFormat.objectName, schema: Tool.getJsonSchemaFromSchema(responseFormat.schema) }
    }
  }

const reasons: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter"
}

/** The parts of an answer. A refusal is a text, and ends it as filtered content does. */
const partsOf = (json: unknown): Result.Result<Array<Response.PartEncoded>, AiError.AiError> => {
  const decoded = decodeCompletion(json)
  if (Result.isFailure(decoded)) {
    const description = "The provider's answer is not a chat completion."
    return Result.fail(
      AiError.make({ module, method: "generateText", reason: new AiError.InvalidOutputError({ description }) })
    )
  }
  const { choices: [{ finish_reason, message }], id, model, usage } = decoded.success
  const calls = message.tool_calls ?? []
  const refusal = message.refusal ?? ""
  const text = message.content || refusal
  return Result.succeed([
    { type: "response-metadata", id: id ?? undefined, modelId: model ?? undefined },
    ...text === "" ? [] : [{ type: "text" as const, text }],
    ...calls.map(({ function: { arguments: given, name }, id: callId }, index) => ({
      type: "tool-call" as const,
      id: callId || `call-${index}`,
      name,
      // Some servers answer an object where the protocol has text.
      params: typeof given === "string" ? ModelParts.argumentsOf(given) : given ?? {}
    })),
    {
      type: "finish",
      reason: refusal === ""
        ? reasons[finish_reason ?? ""] ?? (calls.length > 0 ? "tool-calls" : "unknown")
        : "content-filter",
      usage: ModelParts.usageOf(usage?.prompt_tokens ?? undefined, usage?.completion_tokens ?? undefined)
    }
  ])
}

/** The service. Its failures are `AiError`; those that may pass were tried again. */
export const make = Effect.fnUntraced(function*(options: ModelHttp.ProviderOptions) {
  const call = yield* ModelHttp.make(options)
  const headers = ModelHttp.withKey(options.apiKey, (key) => ({ authorization: `Bearer ${key}` }))
  const generateText = (given: LanguageModel.ProviderOptions) =>
    call({
      module,
      path: "/chat/completions",
      headers,
      body: { model: options.model, messages: messagesOf(given.prompt), ...toolsOf(given), ...formatOf(given) },
      errorOf
    }).pipe(Effect.flatMap((json) => Effect.fromResult(partsOf(json))))
  return yield* LanguageModel.make({
    generateText,
    streamText: (given) => Stream.fromIterableEffect(Effect.map(generateText(given), ModelParts.streamed))
  })
})

/** Asks for an HTTP client. */
export const layerNoDeps = (
  options: ModelHttp.ProviderOptions
): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))

/** By `fetch`, which follows no redirects: they would take the key elsewhere. */
export const layer = (options: ModelHttp.ProviderOptions): Layer.Layer<LanguageModel.LanguageModel> =>
  layerNoDeps(options).pipe(Layer.provide(ModelHttp.fetchLayer))
