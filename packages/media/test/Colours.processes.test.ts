/** Pictures whose colours, size or end are hard to get right. */
import { assert, describe, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import sharp from "sharp"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import { photoshop } from "./PhotoshopFixtures.ts"
import { awaited, quadrants, sourceIn } from "./PictureFixtures.ts"
import * as Samples from "./Samples.ts"

const still = (bytes: Uint8Array, bounds: MediaTools.PictureBounds = { maxSide: 360 }) =>
  Effect.flatMap(MediaTools.MediaTools, (tools) => tools.still(sourceIn(bytes, "image/any"), bounds))

/** Of a picture in one colour, or of its upper left corner. */
const assertColour = (picture: MediaTools.Picture, wanted: ReadonlyArray<number>, tolerance = 4) =>
  Effect.gen(function*() {
    const { data } = yield* awaited(() => sharp(picture.jpeg).raw().toBuffer({ resolveWithObject: true }))
    const found = [...data.subarray(0, 3)]
    wanted.forEach((value, i) => assert.closeTo(found[i]!, value, tolerance, found.join()))
  })

const red = { r: 200, g: 30, b: 30 }
const plain = (side = 32) => sharp({ create: { width: side, height: side, channels: 3, background: red } })
const deep = () => plain().toColourspace("rgb16")

/** Bytes that no picture gets smaller for. */
const noise = (side: number) => {
  let seed = 7
  const data = Uint8Array.from(
    { length: side * side * 3 },
    () => (seed = (seed * 16_807) % 2_147_483_647) & 255
  )
  return sharp(data, { raw: { width: side, height: side, channels: 3 } })
}

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("pictures", (it) => {
  it.effect.each([
    { what: "PNG of 16 bits in P3", make: () => deep().withIccProfile("p3").png().toBuffer() },
    { what: "TIFF of 16 bits in P3", make: () => deep().withIccProfile("p3").tiff({ compression: "lzw" }).toBuffer() },
    { what: "AVIF of 10 bits in P3", make: () => deep().withIccProfile("p3").avif({ bitdepth: 10 }).toBuffer() },
    { what: "PNG of 8 bits in P3", make: () => plain().withIccProfile("p3").png().toBuffer() },
    { what: "PNG of 16 bits without a profile", make: () => deep().png().toBuffer() }
  ])(
    "MEDIA-60 a $what comes out in its colours",
    ({ make }) =>
      Effect.flatMap(
        Effect.flatMap(awaited(make), (bytes) => still(bytes)),
        (shown) => assertColour(shown, [200, 30, 30])
      )
  )

  it.effect("MEDIA-60 a picture of 16 bits in one grey is that grey", () =>
    Effect.gen(function*() {
      const grey = { create: { width: 16, height: 16, channels: 3, background: { r: 120, g: 120, b: 120 } } } as const
      const shown = yield* still(yield* awaited(() => sharp(grey).toColourspace("grey16").png().toBuffer()))
      yield* assertColour(shown, [120, 120, 120])
    }))

  it.effect.each([
    { what: "RGB", file: photoshop("rgb", 8, [200, 30, 30]), colour: [200, 30, 30] },
    { what: "RGB with a saved selection", file: photoshop("rgb", 8, [200, 30, 30, 40]), colour: [200, 30, 30] },
    { what: "RGB of 16 bits", file: photoshop("rgb", 16, [200 * 257, 30 * 257, 30 * 257]), colour: [200, 30, 30] },
    { what: "grey", file: photoshop("grey", 8, [120]), colour: [120, 120, 120] },
    { what: "Lab", file: photoshop("lab", 8, [110, 192, 175]), colour: [202, 24, 25] },
    { what: "Lab of 16 bits", file: photoshop("lab", 16, [110 * 257, 192 * 256, 175 * 256]), colour: [202, 26, 26] }
  ])(
    "MEDIA-61 a Photoshop file in $what is shown in its colours",
    ({ colour, file }) => Effect.flatMap(still(file), (shown) => assertColour(shown, colour, 6))
  )

  it.effect.each([
    { what: "RGB of 32 bits", file: photoshop("rgb", 32, [0.58, 0.01, 0.01]) },
    { what: "grey of 32 bits", file: photoshop("grey", 32, [0.2]) },
    { what: "separate channels", file: photoshop("multichannel", 8, [120, 200]) },
    { what: "four separate channels", file: photoshop("multichannel", 8, [255, 55, 55, 255]) }
  ])("MEDIA-61 a Photoshop file in $what is unreadable, not shown wrong", ({ file }) =>
    Effect.gen(function*() {
      const told = yield* Effect.flip(still(file))
      assert.strictEqual(told._tag, "Unreadable")
      assert.match(told.message, /Photoshop/)
    }))

  it.effect("MEDIA-62 a JPEG whose end is missing is shown as far as it goes", () =>
    Effect.gen(function*() {
      const whole = yield* awaited(() => quadrants().jpeg().toBuffer())
      const shown = yield* still(whole.subarray(0, whole.length * 0.8))
      assert.deepStrictEqual([shown.width, shown.height], [360, 240])
      yield* assertColour(shown, [254, 0, 0], 12)
    }))

  it.effect("MEDIA-62 a JPEG that holds nothing of its picture is unreadable", () =>
    Effect.gen(function*() {
      const whole = yield* awaited(() => quadrants().jpeg().toBuffer())
      for (const end of [whole.indexOf(Buffer.from([0xff, 0xda])) + 14, 300, 20]) {
        assert.strictEqual((yield* Effect.flip(still(whole.subarray(0, end))))._tag, "Unreadable")
      }
    }))

  it.effect.each([
    { what: "noise", make: () => noise(1_200).png().toBuffer(), maxSide: 1_200 },
    {
      what: "noise in 16 bits with a profile",
      make: () => noise(600).toColourspace("rgb16").withIccProfile("p3").png().toBuffer(),
      maxSide: 1_200
    }
  ])("MEDIA-63 a picture of $what keeps within the bytes it may have", ({ make, maxSide }) =>
    Effect.gen(function*() {
      const bytes = yield* awaited(make)
      for (const maxBytes of [300_000, 60_000, 10_000]) {
        const { height, jpeg, width } = yield* still(bytes, { maxSide, maxBytes })
        assert.isAtMost(jpeg.length, maxBytes)
        const metadata = yield* awaited(() => sharp(jpeg).metadata())
        assert.deepInclude(metadata, { format: "jpeg", width, height })
      }
      assert.isAbove((yield* still(bytes, { maxSide })).jpeg.length, 60_000)
    }))

  describe.skipIf(Fixtures.missing !== undefined)(`made by ffmpeg${Samples.because(Fixtures.missing)}`, () => {
    it.effect("MEDIA-63 so does a frame of a video", () =>
      Effect.gen(function*() {
        const path = Fixtures.make(
          "noise.mp4",
          "-f",
          "lavfi",
          "-i",
          "nullsrc=s=1280x720:d=1:r=5,geq=random(1)*255:128:128",
          "-c:v",
          "libx264",
          "-qp",
          "4"
        )
        const { frame } = yield* MediaTools.MediaTools
        const source = () => Samples.sourceOf(path, "video/mp4")
        const free = yield* frame(source(), { atSeconds: 0.5, maxSide: 1_280 })
        assert.isTrue(free._tag === "Frame" && free.jpeg.length > 300_000)
        const bounded = yield* frame(source(), { atSeconds: 0.5, maxSide: 1_280, maxBytes: 300_000 })
        assert.isTrue(bounded._tag === "Frame" && bounded.jpeg.length <= 300_000)
      }))

    it.effect.each(["msf1", "hevc"])(
      "MEDIA-66 a HEIF sequence of the brand %s is shown by its first picture",
      (brand) =>
        Effect.gen(function*() {
          const colours = ["red", "blue"].flatMap((
            colour
          ) => ["-f", "lavfi", "-i", `color=${colour}:s=128x96:r=5:d=0.2`])
          const path = Fixtures.make(
            `${brand}.mp4`,
            ...colours,
            ..."-filter_complex concat -c:v libx265 -x265-params log-level=error -pix_fmt yuv420p -tag:v hvc1".split(
              " "
            )
          )
          const file = readFileSync(path)
          file.write(brand, 8, "latin1")
          file.write("pict", file.indexOf("vide"), "latin1")
          const tools = yield* MediaTools.MediaTools
          const source = sourceIn(file, "image/heif-sequence")
          const facts = yield* tools.probe(source)
          assert.deepInclude(facts, { width: 128, height: 96 })
          const shown = yield* tools.still(source, { maxSide: 512 })
          assert.deepStrictEqual([shown.width, shown.height], [128, 96])
          yield* assertColour(shown, [254, 0, 0], 8)
        })
    )
  })

  describe.skipIf(Samples.missing !== undefined)(`of samples${Samples.because(Samples.missing)}`, () => {
    it.effect.each(["mends/adobe16.png", "mends/adobe8.png"])(
      "MEDIA-60 %s comes out in its colours",
      (path) => Effect.flatMap(still(readFileSync(Samples.sample(path))), (shown) => assertColour(shown, [200, 30, 30]))
    )

    it.effect("MEDIA-62 image/truncated.jpg is shown as far as it goes", () =>
      Effect.gen(function*() {
        const shown = yield* still(readFileSync(Samples.sample("image/truncated.jpg")), { maxSide: 1_568 })
        assert.deepStrictEqual([shown.width, shown.height], [1_568, 1_280])
      }))
  })
})
