import { assert, describe, it } from "@effect/vitest"
import {
  type Description,
  isPackable,
  isSound,
  keyOfName,
  pack,
  packedMaxBytes,
  packedName,
  readTail,
  repack
} from "./Packed.ts"

const description = (sizeBytes: number): Description => ({
  headers: { contentType: "a/b", contentDisposition: "attachment; filename=\"ü\"", cacheControl: "no-cache" },
  sizeBytes,
  etag: "e",
  storedMillis: 5
})

const content = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 251)

describe("the file of a packed object", () => {
  it("STO-120 it begins with the object's bytes and tells its description", () => {
    for (const sizeBytes of [0, 1, 15, 16, 17, 20_480, packedMaxBytes]) {
      const bytes = content(sizeBytes)
      const file = pack(bytes, description(sizeBytes))
      assert.isTrue(file.subarray(0, sizeBytes).equals(bytes))
      assert.isTrue(isSound(file, sizeBytes))
      const read = readTail(file, file.length, "a/b")
      assert.deepStrictEqual(read, {
        _tag: "Read",
        meta: { ...description(sizeBytes), key: "a/b", parts: [{ firstNumber: 1, count: 1, sizeBytes }] }
      })
      // With a tail that is too short, the result says how much of the file is needed.
      const more = readTail(file.subarray(-30), file.length, "a/b")
      assert.strictEqual(more._tag, "More")
      if (more._tag === "More") {
        assert.deepStrictEqual(readTail(file.subarray(-more.bytes), file.length, "a/b"), read)
      }
    }
  })

  it("STO-121 a file that was cut off anywhere, or has any changed byte in its description, is damaged", () => {
    const sizeBytes = 100
    const file = pack(content(sizeBytes), description(sizeBytes))
    for (let length = 0; length < file.length; length++) {
      assert.strictEqual(readTail(file.subarray(0, length), length, "a")._tag, "Damaged", `cut to ${length}`)
    }
    assert.strictEqual(readTail(Buffer.concat([file, Buffer.alloc(1)]), file.length + 1, "a")._tag, "Damaged")
    assert.strictEqual(readTail(Buffer.concat([Buffer.alloc(1), file]), file.length + 1, "a")._tag, "Damaged")
    for (let at = 0; at < file.length; at++) {
      const changed = Buffer.from(file)
      changed[at]! ^= 1
      const isRead = readTail(changed, changed.length, "a")._tag === "Read"
      // The bytes and their seal are checked where the object is.
      assert.isTrue(isRead ? !isSound(changed, sizeBytes) : at >= sizeBytes + 32, `byte ${at}`)
    }
  })

  it("STO-121 bytes that are written again keep the seal they had, so damage is not sealed", () => {
    const file = pack(content(100), description(100))
    file[7]! ^= 1
    const copy = repack(file, { ...description(100), etag: "other" })
    assert.strictEqual(readTail(copy, copy.length, "a")._tag, "Read")
    assert.isFalse(isSound(copy, 100))
  })

  it("STO-120 a name contains its key, and names of keys that differ only by case differ by their hash", () => {
    const key = "files/019845e1-682f-7b02-a706-3b2422d13aff/A_b-9"
    const name = packedName(key)!
    assert.strictEqual(keyOfName(name), key)
    assert.notStrictEqual(name.toLowerCase(), packedName(key.toLowerCase())!.toLowerCase())
    for (const hostile of ["", "../x", "a.b", "a\0", "a b", "ü", "x".repeat(201)]) {
      assert.isUndefined(packedName(hostile))
      assert.isFalse(isPackable(hostile, 1))
    }
    assert.isTrue(isPackable(key, packedMaxBytes))
    assert.isFalse(isPackable(key, packedMaxBytes + 1))
    for (const other of ["credentials.json", "x", name.slice(1), `${name}/`]) assert.isUndefined(keyOfName(other))
  })
})
