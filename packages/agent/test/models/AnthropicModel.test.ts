import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Schema } from "effect"
import { LanguageModel } from "effect/ai"
import { AnthropicModel } from "../../src/models.ts"
import * as P from "./Provider.ts"

const key = "sk-ant-very-secret"

const message = (content: ReadonlyArray<object>, stop_reason = "end_turn") => ({
  json: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "test-model-2026",
    content,
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 70, output_tokens: 17, cache_read_input_tokens: 10, cache_creation_input_tokens: 2 }
  }
})

const text = (text: string) => ({ type: "text", text })

const error = (status: number, type: string, headers = {}) => ({
  status,
  headers,
  json: { type: "error", error: { type, message: "The provider's sentence." }, request_id: "req_1" }
})

const ready = message([text("Done.")])

const using = ({ url }: P.Provider) =>
  Effect.provide(
    AnthropicModel.layer({ baseUrl: url, apiKey: Redacted.make(key), model: "test-model", timeout: P.patience })
  )

describe("AnthropicModel", () => {
  it.effect("MODEL-2 a conversation goes out as messages, and text, calls and tokens come back", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(message([
        { type: "thinking", thinking: "…", signature: "s" },
        text("I search."),
        { type: "tool_use", id: "toolu_1", name: "search_files", input: { text: "dog" } }
      ], "tool_use"))
      const answer = yield* P.ask(P.conversation).pipe(using(server))
      const [{ body, headers, path }] = server.asked as [P.Asked]
      assert.strictEqual(path, "/v1/messages")
      assert.include(headers, { "x-api-key": key, "anthropic-version": "2023-06-01" })
      assert.deepStrictEqual(body, {
        model: "test-model",
        max_tokens: 8192,
        system: "You are the agent.",
        messages: [
          {
            role: "user",
            content: [
              text("What is on this picture?"),
              { type: "image", source: { type: "base64", media_type: "image/png", data: "aWNvbg==" } },
              text("[file b.pdf, application/pdf]")
            ]
          },
          {
            role: "assistant",
            content: [
              text("I look."),
              { type: "tool_use", id: "c1", name: "search_files", input: { text: "cat" } },
              { type: "tool_use", id: "c2", name: "read_file", input: { fileId: "f" } }
            ]
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "c1", content: [text("{\"files\":[]}")], is_error: false },
              {
                type: "tool_result",
                tool_use_id: "c2",
                content: [text("{\"error\":\"No file of yours has the id f.\"}")],
                is_error: true
              },
              text("Thanks.")
            ]
          }
        ],
        tools: [{
          name: "search_files",
          description: "Finds files.",
          input_schema: { type: "object", properties: { text: { type: "string" } } }
        }],
        tool_choice: { type: "auto" }
      })
      assert.strictEqual(answer.text, "I search.")
      assert.deepStrictEqual(
        answer.toolCalls.map(({ id, name, params }) => ({ id, name, params: params as unknown })),
        [
          { id: "toolu_1", name: "search_files", params: { text: "dog" } }
        ]
      )
      assert.strictEqual(answer.finishReason, "tool-calls")
      assert.deepStrictEqual([answer.usage.inputTokens.total, answer.usage.outputTokens.total], [82, 17])
    }))

  it.effect("MODEL-2 an answer of a form is asked for as the arguments of a tool", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(
        message([{ type: "tool_use", id: "t", name: "Verdict", input: { yes: true } }], "tool_use")
      )
      const answer = yield* LanguageModel.generateObject({
        prompt: "x",
        objectName: "Verdict",
        schema: Schema.Struct({ yes: Schema.Boolean })
      }).pipe(using(server))
      assert.deepStrictEqual(answer.value, { yes: true })
      assert.deepStrictEqual(server.asked[0]!.body["tool_choice"], { type: "tool", name: "Verdict" })
    }))

  it.effect.each([
    { status: 429, type: "rate_limit_error", headers: { "retry-after": "3" }, first: 3 },
    { status: 529, type: "overloaded_error", headers: {}, first: 1 },
    { status: 500, type: "api_error", headers: {}, first: 1 }
  ])("MODEL-3 $status $type is tried again", ({ first, headers, status, type }) =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(status, type, headers), error(status, type, headers), ready)
      assert.strictEqual((yield* P.asTimePasses(P.ask("x").pipe(using(server)))).text, "Done.")
      const [one, two] = server.asked.map(({ seconds }) => seconds)
      assert.isAtLeast(two! - one!, first)
    }))

  it.effect("MODEL-3 a provider that stays overloaded is a failure that says so", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(529, "overloaded_error"))
      const failure = yield* P.asTimePasses(Effect.flip(P.ask("x").pipe(using(server))))
      assert.strictEqual(P.reasonOf(failure), "RateLimitError")
      assert.isTrue(failure.isRetryable)
      assert.lengthOf(server.asked, 3)
    }))

  it.effect.each([
    { status: 400, type: "invalid_request_error", reason: "InvalidRequestError" },
    { status: 401, type: "authentication_error", reason: "AuthenticationError" },
    { status: 402, type: "billing_error", reason: "QuotaExhaustedError" },
    { status: 403, type: "permission_error", reason: "AuthenticationError" },
    { status: 404, type: "not_found_error", reason: "InvalidRequestError" },
    { status: 413, type: "request_too_large", reason: "InvalidRequestError" }
  ])("MODEL-4 $status $type is not tried again", ({ reason, status, type }) =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(status, type))
      const failure = yield* Effect.flip(P.ask("x").pipe(using(server)))
      assert.strictEqual(P.reasonOf(failure), reason)
      assert.lengthOf(server.asked, 1)
    }))

  it.effect("MODEL-5 a call of an unknown tool is handed on", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(
        message([{ type: "tool_use", id: "t", name: "format_disk", input: { all: true } }], "tool_use")
      )
      const { toolCalls } = yield* P.ask("x").pipe(using(server))
      assert.deepStrictEqual(toolCalls.map(({ name, params }) => [name, params as unknown]), [["format_disk", {
        all: true
      }]])
    }))

  it.effect("MODEL-6 an answer that breaks off is tried again, and one of another form is a failure", () =>
    Effect.gen(function*() {
      const server = yield* P.provider((response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "500" })
        response.write("{\"content\":[", () => response.destroy())
      }, ready)
      assert.strictEqual((yield* P.asTimePasses(P.ask("x").pipe(using(server)))).text, "Done.")
      const other = yield* P.provider({ json: { content: "text" } })
      const failure = yield* P.asTimePasses(Effect.flip(P.ask("x").pipe(using(other))))
      assert.strictEqual(P.reasonOf(failure), "InvalidOutputError")
    }))

  it.effect("MODEL-7 a refusal is a text, also where the model gave none", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(message([], "refusal"), message([text("I would rather not.")], "refusal"))
      const silent = yield* P.ask("x").pipe(using(server))
      assert.deepStrictEqual([silent.text, silent.finishReason], [
        "The language model declined to answer this.",
        "content-filter"
      ])
      assert.strictEqual((yield* P.ask("x").pipe(using(server))).text, "I would rather not.")
    }))

  it.effect("MODEL-9 no failure contains the key", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(401, "authentication_error"))
      const failure = yield* Effect.flip(P.ask("x").pipe(using(server)))
      assert.notInclude(`${failure.message} ${JSON.stringify(failure)} ${String(failure.cause)}`, key)
    }))
})
