import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as zlib from "node:zlib"
import * as FoldedCrc32 from "./FoldedCrc32.ts"
import { crc32 } from "./TableCrc32.ts"

describe("Crc32", () => {
  it("ZIP-8 the core's own CRC is that of the platform, in one go and continued", () => {
    assert.strictEqual(crc32(new TextEncoder().encode("123456789")), 0xcbf43926)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 200 }), (bytes, cut) => {
      assert.strictEqual(crc32(bytes), zlib.crc32(bytes))
      assert.strictEqual(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut))), zlib.crc32(bytes))
    }))
  })

  it("ZIP-8 counted in folds it is the same, whatever the length, the bytes and what came before", () => {
    let counted = 0
    const folded = FoldedCrc32.make((bytes, before) => {
      counted += bytes.length
      return zlib.crc32(bytes, before)
    })
    const message = zlib.deflateRawSync(Buffer.from(Array.from({ length: 400_000 }, (_, at) => at % 251 * at & 0xff)))
    const long = Buffer.concat(Array.from({ length: Math.ceil(400_000 / message.length) }, () => message))
    const crc = fc.nat({ max: 0xffffffff })
    const lengths = fc.oneof(
      fc.nat({ max: 20_000 }),
      fc.nat({ max: 400_000 }),
      fc.integer({ min: 131_000, max: 131_200 })
    )
    fc.assert(
      fc.property(lengths, fc.nat({ max: 15 }), crc, fc.uint8Array({ maxLength: 64 }), (length, from, before, head) => {
        const bytes = Buffer.from(long.subarray(from, from + length))
        bytes.set(head.subarray(0, length))
        const as = Buffer.from(bytes)
        assert.strictEqual(folded(bytes, before), zlib.crc32(bytes, before))
        assert.isTrue(bytes.equals(as), "the bytes stay as they are")
      })
    )
    counted = 0
    folded(long)
    assert.isBelow(counted, long.length / 20)
  })

  it("ZIP-8 without WebAssembly it is counted as ever", () => {
    const { WebAssembly } = globalThis
    try {
      Reflect.deleteProperty(globalThis, "WebAssembly")
      const bytes = Buffer.alloc(100_000, "any")
      assert.strictEqual(FoldedCrc32.make(crc32)(bytes), zlib.crc32(bytes))
    } finally {
      Object.assign(globalThis, { WebAssembly })
    }
  })
})
