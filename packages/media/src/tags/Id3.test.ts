import { assert, describe, it } from "@effect/vitest"
import { deflateSync } from "node:zlib"
import * as Id3 from "./Id3.ts"

const synchsafe = (size: number) => [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f)
const plainSize = (size: number) => [24, 16, 8, 0].map((shift) => (size >> shift) & 0xff)

const frame = (
  major: number,
  id: string,
  body: ReadonlyArray<number>,
  { flags = 0, size = body.length }: { readonly flags?: number; readonly size?: number } = {}
) => [
  ...Buffer.from(id),
  ...major === 2 ? plainSize(size).slice(1) : major === 3 ? plainSize(size) : synchsafe(size),
  ...major === 2 ? [] : [0, flags],
  ...body
]

const tag = (major: number, frames: ReadonlyArray<number>, flags = 0) =>
  Uint8Array.from([
    ...Buffer.from("ID3"),
    major,
    0,
    flags,
    ...synchsafe(frames.length + 20),
    ...frames,
    ...Array(20).fill(0)
  ])

const latin1 = (text: string) => [0, ...Buffer.from(text, "latin1")]

const shown = (bytes: Uint8Array) =>
  Id3.read(bytes).texts.map(({ encoding, id, values }) => [id, ...values.map((value) => Id3.decoded(value, encoding))])

describe("Id3", () => {
  it.each([
    { what: "2.2", bytes: tag(2, frame(2, "TT2", latin1("One"))), texts: [["TT2", "One"]] },
    { what: "2.3", bytes: tag(3, frame(3, "TIT2", latin1("One\0"))), texts: [["TIT2", "One"]] },
    {
      what: "2.4, of several values",
      bytes: tag(4, frame(4, "TPE1", latin1("One\0Two"))),
      texts: [["TPE1", "One", "Two"]]
    },
    {
      what: "UTF-16 with either mark",
      bytes: tag(3, [
        ...frame(3, "TIT2", [1, 0xff, 0xfe, ...Buffer.from("Ōne", "utf16le"), 0, 0]),
        ...frame(3, "TALB", [1, 0xfe, 0xff, ...Buffer.from("Ōne", "utf16le").swap16()])
      ]),
      texts: [["TIT2", "Ōne"], ["TALB", "Ōne"]]
    },
    { what: "UTF-8", bytes: tag(4, frame(4, "TIT2", [3, ...Buffer.from("東京")])), texts: [["TIT2", "東京"]] },
    {
      what: "free texts",
      bytes: tag(3, frame(3, "TXXX", latin1("initialkey\u00008A"))),
      texts: [["TXXX:initialkey", "8A"]]
    },
    {
      what: "a frame of 2.4 whose length is written as in 2.3",
      bytes: tag(4, [
        ...Buffer.from("TIT2"),
        ...plainSize(201),
        0,
        0,
        ...latin1("x".repeat(200)),
        ...frame(4, "TALB", latin1("Next"))
      ]),
      texts: [["TIT2", "x".repeat(200)], ["TALB", "Next"]]
    },
    {
      what: "a compressed frame",
      bytes: tag(
        3,
        frame(3, "TIT2", [...plainSize(4), ...deflateSync(Uint8Array.from(latin1("One")))], { flags: 0x80 })
      ),
      texts: [["TIT2", "One"]]
    },
    {
      what: "an unsynchronised tag",
      bytes: tag(3, frame(3, "TIT2", [0, 0xff, 0, 0xe1], { size: 3 }), 0x80),
      texts: [["TIT2", "ÿá"]]
    },
    {
      what: "an extended header",
      bytes: tag(3, [...plainSize(6), 0, 0, 0, 0, 0, 0, ...frame(3, "TIT2", latin1("One"))], 0x40),
      texts: [["TIT2", "One"]]
    },
    {
      what: "a frame cut off",
      bytes: tag(3, frame(3, "TIT2", latin1("One"), { size: 9e6 })),
      texts: [["TIT2", "One"]]
    },
    { what: "an encrypted frame, left out", bytes: tag(3, frame(3, "TIT2", latin1("One"), { flags: 0x40 })), texts: [] }
  ])("MEDIA-94 of ID3: $what", ({ bytes, texts }) => {
    assert.deepStrictEqual(shown(bytes), texts)
    assert.strictEqual(Id3.sizeAt(bytes), bytes.length)
  })

  it("MEDIA-94 of ID3: pictures with their types, and no links", () => {
    const data = [0xff, 0xd8, 0xff, 0, 0xe0]
    const { pictures } = Id3.read(tag(3, [
      ...frame(3, "APIC", [0, ...Buffer.from("image/jpeg\0"), 4, ...Buffer.from("back\0"), ...data]),
      ...frame(3, "APIC", [1, ...Buffer.from("image/png\0"), 3, 0xff, 0xfe, 0x41, 0, 0, 0, ...data]),
      ...frame(3, "APIC", [0, ...Buffer.from("-->\0"), 3, 0, ...Buffer.from("http://x")])
    ]))
    assert.deepStrictEqual(pictures.map(({ data, type }) => [type, ...data]), [[4, ...data], [3, ...data]])
    const [old] = Id3.read(tag(2, frame(2, "PIC", [0, ...Buffer.from("JPG"), 3, 0, ...data]))).pictures
    assert.deepStrictEqual([old!.type, ...old!.data], [3, ...data])
  })

  it("MEDIA-94 bytes without an ID3 tag have no tag size", () => {
    for (const text of ["ID3", "ID2\u0003000000", "ID3\u0009000000"]) {
      assert.isNull(Id3.sizeAt(Buffer.from(text, "latin1")))
    }
  })
})
