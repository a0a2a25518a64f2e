/** Images of every kind as the JPEG that people and models are shown. */
import { assert, describe, it, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import sharp from "sharp"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import {
  assertQuadrants,
  awaited,
  byMagick,
  height,
  icon,
  quadrants,
  sourceIn,
  standing,
  stored,
  tiff,
  width
} from "./PictureFixtures.ts"
import * as Samples from "./Samples.ts"

const still = (bytes: Uint8Array, maxSide = 360, fileName?: string) =>
  Effect.flatMap(MediaTools.MediaTools, (tools) => tools.still(sourceIn(bytes, "image/any", fileName), { maxSide }))

const sensor = { 262: 32_803 }
const jpeg = () => awaited(() => quadrants().jpeg().toBuffer())

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("stills", (it) => {
  it.effect.each([
    { kind: "JPEG", make: () => quadrants().jpeg().toBuffer() },
    { kind: "progressive JPEG", make: () => quadrants().jpeg({ progressive: true }).toBuffer() },
    { kind: "CMYK JPEG", make: () => byMagick("JPEG", { cmyk: true }), tolerance: 170 },
    { kind: "PNG", make: () => quadrants().png().toBuffer() },
    { kind: "PNG of 16 bits", make: () => quadrants().toColourspace("rgb16").png().toBuffer() },
    { kind: "PNG of a palette", make: () => quadrants().png({ palette: true }).toBuffer() },
    { kind: "WebP", make: () => quadrants().webp().toBuffer() },
    { kind: "TIFF", make: () => quadrants().tiff().toBuffer() },
    { kind: "GIF", make: () => quadrants().gif().toBuffer() },
    { kind: "AVIF", make: () => quadrants().avif({ effort: 0 }).toBuffer() },
    { kind: "BMP", make: () => byMagick("BMP") },
    { kind: "JPEG XL", make: () => byMagick("JXL") },
    { kind: "JPEG XL of a camera held upright", make: () => byMagick("JXL", { orientation: 6 }) },
    { kind: "QOI", make: () => byMagick("QOI") },
    { kind: "EXR", make: () => byMagick("EXR") },
    { kind: "DDS", make: () => byMagick("DDS") },
    { kind: "JPEG 2000", make: () => byMagick("JP2") },
    { kind: "codestream of JPEG 2000", make: () => byMagick("J2C") },
    { kind: "Photoshop file", make: () => byMagick("PSD") }
  ])("MEDIA-40 a $kind comes out right", ({ make, tolerance }) =>
    Effect.gen(function*() {
      const picture = yield* still(yield* awaited(make))
      assert.deepStrictEqual([picture.width, picture.height], [360, 240])
      yield* awaited(() => assertQuadrants(picture, tolerance))
    }))

  it.effect("MEDIA-40 a measurement in a small part of 16 bits is spread over all shades", () =>
    Effect.gen(function*() {
      const values = Uint16Array.from({ length: 64 * 64 }, (_, at) => 6_800 + (at % 64))
      const raw = { width: 64, height: 64, channels: 1 } as const
      const png = yield* awaited(() => sharp(values, { raw }).toColourspace("grey16").png().toBuffer())
      const picture = yield* still(png)
      const { channels: [grey] } = yield* awaited(() => sharp(picture.jpeg).stats())
      assert.isBelow(grey!.min, 20)
      assert.isAbove(grey!.max, 235)
    }))

  it.effect("MEDIA-40 an AVIF that moves is shown by its first picture", () =>
    Effect.gen(function*() {
      const moving = yield* awaited(() => quadrants().avif({ chromaSubsampling: "4:4:4" }).toBuffer())
      assert.strictEqual(moving.toString("latin1", 4, 12), "ftypavif")
      moving.write("avis", 8)
      const picture = yield* still(moving)
      assert.deepStrictEqual([picture.width, picture.height], [360, 240])
      yield* awaited(() => assertQuadrants(picture))
    }))

  it.effect("MEDIA-40 an icon is shown by its largest picture", () =>
    Effect.gen(function*() {
      const picture = yield* still(yield* awaited(icon))
      assert.deepStrictEqual([picture.width, picture.height], [96, 64])
      yield* awaited(() => assertQuadrants(picture, 48))
    }))

  it.effect.each(["JP2", "J2C"])("HOSTILE-41 a cut %s is unreadable", (format) =>
    Effect.gen(function*() {
      const whole = yield* awaited(() => byMagick(format))
      const told = yield* Effect.flip(still(whole.subarray(0, whole.length - 40)))
      assert.strictEqual(told._tag, "Unreadable")
    }))

  it.effect("MEDIA-40 no picture is made larger than it is", () =>
    Effect.gen(function*() {
      const picture = yield* still(yield* jpeg(), 1568)
      assert.deepStrictEqual([picture.width, picture.height], [width, height])
    }))

  it.effect.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "MEDIA-40 a photo of orientation %i is upright",
    (orientation) =>
      Effect.gen(function*() {
        const photo = yield* awaited(async () =>
          (await stored(orientation)).jpeg().withMetadata({ orientation }).toBuffer()
        )
        const picture = yield* still(photo)
        assert.deepStrictEqual([picture.width, picture.height], [360, 240])
        yield* awaited(() => assertQuadrants(picture))
      })
  )

  it.effect("MEDIA-40 what is transparent is white, and of moving pictures the first is shown", () =>
    Effect.gen(function*() {
      const clear = {
        create: { width: 64, height: 64, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } }
      } as const
      const flat = yield* still(yield* awaited(() => sharp(clear).png().toBuffer()))
      const { channels } = yield* awaited(() => sharp(flat.jpeg).stats())
      assert.deepStrictEqual(channels.map(({ min }) => min), [255, 255, 255])

      const black = { create: { width, height, channels: 3, background: "#000" } } as const
      const frames = [
        yield* awaited(() => quadrants().png().toBuffer()),
        yield* awaited(() => sharp(black).png().toBuffer())
      ]
      for (const format of ["gif", "webp"] as const) {
        const moving = yield* awaited(() => sharp(frames, { join: { animated: true } }).toFormat(format).toBuffer())
        const picture = yield* still(moving)
        assert.deepStrictEqual([picture.width, picture.height], [360, 240])
        yield* awaited(() => assertQuadrants(picture))
      }
    }))

  it.effect.each([1, 3, 6, 8])(
    "MEDIA-41 RAW of orientation %i is shown by its largest whole picture, turned as the RAW says",
    (orientation) =>
      Effect.gen(function*() {
        const shown = orientation > 4 ? standing() : quadrants()
        const large = yield* awaited(async () => (await stored(orientation, shown)).jpeg().toBuffer())
        const small = yield* awaited(() => sharp(large).negate().resize(160).jpeg().toBuffer())
        // Begins as a picture larger than all, and is none.
        const broken = Buffer.from(large.subarray(0, 700))
        const sof = broken.indexOf(Buffer.from([0xff, 0xc0]))
        broken.writeUInt16BE(5_000, sof + 5)
        broken.writeUInt16BE(5_000, sof + 7)
        const raw = tiff({ 271: "NIKON CORPORATION", 274: orientation, ...sensor }, {
          after: Buffer.concat([small, broken, Buffer.alloc(64), large])
        })
        const picture = yield* still(raw)
        assert.deepStrictEqual([picture.width, picture.height], orientation > 4 ? [240, 360] : [360, 240])
        yield* awaited(() => assertQuadrants(picture))
      })
  )

  it.effect("MEDIA-41 a RAW's picture that the camera turned already is not turned again", () =>
    Effect.gen(function*() {
      const upright = yield* awaited(() => standing().jpeg().toBuffer())
      const picture = yield* still(tiff({ 271: "Canon", 274: 6, ...sensor }, { after: upright }))
      assert.deepStrictEqual([picture.width, picture.height], [240, 360])
      yield* awaited(() => assertQuadrants(picture))
    }))

  it.effect.each([
    { kind: "RW2", mark: [0x49, 0x49, 0x55, 0x00] },
    { kind: "ORF", mark: [0x49, 0x49, 0x52, 0x4f] },
    { kind: "DNG", mark: undefined, entries: { 0xc612: 1 } },
    { kind: "PEF", mark: undefined, entries: { 259: 65_535, 271: "PENTAX" } }
  ])("MEDIA-41 $kind is shown by the picture in it", ({ entries = {}, mark }) =>
    Effect.gen(function*() {
      const raw = tiff({ 256: 100, 274: 1, ...entries }, {
        after: yield* jpeg(),
        ...(mark === undefined ? {} : { mark })
      })
      yield* still(raw).pipe(Effect.flatMap((picture) => awaited(() => assertQuadrants(picture))))
    }))

  it.effect("MEDIA-42 a TIFF is what its name says when nothing in it tells; all else is what it is", () =>
    Effect.gen(function*() {
      const thumbnail = yield* awaited(() =>
        sharp({ create: { width: 16, height: 16, channels: 3, background: "#000" } }).tiff().toBuffer()
      )
      const file = Buffer.concat([thumbnail, yield* jpeg()])
      assert.strictEqual((yield* still(file, 360, "shot.tif")).width, 16)
      const picture = yield* still(file, 360, "shot.NEF")
      yield* awaited(() => assertQuadrants(picture))
      const misnamed = yield* still(yield* awaited(() => quadrants().png().toBuffer()), 360, "shot.cr2")
      yield* awaited(() => assertQuadrants(misnamed))
    }))
})

