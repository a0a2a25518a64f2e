/** What becomes of connections to providers, and where links of theirs may lead. */
import { assert, describe, it } from "@effect/vitest"
import type { ImageGenerator } from "@filedrive/core"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type Socket } from "node:net"
import { eventually } from "../../core/test/FilesTest.ts"
import { picture } from "./ProviderServers.ts"
import {
  begins,
  failureOf,
  generate,
  generatorOf,
  isPicture,
  providers,
  repeats,
  request,
  status
} from "./ProvidersTest.ts"

type Model = ImageGenerator.ImageModel

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
