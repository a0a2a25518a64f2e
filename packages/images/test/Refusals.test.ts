/** What a failure of each provider means to the drive. */
import { assert, describe, it } from "@effect/vitest"
import type { ImageGenerator } from "@filedrive/core"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type Socket } from "node:net"
import { eventually } from "../../core/test/FilesTest.ts"
import { type Answering, json, key, picture } from "./ProviderServers.ts"
import { failureOf, generate, generatorOf, isPicture, providers, repeats, request } from "./ProvidersTest.ts"

type Model = ImageGenerator.ImageModel
type Reason = ImageGenerator.ImageReason

/** A model of each provider, and where it is asked first. */
const begins: ReadonlyArray<readonly [model: Model, begin: string]> = [
  ["gptImage2", "POST /openai/"],
  ["nanoBanana", "POST /google/"],
  ["imagen4Fast", "POST /google/"],
  ["flux2Pro", "POST /bfl/"],
  ["seedream4", "POST /fal/"]
]

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

const status = (code: number, body: unknown, headers: Record<string, string> = {}): Answering => (_, response) =>
  json(response, code, body, headers)

/** Answers that keep to HTTP, and are of no use. */
const useless: ReadonlyArray<readonly [what: string, body: string]> = [
  ["no JSON", "<html>Bad gateway</html>"],
  ["an empty body", ""],
  ["an empty object", "{}"],
  ["another form", "{\"data\":{},\"candidates\":7,\"predictions\":[1],\"id\":{},\"request_id\":[]}"],
  ["null", "null"]
]

