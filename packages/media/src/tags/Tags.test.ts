/** Tracks whose tags contradict each other. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { blockBytes } from "../SourceBlocks.ts"
import { tags, type WrittenTags } from "./Tags.ts"

const size = (length: number) => [21, 14, 7, 0].map((shift) => (length >> shift) & 0x7f)
const frame = (id: string, body: Uint8Array | ReadonlyArray<number>) =>
  Buffer.from([...Buffer.from(id), ...[24, 16, 8, 0].map((shift) => (body.length >> shift) & 0xff), 0, 0, ...body])
const text = (id: string, value: string | Uint8Array) =>
  frame(id, [0, ...typeof value === "string" ? Buffer.from(value, "latin1") : value])
const picture = (type: number, ...data: ReadonlyArray<number>) =>
  frame("APIC", [0, ...Buffer.from("image/jpeg\0"), type, 0, ...data])

const id3 = (...frames: ReadonlyArray<Buffer>) => {
  const body = Buffer.concat(frames)
  return Buffer.concat([Buffer.from([...Buffer.from("ID3"), 3, 0, 0, ...size(body.length)]), body])
}

/** MPEG sound of one bitrate: frames of 128 kbit/s at 44,100 Hz. */
const sound = Buffer.concat(Array.from({ length: 40 }, () => {
  const bytes = Buffer.alloc(417)
  bytes.set([0xff, 0xfb, 0x90, 0])
  return bytes
}))

const le = (number: number) => [0, 8, 16, 24].map((shift) => (number >> shift) & 0xff)

const ape = (fields: Readonly<Record<string, string | Uint8Array>>) => {
  const items = Buffer.concat(
    Object.entries(fields).map(([key, value]) =>
      Buffer.from([
        ...le(Buffer.from(value as string).length),
        ...le(0),
        ...Buffer.from(key),
        0,
        ...Buffer.from(value as string)
      ])
    )
  )
  const ends = (flags: number) =>
    Buffer.from([
      ...Buffer.from("APETAGEX"),
      ...le(2_000),
      ...le(items.length + 32),
      ...le(Object.keys(fields).length),
      ...le(flags),
      ...Array(8).fill(0)
    ])
  return Buffer.concat([ends(0xa000_0000), items, ends(0x8000_0000)])
}

const id3v1 = (title: string | Uint8Array, artist: string) => {
  const bytes = Buffer.alloc(128)
  bytes.write("TAG", "latin1")
  bytes.set(typeof title === "string" ? Buffer.from(title, "latin1") : title, 3)
  bytes.write(artist, 33, "latin1")
  bytes[127] = 17
  return bytes
}

const read = (...pieces: ReadonlyArray<Uint8Array>) =>
  Effect.promise(async (): Promise<WrittenTags> => {
    const file = Buffer.concat(pieces)
    const blocks = Array.from({ length: Math.ceil(file.length / blockBytes) }, (_, block) => block)
    const answer = await tags(new Uint8Array(file), {
      sizeBytes: file.length,
      mimeType: "audio/mpeg",
      blocks,
      picture: true,
      duration: false
    })
    return answer.tag === "written" ? answer.tags : assert.fail(answer.tag)
  })

const windows1251 = (text: string) =>
  Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0)
    return code >= 0x410 ? code - 0x410 + 0xc0 : code
  })

