import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as zlib from "node:zlib"
import { crc32 } from "./Crc32.ts"

describe("Crc32", () => {
  it("ZIP-8 the core's own CRC is that of the platform, in one go and continued", () => {
    assert.strictEqual(crc32(new TextEncoder().encode("123456789")), 0xcbf43926)
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 200 }), (bytes, cut) => {
      assert.strictEqual(crc32(bytes), zlib.crc32(bytes))
      assert.strictEqual(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut))), zlib.crc32(bytes))
    }))
  })
})
