/** Who draws generated images, as a host says it by the option `images`. */
import { assert, describe, it } from "@effect/vitest"
import { ImageGenerator } from "@filedrive/core"
import { finished, testImage } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { setImmediate } from "node:timers/promises"
import { picture, startProviders } from "../../../images/test/ProviderServers.ts"
import type { Drive } from "../../src/createDrive.ts"
import type { DriveOptions, ImageOptions } from "../../src/DriveOptions.ts"
import { temporaryDrive } from "./hosts.ts"

type Request = ImageGenerator.ImageRequest

/** What becomes of one generation on a drive with this option. */
const generated = async (
  images: DriveOptions["images"],
  wanted: Pick<Request, "model"> & Partial<Request> = { model: "nanoBanana" },
  options: DriveOptions = {}
) => {
  const { close, drive } = await temporaryDrive({ ...options, ...(images === undefined ? {} : { images }) })
  try {
    const { userId } = await drive.accounts.create({ plan: "pro" }) ?? assert.fail("no account")
    return await settled(drive, userId, wanted)
  } finally {
    await close()
  }
}

const settled = async (drive: Drive, userId: string, { model }: Pick<Request, "model">) => {
  const mine = drive.as(userId)
  const { id } = await mine.generateImage({ prompt: "A cat", model })
  for (;;) {
    const { generations: [generation] } = await mine.selectGenerations({ ids: [id] })
    const { image, status } = generation!
    if (status === "working") {
      // The database is in this thread: without a turn nothing else would ever run.
      await setImmediate()
      continue
    }
    const bytes = image === null ? null : await new Response((await mine.files.get(image.id)).stream).bytes()
    return { ...generation!, bytes }
  }
}

describe("the option images", { timeout: 60_000 }, () => {
  it("IMG-10 a host's generator is asked in the place of providers, also when it is an object of a class", async () => {
    const asked: Array<Request> = []
    class Own {
      readonly models = ["nanoBanana"] as const
      async generate(request: Request) {
        asked.push(request)
        return { bytes: picture }
      }
    }
    const { bytes, status } = await generated({ generator: new Own() })
    assert.strictEqual(status, "done")
    assert.deepStrictEqual(Buffer.from(bytes!), picture)
    assert.lengthOf(asked, 1)
    assert.deepInclude(asked[0], { model: "nanoBanana", prompt: "A cat", aspectRatio: "1:1", quality: null })
  })

  it("IMG-10 what a host's generator throws fails the generation, for the reason it names", async () => {
    const refused = Object.assign(new Error("the host's own words"), { reason: "moderated" })
    const { code, error, status } = await generated({ generator: { generate: () => Promise.reject(refused) } })
    assert.deepStrictEqual([status, code], ["failed", "moderated"])
    assert.notInclude(error, "own words")
  })

  it("IMG-11 a layer of the host's own is taken as it is", async () => {
    const layer = Layer.succeed(
      ImageGenerator.ImageGenerator,
      ImageGenerator.ImageGenerator.of({
        unavailable: () => Effect.succeed(null),
        submit: () => Effect.succeed(finished()),
        poll: () => Effect.succeed(finished()),
        cancel: () => Effect.void
      })
    )
    assert.deepStrictEqual((await generated(layer)).bytes, testImage.bytes)
  })

  it("IMG-11 without the option samples are drawn; a key, or samples: false, ends that", async () => {
    const { bytes, status } = await generated(undefined)
    assert.strictEqual(status, "done")
    // Width and height, as a PNG begins.
    const head = new DataView(bytes!.buffer, bytes!.byteOffset)
    assert.deepStrictEqual([head.getUint32(16), head.getUint32(20)], [1_024, 1_024])
    const none: ReadonlyArray<ImageOptions> = [{ samples: false }, { openai: { apiKey: "a" } }]
    for (const images of none) {
      const refused = await generated(images).catch((error: unknown) => error)
      assert.deepInclude(refused, { code: "generator_unavailable", retryable: true })
    }
  })

  it("IMG-11 providers are asked with the host's keys, at the addresses it gives", async () => {
    const servers = await startProviders()
    try {
      const apiKey = servers.environment["FAL_API_KEY"]!
      const fal = { apiKey, baseUrl: servers.environment["FAL_BASE_URL"]! }
      const { bytes, status } = await generated({ fal }, { model: "flux2Pro" }, {
        allowPrivateAddresses: true,
        log: "off"
      })
      assert.strictEqual(status, "done")
      assert.deepStrictEqual(Buffer.from(bytes!), picture)
    } finally {
      await servers.close()
    }
  })
})