describe("Tags", () => {
  it.effect("MEDIA-96 in MP3 ID3v2 wins over APEv2 field by field, and artists are never mixed", () =>
    Effect.gen(function*() {
      const { facts } = yield* read(
        id3(text("TIT2", "New title"), text("TPE1", "New artist")),
        sound,
        ape({ Title: "Old title", Artist: "Old artist", Artists: "Old\0Other", Album: "Old album", BPM: "120" }),
        id3v1("Oldest", "Oldest artist")
      )
      assert.deepInclude(facts, {
        title: "New title",
        artists: ["New artist"],
        album: "Old album",
        taggedTempo: 120,
        genre: "Rock"
      })
      const alone = yield* read(
        sound,
        ape({ Title: "Old title", Artist: "Old artist" }),
        id3v1("Oldest", "Oldest artist")
      )
      assert.deepInclude(alone.facts, { title: "Old title", artists: ["Old artist"] })
    }))

  it.effect("MEDIA-92 all texts of a tag tell its code page together; another tag has its own", () =>
    Effect.gen(function*() {
      const { facts } = yield* read(
        id3(text("TIT2", windows1251("Кино")), text("TALB", windows1251("Группа крови")), text("TPE1", "Cafe")),
        sound,
        id3v1("Café", "x")
      )
      assert.deepInclude(facts, { title: "Кино", album: "Группа крови", artists: ["Cafe"] })
      assert.strictEqual(
        (yield* read(sound, id3v1(windows1251("Подмосковные вечера"), ""))).facts.title,
        "Подмосковные вечера"
      )
      assert.strictEqual((yield* read(sound, id3v1("Café", "Björk"))).facts.title, "Café")
    }))

  it.effect("MEDIA-93 genres keep their brackets, tempos their decimals, and keys are as they are written", () =>
    Effect.gen(function*() {
      const written = (...frames: ReadonlyArray<Buffer>) =>
        Effect.map(read(id3(...frames), sound), ({ facts }) => facts)
      assert.strictEqual((yield* written(text("TCON", "Techno (Peak / Time)"))).genre, "Techno (Peak / Time)")
      assert.strictEqual((yield* written(text("TCON", "(17)(RX)Live"))).genre, "Rock; Remix; Live")
      assert.strictEqual((yield* written(text("TBPM", "128,5"))).taggedTempo, 128.5)
      assert.strictEqual((yield* written(text("TKEY", "5B - Eb"))).taggedKey, "5B - Eb")
      assert.strictEqual((yield* written(text("TXXX", "initialkey\u00008A"))).taggedKey, "8A")
    }))

  it.effect("MEDIA-92 an old code page in a format of UTF-8 is recognised as well", () =>
    Effect.gen(function*() {
      const fields = { Title: windows1251("Группа крови"), Artist: windows1251("Кино") }
      const { facts } = yield* read(sound, ape(fields))
      assert.deepInclude(facts, { title: "Группа крови", artists: ["Кино"] })
    }))

  it.effect("MEDIA-97 a picture with wrong lengths in FLAC or Ogg is skipped for the next", () =>
    Effect.gen(function*() {
      const be = (number: number) => [24, 16, 8, 0].map((shift) => (number >> shift) & 0xff)
      const block = (type: number, data: ReadonlyArray<number>) =>
        Buffer.from([
          ...be(type),
          ...be(10),
          ...Buffer.from("image/jpeg"),
          ...be(0),
          ...Array(16).fill(0),
          ...be(data.length),
          ...data
        ])
      const wrong = Buffer.from([...be(3), ...be(0x7fff_ffff), ...Array(40).fill(1)])
      const pictures = [block(4, [4]), wrong, block(3, [3])]
      const info = Buffer.from([
        0x10,
        0,
        0x10,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0x0a,
        0xc4,
        0x42,
        0xf0,
        0,
        0,
        0,
        1,
        ...Array(16).fill(0)
      ])
      const flacBlock = (kind: number, body: Uint8Array) => Buffer.from([kind, ...be(body.length).slice(1), ...body])
      const flac = [
        Buffer.from("fLaC"),
        flacBlock(0, info),
        ...pictures.map((one) => flacBlock(6, one)),
        flacBlock(0x81, Buffer.alloc(9))
      ]
      assert.deepStrictEqual((yield* read(...flac)).pictures.map((data) => [...data]), [[3], [4]])

      const texts = [...pictures.map((one) => one.toString("base64")), "!no base64!"].map((value) =>
        Buffer.from(`METADATA_BLOCK_PICTURE=${value}`)
      )
      const comments = Buffer.concat([
        Buffer.from("\u0003vorbis", "latin1"),
        Buffer.from(le(0)),
        Buffer.from(le(texts.length)),
        ...texts.map((text) => Buffer.from([...le(text.length), ...text])),
        Buffer.of(1)
      ])
      const page = (kind: number, number: number, body: Buffer) => {
        const lengths = [...Array(Math.floor(body.length / 255)).fill(255), body.length % 255]
        return Buffer.from([
          ...Buffer.from("OggS"),
          0,
          kind,
          ...Array(8).fill(0),
          ...le(7),
          ...le(number),
          ...le(0),
          lengths.length,
          ...lengths,
          ...body
        ])
      }
      const identity = Buffer.from([
        1,
        ...Buffer.from("vorbis"),
        ...le(0),
        1,
        ...le(44_100),
        ...le(0),
        ...le(0),
        ...le(0),
        0xb8,
        1
      ])
      const ogg = [page(2, 0, identity), page(0, 1, comments), page(4, 2, Buffer.alloc(30))]
      assert.deepStrictEqual((yield* read(...ogg)).pictures.map((data) => [...data]), [[3], [4]])
    }))

  it.effect("MEDIA-97 of a FLAC with a large booklet the front cover is read, and as much else as fits", () =>
    Effect.gen(function*() {
      const be = (number: number) => [24, 16, 8, 0].map((shift) => (number >> shift) & 0xff)
      const scan = 8_000_000
      const scanned = (type: number) =>
        Buffer.concat([
          Buffer.from([
            6,
            ...be(scan + 32).slice(1),
            ...be(type),
            ...be(0),
            ...be(0),
            ...Array(16).fill(0),
            ...be(scan)
          ]),
          Buffer.alloc(scan, type)
        ])
      const info = Buffer.from([0, 0, 0, 34, 0x10, 0, 0x10, 0, ...Array(6).fill(0), 0x0a, 0xc4, 0x42, 0xf0, ...be(1)])
      const { facts, pictures } = yield* read(
        Buffer.from("fLaC"),
        info,
        Buffer.alloc(16),
        scanned(4),
        scanned(5),
        scanned(3),
        Buffer.from([0x81, 0, 0, 9, ...Array(9).fill(0)])
      )
      assert.deepStrictEqual(pictures.map((data) => [data[0], data.length]), [[3, scan], [4, scan]])
      assert.isNotNull(facts)
    }))

  it.effect("MEDIA-97 the front cover comes first, then pictures without a type, icons last", () =>
    Effect.gen(function*() {
      const { pictures } = yield* read(
        id3(picture(1, 1), picture(4, 4), picture(0, 9), picture(3), picture(3, 3), picture(3, 30)),
        sound
      )
      assert.deepStrictEqual(pictures.map((data) => [...data]), [[3], [30], [9], [4], [1]])
    }))
})
