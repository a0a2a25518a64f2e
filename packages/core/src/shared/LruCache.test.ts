import { assert, describe, it } from "@effect/vitest"
import { LruCache } from "./LruCache.ts"

describe("LruCache", () => {
  it("SRCH-27 the least recently used leaves when there are too many bytes, and whoever asked for it is told", () => {
    const removed: Array<string> = []
    const cache = new LruCache<string, number>(10, (value, key) => removed.push(`${key}${value}`))
    cache.set("a", 1, 4)
    cache.set("b", 2, 4)
    assert.strictEqual(cache.get("a"), 1)
    cache.set("c", 3, 4)
    assert.deepStrictEqual(removed, ["b2"])
    assert.isTrue(cache.has("a"))
    cache.set("d", 4, 2)
    assert.strictEqual(cache.count, 3, "looking whether it is there is no use, and all fit")
    cache.set("e", 5, 1)
    assert.deepStrictEqual(removed, ["b2", "a1"])
    cache.set("c", 6, 1)
    cache.delete("d")
    cache.delete("d")
    cache.clear()
    assert.deepStrictEqual(removed, ["b2", "a1", "c3", "d4", "e5", "c6"])
    assert.strictEqual(cache.count, 0)
  })

  it("SRCH-27 what is larger than all there is room for is not kept", () => {
    const cache = new LruCache<string, number>(10)
    cache.set("a", 1, 4)
    cache.set("b", 2, 11)
    assert.strictEqual(cache.count, 0)
  })
})