const text = (body: string): Answering => (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
  response.end(body)
}

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

  it.effect.each(
    begins.flatMap(([model, begin]) =>
      useless.flatMap(([what, body]) =>
        // Imagen leaves out what it filters, so an object without an image is no malformed answer of its.
        model === "imagen4Fast" && what === "an empty object" ? [] : [[model, begin, what, body] as const]
      )
    )
  )("IMG-5 %s: %s answered with %s is invalid", ([model, begin, _what, body]) =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      answer(begin, text(body))
      const failed = yield* failureOf(generator.submit(request(model)))
      assert.deepInclude(failed, { reason: "invalid", begun: true })
    }))

  it.effect.each<[model: Model, begin: string]>([["flux2Pro", "GET /bfl/"], ["seedream4", "GET /fal/"]])(
    "IMG-5 a look at a job of %s that is answered with something else is invalid",
    ([model, begin]) =>
      Effect.gen(function*() {
        const { answer, generator } = yield* providers()
        for (const [, body] of useless) {
          answer(begin, text(body))
          assert.deepInclude(yield* failureOf(generate(generator, request(model))), { reason: "invalid", begun: true })
        }
      })
  )

  it.effect.each<[model: Model, begin: string, body: (base64: string) => unknown]>([
    ["gptImage2", "POST /openai/", (b64_json) => ({ data: [{ b64_json }] })],
    ["nanoBanana", "POST /google/", (data) => ({ candidates: [{ content: { parts: [{ inlineData: { data } }] } }] })],
    ["imagen4Fast", "POST /google/", (bytesBase64Encoded) => ({ predictions: [{ bytesBase64Encoded }] })],
    ["seedream4", "POST /fal/", (base64) => ({ images: [{ url: `data:image/png;base64,${base64}` }] })]
  ])(
    "IMG-5 %s: bytes that are no image are invalid, whatever the provider calls them",
    ([model, begin, body]) =>
      Effect.gen(function*() {
        const { answer, generator } = yield* providers()
        for (const base64 of [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64"), "", "***"]) {
          answer(begin, (_, response) => json(response, 200, body(base64)))
          assert.deepInclude(yield* failureOf(generator.submit(request(model))), { reason: "invalid" })
        }
      })
  )

  it.effect("IMG-5 of an image and of an answer with one, no more than 64 MB are taken", () =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers({ pollsMin: 0 })
      const block = Buffer.alloc(1024 * 1024)
      /** Sends without end. */
      const flood = (head: Buffer, headers: Record<string, string>): Answering => (_, response) => {
        response.writeHead(200, headers)
        response.write(head)
        const more = () => void (response.destroyed || response.write(block, more))
        more()
      }
      answer(
        "POST /openai/",
        flood(Buffer.from("{\"data\":[{\"b64_json\":\""), { "content-type": "application/json" })
      )
      assert.deepInclude(yield* failureOf(generator.submit(request("gptImage2"))), { reason: "invalid" })
      answer("GET /images/", flood(picture, { "content-type": "image/png" }))
      assert.deepInclude(yield* failureOf(generate(generator, request("flux2Pro"))), { reason: "invalid" })
      answer("GET /images/", (_, response) =>
        void response.writeHead(200, { "content-length": 64 * 1024 * 1024 + 1 }).write("a"))
      assert.deepInclude(yield* failureOf(generate(generator, request("flux2Pro"))), { reason: "invalid" })
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

describe("connections", () => {
  it.effect.each(begins)(
    "IMG-6 a provider of %s that does not answer is given up after 100 seconds",
    ([model, begin]) =>
      Effect.gen(function*() {
        const { answer, calls, generator } = yield* providers()
        answer(begin, () => undefined)
        const fiber = yield* Effect.forkChild(failureOf(generator.submit(request(model))))
        yield* eventually(Effect.sync(() => calls.length), (count) => count === 1)
        yield* TestClock.adjust("99 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* Fiber.join(fiber), { reason: "unavailable", begun: true })
      })
  )

  it.effect.each<[model: Model, begin: string]>([["flux2Pro", "GET /bfl/"], ["seedream4", "GET /fal/"], [
    "flux2Pro",
    "GET /images/"
  ]])(
    "IMG-6 a look at a job of %s is given up after 25 seconds, when %s stalls in the middle of an answer",
    ([model, begin]) =>
      Effect.gen(function*() {
        const { answer, calls, generator } = yield* providers({ pollsMin: 0 })
        answer(begin, (_, response) => void response.writeHead(200, { "content-length": 1_000 }).write("{"))
        const fiber = yield* Effect.forkChild(failureOf(generate(generator, request(model))))
        yield* eventually(
          Effect.sync(() => calls.at(-1)),
          (call) => call !== undefined && `${call.method} ${call.path}`.startsWith(begin)
        )
        yield* TestClock.adjust("25 seconds")
        assert.deepInclude(yield* Fiber.join(fiber), { reason: "unavailable", begun: true })
      })
  )

  it.effect.each(begins)(
    "IMG-6 %s: a connection that is cut in the middle of the answer may have cost an image",
    ([model, begin]) =>
      Effect.gen(function*() {
        const { answer, generator } = yield* providers()
        answer(begin, (_, response) => {
          response.writeHead(200, { "content-length": 1_000 })
          response.write("{\"data\":[", () => response.destroy())
        })
        assert.deepInclude(yield* failureOf(generator.submit(request(model))), { reason: "unavailable", begun: true })
        answer(begin, (_, response) => void response.destroy())
        assert.deepInclude(yield* failureOf(generator.submit(request(model))), { reason: "unavailable", begun: true })
      })
  )

  it.effect("IMG-6 a connection that could not be made has begun nothing", () =>
    Effect.gen(function*() {
      const { keys } = yield* providers()
      const closed = createServer()
      yield* Effect.callback<void>((resume) => void closed.listen(0, "127.0.0.1", () => resume(Effect.void)))
      const { port } = closed.address() as { readonly port: number }
      yield* Effect.callback<void>((resume) => void closed.close(() => resume(Effect.void)))
      for (const baseUrl of [`http://127.0.0.1:${port}/v1`, "http://name.invalid/v1", `https://127.0.0.1:${port}/v1`]) {
        const generator = yield* generatorOf({ openai: { ...keys.openai, baseUrl } })
        const failed = yield* failureOf(generator.submit(request("gptImage2")))
        assert.deepInclude(failed, { reason: "unavailable", begun: false })
      }
    }))

  it.effect("IMG-6 a server without TLS has not been asked for anything either; one that speaks no HTTP is invalid", () =>
    Effect.gen(function*() {
      const { keys } = yield* providers()
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => undefined).once("data", () => socket.end("SSH-2.0-OpenSSH\r\n"))
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => void server.close())
      )
      const { port } = server.address() as { readonly port: number }
      const failing = (baseUrl: string) =>
        Effect.flatMap(
          generatorOf({ openai: { ...keys.openai, baseUrl } }),
          (generator) => failureOf(generator.submit(request("gptImage2")))
        )
      assert.deepInclude(yield* failing(`https://127.0.0.1:${port}`), { reason: "unavailable", begun: false })
      assert.deepInclude(yield* failing(`http://127.0.0.1:${port}`), { reason: "invalid", begun: true })
    }))

  it.effect("IMG-8 who no longer wants an image cuts the connection to its provider", () =>
    Effect.gen(function*() {
      const { answer, calls, generator } = yield* providers()
      let isCut = false
      answer("POST /openai/", (_, response) => void response.on("close", () => void (isCut = true)))
      const fiber = yield* Effect.forkChild(generator.submit(request("gptImage2")))
      yield* eventually(Effect.sync(() => calls.length), (count) => count === 1)
      yield* Fiber.interrupt(fiber)
      yield* eventually(Effect.sync(() => isCut), (cut) => cut)
    }))
})

