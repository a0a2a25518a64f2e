/** Images without any provider: samples, and a host's own generator. */
import { assert, describe, it } from "@effect/vitest"
import { ImageGenerator } from "@filedrive/core"
import { HostImages, SampleImages } from "@filedrive/images"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import sharp from "sharp"
import { eventually } from "../../core/test/FilesTest.ts"
import { picture } from "./ProviderServers.ts"
import { failureOf, isPicture, request } from "./ProvidersTest.ts"

const built = (layer: Layer.Layer<ImageGenerator.ImageGenerator>) =>
  Effect.map(Layer.build(layer), Context.get(ImageGenerator.ImageGenerator))

const drawn = Effect.fnUntraced(function*(
  layer: Layer.Layer<ImageGenerator.ImageGenerator>,
  asked: ImageGenerator.ImageRequest
) {
  const submission = yield* (yield* built(layer)).submit(asked)
  return submission._tag === "Finished" ? submission.image : assert.fail("not finished")
})

const ratios: ReadonlyArray<ImageGenerator.AspectRatio> = ["1:1", "3:2", "2:3", "16:9", "9:16", "4:3", "3:4"]

/** Whether the word stands in the middle: white letters there, and no white elsewhere. */
const whiteRows = async (bytes: Uint8Array) => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const rows: Array<number> = []
  for (let y = 0; y < info.height; y++) {
    let white = 0
    for (let x = 0; x < info.width; x++) {
      const at = (y * info.width + x) * info.channels
      if (data[at] === 255 && data[at + 1] === 255 && data[at + 2] === 255) white++
    }
    rows.push(white / info.width)
  }
  return rows
}

describe("samples", () => {
  it.effect.each(ratios)(
    "IMG-9 a sample of %s has that shape, and a word in its middle",
    (aspectRatio) =>
      Effect.gen(function*() {
        const { bytes, mimeType } = yield* drawn(SampleImages.layer, request("nanoBanana", { aspectRatio }))
        const [x, y] = aspectRatio.split(":").map(Number)
        const { format, height, width } = yield* Effect.promise(() => sharp(bytes).metadata())
        assert.deepStrictEqual([format, mimeType], ["png", "image/png"])
        assert.strictEqual(width! * y!, height! * x!)
        const rows = yield* Effect.promise(() => whiteRows(bytes))
        const middle = Math.floor(rows.length / 2)
        assert.isAbove(rows[middle]!, 0.2)
        assert.strictEqual(rows[0], 0)
        assert.strictEqual(rows.at(-1), 0)
      })
  )

  it.effect("IMG-9 the same prompt and model give the same bytes, others give other bytes", () =>
    Effect.gen(function*() {
      const of = (model: ImageGenerator.ImageModel, prompt: string) =>
        Effect.map(
          drawn(SampleImages.layer, request(model, { prompt })),
          ({ bytes }) => Buffer.from(bytes).toString("base64")
        )
      const [one, again, another, otherModel] = yield* Effect.all([
        of("gptImage2", "a cat"),
        of("gptImage2", "a cat"),
        of("gptImage2", "a dog"),
        of("seedream4", "a cat")
      ])
      assert.strictEqual(one, again)
      assert.notStrictEqual(one, another)
      assert.notStrictEqual(one, otherModel)
    }))

  it.effect("IMG-9 samples of every model are available, of the longest prompt, too", () =>
    Effect.gen(function*() {
      const generator = yield* built(SampleImages.layer)
      for (const model of ImageGenerator.imageModels) assert.isNull(yield* generator.unavailable(model))
      const { bytes } = yield* drawn(
        SampleImages.layer,
        request("flux2Pro", { prompt: "\u{1f600}\0\u202e".repeat(1_000) })
      )
      assert.isBelow(bytes.length, 1_000_000)
    }))
})

