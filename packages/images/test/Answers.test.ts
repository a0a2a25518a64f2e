/** Answers that keep to HTTP and are of no use. */
import { assert, describe, it } from "@effect/vitest"
import type { ImageGenerator } from "@filedrive/core"
import { Effect } from "effect"
import { type Answering, json, picture } from "./ProviderServers.ts"
import { begins, failureOf, generate, providers, request } from "./ProvidersTest.ts"

type Model = ImageGenerator.ImageModel

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

describe("answers", () => {
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
})
