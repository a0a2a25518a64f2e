import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { detect } from "./FileTypeKinds.ts"

const text = (text: string) => new TextEncoder().encode(text)
const bytes = (...bytes: ReadonlyArray<number>) => Uint8Array.from(bytes)
const tag = (before: number, name: string, after = 0) =>
  Uint8Array.from([...new Uint8Array(before), ...text(name), ...new Uint8Array(after)])

const png = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0)

describe("FileTypeKinds", () => {
  it.effect.each([
    { what: "a PNG cut after its first chunk", head: png, kind: "image/png" },
    { what: "a JPEG", head: bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46), kind: "image/jpeg" },
    {
      what: "a TIFF with its directory past the head",
      head: bytes(0x49, 0x49, 0x2a, 0, 0xff, 0xff, 1, 0),
      kind: "image/tiff"
    },
    { what: "a QuickTime film", head: bytes(0, 0, 0, 20, ...text("ftypqt  "), ...tag(8, "")), kind: "video/quicktime" },
    { what: "a WAV", head: bytes(...text("RIFF"), 0, 0, 0, 0, ...text("WAVEfmt ")), kind: "audio/x-wav" },
    { what: "an AVI", head: bytes(...text("RIFF"), 0, 0, 0, 0, ...text("AVI LIST")), kind: "video/x-msvideo" },
    { what: "an MPEG", head: bytes(0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 1, 0x89), kind: "video/mpeg" },
    { what: "a PDF", head: text("%PDF-1.7\n%\u00e2"), kind: "application/pdf" },
    { what: "a tar", head: tag(257, "ustar\u000000", 248), kind: "application/x-tar" },
    {
      what: "a drawing",
      head: text("<?xml version=\"1.0\"?>\n<!-- by hand -->\n<svg xmlns=\"a\">"),
      kind: "image/svg+xml"
    },
    { what: "a page", head: text("\n<!DOCTYPE html><title>x"), kind: "text/html" },
    { what: "other XML", head: text("<?xml version=\"1.0\"?><note/>"), kind: "application/xml" },
    { what: "a playlist named like a film", head: text("#EXTM3U\nfile:///etc/passwd\n"), kind: "text/plain" },
    { what: "UTF-8 with its last character cut", head: text("Zażółć 😀").subarray(0, -2), kind: "text/plain" },
    { what: "UTF-16 with a mark", head: bytes(0xff, 0xfe, 0x22, 0x6f, 0x57, 0x5b), kind: "text/plain" },
    { what: "RAW of Olympus", head: bytes(0x49, 0x49, 0x52, 0x4f, 8, 0, 0, 0, 9, 0), kind: "image/x-olympus-orf" },
    { what: "RAW of Sigma", head: text("FOVb\u0000\u0000\u0003\u0002"), kind: "image/x-sigma-x3f" },
    {
      what: "a WAV of more than 4 GiB",
      head: bytes(...text("RF64"), 255, 255, 255, 255, ...text("WAVEds64")),
      kind: "audio/x-wav"
    },
    { what: "sound of Sun", head: text(".snd\0\0\0\u0018"), kind: "audio/basic" },
    { what: "text that begins like it", head: text(".snd is a file"), kind: "text/plain" },
    {
      what: "text in an old encoding",
      head: bytes(...Buffer.from("Zw\u00f6lf gro\u00dfe K\u00e4mpfer\n", "latin1")),
      kind: "text/plain"
    },
    { what: "text in UTF-32", head: bytes(0xff, 0xfe, 0, 0, 0x48, 0, 0, 0, 0x69, 0, 0, 0), kind: "text/plain" },
    { what: "text with a NUL", head: bytes(0x61, 0, 0x62), kind: null },
    { what: "nothing", head: bytes(), kind: null }
  ])("UP-26 $what is $kind", ({ head, kind }) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* detect(head), kind)
    }))

  const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"))
  const prose = " is what this line is about; 7 and 12, \u00e9t\u00e9.\nA second line follows, and a third one.\n"

  it.effect("MEDIA-110 a text that happens to begin with a signature is a text", () =>
    Effect.gen(function*() {
      const beginnings = [
        "BM",
        "BMW;price",
        "MAC ",
        "MZ",
        "GIF89a",
        "ID3",
        "OggS",
        "fLaC",
        "RIFF",
        "FORM",
        "FLV",
        "PK",
        "Rar!",
        "8BPS",
        "BZh9",
        "FWS",
        "MThd",
        "wvpk",
        "TTA",
        "DDS ",
        "qoif",
        "FOVb",
        "IIRO",
        "II*",
        "icns",
        "wOFF",
        "ttcf",
        "OTTO",
        "SQLi",
        "LZIP",
        "NES",
        "Cr24",
        "MSCF",
        "ISc(",
        "solid",
        "#!AMR",
        "Obj",
        "PAR1",
        "MPCK",
        "DSD ",
        "{\\rtfm",
        "%PDF",
        "%PDF-1.4",
        "SIMPLE",
        "REG",
        "gimp xcf ",
        "AC10",
        "-lh5-"
      ]
      for (
        const [at, name] of [
          [4, "free"],
          [4, "mdat"],
          [4, "moov"],
          [4, "wide"],
          [4, "ftyp"],
          [4, "skip"],
          [2, "-lh5-"],
          [7, "**ACE**"],
          [60, "BOOKMOBI"],
          [128, "DICM"],
          [257, "ustar"],
          [36, "acsp"],
          [8, "AVI "]
        ] as const
      ) {
        beginnings.push("Get this now and again. ".repeat(20).slice(0, at) + name)
      }
      for (const beginning of beginnings) {
        for (const head of [text(beginning + prose), latin1(beginning + prose), text(`${beginning}\n`)]) {
          assert.strictEqual(yield* detect(head), "text/plain", beginning)
        }
        // A text of DOS ends with a control character: no kind is named, so the sender's word counts.
        const ended = yield* detect(text(`${beginning}${prose}\u001a`))
        assert.include(["text/plain", null], ended, beginning)
      }
    }))

  const objects = "1 0 obj\n<< /Type /Catalog >>\nendobj\n"

  it.effect.each([
    {
      what: "after the lines of a server",
      head: latin1(`HTTP/1.1 200 OK\r\n\r\n%PDF-1.7\n%\u00e2\u00e3\n${objects}`),
      kind: "application/pdf"
    },
    {
      what: "after a mark",
      head: latin1(`\u00ef\u00bb\u00bf%PDF-1.4\n%\u00e2\u00e3\n${objects}`),
      kind: "application/pdf"
    },
    { what: "after zeros", head: latin1(`${"\0".repeat(500)}\n%PDF-1.4\n${objects}`), kind: "application/pdf" },
    { what: "in nothing but ASCII", head: text(`%PDF-1.4\n${objects}`), kind: "application/pdf" },
    { what: "written about", head: text(`A PDF begins like this:\n%PDF-1.4\n${objects}`), kind: "text/plain" },
    { what: "far behind", head: latin1(`${"\u0001".repeat(2_000)}\n%PDF-1.4\n${objects}`), kind: null }
  ])("MEDIA-111 a file that has a PDF header $what is $kind", ({ head, kind }) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* detect(head), kind)
    }))

  it.effect.each([
    { head: text("{\\rtf1\\ansi Hello}"), kind: "application/rtf" },
    { head: text("%!PS-Adobe-3.0\n%%Pages: 1\n"), kind: "application/postscript" },
    { head: text("%!PS\n/Times findfont\n"), kind: "application/postscript" },
    {
      head: text(`!<arch>\ndebian-binary   1342943816  0     0     100644  4         \`\n2.0\n`),
      kind: "application/x-deb"
    },
    { head: text("BEGIN:VCARD\nVERSION:4.0\n"), kind: "text/vcard" },
    { head: text("solid cube\n  facet normal 0 0 1\n"), kind: "model/stl" }
  ])("MEDIA-110 a format that is a text itself is $kind by its lines", ({ head, kind }) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* detect(head), kind)
    }))

  it.effect.prop(
    "UP-26 any bytes have an answer, and the same one twice",
    [Schema.Uint8Array],
    ([head]) =>
      Effect.gen(function*() {
        assert.strictEqual(yield* detect(head), yield* detect(head))
      })
  )
})
