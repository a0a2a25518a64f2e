import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { OpenAiModel } from "../../src/models.ts"
import * as P from "./Provider.ts"

const key = "sk-very-secret"

const completion = (message: object, finish_reason = "stop") => ({
  json: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "test-model-2026",
    choices: [{
      index: 0,
      message: { role: "assistant", content: null, refusal: null, ...message },
      logprobs: null,
      finish_reason
    }],
    usage: { prompt_tokens: 82, completion_tokens: 17, total_tokens: 99 }
  }
})

const call = (name: string, given: string, id = "call_1") => ({
  id,
  type: "function",
  function: { name, arguments: given }
})

const error = (status: number, code: string | null, type = "error", headers = {}) => ({
  status,
  headers,
  json: { error: { message: "The provider's sentence.", type, param: null, code } }
})

const ready = completion({ content: "Done." })

const using = ({ url }: P.Provider) =>
  Effect.provide(
    OpenAiModel.layer({ baseUrl: url, apiKey: Redacted.make(key), model: "test-model", timeout: P.patience })
  )

describe("OpenAiModel", () => {
  it.effect("MODEL-1 a conversation goes out as chat completions, and text, calls and tokens come back", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(completion({
        content: "I search.",
        tool_calls: [call("search_files", "{\"text\":\"dog\"}")]
      }, "tool_calls"))
      const answer = yield* P.ask(P.conversation).pipe(using(server))
      const [{ body, headers, path }] = server.asked as [P.Asked]
      assert.strictEqual(path, "/v1/chat/completions")
      assert.strictEqual(headers.authorization, `Bearer ${key}`)
      assert.deepStrictEqual(body, {
        model: "test-model",
        messages: [
          { role: "system", content: "You are the agent." },
          {
            role: "user",
            content: [
              { type: "text", text: "What is on this picture?" },
              { type: "image_url", image_url: { url: "data:image/png;base64,aWNvbg==" } },
              { type: "text", text: "[file b.pdf, application/pdf]" }
            ]
          },
          {
            role: "assistant",
            content: "I look.",
            tool_calls: [
              call("search_files", "{\"text\":\"cat\"}", "c1"),
              call("read_file", "{\"fileId\":\"f\"}", "c2")
            ]
          },
          { role: "tool", tool_call_id: "c1", content: "{\"files\":[]}" },
          { role: "tool", tool_call_id: "c2", content: "{\"error\":\"No file of yours has the id f.\"}" },
          { role: "user", content: [{ type: "text", text: "Thanks." }] }
        ],
        tools: [{
          type: "function",
          function: {
            name: "search_files",
            description: "Finds files.",
            parameters: { type: "object", properties: { text: { type: "string" } } }
          }
        }],
        tool_choice: "auto"
      })
      assert.strictEqual(answer.text, "I search.")
      assert.deepStrictEqual(
        answer.toolCalls.map(({ id, name, params }) => ({ id, name, params: params as unknown })),
        [
          { id: "call_1", name: "search_files", params: { text: "dog" } }
        ]
      )
      assert.strictEqual(answer.finishReason, "tool-calls")
      assert.deepStrictEqual([answer.usage.inputTokens.total, answer.usage.outputTokens.total], [82, 17])
    }))

  it.effect("MODEL-1 a server without a key is asked without one, and may answer calls in looser forms", () =>
    Effect.gen(function*() {
      const server = yield* P.provider({
        json: {
          choices: [{
            message: {
              content: "",
              tool_calls: [{ id: "", function: { name: "search_files", arguments: { text: "x" } } }, {
                function: { name: "search_files" }
              }]
            }
          }]
        }
      })
      const answer = yield* Effect.provide(
        P.ask("x"),
        OpenAiModel.layer({ baseUrl: `${server.url}/`, apiKey: null, model: "m" })
      )
      assert.isUndefined(server.asked[0]!.headers.authorization)
      assert.deepStrictEqual(answer.toolCalls.map(({ id, params }) => [id, params as unknown]), [
        ["call-0", { text: "x" }],
        ["call-1", {}]
      ])
      assert.strictEqual(answer.finishReason, "tool-calls")
    }))

  it.effect.each([
    { headers: { "retry-after": "7" }, first: 7 },
    { headers: { "retry-after-ms": "2500" }, first: 2 },
    { headers: {}, first: 1 }
  ])(
    "MODEL-3 a call that came too fast is tried again after the time the provider names ($headers)",
    ({ first, headers }) =>
      Effect.gen(function*() {
        const server = yield* P.provider(error(429, "rate_limit_exceeded", "requests", headers), ready)
        const answer = yield* P.asTimePasses(P.ask("x").pipe(using(server)))
        assert.strictEqual(answer.text, "Done.")
        const [one, two] = server.asked.map(({ seconds }) => seconds)
        assert.isAtLeast(two! - one!, first)
        assert.isAtMost(two! - one!, first * 1.25 + 2)
      })
  )

  it.effect("MODEL-3 a fault of the provider's is tried again twice, and then a failure", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(500, null), error(502, null), ready)
      assert.strictEqual((yield* P.asTimePasses(P.ask("x").pipe(using(server)))).text, "Done.")
      const faulty = yield* P.provider(error(503, null))
      const failure = yield* P.asTimePasses(Effect.flip(P.ask("x").pipe(using(faulty))))
      assert.strictEqual(P.reasonOf(failure), "InternalProviderError")
      assert.lengthOf(faulty.asked, 3)
    }))

  it.effect("MODEL-3 a long pause is not waited for: the failure says how long it is", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(429, "rate_limit_exceeded", "requests", { "retry-after": "90" }))
      const { reason } = yield* Effect.flip(P.ask("x").pipe(using(server)))
      assert.strictEqual(reason._tag, "RateLimitError")
      assert.strictEqual(reason.message, "Rate limit exceeded. Retry after 1m 30s")
      assert.lengthOf(server.asked, 1)
    }))

  it.effect.each([
    { status: 401, code: "invalid_api_key", reason: "AuthenticationError" },
    { status: 403, code: null, reason: "AuthenticationError" },
    { status: 400, code: "context_length_exceeded", reason: "InvalidRequestError" },
    { status: 404, code: "model_not_found", reason: "InvalidRequestError" },
    { status: 400, code: "content_filter", reason: "ContentPolicyError" },
    { status: 429, code: "insufficient_quota", reason: "QuotaExhaustedError" }
  ])("MODEL-4 $status $code is not tried again", ({ code, reason, status }) =>
    Effect.gen(function*() {
      const server = yield* P.provider(error(status, code))
      const failure = yield* Effect.flip(P.ask("x").pipe(using(server)))
      assert.strictEqual(P.reasonOf(failure), reason)
      assert.lengthOf(server.asked, 1)
    }))

  it.effect("MODEL-5 arguments that are not JSON and calls of unknown tools are handed on", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(completion({
        tool_calls: [
          call("search_files", "{\"text\":"),
          call("format_disk", "{\"all\":true}", "call_2"),
          call("search_files", "", "call_3")
        ]
      }, "tool_calls"))
      const { toolCalls } = yield* P.ask("x").pipe(using(server))
      assert.deepStrictEqual(toolCalls.map(({ name, params }) => [name, params as unknown]), [
        ["search_files", "{\"text\":"],
        ["format_disk", { all: true }],
        ["search_files", {}]
      ])
    }))

  it.effect.each([
    { how: "breaks off", answer: cut },
    { how: "is cut in a chunk", answer: cutChunk },
    { how: "is not JSON", answer: html },
    { how: "has no choices", answer: { json: { choices: [] } } },
    { how: "is no completion", answer: { json: [] } }
  ])(
    "MODEL-6 an answer that $how is a failure, and tried again where that may help",
    ({ answer }) =>
      Effect.gen(function*() {
        const server = yield* P.provider(answer)
        const failure = yield* P.asTimePasses(Effect.flip(P.ask("x").pipe(using(server))))
        assert.include(["InvalidOutputError", "InternalProviderError"], P.reasonOf(failure))
        assert.isAtLeast(server.asked.length, 1)
        const recovering = yield* P.provider(cut, ready)
        assert.strictEqual((yield* P.asTimePasses(P.ask("x").pipe(using(recovering)))).text, "Done.")
      })
  )

  it.effect("MODEL-7 a refusal is a text, and said to be one", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(
        completion({ refusal: "I can't help with that." }),
        completion({ content: "Half of" }, "content_filter")
      )
      const refused = yield* P.ask("x").pipe(using(server))
      assert.deepStrictEqual([refused.text, refused.finishReason], ["I can't help with that.", "content-filter"])
      const filtered = yield* P.ask("x").pipe(using(server))
      assert.deepStrictEqual([filtered.text, filtered.finishReason], ["Half of", "content-filter"])
    }))

  it.effect("MODEL-8 a provider that does not answer is given up after the timeout", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(() => undefined)
      const layer = OpenAiModel.layer({ baseUrl: server.url, apiKey: null, model: "m", timeout: "3 seconds" })
      const failure = yield* P.asTimePasses(Effect.flip(Effect.provide(P.ask("x"), layer)))
      assert.match(failure.message, /did not answer in time/)
    }))

  it.effect("MODEL-8 a call that is interrupted ends its connection", () =>
    Effect.gen(function*() {
      const server = yield* P.provider(() => undefined)
      const fiber = yield* Effect.forkChild(P.ask("x").pipe(using(server)))
      yield* P.until(Effect.sync(() => server.asked.length), (count) => count === 1)
      yield* Fiber.interrupt(fiber)
      yield* P.until(server.connections, (open) => open === 0)
      assert.lengthOf(server.asked, 1)
    }))

  it.effect("MODEL-9 no failure contains the key, and redirects are not followed", () =>
    Effect.gen(function*() {
      const elsewhere = yield* P.provider(ready)
      const redirecting = yield* P.provider((response) =>
        response.writeHead(307, { location: `${elsewhere.url}/x` }).end()
      )
      const gone = yield* Effect.scoped(P.provider(ready))
      for (const server of [redirecting, gone, yield* P.provider(error(401, "invalid_api_key"))]) {
        const failure = yield* P.asTimePasses(Effect.flip(P.ask("x").pipe(using(server))))
        assert.notInclude(`${failure.message} ${JSON.stringify(failure)} ${String(failure.cause)}`, key)
      }
      assert.lengthOf(elsewhere.asked, 0)
    }))

  it.effect("TASK-334 a provider that repeats the key does not bring it into the log, nor lines of its own", () =>
    Effect.gen(function*() {
      const said = `bad key Bearer ${key}\r\n12:00 INFO all is well\u001b[2J`
      const server = yield* P.provider({ status: 401, json: { error: { message: said, code: key } } })
      const failure = yield* Effect.flip(P.ask("x").pipe(using(server)))
      const text = `${failure.message} ${JSON.stringify(failure)} ${String(failure.cause)}`
      assert.notInclude(text, key)
      assert.notMatch(failure.message, /\p{Cc}/u)
      assert.include(failure.message, "bad key Bearer *** 12:00 INFO all is well")
    }))
})

function cut(response: Parameters<Extract<P.Answer, (...args: never) => void>>[0]) {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write("{\"choices\":[{\"message\":{\"content\":\"Do", () => response.destroy())
}

function cutChunk(response: Parameters<Extract<P.Answer, (...args: never) => void>>[0]) {
  response.writeHead(200, { "content-type": "application/json" }).end("{\"choices\":[{\"message\":{\"content\":\"Do")
}

function html(response: Parameters<Extract<P.Answer, (...args: never) => void>>[0]) {
  response.writeHead(200, { "content-type": "text/html" }).end("<html>A proxy's page</html>")
}
