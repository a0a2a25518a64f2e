/** Every model against servers that answer as the providers' documentation says. */
import { assert, describe, it } from "@effect/vitest"
import type { ImageGenerator } from "@filedrive/core"
import { Effect } from "effect"
import { json, key, picture } from "./ProviderServers.ts"
import { failureOf, generate, generatorOf, isPicture, providers, request } from "./ProvidersTest.ts"

type Model = ImageGenerator.ImageModel

const models: ReadonlyArray<{
  readonly model: Model
  readonly first: string
  readonly looks: number
  readonly body: Record<string, unknown>
}> = [
  {
    model: "gptImage2",
    first: "POST /openai/v1/images/generations",
    looks: 0,
    body: { model: "gpt-image-2", prompt: "a cat", n: 1, size: "1536x1024", quality: "low", output_format: "png" }
  },
  {
    model: "nanoBanana",
    first: "POST /google/v1beta/models/gemini-2.5-flash-image:generateContent",
    looks: 0,
    body: {
      contents: [{ role: "user", parts: [{ text: "a cat" }] }],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "3:2" } }
    }
  },
  {
    model: "nanoBananaPro",
    first: "POST /google/v1beta/models/gemini-3-pro-image-preview:generateContent",
    looks: 0,
    body: {
      contents: [{ role: "user", parts: [{ text: "a cat" }] }],
      generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "3:2" } }
    }
  },
  {
    model: "imagen4Fast",
    first: "POST /google/v1beta/models/imagen-4.0-fast-generate-001:predict",
    looks: 0,
    body: {
      instances: [{ prompt: "a cat" }],
      parameters: { sampleCount: 1, aspectRatio: "4:3", includeRaiReason: true }
    }
  },
  {
    model: "flux2Pro",
    first: "POST /bfl/v1/flux-2-pro",
    looks: 2,
    body: { prompt: "a cat", width: 1_248, height: 832, output_format: "png" }
  },
  {
    model: "fluxKreaDev",
    first: "POST /fal/fal-ai/flux/krea",
    looks: 2,
    body: { prompt: "a cat", image_size: { width: 1_248, height: 832 }, num_images: 1, output_format: "png" }
  },
  {
    model: "seedream4",
    first: "POST /fal/fal-ai/bytedance/seedream/v4/text-to-image",
    looks: 2,
    body: { prompt: "a cat", image_size: { width: 2_496, height: 1_664 }, num_images: 1, max_images: 1 }
  }
]

