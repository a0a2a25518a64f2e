import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as fc from "fast-check"
import * as TextEncoding from "./TextEncoding.ts"
import * as TextPiece from "./TextPiece.ts"

type Bytes = ReadonlyArray<number>

/** UTF-32, of which `TextDecoder` knows nothing: every four bytes a character, or the mark of a wrong one. */
const utf32Text = (isBig: boolean, bytes: Uint8Array) => {
  const units = Array.from({ length: Math.ceil(bytes.length / 4) }, (_, index) => {
    const unit = [...bytes.subarray(index * 4, index * 4 + 4)]
    if (unit.length < 4) return 0xfffd
    const code = Number.parseInt(
      (isBig ? unit : unit.toReversed()).map((byte) => byte.toString(16).padStart(2, "0")).join(""),
      16
    )
    return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code
  })
  return String.fromCodePoint(...units)
}

/** The text from byte `begin` on, as a decoder that sees all of it says; a mark of the byte order belongs to it only further on. */
const from = (name: string, bytes: Uint8Array, begin: number) => {
  if (!name.startsWith("utf-32")) {
    return new TextDecoder(name, { ignoreBOM: begin > 0 }).decode(bytes.subarray(begin))
  }
  const text = utf32Text(name === "utf-32be", bytes.subarray(begin))
  return begin === 0 && text.startsWith("\ufeff") ? text.slice(1) : text
}

/** The whole text. */
const whole = (name: string, bytes: Uint8Array) => from(name, bytes, 0)

/** Reads one piece, given the bytes a store would hand out and no others. */
const readAt = (name: string, bytes: Uint8Array, offset: number, maxBytes: number) => {
  const { end, start } = TextPiece.range(offset, bytes.length, maxBytes)
  assert.isAtMost(end + 1 - start, maxBytes + TextEncoding.lookBackBytes + TextPiece.lookAheadBytes)
  const encoding = Option.getOrThrow(TextEncoding.find(name))
  const window = { bytes: bytes.subarray(start, end + 1), start }
  return TextPiece.read(encoding, window, { offset, sizeBytes: bytes.length, maxBytes })
}

const utf8 = (text: string) => [...new TextEncoder().encode(text)]

/** The text from `offset` on by pieces, each within its limits. */
const readOn = (name: string, bytes: Uint8Array, maxBytes: number, offset = 0) => {
  let all = ""
  let at: number | null = offset
  while (at !== null) {
    const { nextOffset, text }: TextPiece.TextPiece = readAt(name, bytes, at, maxBytes)
    assert.isAtMost(utf8(text).length, maxBytes)
    assert.isTrue(text.isWellFormed())
    if (nextOffset !== null) {
      assert.isAbove(nextOffset, at)
      assert.isBelow(nextOffset, bytes.length)
      assert.isFalse(text.endsWith("\r") && readAt(name, bytes, nextOffset, maxBytes).text.startsWith("\n"))
    }
    all += text
    at = nextOffset
  }
  return all
}

/** Bytes of some characters of an old encoding, by asking its decoder about pairs. */
const pairs = (name: string) => {
  const decoder = new TextDecoder(name)
  const found: Array<Bytes> = []
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail += 3) {
      const text = decoder.decode(Uint8Array.of(lead, trail))
      if ([...text].length === 1 && text !== "\ufffd") found.push([lead, trail])
    }
  }
  return fc.constantFrom(...found)
}

const ascii = fc.constantFrom(..."abc xyz0123.,\n\t<>\"~").map((char) => [char.charCodeAt(0)])
const lineBreak = fc.constant([13, 10])
const garbage = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => [...bytes])
const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 })
const high = fc.integer({ min: 0xa1, max: 0xdf }).map((byte) => [byte])

const utf16 = (text: string, isBig: boolean) =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).flatMap((unit) =>
    isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8]
  )

const utf32 = (text: string, isBig: boolean) =>
  Array.from(text, (one) => one.codePointAt(0)!).flatMap((code) => {
    const bytes = [code >>> 24, (code >> 16) & 255, (code >> 8) & 255, code & 255]
    return isBig ? bytes : bytes.toReversed()
  })

const fourBytes = fc.tuple(fc.nat(3), fc.nat(9), fc.integer({ min: 0x81, max: 0xfe }), fc.nat(9)).map(
  ([a, b, c, d]) => [0x81 + a, 0x30 + b, c, 0x30 + d]
)

