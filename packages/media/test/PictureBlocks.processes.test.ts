/** GIF and JPEG XL by their blocks: the first picture in its place, and metadata. */
import { assert, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { brotliCompressSync } from "node:zlib"
import sharp from "sharp"
import { ascii, box, concat } from "../src/mp4/Boxes.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { awaited, byMagick, height, quadrants, sourceIn, tiff, width } from "./PictureFixtures.ts"

const xmp = `<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2019-03-03T20:06:07Z">
  <dc:title><rdf:Alt><rdf:li xml:lang="x-default">A drawing</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>
  </x:xmpmeta><?xpacket end='w'?>`

const still = (bytes: Uint8Array) =>
  Effect.gen(function*() {
    const tools = yield* MediaTools.MediaTools
    const { jpeg } = yield* tools.still(sourceIn(bytes, "image/any"), { maxSide: 360 })
    const { data, info } = yield* awaited(() => sharp(jpeg).raw().toBuffer({ resolveWithObject: true }))
    return (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
  })

const assertNear = (found: ReadonlyArray<number>, wanted: ReadonlyArray<number>) =>
  wanted.forEach((value, i) => assert.closeTo(found[i]!, value, 20, found.join()))

const facts = (bytes: Uint8Array) =>
  Effect.flatMap(MediaTools.MediaTools, (tools) => tools.probe(sourceIn(bytes, "image/any")))

/** All bytes from 255 to 0 follow XMP in a GIF. */
const afterXmp = Uint8Array.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0])

/** A canvas of 64 × 64, on which a picture of 16 × 16 is at 40, 40. Its colour is red, or none. */
const small = (isClear: boolean): Buffer =>
  Buffer.from(
    `47494638396140004000f00000c81e1e00000021f904${
      isClear ? "01" : "00"
    }000000002c280028001000100000020e848fa9cbed0fa39cb4da8bb33e05003b`,
    "hex"
  )

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("blocks", (it) => {
  it.effect("MEDIA-99 a first picture smaller than the canvas is at its place, on white", () =>
    Effect.gen(function*() {
      const pixel = yield* still(small(false))
      for (const [x, y] of [[5, 5], [60, 5], [5, 60], [30, 48]] as const) assertNear(pixel(x, y), [255, 255, 255])
      assertNear(pixel(48, 48), [200, 30, 30])
    }))

  it.effect("MEDIA-99 only the first of several pictures is shown, its transparent parts on white", () =>
    Effect.gen(function*() {
      const [first, second] = [small(false), small(false)]
      const two = Buffer.concat([first.subarray(0, -1), second.subarray(19)])
      const pixel = yield* still(two)
      assertNear(pixel(48, 48), [200, 30, 30])
      assertNear(pixel(5, 5), [255, 255, 255])
      const clear = yield* still(small(true))
      assertNear(clear(48, 48), [255, 255, 255])
    }))

  it.effect("MEDIA-99 a truncated GIF is opened as far as before", () =>
    Effect.gen(function*() {
      const whole = yield* awaited(() => quadrants().gif().toBuffer())
      for (const end of [14, 40, whole.length / 2]) {
        const told = yield* Effect.result(still(whole.subarray(0, end)))
        if (told._tag === "Failure") assert.strictEqual(told.failure._tag, "Unreadable")
      }
    }))

  it.effect("MEDIA-99 the title and time in the XMP of a GIF are found", () =>
    Effect.gen(function*() {
      const plain = yield* awaited(() => quadrants().gif().toBuffer())
      const block = Buffer.concat([
        Buffer.from([0x21, 0xff, 11]),
        Buffer.from("XMP DataXMP"),
        Buffer.from(xmp),
        afterXmp
      ])
      const table = 13 + ((plain[10]! & 0x80) === 0 ? 0 : 3 * 2 ** ((plain[10]! & 7) + 1))
      const places = [Buffer.concat([plain.subarray(0, table), block, plain.subarray(table)])]
      places.push(Buffer.concat([plain.subarray(0, -1), block, plain.subarray(-1)]))
      for (const gif of places) {
        const found = yield* facts(gif)
        assert.deepInclude(found, { title: "A drawing", takenTime: "2019-03-03T20:06:07.000Z", width, height })
      }
    }))

  const exif = () => tiff({ 271: "Canon", 272: "Canon EOS R5" })
  const withBoxes = (codestream: Uint8Array, ...boxes: ReadonlyArray<Uint8Array>) =>
    concat([
      Uint8Array.from([0, 0, 0, 12, ...ascii("JXL "), 13, 10, 0x87, 10]),
      box("ftyp", ascii("jxl \0\0\0\0jxl ")),
      ...boxes,
      box("jxlc", codestream)
    ])
  const compressed = (type: string, content: Uint8Array) => box("brob", ascii(type), brotliCompressSync(content))
  const bare = async () => {
    const file = Buffer.from(await byMagick("JXL"))
    const at = file.indexOf("jxlc")
    return at < 0 ? file : file.subarray(at + 4)
  }

  it.effect("MEDIA-99 metadata of JPEG XL is found, compressed and not", () =>
    Effect.gen(function*() {
      const codestream = yield* awaited(bare)
      const head = new Uint8Array(4)
      const [exifBody, xmpBody] = [concat([head, exif()]), Buffer.from(xmp)]
      for (
        const boxes of [
          [compressed("Exif", exifBody), compressed("xml ", xmpBody)],
          [compressed("xml ", xmpBody), box("Exif", exifBody)],
          [box("xml ", xmpBody), compressed("Exif", exifBody)]
        ]
      ) {
        const found = yield* facts(withBoxes(codestream, ...boxes))
        assert.deepInclude(found, { title: "A drawing", camera: "Canon EOS R5", width, height })
      }
    }))

  it.effect("MEDIA-99 damaged data, and data far larger than metadata, are not decompressed", () =>
    Effect.gen(function*() {
      const codestream = yield* awaited(bare)
      const bomb = compressed("xml ", Buffer.concat([Buffer.from(xmp), Buffer.alloc(64e6, 32)]))
      assert.isBelow(bomb.length, 2_000)
      const broken = box("brob", ascii("Exif"), Uint8Array.from([1, 2, 3, 4, 5, 6]))
      const found = yield* facts(withBoxes(codestream, bomb, broken, box("brob", ascii("xml"))))
      assert.deepInclude(found, { title: null, width, height })
    }))
})
