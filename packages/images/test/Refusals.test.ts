/** What a failure of each provider means to the drive. */
import { assert, describe, it } from "@effect/vitest"
import type { ImageGenerator } from "@filedrive/core"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { key } from "./ProviderServers.ts"
import { begins, failureOf, generate, providers, repeats, request, status } from "./ProvidersTest.ts"

type Model = ImageGenerator.ImageModel
type Reason = ImageGenerator.ImageReason

const statuses: ReadonlyArray<readonly [status: number, reason: Reason, begun: boolean]> = [
  [400, "rejected", true],
  [401, "notPaid", false],
  [402, "notPaid", false],
  [403, "notPaid", false],
  [422, "rejected", true],
  [429, "busy", false],
  [500, "unavailable", true],
  [503, "unavailable", true],
  [302, "invalid", true]
]

describe("refusals", () => {
  it.effect.each(begins.flatMap(([model, begin]) => statuses.map((row) => [model, begin, ...row] as const)))(
    "IMG-3 %s: %s answered %d means %s",
    ([model, begin, code, reason, begun]) =>
      Effect.gen(function*() {
        const { answer, calls, generator } = yield* providers()
        answer(begin, status(code, { detail: `the key ${key} is refused` }, { location: "http://127.0.0.1:1/" }))
        const failed = yield* failureOf(generator.submit(request(model)))
        assert.deepInclude(failed, { reason, begun, retryAfter: null })
        assert.isFalse(repeats(failed, key))
        assert.include(String(failed.cause), String(code))
        assert.lengthOf(calls, 1)
      })
  )

  const hostile = `ki\u202end\u0007 of ${key} `
  it.effect.each<[model: Model, begin: string, body: (text: string) => unknown]>([
    ["nanoBanana", "POST /google/", (blockReason) => ({ promptFeedback: { blockReason } })],
    ["nanoBanana", "POST /google/", (finishReason) => ({ candidates: [{ finishReason }] })],
    ["imagen4Fast", "POST /google/", (text) => ({ predictions: [7, text] })],
    ["gptImage2", "POST /openai/", (text) => ({ data: [], text })],
    ["flux2Pro", "GET /bfl/", (text) => ({ status: `${text} error` })],
    ["flux2Pro", "GET /bfl/", (text) => ({ status: `error ${text}` })],
    ["seedream4", "GET /fal/", (text) => ({ status: "FAILED", text })],
    ["seedream4", "GET /fal/", (text) => ({ status: "COMPLETED", error: text })],
    ["seedream4", "POST /fal/", (text) => ({ images: [{ url: `http://127.0.0.1:1/${text}` }] })]
  ])("IMG-14 %s (%s): no key, no control or bidi character and 400 characters at most, whatever field has them", ([
    model,
    begin,
    body
  ]) =>
    Effect.gen(function*() {
      // A look at a job is read up to 1 MiB.
      for (const count of [1, 30, begin.startsWith("POST /google") ? 800_000 : 20_000]) {
        const { answer, generator } = yield* providers({ pollsMin: 0 })
        answer(begin, status(200, body(hostile.repeat(count))))
        const failed = yield* TestClock.withLive(failureOf(generate(generator, request(model))))
        assert.isFalse(repeats(failed, key))
        assert.notMatch((failed.cause as Error).message, /[\p{Cc}\u202e]/u)
        assert.isAtMost((failed.cause as Error).message.length, 500)
      }
    }))

  it.effect("IMG-14 a key that the cut goes through is not told in part", () =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      for (let before = 3_990; before <= 4_030; before++) {
        answer("POST /google/", status(200, { promptFeedback: { blockReason: `${" ".repeat(before)}${key}${key}` } }))
        const failed = yield* failureOf(generator.submit(request("nanoBanana")))
        assert.isFalse(repeats(failed, key.slice(0, 4)))
      }
    }))

  it.effect.each<[header: string, seconds: number | null]>([
    ["7", 7],
    ["Thu, 01 Jan 1970 00:00:30 GMT", 30],
    ["999999999", 3_600],
    ["soon", null]
  ])("IMG-3 Retry-After: %s is %s seconds", ([header, seconds]) =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      answer("POST /bfl/", status(429, { detail: "Too many active tasks" }, { "retry-after": header }))
      const { retryAfter } = yield* failureOf(generator.submit(request("flux2Pro")))
      assert.strictEqual(retryAfter === null ? null : Duration.toSeconds(retryAfter), seconds)
    }))

  it.effect.each<[model: Model, code: number, body: unknown, reason: Reason]>([
    ["gptImage2", 429, { error: { code: "insufficient_quota", type: "insufficient_quota", message: "…" } }, "notPaid"],
    ["gptImage2", 400, { error: { code: "billing_hard_limit_reached", message: "…" } }, "notPaid"],
    ["gptImage2", 400, { error: { code: "invalid_value", param: "size", message: "…" } }, "rejected"],
    ["nanoBanana", 400, {
      error: { code: 400, status: "INVALID_ARGUMENT", details: [{ reason: "API_KEY_INVALID" }], message: "…" }
    }, "notPaid"],
    ["imagen4Fast", 400, { error: { code: 400, status: "FAILED_PRECONDITION", message: "billing" } }, "notPaid"],
    ["seedream4", 403, { detail: "User is locked. Reason: Exhausted balance." }, "notPaid"],
    ["seedream4", 422, { detail: [{ loc: ["body", "image_size"], type: "value_error", msg: "…" }] }, "rejected"]
  ])("IMG-3 %s: %d %j means %s", ([model, code, body, reason]) =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      answer("POST /", status(code, body))
      assert.deepInclude(yield* failureOf(generator.submit(request(model))), { reason })
    }))

  const drawn = (url: string) => ({ images: [{ url: `${url}/images/a.png` }], has_nsfw_concepts: [true] })

  it.effect.each<[what: string, model: Model, begin: string, code: number, body: unknown]>([
    ["a prompt", "gptImage2", "POST /openai/", 400, {
      error: {
        code: "moderation_blocked",
        type: "image_generation_user_error",
        message: "rejected by the safety system"
      }
    }],
    ["a prompt", "nanoBanana", "POST /google/", 200, { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }],
    ["an image", "nanoBananaPro", "POST /google/", 200, {
      candidates: [{ finishReason: "IMAGE_SAFETY", content: {} }]
    }],
    ["a prompt", "nanoBanana", "POST /google/", 200, {
      candidates: [{ finishReason: "SAFETY", content: { parts: [{ text: "I can't draw that." }] } }]
    }],
    ["an image", "imagen4Fast", "POST /google/", 200, { predictions: [{ raiFilteredReason: "Filtered: 39322892" }] }],
    ["a prompt", "imagen4Fast", "POST /google/", 200, {}],
    ["a prompt", "flux2Pro", "GET /bfl/", 200, { id: "a", status: "Request Moderated", result: null }],
    ["an image", "flux2Pro", "GET /bfl/", 200, {
      id: "a",
      status: "Content Moderated",
      result: null,
      details: { "Moderation Reasons": ["Derivative Works Filter"] }
    }],
    ["a prompt", "seedream4", "POST /fal/", 422, {
      detail: [{ loc: ["body", "prompt"], type: "content_policy_violation", msg: "flagged" }]
    }],
    ["an image", "fluxKreaDev", "GET /fal/fal-ai/flux/requests/request-1", 200, { status: "COMPLETED", ...drawn("") }]
  ])(
    "IMG-4 %s that the rules of %s forbid is moderated (%s %d %j)",
    ([_what, model, begin, code, body]) =>
      Effect.gen(function*() {
        const { answer, calls, generator } = yield* providers({ pollsMin: 0 })
        answer(begin, status(code, body))
        const failed = yield* failureOf(generate(generator, request(model)))
        assert.deepInclude(failed, { reason: "moderated", begun: true })
        assert.lengthOf(calls.filter(({ method }) => method === "POST"), 1)
      })
  )

  it.effect("IMG-4 a job at fal whose result is refused for its content is moderated", () =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers({ pollsMin: 0 })
      answer(
        "GET /fal/fal-ai/bytedance/requests/request-1",
        status(422, { detail: [{ type: "content_policy_violation" }] })
      )
      answer("GET /fal/fal-ai/bytedance/requests/request-1/status", status(200, { status: "COMPLETED" }))
      assert.deepInclude(yield* failureOf(generate(generator, request("seedream4"))), { reason: "moderated" })
    }))

  it.effect.each<[model: Model, begin: string, code: number, body: unknown, reason: Reason]>([
    ["flux2Pro", "GET /bfl/", 404, { status: "Task not found" }, "lost"],
    ["flux2Pro", "GET /bfl/", 200, { status: "Task not found", result: null }, "lost"],
    ["flux2Pro", "GET /bfl/", 200, { status: "Error", result: null }, "unavailable"],
    ["flux2Pro", "GET /bfl/", 200, { status: "Ready", result: {} }, "invalid"],
    ["flux2Pro", "GET /bfl/", 401, {}, "notPaid"],
    ["flux2Pro", "GET /bfl/", 429, {}, "busy"],
    ["flux2Pro", "GET /bfl/", 500, {}, "unavailable"],
    ["seedream4", "GET /fal/", 404, { detail: "Request not found" }, "lost"],
    ["seedream4", "GET /fal/", 503, {}, "unavailable"],
    ["seedream4", "GET /fal/", 429, {}, "busy"],
    ["seedream4", "GET /fal/", 200, { status: "FAILED", images: [] }, "unavailable"],
    ["seedream4", "GET /fal/", 200, {
      status: "COMPLETED",
      error: "runner disconnected",
      error_type: "runner_disconnected"
    }, "unavailable"],
    ["seedream4", "GET /fal/", 200, { status: "COMPLETED", images: [] }, "invalid"]
  ])(
    "IMG-6 a look at a job of %s (%s) answered %d %j means %s, and never that it was not begun",
    ([model, begin, code, body, reason]) =>
      Effect.gen(function*() {
        const { answer, generator } = yield* providers()
        answer(begin, status(code, body))
        assert.deepInclude(yield* failureOf(generate(generator, request(model))), { reason, begun: true })
      })
  )

  it.effect("IMG-6 a status that the documentation does not name yet is waited for", () =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      const asked = request("flux2Pro")
      const submitted = yield* generator.submit(asked)
      if (submitted._tag !== "Submitted") return assert.fail("no task")
      answer("GET /bfl/", status(200, { id: "a", status: "Queued", result: null }))
      assert.strictEqual((yield* generator.poll(asked, submitted.job))._tag, "Pending")
    }))
})