describe("models", () => {
  it.effect.each(models)(
    "IMG-1 $model is asked for once, and its image is what the provider made",
    ({ body, first, looks, model }) =>
      Effect.gen(function*() {
        const { calls, generator } = yield* providers()
        const made = yield* generate(generator, request(model, { aspectRatio: "3:2" }))
        assert.isTrue(isPicture(made.image))
        assert.strictEqual(made.looks, looks)
        const posts = calls.filter(({ method }) => method === "POST")
        assert.deepStrictEqual(posts.map(({ method, path }) => `${method} ${path}`), [first])
        assert.deepStrictEqual(posts[0]!.body, body)
        assert.strictEqual(yield* generator.unavailable(model), null)
      })
  )

  it.effect.each<[model: Model, aspectRatio: ImageGenerator.AspectRatio, says: unknown]>([
    ["gptImage2", "1:1", "1024x1024"],
    ["gptImage2", "2:3", "1024x1536"],
    ["imagen4Fast", "2:3", "3:4"],
    ["imagen4Fast", "16:9", "16:9"],
    ["nanoBanana", "9:16", "9:16"],
    ["seedream4", "16:9", { width: 2_560, height: 1_440 }],
    ["fluxKreaDev", "9:16", { width: 720, height: 1_280 }]
  ])("IMG-1 %s is asked for %s in the provider's own words", ([model, aspectRatio, says]) =>
    Effect.gen(function*() {
      const { calls, generator } = yield* providers()
      yield* generator.submit(request(model, { aspectRatio }))
      assert.include(JSON.stringify(calls[0]!.body), JSON.stringify(says))
    }))

  it.effect("IMG-1 flux2Pro is drawn by fal when there is no key of Black Forest Labs, and its job stays there", () =>
    Effect.gen(function*() {
      const { calls, generator, keys } = yield* providers({ keys: ({ fal }) => ({ fal }) })
      const asked = request("flux2Pro")
      const submitted = yield* generator.submit(asked)
      assert.strictEqual(submitted._tag, "Submitted")
      assert.strictEqual(calls[0]!.path, "/fal/fal-ai/flux-2-pro")
      assert.deepInclude(calls[0]!.body, { image_size: { width: 1_024, height: 1_024 } })
      // A host that adds the other key later still finds the job.
      const later = yield* generatorOf(keys)
      if (submitted._tag === "Submitted") {
        assert.strictEqual((yield* later.poll(asked, submitted.job))._tag, "Pending")
        const { reason } = yield* failureOf((yield* generatorOf({ openai: keys.openai })).poll(asked, submitted.job))
        assert.strictEqual(reason, "lost")
      }
    }))

  it.effect("IMG-1 an answer of fal's synchronous API is taken, too, with its image in a data URL", () =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      const url = `data:image/png;base64,${picture.toString("base64")}`
      answer("POST /fal/", (_, response) => json(response, 200, { images: [{ url }], has_nsfw_concepts: [false] }))
      const { image, looks } = yield* generate(generator, request("fluxKreaDev"))
      assert.isTrue(isPicture(image))
      assert.strictEqual(looks, 0)
    }))

  it.effect("IMG-1 of a model that thinks, its last image counts, and none of its drafts", () =>
    Effect.gen(function*() {
      const { answer, generator } = yield* providers()
      const part = (bytes: Buffer, thought?: boolean) => ({
        ...(thought === undefined ? {} : { thought }),
        inlineData: { mimeType: "image/png", data: bytes.toString("base64") }
      })
      const draft = Buffer.concat([picture, Buffer.from("draft")])
      answer("POST /google/", (_, response) =>
        json(response, 200, {
          candidates: [{
            content: { parts: [part(draft, true), part(picture), { text: "Done." }] },
            finishReason: "STOP"
          }]
        }))
      const { image } = yield* generate(generator, request("nanoBananaPro"))
      assert.isTrue(isPicture(image))
    }))

  it.effect("IMG-2 a model without a key is not available, for a reason that names its variable, and nobody is asked", () =>
    Effect.gen(function*() {
      const { calls, generator } = yield* providers({ keys: ({ google }) => ({ google }) })
      const why = yield* Effect.all(
        models.map(({ model }) => Effect.map(generator.unavailable(model), (why) => [model, why]))
      )
      assert.deepStrictEqual(Object.fromEntries(why), {
        gptImage2: "OPENAI_API_KEY is not set",
        nanoBanana: null,
        nanoBananaPro: null,
        imagen4Fast: null,
        flux2Pro: "BFL_API_KEY or FAL_API_KEY is not set",
        fluxKreaDev: "FAL_API_KEY is not set",
        seedream4: "FAL_API_KEY is not set"
      })
      const failed = yield* failureOf(generator.submit(request("gptImage2")))
      assert.deepInclude(failed, { reason: "unavailable", begun: false })
      assert.isEmpty(calls)
    }))

  it.effect("IMG-8 a job at fal is cancelled with the key at its own address; where there is nothing to cancel, nothing happens", () =>
    Effect.gen(function*() {
      const { answer, calls, generator } = yield* providers()
      const asked = request("seedream4")
      const submitted = yield* generator.submit(asked)
      if (submitted._tag !== "Submitted") return assert.fail("not queued")
      yield* generator.cancel(asked, submitted.job)
      assert.deepInclude(calls.at(-1), {
        method: "PUT",
        path: "/fal/fal-ai/bytedance/requests/request-1/cancel"
      })
      assert.strictEqual(calls.at(-1)!.headers.authorization, `Key ${key}`)
      answer("PUT /fal/", (_, response) => json(response, 400, { status: "ALREADY_COMPLETED" }))
      yield* generator.cancel(asked, submitted.job)
      const count = calls.length
      yield* generator.cancel(asked, "not a job")
      yield* generator.cancel(asked, "{\"at\":\"fal\"}")
      const task = yield* generator.submit(request("flux2Pro"))
      if (task._tag === "Submitted") yield* generator.cancel(request("flux2Pro"), task.job)
      assert.lengthOf(calls, count + 1)
    }))
})
