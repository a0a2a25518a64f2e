/** What is written in images. */
import { assert, describe, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import sharp from "sharp"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { awaited, byMagick, height, icon, quadrants, sourceIn, stored, tiff, width } from "./PictureFixtures.ts"
import * as Samples from "./Samples.ts"

const probe = (source: MediaTools.MediaSource) => Effect.flatMap(MediaTools.MediaTools, (tools) => tools.probe(source))

const facts = (bytes: Uint8Array, mimeType = "image/any", fileName?: string) =>
  probe(sourceIn(bytes, mimeType, fileName))

const written = {
  IFD0: { Make: "Canon", Model: "Canon EOS 5D" },
  IFD2: { DateTimeOriginal: "2021:05:12 12:21:21", OffsetTimeOriginal: "+02:00" },
  IFD3: {
    GPSLatitudeRef: "S",
    GPSLatitude: "33/1 51/1 3600/100",
    GPSLongitudeRef: "E",
    GPSLongitude: "151/1 12/1 0/1"
  }
}

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("facts of images", (it) => {
  it.effect.each(["jpeg", "png", "webp", "avif"] as const)(
    "MEDIA-43 what a camera writes into %s is found, and the size as shown",
    (format) =>
      Effect.gen(function*() {
        const orientation = format === "avif" ? 1 : 6
        const bytes = yield* awaited(() =>
          quadrants().withExif(written).withMetadata({ orientation }).toFormat(format).toBuffer()
        )
        const found = yield* facts(bytes, `image/${format}`)
        assert.deepInclude(found, {
          mimeType: null,
          width: orientation === 1 ? width : height,
          height: orientation === 1 ? height : width,
          camera: "Canon EOS 5D",
          takenTime: "2021-05-12T10:21:21.000Z",
          title: null
        })
        assert.closeTo(found.location!.latitude, -33.86, 1e-6)
        assert.closeTo(found.location!.longitude, 151.2, 1e-6)
      })
  )

  it.effect.each([
    { make: "NIKON CORPORATION", model: "NIKON D70", camera: "NIKON D70" },
    { make: "Apple", model: "iPhone 7", camera: "Apple iPhone 7" },
    { make: "Canon", model: "", camera: "Canon" }
  ])("MEDIA-43 a $model by $make is a $camera", ({ camera, make, model }) =>
    Effect.gen(function*() {
      const exif = { IFD0: { Make: make, ...(model === "" ? {} : { Model: model }) } }
      const found = yield* facts(yield* awaited(() => quadrants().withExif(exif).jpeg().toBuffer()))
      assert.strictEqual(found.camera, camera)
    }))

  it.effect("MEDIA-43 a title is found in XMP", () =>
    Effect.gen(function*() {
      const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>
        <rdf:li xml:lang="x-default">Denali</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`
      const found = yield* facts(yield* awaited(() => quadrants().withXmp(xmp).jpeg().toBuffer()))
      assert.strictEqual(found.title, "Denali")
    }))

  it.effect("MEDIA-92 a title of IPTC in an old code page is recognised, one in Latin-1 stays", () =>
    Effect.gen(function*() {
      const field = (dataset: number, text: Uint8Array) => Buffer.from([0x1c, 2, dataset, 0, text.length, ...text])
      const windows1251 = (text: string) =>
        Uint8Array.from(text, (letter) => letter === " " ? 0x20 : letter.charCodeAt(0) - 0x410 + 0xc0)
      const latin1 = (text: string) => Buffer.from(text, "latin1")
      const plain = yield* awaited(() => quadrants().jpeg().toBuffer())
      const titled = (title: Uint8Array, caption: Uint8Array) => {
        const fields = Buffer.concat([field(5, title), field(120, caption)])
        const resource = Buffer.concat([
          Buffer.from("8BIM\u0004\u0004\0\0\0\0\0", "latin1"),
          Buffer.of(fields.length),
          fields
        ])
        const body = Buffer.concat([Buffer.from("Photoshop 3.0\0"), resource, Buffer.alloc(resource.length % 2)])
        const head = Buffer.from([0xff, 0xed, (body.length + 2) >> 8, (body.length + 2) & 0xff])
        return Buffer.concat([plain.subarray(0, 2), head, body, plain.subarray(2)])
      }
      const russian = titled(windows1251("Закат"), windows1251("Закат над рекой"))
      assert.strictEqual((yield* facts(russian)).title, "Закат")
      assert.strictEqual((yield* facts(titled(latin1("Café"), latin1("São Paulo")))).title, "Café")
    }))

  const withXmp = (inside: string) =>
    awaited(() =>
      quadrants().withXmp(
        `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`
      ).jpeg().toBuffer()
    )

  it.effect("MEDIA-43 of a title in several languages one is found", () =>
    Effect.gen(function*() {
      const titles = (...languages: ReadonlyArray<string>) =>
        withXmp(`<dc:title><rdf:Alt>${
          languages.map((lang) => `<rdf:li xml:lang="${lang}">In ${lang}</rdf:li>`).join("")
        }</rdf:Alt></dc:title>`)
      assert.strictEqual((yield* facts(yield* titles("de", "x-default", "fr"))).title, "In x-default")
      assert.strictEqual((yield* facts(yield* titles("de", "fr"))).title, "In de")
    }))

  it.effect.each([
    { latitude: "33,52.5S", longitude: "151,12,36E", place: [-33.875, 151.21] },
    { latitude: "12.5N", longitude: "70,15.0W", place: [12.5, -70.25] },
    { latitude: "91,0N", longitude: "0,0E", place: null },
    { latitude: "north", longitude: "0,0E", place: null }
  ])(
    "MEDIA-43 a camera and the place $latitude $longitude are found in XMP alone",
    ({ latitude, longitude, place }) =>
      Effect.gen(function*() {
        const found = yield* facts(
          yield* withXmp(
            `<exif:GPSLatitude>${latitude}</exif:GPSLatitude><exif:GPSLongitude>${longitude}</exif:GPSLongitude>
          <tiff:Make>Acme</tiff:Make><tiff:Model>Box 1</tiff:Model>`
          )
        )
        assert.strictEqual(found.camera, "Acme Box 1")
        if (place === null) return assert.isNull(found.location)
        assert.closeTo(found.location!.latitude, place[0]!, 1e-9)
        assert.closeTo(found.location!.longitude, place[1]!, 1e-9)
      })
  )

  it.effect.each([
    { kind: "PSD", make: () => byMagick("PSD"), size: [width, height] },
    { kind: "BMP", make: () => byMagick("BMP"), size: [width, height] },
    { kind: "JPEG 2000", make: () => byMagick("JP2"), size: [width, height] },
    { kind: "icon of several sizes", make: icon, size: [96, 64] },
    { kind: "GIF", make: () => quadrants().gif().toBuffer(), size: [width, height] },
    { kind: "JPEG XL that is stored turned", make: () => byMagick("JXL", { orientation: 6 }), size: [width, height] },
    {
      kind: "SVG",
      make: () => Promise.resolve(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"/>`)),
      size: [90, 40]
    }
  ])("MEDIA-43 the size of a $kind is the one shown", ({ make, size }) =>
    Effect.gen(function*() {
      const found = yield* facts(yield* awaited<Uint8Array>(make))
      assert.deepStrictEqual([found.width, found.height], size)
    }))

  const asTiff = (entries: Readonly<Record<number, string | number>>, name: string, kind: string) => ({
    entries,
    name,
    kind
  })

  it.effect.each([
    asTiff({ 0xc612: 1 }, "a.tif", "image/x-adobe-dng"),
    asTiff({ 262: 32_803, 271: "NIKON" }, "a", "image/x-nikon-nef"),
    asTiff({ 259: 32_767, 271: "SONY" }, "a", "image/x-sony-arw"),
    asTiff({ 259: 65_535, 271: "PENTAX" }, "a", "image/x-pentax-pef"),
    asTiff({ 262: 32_803 }, "a.kdc", "image/x-kodak-kdc"),
    asTiff({}, "a.NEF", "image/x-nikon-nef")
  ])(
    "MEDIA-42 a TIFF called $name is $kind by what its directory says",
    ({ entries, kind, name }) =>
      Effect.gen(function*() {
        const raw = tiff({ 256: 3_040, 257: 2_014, 274: 8, ...entries })
        const found = yield* facts(raw, "image/tiff", name)
        assert.deepInclude(found, { mimeType: kind, width: 2_014, height: 3_040 })
      })
  )

  it.effect("MEDIA-4 what a tag has outside of the file was not found", () =>
    Effect.gen(function*() {
      const whole = tiff({ 256: 3_040, 257: 2_014, 0xc612: 1, 271: "Acme Cameras", 272: "Box 1" })
      assert.strictEqual((yield* facts(whole, "image/tiff")).camera, "Acme Cameras Box 1")
      const cut = whole.subarray(0, whole.length - 10)
      assert.strictEqual((yield* facts(cut, "image/tiff")).camera, null)
    }))

  it.effect("MEDIA-42 a JPEG called RAW is a JPEG", () =>
    Effect.gen(function*() {
      const bytes = yield* awaited(async () => (await stored(1)).jpeg().toBuffer())
      const found = yield* facts(bytes, "image/x-nikon-nef", "a.nef")
      assert.deepInclude(found, { mimeType: "image/jpeg", width, height })
    }))

  it.effect("MEDIA-45 what is written in a JPEG is read from its head, and only from there", () =>
    Effect.gen(function*() {
      const pixels = Uint8Array.from(
        { length: 1_200 * 1_500 * 3 },
        (_, i) => Math.imul(i ^ (i >>> 9), 2_654_435_761) >>> 24
      )
      const noise = sharp(pixels, { raw: { width: 1_200, height: 1_500, channels: 3 } })
      const bytes = yield* awaited(() =>
        noise.withExif(written).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer()
      )
      assert.isAbove(bytes.length, 1e6)
      const source = sourceIn(bytes, "image/jpeg")
      assert.deepInclude(yield* probe(source), { width: 1_500, height: 1_200, camera: "Canon EOS 5D" })
      assert.strictEqual(source.bytesRead(), 256 * 1024)

      // A head full of other things: then all of it.
      const segment = Buffer.concat([Buffer.from([0xff, 0xe7, 0xff, 0xff]), Buffer.alloc(0xfffd)])
      const late = sourceIn(
        Buffer.concat([bytes.subarray(0, 2), ...Array.from({ length: 8 }, () => segment), bytes.subarray(2)]),
        "image/jpeg"
      )
      assert.deepInclude(yield* probe(late), { width: 1_500, height: 1_200, camera: "Canon EOS 5D" })
    }))
})

