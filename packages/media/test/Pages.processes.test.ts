/** Text of PDFs. */
import { assert, describe, it, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { deflateSync } from "node:zlib"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { sourceIn } from "./PictureFixtures.ts"
import * as Samples from "./Samples.ts"

const maxBytes = 100 * 1024

const pages = (bytes: Uint8Array, range: Partial<{ from: number; to: number; maxBytes: number }> = {}) =>
  Effect.flatMap(
    MediaTools.MediaTools,
    (tools) => tools.pages(sourceIn(bytes, "application/pdf"), { from: 1, to: 10, maxBytes, ...range })
  )

/** A PDF of these objects, the first its catalogue. Their offsets are found by a reader that mends files. */
const pdf = (objects: ReadonlyArray<string | Buffer>): Buffer => {
  let file = Buffer.from("%PDF-1.7\n")
  const offsets = objects.map((object, i) => {
    const at = file.length
    file = Buffer.concat([file, Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")])
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer <</Size ${
    objects.length + 1
  }/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`
  return Buffer.concat([file, Buffer.from(end)])
}

const stream = (data: Buffer, entries = ""): Buffer =>
  Buffer.concat([Buffer.from(`<<${entries}/Length ${data.length}>>stream\n`), data, Buffer.from("\nendstream")])

/** A page of each content. */
const document = (
  contents: ReadonlyArray<Buffer>,
  { font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", more = [], resources = "" }: {
    readonly font?: string
    readonly more?: ReadonlyArray<string | Buffer>
    readonly resources?: string
  } = {}
): Buffer => {
  const first = 4
  const kids = contents.map((_, i) => `${first + i * 2} 0 R`).join(" ")
  return pdf([
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${contents.length}/Kids[${kids}]>>`,
    font,
    ...contents.flatMap((content, i) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${
        first + i * 2 + 1
      } 0 R/Resources<</Font<</F 3 0 R>>${resources}>>>>`,
      content
    ]),
    ...more
  ])
}

/** A PDF whose dictionaries are packed in a stream, with three pages listed and two there. */
const packedWithout = (): Buffer => {
  const page = (contents: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${contents} 0 R/Resources<</Font<</F 7 0 R>>>>>>`
  const dictionaries = new Map([
    [1, "<</Type/Catalog/Pages 2 0 R>>"],
    [2, "<</Type/Pages/Kids[3 0 R 99 0 R 5 0 R]/Count 3>>"],
    [3, page(4)],
    [5, page(6)],
    [7, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
  ])
  let numbers = ""
  let body = ""
  for (const [number, text] of dictionaries) {
    numbers += `${number} ${body.length} `
    body += `${text} `
  }
  let file = Buffer.from("%PDF-1.5\n")
  const table = Buffer.alloc(10 * 4)
  for (const [i, number] of [...dictionaries.keys()].entries()) table.set([2, 0, 8, i], number * 4)
  const add = (number: number, object: Buffer) => {
    table.set([1, file.length >> 8, file.length & 255, 0], number * 4)
    file = Buffer.concat([file, Buffer.from(`${number} 0 obj\n`), object, Buffer.from("\nendobj\n")])
  }
  add(4, written("First page"))
  add(6, written("Third page"))
  const entries = `/Type/ObjStm/N ${dictionaries.size}/First ${numbers.length}/Filter/FlateDecode`
  add(8, stream(deflateSync(Buffer.from(numbers + body)), entries))
  const start = file.length
  table.set([1, start >> 8, start & 255, 0], 9 * 4)
  add(9, stream(table, "/Type/XRef/Size 10/W[1 2 1]/Root 1 0 R"))
  return Buffer.concat([file, Buffer.from(`startxref\n${start}\n%%EOF`)])
}

const written = (text: string): Buffer => stream(Buffer.from(`BT /F 12 Tf 20 700 Td (${text}) Tj ET`))

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("pages", (it) => {
  const three = document(["one", "two", "three"].map((word) => written(`Page ${word} of it`)))

  it.effect("HOSTILE-55 a PDF whose damage is thrown where nobody catches it is read as far as it goes", () =>
    Effect.gen(function*() {
      const damaged = three.toString("latin1")
        .replace("8 0 obj", "8 x obj")
        .replace("3 0 R>>>>>>\nendobj\n7", "3 0 Rx>>>>>\nendobj\n7")
      const read = yield* pages(Buffer.from(damaged, "latin1"))
      assert.deepInclude(read, { text: "Page one of it", from: 1, to: 2, damaged: [2] })
    }))

  const kids = "4 0 R 6 0 R 8 0 R]"

  it.effect.each([
    { what: "does not exist", listed: "4 0 R 99 0 R 8 0 R]" },
    { what: "is a stream", listed: "4 0 R 5 0 R 8 0 R]" }
  ])(
    "MEDIA-69 a page whose object $what is named, and the others are read",
    ({ listed }) =>
      Effect.gen(function*() {
        const damaged = Buffer.from(three.toString("latin1").replace(kids, listed), "latin1")
        const read = yield* pages(damaged)
        assert.deepInclude(read, { text: "Page one of it\n\nPage three of it", from: 1, to: 3, total: 3, damaged: [2] })
        assert.deepInclude(yield* pages(damaged, { from: 2 }), {
          text: "Page three of it",
          from: 2,
          to: 3,
          damaged: [2]
        })
        assert.match((yield* Effect.flip(pages(damaged, { from: 2, to: 2 }))).message, /page 2 could not be read/)
      })
  )

  it.effect("MEDIA-69 the first page, the last one and several may be missing; only a PDF without any is unreadable", () =>
    Effect.gen(function*() {
      const listing = (listed: string) => pages(Buffer.from(three.toString("latin1").replace(kids, listed), "latin1"))
      assert.deepInclude(yield* listing("99 0 R 6 0 R 8 0 R]"), {
        text: "Page two of it\n\nPage three of it",
        damaged: [1]
      })
      assert.deepInclude(yield* listing("4 0 R 6 0 R 77 0 R]"), {
        text: "Page one of it\n\nPage two of it",
        to: 3,
        total: 3
      })
      assert.deepInclude(yield* listing("98 0 R 99 0 R 8 0 R]"), { text: "Page three of it", from: 1, damaged: [1, 2] })
      const none = yield* Effect.flip(listing("97 0 R 98 0 R 99 0 R]"))
      assert.match(none.message, /pages 1 to 3 could not be read/)
    }))

  it.effect("MEDIA-69 a page may be missing where objects are packed together, or the list is one of its own", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* pages(packedWithout()), { text: "First page\n\nThird page", total: 3, damaged: [2] })
      const own = document(["one", "two", "three"].map(written), { more: ["[4 0 R 99 0 R 8 0 R]"] })
        .toString("latin1")
        .replace(`[${kids}`, " 10 0 R".padEnd(kids.length + 1))
      assert.deepInclude(yield* pages(Buffer.from(own, "latin1")), { text: "one\n\nthree", total: 3, damaged: [2] })
    }))

  it.effect("MEDIA-46 the pages that are asked for are read, as many as there are", () =>
    Effect.gen(function*() {
      const all = { text: "Page one of it\n\nPage two of it\n\nPage three of it", from: 1, to: 3, total: 3 }
      assert.deepStrictEqual(yield* pages(three), { ...all, hasPictures: false, damaged: [] })
      assert.deepInclude(yield* pages(three, { from: 2, to: 2 }), { text: "Page two of it", from: 2, to: 2, total: 3 })
      assert.deepInclude(yield* pages(three, { from: 3, to: 99 }), { text: "Page three of it", from: 3, to: 3 })
      assert.deepInclude(yield* pages(three, { from: 4, to: 9 }), { text: "", from: 4, total: 3 })
    }))

  it.effect("MEDIA-46 only whole pages are given, but of a first page that is too long its beginning", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* pages(three, { maxBytes: 45 }), { text: "Page one of it\n\nPage two of it", to: 2 })
      assert.deepInclude(yield* pages(three, { maxBytes: 30 }), { text: "Page one of it\n\nPage two of it", to: 2 })
      assert.deepInclude(yield* pages(three, { maxBytes: 29 }), { text: "Page one of it", to: 1 })
      assert.deepInclude(yield* pages(three, { maxBytes: 6 }), { text: "Page o", from: 1, to: 1 })
      const accents = document([written("caf\\351 \\351\\351\\351")], {
        font: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
      })
      assert.deepInclude(yield* pages(accents, { maxBytes: 9 }), { text: "café é" })
    }))

  it.effect("MEDIA-46 a page that shows only a picture says so", () =>
    Effect.gen(function*() {
      const picture = stream(
        Buffer.alloc(12, 7),
        "/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceRGB"
      )
      const scan = document([stream(Buffer.from("600 0 0 800 0 0 cm /I Do"))], {
        resources: "/XObject<</I 6 0 R>>",
        more: [picture]
      })
      assert.deepInclude(yield* pages(scan), { text: "", to: 1, hasPictures: true })
    }))

  it.effect("MEDIA-47 text in a usual font of East Asia is found without the font", () =>
    Effect.gen(function*() {
      const font =
        "<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/90ms-RKSJ-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>]>>"
      const shiftJis = stream(Buffer.from("BT /F 12 Tf 20 700 Td <93fa967b8cea> Tj ET"))
      assert.deepInclude(yield* pages(document([shiftJis], { font })), { text: "日本語" })
    }))

  const works = Effect.map(pages(three), ({ total }) => assert.strictEqual(total, 3))

  it.effect.each([
    { what: "half of one", file: three.subarray(0, 300), says: /damaged|could not/ },
    { what: "none", file: Buffer.from("%PDF-1.4 and nothing more"), says: /damaged/ },
    {
      what: "one that goes round in circles",
      file: pdf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[2 0 R]>>"]),
      says: /./
    }
  ])("HOSTILE-41 a PDF that is $what is unreadable or empty", ({ file, says }) =>
    Effect.gen(function*() {
      const told = yield* Effect.result(pages(file))
      if (told._tag === "Failure") {
        assert.strictEqual(told.failure._tag, "Unreadable")
        assert.match(told.failure.message, says)
      } else {
        assert.strictEqual(told.success.text, "")
      }
      yield* works
    }))
})

layer(NodeMediaTools.layer({ processes: 1, processMemoryMaxBytes: 400e6 }), { timeout: 60_000 })(
  "PDFs that mean harm",
  (it) => {
    it.effect(
      "HOSTILE-40 a page that unpacks to gigabytes, and forms within forms, end their process",
      () =>
        Effect.gen(function*() {
          const gigabyte = deflateSync(Buffer.alloc(400_000_000, "BT (a) Tj ET "), { level: 1 })
          const flate = document([stream(deflateSync(gigabyte), "/Filter[/FlateDecode/FlateDecode]")])
          assert.isBelow(flate.length, 3e6)
          assert.strictEqual((yield* Effect.flip(pages(flate)))._tag, "Unreadable")

          const levels = 12
          const forms = Array.from({ length: levels }, (_, level) => {
            const draw = level === levels - 1 ? "BT /F 12 Tf (a) Tj ET" : "/X Do ".repeat(10)
            const next = `/XObject<</X ${6 + level + 1} 0 R>>`
            return stream(
              Buffer.from(draw),
              `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 3 0 R>>${next}>>`
            )
          })
          const nested = document([stream(Buffer.from("/X Do"))], { resources: "/XObject<</X 6 0 R>>", more: forms })
          assert.strictEqual((yield* Effect.flip(pages(nested)))._tag, "Unreadable")

          const hello = yield* pages(document([written("hello")]))
          assert.strictEqual(hello.text, "hello")
        }),
      120_000
    )
  }
)

describe.skipIf(Samples.missing !== undefined)(`real PDFs${Samples.because(Samples.missing)}`, () => {
  layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })((it) => {
    const real = (path: string, range = {}) => Effect.suspend(() => pages(readFileSync(Samples.sample(path)), range))

    it.effect("MEDIA-46 long ones, dense ones and scans are read", () =>
      Effect.gen(function*() {
        const book = yield* real("pdf/geotopo-117.pdf", { to: 20 })
        assert.deepInclude(book, { from: 1, to: 20, total: 117 })
        assert.match(book.text, /^Einführung in die\nGeometrie und Topologie/)
        const dense = yield* real("pdf/dense30.pdf")
        assert.deepInclude(dense, { from: 1, to: 7, total: 30 })
        assert.isAtMost(Buffer.byteLength(dense.text), maxBytes)
        assert.deepInclude(yield* real("pdf/scan.pdf"), { text: "", total: 1, hasPictures: true })
      }))

    it.effect.each([
      { path: "pdf/password.pdf", says: /locked with a password/ },
      { path: "pdf/truncated.pdf", says: /damaged/ }
    ])("HOSTILE-41 $path is unreadable", ({ path, says }) =>
      Effect.gen(function*() {
        assert.match((yield* Effect.flip(real(path))).message, says)
      }))
  })
})

describe("what is too big", () => {
  it.effect("HOSTILE-40 is refused before a byte of it is read", () =>
    Effect.gen(function*() {
      const tools = yield* MediaTools.MediaTools
      const source = { ...sourceIn(new Uint8Array()), sizeBytes: 300e6 }
      const told = yield* Effect.flip(tools.pages(source, { from: 1, to: 1, maxBytes }))
      assert.match(told.message, /too big to open/)
      assert.strictEqual(source.bytesRead(), 0)
    }).pipe(Effect.provide(NodeMediaTools.layer())))
})
