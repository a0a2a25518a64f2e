import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { FileType } from "../shared/FileType.ts"
import { summarise, type UsagePart } from "./StorageUsage.ts"

const part = fc.record<UsagePart>({
  isPublic: fc.boolean(),
  type: fc.constantFrom(...FileType.literals),
  objects: fc.integer({ min: 1, max: 1_000 }),
  bytes: fc.integer({ min: 0, max: 2 ** 40 }),
  trashedBytes: fc.constant(0)
})
const parts = fc.uniqueArray(part, { selector: ({ isPublic, type }) => `${isPublic}${type}` })

describe("StorageUsage", () => {
  it("USE-1 the parts add up to the whole", () => {
    fc.assert(fc.property(parts, (parts) => {
      const usage = summarise(parts, { quotaBytes: null, pendingBytes: 0 })
      const kinds = usage.buckets.flatMap((bucket) => bucket.kinds)
      const total = (key: "bytes" | "objects", of: ReadonlyArray<Record<"bytes" | "objects", number>>) =>
        of.reduce((sum, item) => sum + item[key], 0)
      assert.strictEqual(total("bytes", kinds), usage.usedBytes)
      assert.strictEqual(total("bytes", usage.buckets), usage.usedBytes)
      assert.strictEqual(total("objects", kinds), usage.objectCount)
      assert.strictEqual(total("objects", usage.buckets), usage.objectCount)
      assert.strictEqual(kinds.length, parts.length)
    }))
  })

  it("USE-1 both buckets are named, the largest kind first", () => {
    const usage = summarise([
      { isPublic: true, type: "Image", objects: 1, bytes: 5, trashedBytes: 5 },
      { isPublic: true, type: "Video", objects: 2, bytes: 70, trashedBytes: 0 }
    ], { quotaBytes: 100, pendingBytes: 9 })
    assert.deepStrictEqual(usage, {
      usedBytes: 75,
      quotaBytes: 100,
      objectCount: 3,
      buckets: [
        { bucket: "private", bytes: 0, objects: 0, kinds: [] },
        {
          bucket: "public",
          bytes: 75,
          objects: 3,
          kinds: [{ type: "Video", bytes: 70, objects: 2 }, { type: "Image", bytes: 5, objects: 1 }]
        }
      ],
      trashedBytes: 5,
      pendingBytes: 9
    })
  })
})