const real = [
  "image/pixel-gps-12mpx.jpg",
  "image/canon-s40.jpg",
  "image/iptc-gps.jpg",
  "image/canon-600d-gps.jpg",
  "image/orient6.jpg",
  "image/noexif.jpg",
  "image/giant-280mpx.jpg",
  "image/iphone7.heic",
  "image/libheif-example.heic",
  "image/irvine.avif",
  "image/exif-gps.png",
  "image/animated.webp",
  "image/denali.webp",
  "image/flir-gps.tif",
  "image/multipage.tif",
  "image/reagan.jxl",
  "image/fixture.psd",
  "image/fixture.bmp",
  "raw/canon-r6.cr3",
  "raw/canon-350d.cr2",
  "raw/nikon-d70.nef",
  "raw/fuji-s5pro.raf",
  "raw/cfa-nopreview.dng"
]

interface Known {
  readonly displayWidth: number
  readonly displayHeight: number
  readonly mimeType: string
  readonly lat?: number
  readonly lon?: number
  readonly title?: string
  readonly model?: string
  readonly takenAtLocal?: string
  readonly takenAtUtc?: string
}

/** "2009:06:24 09:41:07" as if in UTC. */
const asUtc = (written: string): number =>
  Date.parse(`${written.replace(":", "-").replace(":", "-").replace(" ", "T")}Z`)

