import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { digestsOf } from "./Digests.ts"
import { StorageError } from "./disk/StorageError.ts"

const bytes = Buffer.from("123456789")

/** The code of the refusal, or undefined. */
const refusal = (headers: Readonly<Record<string, string>>, body: Uint8Array = bytes): string | undefined => {
  try {
    const digests = digestsOf(Object.entries(headers))
    // Bytes come in any pieces.
    for (let at = 0; at < body.length; at += 4) digests?.add(body.subarray(at, at + 4))
    return digests?.flaw()?.code
  } catch (error) {
    return error instanceof StorageError ? error.code : assert.fail(String(error))
  }
}

const hashed = (algorithm: string) => createHash(algorithm).update(bytes).digest("base64")
const check = (hex: string) => Buffer.from(hex, "hex").toString("base64")

/** The checks of "123456789" are those of the catalogue of CRC algorithms. */
const right: Readonly<Record<string, string>> = {
  "content-md5": hashed("md5"),
  "x-amz-checksum-crc32": check("cbf43926"),
  "x-amz-checksum-crc32c": check("e3069283"),
  "x-amz-checksum-crc64nvme": check("ae8b14860a799888"),
  "x-amz-checksum-md5": hashed("md5"),
  "x-amz-checksum-sha1": hashed("sha1"),
  "x-amz-checksum-sha256": hashed("sha256"),
  "x-amz-checksum-sha512": hashed("sha512"),
  "x-amz-content-sha256": createHash("sha256").update(bytes).digest("hex")
}

describe("Digests", () => {
  it.each(Object.entries(right))("STO-133 %s of the same bytes is accepted, of other bytes refused", (name, value) => {
    const mismatch = name === "x-amz-content-sha256" ? "XAmzContentSHA256Mismatch" : "BadDigest"
    assert.isUndefined(refusal({ [name]: value }))
    assert.strictEqual(refusal({ [name]: value }, Buffer.from("123456780")), mismatch)
    assert.strictEqual(refusal({ [name]: value }, Buffer.alloc(0)), mismatch)
    assert.strictEqual(refusal({ ...right, [name]: value }, Buffer.from("x")), "BadDigest")
  })

  it.each<[name: string, value: string, code: string | undefined]>([
    ["content-md5", "", "InvalidDigest"],
    ["content-md5", "abc", "InvalidDigest"],
    ["content-md5", createHash("md5").update(bytes).digest("hex"), "InvalidDigest"],
    ["content-md5", `${hashed("md5")}, ${hashed("md5")}`, "InvalidDigest"],
    ["content-md5", hashed("sha1"), "InvalidDigest"],
    ["x-amz-checksum-crc32", "", "InvalidRequest"],
    ["x-amz-checksum-crc32", "cbf43926", "InvalidRequest"],
    ["x-amz-checksum-crc32", check("cbf43926").replaceAll("=", ""), "InvalidRequest"],
    ["x-amz-checksum-sha256", hashed("sha1"), "InvalidRequest"],
    ["x-amz-checksum-klingon", check("cbf43926"), "InvalidRequest"],
    ["x-amz-content-sha256", "abc", "InvalidArgument"],
    ["x-amz-content-sha256", "UNSIGNED-PAYLOAD", undefined],
    ["x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "InvalidRequest"],
    ["x-amz-content-sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "InvalidRequest"],
    ["x-amz-trailer", "x-amz-checksum-crc32", "InvalidRequest"],
    ["x-amz-decoded-content-length", "9", "InvalidRequest"],
    ["content-encoding", "gzip,aws-chunked", "InvalidRequest"],
    ["content-encoding", "gzip", undefined],
    ["x-amz-checksum-type", "FULL_OBJECT", undefined],
    ["x-amz-checksum-algorithm", "CRC32", undefined]
  ])("STO-133 %s: %s is answered %s", (name, value, code) => assert.strictEqual(refusal({ [name]: value }), code))

  it("STO-133 without checksums nothing is computed", () => {
    assert.isUndefined(digestsOf(Object.entries({ "content-type": "text/plain", "x-amz-checksum-mode": "ENABLED" })))
  })
})
