/** Formats × depths × primaries × transfers, beside the values of the standards' formulas. */
import { assert, describe, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import sharp from "sharp"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import * as Colours from "./ColourFixtures.ts"
import * as Reference from "./ColourReference.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import { heif, hevc } from "./HeifFixtures.ts"
import { awaited, sourceIn } from "./PictureFixtures.ts"
import * as Samples from "./Samples.ts"

const srgb = { primaries: "srgb", transfer: "srgb" } as const
const bt709 = { primaries: "srgb", transfer: "bt709" } as const
const p3 = { primaries: "p3", transfer: "srgb" } as const
const bt2020 = { primaries: "bt2020", transfer: "bt2020" } as const
const pq = { primaries: "bt2020", transfer: "pq" } as const
const hlg = { primaries: "bt2020", transfer: "hlg" } as const
const p3Pq = { primaries: "p3", transfer: "pq" } as const

/** Of 255. In PQ and HLG darker than white, so that its value doesn't depend on how what is brighter is mapped. */
const code: Colours.Code = [122, 78, 62]

const wanted = ({ primaries, transfer }: Colours.Space) => Reference.shownAs(primaries, transfer, code)

const middle = (jpeg: Uint8Array) =>
  awaited(async () => {
    const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
    const at = info.channels * (info.width * (info.height >> 1) + (info.width >> 1))
    return [...data.subarray(at, at + 3)]
  })

const still = (bytes: Uint8Array) =>
  Effect.flatMap(MediaTools.MediaTools, (tools) => tools.still(sourceIn(bytes, "image/any"), { maxSide: 360 }))

const assertNear = (found: ReadonlyArray<number>, right: ReadonlyArray<number>, tolerance: number) =>
  right.forEach((value, i) =>
    assert.closeTo(found[i]!, value, tolerance, `${found.join()}, not ${right.map(Math.round).join()}`)
  )

const assertStill = Effect.fnUntraced(function*(bytes: Uint8Array, right: ReadonlyArray<number>, tolerance = 4) {
  const picture = yield* still(bytes)
  assertNear(yield* middle(picture.jpeg), right, tolerance)
})

/** Those whose decoder keeps eight bits, of which one is up to six shades of a dark colour in PQ. */
const ofEightBits = 7

interface Row {
  readonly what: string
  readonly space: Colours.Space
  readonly make: () => Uint8Array | Promise<Uint8Array>
  readonly tolerance?: number
}

const named = (space: Colours.Space) => `${space.primaries}/${space.transfer}`
const rows = (
  what: string,
  spaces: ReadonlyArray<Colours.Space>,
  make: (space: Colours.Space) => Uint8Array | Promise<Uint8Array>,
  tolerance?: number
): ReadonlyArray<Row> =>
  spaces.map((space) => ({
    what: `${what} in ${named(space)}`,
    space,
    make: () => make(space),
    ...(tolerance === undefined ? {} : { tolerance })
  }))

const all = [srgb, bt709, p3, bt2020, pq, hlg, p3Pq]

const byLibraries: ReadonlyArray<Row> = [
  ...rows("PNG of 8 bits", all, (space) => Colours.png(code, 8, space)),
  ...rows("PNG of 16 bits", all, (space) => Colours.png(code, 16, space)),
  ...rows("AVIF of 8 bits", all, (space) => Colours.avif(code, 8, space)),
  ...rows("AVIF of 10 bits", [srgb, p3, pq, hlg], (space) => Colours.avif(code, 10, space)),
  ...rows("AVIF of 12 bits", [srgb, bt2020, pq], (space) => Colours.avif(code, 12, space))
]

const byFfmpeg: ReadonlyArray<Row> = [
  ...rows("HEIC of 8 bits", [srgb, bt709, p3, bt2020], (space) => Colours.heic(code, "yuv420p", space)),
  ...rows("HEIC of 10 bits", [srgb, p3, pq, hlg], (space) => Colours.heic(code, "yuv420p10le", space), ofEightBits),
  ...rows("HEIC of 10 bits, 4:2:2", [srgb], (space) => Colours.heic(code, "yuv422p10le", space), ofEightBits),
  ...rows("HEIC of 12 bits", [srgb, pq], (space) => Colours.heic(code, "yuv420p12le", space), ofEightBits),
  ...rows("JPEG XL of 8 bits", [srgb, p3], (space) => Colours.jxl(code, "rgb24", space)),
  ...rows(
    "JPEG XL of 16 bits",
    [srgb, p3, bt2020, pq, hlg],
    (space) => Colours.jxl(code, "rgb48le", space),
    ofEightBits
  ),
  ...rows("JPEG 2000 of 8 bits", [srgb], () => Colours.jp2(code, "rgb24")),
  ...rows("JPEG 2000 of 16 bits", [srgb], () => Colours.jp2(code, "rgb48le")),
  ...rows("codestream of 16 bits", [srgb], () => Colours.jp2(code, "rgb48le", "j2c")),
  ...rows("JPEG 2000 with alpha", [srgb], () => Colours.jp2(code, "rgba64le")),
  ...rows("JPEG 2000 by numbers", [p3, pq], (space) => Colours.jp2InNumbers(code, "rgb48le", space), ofEightBits)
]

const films: ReadonlyArray<
  readonly [
    what: string,
    extension: string,
    pixels: string,
    spaces: ReadonlyArray<Colours.Space>,
    ...options: ReadonlyArray<string>
  ]
> = [
  ["H.264 in MP4", "mp4", "yuv420p", [srgb, bt709, p3, bt2020], "-c:v", "libx264", "-qp", "4"],
  [
    "HEVC of 10 bits in MP4",
    "mp4",
    "yuv420p10le",
    [bt709, bt2020, pq, hlg],
    "-c:v",
    "libx265",
    "-x265-params",
    "log-level=error:qp=4"
  ],
  [
    "HEVC of 12 bits in Matroska",
    "mkv",
    "yuv420p12le",
    [pq],
    "-c:v",
    "libx265",
    "-x265-params",
    "log-level=error:qp=4"
  ],
  ["ProRes in MOV", "mov", "yuv422p10le", [bt709, pq, hlg], "-c:v", "prores_ks", "-profile:v", "3"],
  [
    "VP9 of 10 bits in WebM",
    "webm",
    "yuv420p10le",
    [pq, hlg],
    "-c:v",
    "libvpx-vp9",
    "-crf",
    "4",
    "-b:v",
    "0",
    "-deadline",
    "realtime"
  ]
]

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("colours", (it) => {
  it.effect.each(byLibraries)(
    "MEDIA-87 a $what is shown in its colours",
    ({ make, space, tolerance }) =>
      Effect.flatMap(awaited(async () => make()), (bytes) => assertStill(bytes, wanted(space), tolerance))
  )

  it.effect("MEDIA-87 a PNG of a narrow range is spread over all of it", () =>
    Effect.gen(function*() {
      const narrow = code.map((value) => Math.round(16 + value * 219 / 255)) as unknown as Colours.Code
      for (const space of [srgb, p3]) {
        yield* assertStill(yield* awaited(() => Colours.png(narrow, 8, space, false)), wanted(space))
      }
    }))

  it.effect("MEDIA-87 a grey PNG with transparency is shown on white", () =>
    Effect.gen(function*() {
      const [opaque] = Reference.shownAs("bt2020", "pq", [110, 110, 110])
      yield* assertStill(yield* awaited(() => Colours.greyAlphaPng(110, 255, pq)), [opaque!, opaque!, opaque!])
      yield* assertStill(yield* awaited(() => Colours.greyAlphaPng(110, 0, pq)), [255, 255, 255])
    }))

  const adobe = [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06]
  const ofSrgb = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
  it.effect("MEDIA-87 the gamma and primaries of a PNG count", () =>
    Effect.gen(function*() {
      const make = (gamma: number, primaries: ReadonlyArray<number>) =>
        awaited(() => Colours.gammaPng(code, gamma, primaries))
      yield* assertStill(yield* make(1 / 2.2, adobe), Reference.shownAs("adobe", "gamma22", code))
      yield* assertStill(yield* make(1 / 2.2, ofSrgb), code, 3)
      yield* assertStill(yield* make(1, ofSrgb), code.map((value) => Reference.encoded(value / 255)))
      // What can't be meant is ignored.
      for (const primaries of [ofSrgb.map(() => 0), ofSrgb.map(() => 0.3), ofSrgb.map(() => 40_000)]) {
        yield* assertStill(yield* make(1 / 2.2, primaries), code, 3)
      }
      yield* assertStill(yield* make(0, ofSrgb), code, 3)
    }))

  it.effect("MEDIA-87 a JPEG that says Adobe RGB in its EXIF is converted from it", () =>
    Effect.gen(function*() {
      const [r, g, b] = code
      const plain = sharp({ create: { width: 32, height: 32, channels: 3, background: { r, g, b } } })
      const exif = { IFD2: { ColorSpace: "65535" }, IFD4: { InteroperabilityIndex: "R03" } }
      const photo = yield* awaited(() => plain.withExif(exif).jpeg({ quality: 100 }).toBuffer())
      assert.isTrue(photo.includes("R03\0"))
      yield* assertStill(photo, Reference.shownAs("adobe", "gamma22", code))
    }))

  it.effect("MEDIA-88 light above white is dimmed as BT.2390 says, light below its knee is not", () =>
    Effect.gen(function*() {
      const nits = [1_000, 400, Reference.whiteNits, 100, 40, 5]
      const columns = nits.map((light) => Math.round(Reference.pqOfNits(light) * 65_535))
      const wide = 16 * columns.length
      const data = Uint16Array.from({ length: wide * 16 * 3 }, (_, at) => columns[Math.floor(at / 3 % wide / 16)]!)
      const plain = yield* awaited(() =>
        sharp(data, { raw: { width: wide, height: 16, channels: 3 } }).toColourspace("rgb16").png().toBuffer()
      )
      const picture = yield* still(Colours.withChunks(plain, { cICP: Uint8Array.of(9, 16, 0, 1) }))
      const found = yield* awaited(() => sharp(picture.jpeg).greyscale().raw().toBuffer())
      const shades = nits.map((_, i) => found[wide * 8 + 16 * i + 8]!)
      assertNear(shades, nits.map((light) => Reference.toneMapped(light, 1_000)), 3)
      assert.isAbove(shades[0]!, shades[1]! + 4)
    }))

  describe.skipIf(Fixtures.missing !== undefined)(`made by ffmpeg${Samples.because(Fixtures.missing)}`, () => {
    it.effect.each(byFfmpeg)(
      "MEDIA-87 a $what is shown in its colours",
      ({ make, space, tolerance }) =>
        Effect.flatMap(awaited(async () => make()), (bytes) => assertStill(bytes, wanted(space), tolerance))
    )

    const grey = 85
    it.effect.each(
      [["gray", "jp2"], ["gray12le", "jp2"], ["gray16le", "jp2"], ["gray12le", "j2c"], ["ya8", "jp2"], [
        "ya8",
        "j2c"
      ]] as const
    )(
      "MEDIA-87 a JPEG 2000 of %s (%s) is that grey",
      ([pixels, extension]) => assertStill(Colours.jp2([85, 85, 85], pixels, extension), [grey, grey, grey])
    )

    it.effect("MEDIA-87 a JPEG XL of 10 bits in one grey is that grey", () =>
      assertStill(Buffer.from("ff0a4f5050b9b78a200802010040004b188b1580ddfe7f006b0600f2504501", "hex"), [
        148,
        148,
        148
      ]))

    it.effect("MEDIA-98 the primary picture of a HEIC with several pictures is shown, in its own colours", () =>
      Effect.gen(function*() {
        const others = [[20, 200, 20], [20, 20, 200], [200, 200, 20], [20, 200, 200]] as const
        const picture = (side: number, one: Colours.Code, colour: readonly [number, number, number] | null) =>
          hevc({
            pixels: "yuv420p",
            matrix: "bt709",
            code: one,
            side,
            colour
          })
        const pictures = others.map((one) => picture(64, one, [1, 13, 1]))
        const tools = yield* MediaTools.MediaTools
        for (const primary of [0, 2, 4]) {
          const shown = picture(96, code, [12, 13, 1])
          const file = heif(pictures.toSpliced(primary, 0, shown), primary)
          yield* assertStill(file, wanted(p3))
          assert.deepInclude(yield* tools.probe(sourceIn(file, "image/heic")), { width: 96, height: 96 })
        }
      }))

    it.effect.each(
      films.flatMap(([what, extension, pixels, spaces, ...options]) =>
        spaces.map((space) => ({ what: `${what} in ${named(space)}`, extension, pixels, space, options }))
      )
    )(
      "MEDIA-88 a frame of $what is shown in its colours",
      ({ extension, options, pixels, space }) =>
        Effect.gen(function*() {
          const path = Colours.byFfmpeg(extension, code, pixels, space, ...options)
          const tools = yield* MediaTools.MediaTools
          const frame = yield* tools.frame(Samples.sourceOf(path, "video/any"), { atSeconds: 0.5, maxSide: 360 })
          if (frame._tag !== "Frame") return assert.fail(frame._tag)
          assertNear(yield* middle(frame.jpeg), wanted(space), 5)
        })
    )
  })
})