const host = (generate: HostImages.HostImageGenerator["generate"], models?: ReadonlyArray<ImageGenerator.ImageModel>) =>
  HostImages.layer(models === undefined ? { generate } : { generate, models })

const failing = (generate: HostImages.HostImageGenerator["generate"]) =>
  Effect.flatMap(built(host(generate)), (generator) => failureOf(generator.submit(request("gptImage2"))))

describe("a host's generator", () => {
  it.effect("IMG-10 is given the request, and its bytes are the image, whatever it calls them", () =>
    Effect.gen(function*() {
      const asked: Array<unknown> = []
      const image = yield* drawn(
        host(async (request) => {
          asked.push(request)
          return { bytes: picture }
        }),
        request("seedream4", { aspectRatio: "4:3" })
      )
      assert.isTrue(isPicture(image))
      assert.deepStrictEqual(asked, [request("seedream4", { aspectRatio: "4:3" })])
    }))

  it.effect("IMG-10 draws the models that it names", () =>
    Effect.gen(function*() {
      const generator = yield* built(host(async () => ({ bytes: picture }), ["gptImage2"]))
      assert.isNull(yield* generator.unavailable("gptImage2"))
      assert.isString(yield* generator.unavailable("nanoBanana"))
    }))

  const error = (fields: object) => Object.assign(new Error("no"), fields)

  it.effect.each<[what: string, thrown: unknown, expected: object]>([
    ["an error", error({}), { reason: "unavailable", begun: true, retryAfter: null }],
    ["an error with a reason", error({ reason: "moderated" }), { reason: "moderated", begun: true }],
    ["an error with an unknown reason", error({ reason: "tired" }), { reason: "unavailable", begun: true }],
    ["busy", error({ reason: "busy", retryAfterMillis: 5_000 }), {
      reason: "busy",
      begun: false,
      retryAfter: Duration.seconds(5)
    }],
    ["busy until a time that is none", error({ reason: "busy", retryAfterMillis: NaN }), {
      reason: "busy",
      retryAfter: null
    }],
    ["nothing", undefined, { reason: "unavailable" }],
    ["text", "no", { reason: "unavailable" }]
  ])("IMG-10 that throws %s has failed, at once or later", ([_what, thrown, expected]) =>
    Effect.gen(function*() {
      assert.deepInclude(yield* failing(() => Promise.reject(thrown)), expected)
      assert.deepInclude(
        yield* failing(() => {
          throw thrown
        }),
        expected
      )
    }))

  it.effect.each<[what: string, answer: unknown]>([
    ["nothing", undefined],
    ["text", "bytes"],
    ["an array of numbers", { bytes: [1, 2] }],
    ["no image", { bytes: new Uint8Array(10) }],
    ["no bytes", { bytes: new Uint8Array() }]
  ])("IMG-10 that answers %s has given an invalid image", ([_what, answer]) =>
    Effect.gen(function*() {
      assert.deepInclude(yield* failing(async () => answer as never), { reason: "invalid" })
    }))

  it.effect("IMG-10 is told by its signal when nobody wants the image any more, and when its time is over", () =>
    Effect.gen(function*() {
      const signals: Array<AbortSignal> = []
      const generator = yield* built(
        host((_, { signal }) => {
          signals.push(signal)
          return new Promise(() => undefined)
        })
      )
      const cancelled = yield* Effect.forkChild(generator.submit(request("gptImage2")))
      yield* eventually(Effect.sync(() => signals.length), (count) => count === 1)
      yield* Fiber.interrupt(cancelled)
      assert.isTrue(signals[0]!.aborted)
      const slow = yield* Effect.forkChild(failureOf(generator.submit(request("gptImage2"))))
      yield* eventually(Effect.sync(() => signals.length), (count) => count === 2)
      yield* TestClock.adjust("100 seconds")
      assert.deepInclude(yield* Fiber.join(slow), { reason: "unavailable", begun: true })
      assert.isTrue(signals[1]!.aborted)
    }))
})