describe.skipIf(Samples.missing !== undefined)(`facts of real files${Samples.because(Samples.missing)}`, () => {
  layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })((it) => {
    it.effect.each(real)("MEDIA-43 %s says what is known of it", (path) =>
      Effect.gen(function*() {
        const known = Samples.facts(path) as unknown as Known
        const found = yield* facts(readFileSync(Samples.sample(path)), "image/any", path)
        assert.deepInclude(found, {
          mimeType: known.mimeType,
          width: known.displayWidth,
          height: known.displayHeight,
          title: known.title ?? null
        })
        assert.closeTo(found.location?.latitude ?? 0, known.lat ?? 0, 1e-5)
        assert.closeTo(found.location?.longitude ?? 0, known.lon ?? 0, 1e-5)
        assert.include(found.camera ?? "", known.model ?? "")
        // What is known of them is known to the second.
        const taken = found.takenTime === null ? null : Math.floor(Date.parse(found.takenTime) / 1_000) * 1_000
        if (known.takenAtUtc !== undefined) {
          assert.strictEqual(taken, Date.parse(known.takenAtUtc))
        } else if (known.takenAtLocal !== undefined) {
          // In some zone: whole quarters of an hour away.
          const away = taken! - asUtc(known.takenAtLocal)
          assert.strictEqual(Math.abs(away % 900_000), 0)
          assert.isAtMost(Math.abs(away), 14 * 3_600_000)
        } else {
          assert.isNull(taken)
        }
      }))
  })
})
