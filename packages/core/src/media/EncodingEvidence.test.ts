import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import * as EncodingEvidence from "./EncodingEvidence.ts"
import * as TextEncoding from "./TextEncoding.ts"

const encoding = (name: string) => Option.getOrThrow(TextEncoding.find(name))
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))
const utf8 = (text: string) => new TextEncoder().encode(text)

const ascii = utf8("plain words\n".repeat(100))
const far = { start: 1_000_000 }

describe("EncodingEvidence", () => {
  it("READ-66 a piece of ASCII, one that the first bytes contain, and one after a mark decide nothing", () => {
    assert.isNull(EncodingEvidence.against(encoding("utf-8"), ascii, { bytes: ascii, ...far }))
    const head = latin1("caf\u00e9\n".repeat(100))
    assert.isNull(EncodingEvidence.against(encoding("utf-8"), head, { bytes: head, start: 0 }))
    const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...ascii)
    assert.isNull(EncodingEvidence.against(encoding("utf-8"), marked, { bytes: head, ...far }))
  })

  it("READ-66 after ASCII the piece decides, from its first whole line or character on", () => {
    const bytes = latin1("f\u00e9\nr\u00f4le\n")
    const decided = EncodingEvidence.against(encoding("utf-8"), ascii, { bytes, ...far })
    assert.deepStrictEqual(decided, latin1("r\u00f4le\n"))
    const inside = utf8("日本").subarray(1)
    assert.deepStrictEqual(EncodingEvidence.against(encoding("utf-8"), ascii, { bytes: inside, ...far }), utf8("本"))
  })

  it("READ-66 damage in one of ten characters is no proof against an encoding, of one or of two bytes", () => {
    const head = utf8("caf\u00e9 ".repeat(20))
    const damaged = Uint8Array.of(...utf8("caf\u00e9 "), 0xff, 0x20)
    assert.isNull(EncodingEvidence.against(encoding("utf-8"), head, { bytes: damaged, ...far }))
    const others = latin1("caf\u00e9 r\u00f4le ".repeat(20))
    assert.deepStrictEqual(EncodingEvidence.against(encoding("utf-8"), head, { bytes: others, ...far }), others)
    const korean = new Uint8Array(Buffer.from("c7d1b1dbc7d1b1dbc7d1b1db", "hex"))
    assert.isNull(EncodingEvidence.against(encoding("euc-kr"), korean, { bytes: korean, ...far }))
    assert.deepStrictEqual(EncodingEvidence.against(encoding("euc-kr"), korean, { bytes: others, ...far }), others)
  })
})