/** Runs of two alphabets, each after the escape sequence that chooses it. */
const switching = fc.oneof(
  fc.array(fc.tuple(fc.constantFrom(0x24, 0x25, 0x30, 0x4f), fc.integer({ min: 0x21, max: 0x53 })), {
    minLength: 1,
    maxLength: 40
  }).map((units) => [0x1b, 0x24, 0x42, ...units.flat()]),
  fc.array(ascii, { maxLength: 20 }).map((characters) => [0x1b, 0x28, 0x42, ...characters.flat()])
)

/** What texts in each encoding are made of. */
const parts: Readonly<Record<string, fc.Arbitrary<Bytes>>> = {
  "utf-8": fc.oneof(character.map(utf8), ascii, lineBreak),
  "utf-16le": fc.oneof(character.map((text) => utf16(text, false)), fc.constant([13, 0, 10, 0])),
  "utf-16be": fc.oneof(character.map((text) => utf16(text, true)), fc.constant([0, 13, 0, 10])),
  "utf-32le": fc.oneof(character.map((text) => utf32(text, false)), fc.constant([13, 0, 0, 0, 10, 0, 0, 0])),
  "utf-32be": fc.oneof(character.map((text) => utf32(text, true)), fc.constant([0, 0, 0, 13, 0, 0, 0, 10])),
  shift_jis: fc.oneof(pairs("shift_jis"), ascii, lineBreak, high),
  "euc-jp": fc.oneof(
    pairs("euc-jp"),
    ascii,
    lineBreak,
    fc.constant([0x8f, 0xb0, 0xa1]),
    high.map(([byte]) => [0x8e, byte!])
  ),
  "euc-kr": fc.oneof(pairs("euc-kr"), ascii, lineBreak),
  big5: fc.oneof(pairs("big5"), ascii, lineBreak),
  gbk: fc.oneof(pairs("gbk"), ascii, lineBreak),
  gb18030: fc.oneof(pairs("gb18030"), ascii, lineBreak, fourBytes),
  "iso-2022-jp": switching,
  "windows-1252": fc.oneof(high, ascii, lineBreak),
  "koi8-r": fc.oneof(high, ascii, lineBreak)
}

const joined = (chunks: ReadonlyArray<Bytes>) => Uint8Array.from(chunks.flat())

const marks: Readonly<Record<string, Bytes>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
  "utf-32le": [0xff, 0xfe, 0, 0],
  "utf-32be": [0, 0, 0xfe, 0xff]
}

describe.each(Object.entries(parts))("A piece of a text in %s", (name, part) => {
  it("READ-10 reading on by nextOffset gives exactly the text", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 300 }),
        fc.integer({ min: 32, max: 300 }),
        fc.boolean(),
        (chunks, maxBytes, isMarked) => {
          const bytes = joined([isMarked ? marks[name] ?? [] : [], ...chunks])
          assert.strictEqual(readOn(name, bytes, maxBytes), whole(name, bytes))
        }
      ),
      { numRuns: 200 }
    )
  })

  it("READ-11 so it does whatever is wrong with it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 4, arbitrary: part }, { weight: 1, arbitrary: garbage }), { maxLength: 150 }),
        fc.integer({ min: 32, max: 200 }),
        (chunks, maxBytes) => {
          const bytes = joined(chunks)
          assert.strictEqual(readOn(name, bytes, maxBytes), whole(name, bytes))
        }
      ),
      { numRuns: 300 }
    )
  })

  it("READ-10 and far behind the beginning, where only some of the bytes are read", () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 20, maxLength: 300 }),
        fc.integer({ min: 3_000, max: 9_000 }),
        (chunks, maxBytes) => {
          const once = joined(chunks)
          const bytes = new Uint8Array(once.length * Math.ceil(50_000 / once.length))
          for (let at = 0; at < bytes.length; at += once.length) bytes.set(once, at)
          assert.strictEqual(readOn(name, bytes, maxBytes), whole(name, bytes))
        }
      ),
      { numRuns: 10 }
    )
  })

  // Of runs between escape sequences, whose parts are not single characters, see below.
  if (name === "iso-2022-jp") return
  it("READ-12 an offset inside a character begins after it", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 60 }), fc.nat(), fc.boolean(), (chunks, at, isMarked) => {
        // Each part is one character, but for line breaks.
        const characters = [isMarked ? marks[name] ?? [] : [], ...chunks].flatMap((chunk) =>
          chunk.filter((byte) => byte !== 0).join() === "13,10"
            ? [chunk.slice(0, chunk.length / 2), chunk.slice(chunk.length / 2)]
            : [chunk]
        )
        const bytes = joined(characters)
        const offset = at % bytes.length
        let begin = 0
        for (const { length } of characters) begin += begin < offset ? length : 0
        assert.strictEqual(readOn(name, bytes, 200, offset), from(name, bytes, begin))
      }),
      { numRuns: 300 }
    )
  })
})

