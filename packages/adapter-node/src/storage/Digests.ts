/**
 * Checksums of a file's bytes that a sender gives in the headers of a part or a form, or as fields of a form. A file that does not match
 * them is refused with S3's codes.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"
import { crc32c, Crc64Nvme } from "./Crc.ts"
import { StorageError } from "./disk/StorageError.ts"

interface Computing {
  readonly add: (bytes: Uint8Array) => void
  readonly end: () => Buffer
}

const hashing = (algorithm: string) => (): Computing => {
  const hash = createHash(algorithm)
  return { add: (bytes) => void hash.update(bytes), end: () => hash.digest() }
}

const crcOf = (next: (bytes: Uint8Array, before: number) => number) => (): Computing => {
  let value = 0
  return {
    add: (bytes) => {
      value = next(bytes, value)
    },
    end: () => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    }
  }
}

interface Algorithm {
  readonly bytes: number
  readonly compute: () => Computing
}

const algorithms: Readonly<Record<string, Algorithm>> = {
  crc32: { bytes: 4, compute: crcOf((bytes, before) => crc32(bytes, before)) },
  crc32c: { bytes: 4, compute: crcOf(crc32c) },
  crc64nvme: { bytes: 8, compute: () => new Crc64Nvme() },
  md5: { bytes: 16, compute: hashing("md5") },
  sha1: { bytes: 20, compute: hashing("sha1") },
  sha256: { bytes: 32, compute: hashing("sha256") },
  sha512: { bytes: 64, compute: hashing("sha512") }
}

const checksumPrefix = "x-amz-checksum-"
/** Names with the prefix that contain no checksum. */
const notChecksums = new Set(["x-amz-checksum-algorithm", "x-amz-checksum-mode", "x-amz-checksum-type"])

/** Whether a header or field, by its lower-case name, contains a checksum. */
export const isDigest = (name: string): boolean =>
  name === "content-md5" || name === "x-amz-content-sha256" ||
  (name.startsWith(checksumPrefix) && !notChecksums.has(name))

interface Expected {
  readonly right: Buffer
  readonly computing: Computing
  readonly mismatch: () => StorageError
}

const base64 = (text: string, bytes: number): Buffer | undefined => {
  const decoded = Buffer.from(text, "base64")
  return decoded.length === bytes && decoded.toString("base64") === text ? decoded : undefined
}

const badDigest = () => new StorageError("BadDigest", "The bytes do not match the checksum that was sent with them.")
const invalidMd5 = () => new StorageError("InvalidDigest", "Content-MD5 must be 16 bytes in base64.")
const malformed = () => new StorageError("InvalidRequest", "A checksum must be of a known algorithm, and in base64.")
const invalidSha256 = () =>
  new StorageError("InvalidArgument", "x-amz-content-sha256 must be UNSIGNED-PAYLOAD or 64 hexadecimal digits.")
const otherSha256 = () => new StorageError("XAmzContentSHA256Mismatch", "The bytes do not match x-amz-content-sha256.")

const expectedOf = (name: string, value: string): Expected | undefined => {
  if (name === "x-amz-content-sha256") {
    if (value === "UNSIGNED-PAYLOAD") return undefined
    if (!/^[0-9a-f]{64}$/i.test(value)) throw invalidSha256()
    return { right: Buffer.from(value, "hex"), computing: algorithms["sha256"]!.compute(), mismatch: otherSha256 }
  }
  const isMd5 = name === "content-md5"
  const algorithm = algorithms[isMd5 ? "md5" : name.slice(checksumPrefix.length)]
  const right = algorithm && base64(value, algorithm.bytes)
  if (algorithm === undefined || right === undefined) throw isMd5 ? invalidMd5() : malformed()
  return { right, computing: algorithm.compute(), mismatch: badDigest }
}

/** The checksums that came with one body, computed as its bytes arrive. */
export class Digests {
  readonly #expected: ReadonlyArray<Expected>

  constructor(expected: ReadonlyArray<Expected>) {
    this.#expected = expected
  }

  add(bytes: Uint8Array): void {
    for (const { computing } of this.#expected) computing.add(bytes)
  }

  /** The refusal of the bytes if a checksum does not match. To be called once, after the last bytes. */
  flaw(): StorageError | undefined {
    for (const { computing, mismatch, right } of this.#expected) {
      if (!computing.end().equals(right)) return mismatch()
    }
    return undefined
  }
}

type Values = Iterable<readonly [name: string, value: string | ReadonlyArray<string> | undefined]>

/** Refuses bodies in chunks of their own: their signatures and trailers would be stored with the file. */
const refuseChunked = (name: string, value: string): void => {
  const isChunked = name === "content-encoding"
    ? /\baws-chunked\b/i.test(value)
    : name === "x-amz-trailer" || name === "x-amz-decoded-content-length" ||
      (name === "x-amz-content-sha256" && value.startsWith("STREAMING-"))
  if (isChunked) {
    throw new StorageError("InvalidRequest", "Bodies in aws-chunked coding are not taken; send the bytes as they are.")
  }
}

/**
 * The checksums among headers and fields, by lower-case name. Undefined without any, so that nothing is computed; fails when one is
 * malformed, before anything is received.
 */
export const digestsOf = (...sources: ReadonlyArray<Values>): Digests | undefined => {
  const expected: Array<Expected> = []
  for (const source of sources) {
    for (const [name, value] of source) {
      if (typeof value !== "string") continue
      refuseChunked(name, value)
      const one = isDigest(name) ? expectedOf(name, value.trim()) : undefined
      if (one !== undefined) expected.push(one)
    }
  }
  return expected.length === 0 ? undefined : new Digests(expected)
}