describe.skipIf(Samples.missing !== undefined)(`stills of real files${Samples.because(Samples.missing)}`, () => {
  layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })((it) => {
    const real = (path: string) => Effect.suspend(() => still(readFileSync(Samples.sample(path)), 1568, path))

    it.effect.each([
      "image/canon-600d-gps.jpg",
      "image/cmyk.jpg",
      "image/denali.webp",
      "image/flir-gps.tif",
      "image/irvine.avif",
      "image/libheif-example.heic",
      "image/iphone7.heic",
      "image/reagan.jxl",
      "image/fixture.psd",
      "image/fixture.bmp",
      "image/animated.gif",
      "image/orient6.jpg",
      "image/multipage.tif"
    ])("MEDIA-40 %s has the shape that it is known by", (path) =>
      Effect.gen(function*() {
        const { displayHeight, displayWidth } = Samples.facts(path) as { displayHeight: number; displayWidth: number }
        const scale = Math.min(1, 1568 / Math.max(displayHeight, displayWidth))
        const picture = yield* real(path)
        assert.closeTo(picture.width, displayWidth * scale, 1)
        assert.closeTo(picture.height, displayHeight * scale, 1)
        const { channels } = yield* awaited(() => sharp(picture.jpeg).stats())
        assert.isAbove(Math.max(...channels.map(({ max }) => max)), 180)
      }))

    it.effect.each([
      "image/iphone7.heic",
      "image/reagan.jxl",
      "image/irvine.avif",
      "image/fixture.psd",
      "raw/canon-r6.cr3"
    ])(
      "HOSTILE-41 %s is unreadable when its end is missing",
      (path) =>
        Effect.gen(function*() {
          const whole = readFileSync(Samples.sample(path))
          for (const part of [0.3, 0.8]) {
            const told = yield* Effect.flip(still(whole.subarray(0, whole.length * part), 300, path))
            assert.strictEqual(told._tag, "Unreadable")
          }
        })
    )

    it.effect("MEDIA-40 HEIC is turned by what it says itself, and not again by its EXIF", () =>
      Effect.gen(function*() {
        const photo = readFileSync(Samples.sample("image/iphone7.heic"))
        const lying = yield* still(photo, 300)
        photo[photo.indexOf("irot") + 4] = 3 // to be turned clockwise
        const orientation = photo.indexOf(Buffer.from([0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0]))
        photo[orientation + 9] = 6 // the same, in the words of EXIF
        const standing = yield* still(photo, 300)
        assert.deepStrictEqual([standing.width, standing.height], [lying.height, lying.width])
        const turned = yield* awaited(() => sharp(lying.jpeg).rotate(90).raw().toBuffer())
        const found = yield* awaited(() => sharp(standing.jpeg).raw().toBuffer())
        const difference = turned.reduce((sum, value, at) => sum + Math.abs(value - found[at]!), 0) / turned.length
        assert.isBelow(difference, 6)
      }))

    it.effect.each([
      { path: "raw/canon-350d.cr2", size: [1568, 1280] },
      { path: "raw/canon-r6.cr3", size: [1568, 1045] },
      { path: "raw/nikon-d70.nef", size: [1568, 1280] },
      { path: "raw/fuji-s5pro.raf", size: [600, 450] },
      { path: "raw/cfa-nopreview.dng", size: [600, 450] }
    ])("MEDIA-41 $path is shown as it looks", ({ path, size }) =>
      Effect.gen(function*() {
        const picture = yield* real(path)
        assert.deepStrictEqual([picture.width, picture.height], size)
        const { channels } = yield* awaited(() => sharp(picture.jpeg).stats())
        assert.isAbove(Math.min(...channels.map(({ stdev }) => stdev)), 25)
      }))

    it.effect.each([3, 6, 8])(
      "MEDIA-41 RAW that is developed is turned once, by orientation %i",
      (orientation) =>
        Effect.gen(function*() {
          const raw = readFileSync(Samples.sample("raw/cfa-nopreview.dng"))
          const lying = yield* still(raw, 200)
          raw[raw.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00, 1, 0, 0, 0, 1])) + 8] = orientation
          const turned = yield* still(raw, 200)
          const wanted = yield* awaited(() =>
            sharp(lying.jpeg).rotate({ 3: 180, 6: 90, 8: 270 }[orientation]!).raw().toBuffer()
          )
          const found = yield* awaited(() => sharp(turned.jpeg).raw().toBuffer())
          assert.strictEqual(found.length, wanted.length)
          const difference = wanted.reduce((sum, value, at) => sum + Math.abs(value - found[at]!), 0) / wanted.length
          assert.isBelow(difference, 12)
        })
    )
  })
})

describe("a file that shows nothing", () => {
  it.effect("MEDIA-40 is told apart from one that is damaged", () =>
    Effect.gen(function*() {
      const told = yield* Effect.flip(still(Buffer.from("Hello, drive.\n")))
      assert.match(told.message, /not an image of a kind/)
    }).pipe(Effect.provide(NodeMediaTools.layer({ processes: 1 }))))
})