/** Bytes that each begin a character which the next one does not continue with. */
const beginnings: Readonly<Record<string, Bytes>> = {
  "utf-8": [0xc2],
  "utf-16le": [0x00, 0xd8],
  "utf-16be": [0xd8, 0x00],
  "euc-jp": [0x8e],
  "iso-2022-jp": [0x1b]
}

describe.each(Object.entries(beginnings))("A run of beginnings in %s", (name, unit) => {
  it("READ-11 loses none of them, however long it is, and costs no more than other texts", () => {
    const after = utf8("ab").flatMap((byte) => unit.length === 2 ? name === "utf-16be" ? [0, byte] : [byte, 0] : [byte])
    for (const length of [2, 3, 9, 40, 200_000]) {
      const bytes = joined([...Array.from({ length }, () => unit), after])
      assert.strictEqual(readOn(name, bytes, length < 100 ? 32 : 102_400), whole(name, bytes))
    }
  })
})

describe("A piece of a text", () => {
  const maxBytes = 102_400

  it("READ-13 is at most 100 KB of the file and of UTF-8, and hardly less", () => {
    const ascii = new Uint8Array(300_000).fill(0x61)
    assert.deepStrictEqual(readAt("utf-8", ascii, 0, maxBytes), { text: "a".repeat(maxBytes), nextOffset: maxBytes })
    assert.deepStrictEqual(readAt("utf-8", ascii.subarray(0, maxBytes), 0, maxBytes).nextOffset, null)

    // Two bytes of UTF-8 each.
    const latin = new Uint8Array(300_000).fill(0xe9)
    const { nextOffset, text } = readAt("windows-1252", latin, 0, maxBytes)
    assert.strictEqual(text.length, nextOffset)
    assert.isAtMost(text.length * 2, maxBytes)
    assert.isAtLeast(text.length * 2, maxBytes - 4_096)
  })

  it("READ-14 a text that begins with its byte order mark is shown without it, and its bytes count", () => {
    const bytes = Uint8Array.from([...marks["utf-8"]!, ...utf8("é".repeat(20))])
    assert.strictEqual(readAt("utf-8", bytes, 0, 100).text, "é".repeat(20))
    for (const inside of [1, 2, 3]) assert.strictEqual(readAt("utf-8", bytes, inside, 100).text, "é".repeat(20))
    assert.strictEqual(readAt("utf-8", bytes, 5, 100).text, "é".repeat(19))
    // Further on the same bytes are a character like any other.
    const later = Uint8Array.from(utf8("a\ufeffb"))
    assert.strictEqual(readAt("utf-8", later, 1, 100).text, "\ufeffb")
  })

  it("READ-12 an offset inside an escape sequence begins after it", () => {
    const bytes = Uint8Array.from([0x61, 0x1b, 0x24, 0x42, 0x24, 0x22, 0x24, 0x24, 0x1b, 0x28, 0x42, 0x62])
    const texts = Array.from(bytes, (_, offset) => readAt("iso-2022-jp", bytes, offset, 100).text)
    const all = "aあいb"
    assert.deepStrictEqual(texts, [0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3].map((skipped) => all.slice(skipped)))
  })

  it("READ-15 Japanese without a line break for longer than is looked back reads on as well", () => {
    const kana = Array.from({ length: 30_000 }, (_, index) => [0x24, 0x21 + index % 80]).flat()
    const escaped = Uint8Array.from([0x1b, 0x24, 0x42, ...kana, 0x1b, 0x28, 0x42, 0x61])
    assert.strictEqual(readOn("iso-2022-jp", escaped, 5_000), whole("iso-2022-jp", escaped))
    const paired = Uint8Array.from(kana, (byte) => byte + 0x80)
    assert.strictEqual(readOn("euc-jp", paired, 5_000), whole("euc-jp", paired))
    const letters = Uint8Array.from([0x1b, 0x28, 0x42, ...Array.from({ length: 60_000 }, () => 0x41)])
    assert.strictEqual(readOn("iso-2022-jp", letters, 5_000), "A".repeat(60_000))
  })

  it("READ-16 of an encoding this host does not know there is none", () => {
    assert.isTrue(Option.isNone(TextEncoding.find("iso-2022-kr")))
    assert.isTrue(Option.isNone(TextEncoding.find("klingon")))
  })
})