describe("links", () => {
  it.effect("IMG-7 an image is fetched from its provider's link without the key, and once more when that failed for now", () =>
    Effect.gen(function*() {
      const { answer, calls, generator } = yield* providers({ pollsMin: 0 })
      assert.isTrue(isPicture((yield* generate(generator, request("flux2Pro"))).image))
      const { headers } = calls.find(({ path }) => path.startsWith("/images/"))!
      for (const name of ["authorization", "x-key", "cookie"]) assert.notProperty(headers, name)

      let count = 0
      answer("GET /images/", (_, response) => {
        if (++count === 1) return void response.writeHead(503).end()
        response.end(picture)
      })
      const fiber = yield* Effect.forkChild(generate(generator, request("flux2Pro")))
      yield* eventually(
        Effect.andThen(TestClock.adjust("50 millis"), Effect.sync(() => fiber.pollUnsafe())),
        (exit) => exit !== undefined
      )
      assert.isTrue(isPicture((yield* Fiber.join(fiber)).image))
      assert.strictEqual(count, 2)
    }))

  it.effect.each([
    "http://127.0.0.2:8080/a.png",
    "http://169.254.169.254/a.png",
    "file:///etc/passwd",
    "http://localhost:22/",
    "a.png"
  ])(
    "IMG-7 a link to %s is not followed",
    (link) =>
      Effect.gen(function*() {
        const { answer, generator } = yield* providers()
        answer("GET /bfl/", status(200, { status: "Ready", result: { sample: link } }))
        const failed = yield* failureOf(generate(generator, request("flux2Pro")))
        assert.deepInclude(failed, { reason: "invalid", begun: true })
        assert.isFalse(repeats(failed, link))
      })
  )

  it.effect("IMG-7 the key goes to the configured address only, whatever links a provider gives for its jobs", () =>
    Effect.gen(function*() {
      const stranger = yield* providers()
      const { answer, calls, generator } = yield* providers({ pollsMin: 0 })
      const elsewhere = `${stranger.url}/bfl/v1/get_result?id=task-1`
      answer("POST /bfl/", status(200, { id: "task-1", polling_url: elsewhere }))
      assert.isTrue(isPicture((yield* generate(generator, request("flux2Pro"))).image))
      assert.strictEqual(calls.at(-2)!.path, "/bfl/v1/get_result?id=task-1")

      const at = `${stranger.url}/fal/fal-ai/flux/requests/request-9`
      answer(
        "POST /fal/",
        status(200, {
          request_id: "request-9",
          status_url: `${at}/status`,
          response_url: `http://user:password@${new URL(at).host}/`,
          cancel_url: "no link"
        })
      )
      const made = yield* generate(generator, request("fluxKreaDev"))
      assert.isTrue(isPicture(made.image))
      yield* generator.cancel(request("fluxKreaDev"), made.job!)
      assert.strictEqual(calls.at(-1)!.path, "/fal/fal-ai/flux/requests/request-9/cancel")
      assert.isEmpty(stranger.calls)
    }))

  it.effect("IMG-7 a provider that redirects is not followed", () =>
    Effect.gen(function*() {
      const stranger = yield* providers()
      const { answer, generator } = yield* providers()
      for (const [model, begin] of begins) {
        answer(begin, status(307, {}, { location: `${stranger.url}/openai/v1/images/generations` }))
        assert.deepInclude(yield* failureOf(generator.submit(request(model))), { reason: "invalid" })
      }
      assert.isEmpty(stranger.calls)
    }))
})
