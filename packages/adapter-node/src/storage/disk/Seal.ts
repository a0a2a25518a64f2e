/**
 * The seal after a part file's bytes, by which damage is detected: a checksum of each 64 MiB of them. It is written with them,
 * before they are synced, and costs no file, no sync and no rename of its own.
 *
 * ```text
 *   the part's bytes │ "fdseal1\n" │ their number, 8 bytes │ 16 bytes for each 64 MiB, at least once
 * ```
 *
 * The checksum is GMAC (the tag of AES-GCM over data that is not encrypted) with a key that is no secret: processors count
 * it several times as fast as a CRC, it has 128 bits, and any change within 16 bytes shows for certain.
 */
import { type Cipheriv, createCipheriv, createSecretKey } from "node:crypto"
import type { FileHandle } from "node:fs/promises"

/** Bytes that one checksum is for; as much is read at once where a part is checked. */
export const blockBytes = 64 * 1024 * 1024

const mark = Buffer.from("fdseal1\n")
const tagBytes = 16
const headBytes = mark.length + 8

const blocksOf = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / blockBytes))

/** Length of the seal of a part of `sizeBytes` bytes. */
export const sealBytes = (sizeBytes: number): number => headBytes + tagBytes * blocksOf(sizeBytes)

/** How many bytes a sealed part file of `fileBytes` contains besides its seal; negative when it is not sealed. */
export const sealedSize = (fileBytes: number): number =>
  fileBytes - headBytes - tagBytes * Math.max(1, Math.ceil((fileBytes - headBytes) / (blockBytes + tagBytes)))

// Prepared once: Node takes four times as long for a key in bytes.
const key = createSecretKey(Buffer.from("filedrive part 1"))
const nonce = Buffer.alloc(12)

/** Computes the checksum of some bytes as they arrive. */
export class Checksum {
  readonly #cipher: Cipheriv & { setAAD: (bytes: Uint8Array) => unknown } = createCipheriv("aes-128-gcm", key, nonce)

  add(bytes: Uint8Array): void {
    this.#cipher.setAAD(bytes)
  }

  /** Returns the checksum; nothing can be added after that. */
  end(): Buffer {
    this.#cipher.final()
    return (this.#cipher as unknown as { readonly getAuthTag: () => Buffer }).getAuthTag()
  }
}

/** Makes the seal of a part whose bytes come one after another. */
export class Sealing {
  #sizeBytes = 0
  #block = new Checksum()
  #left = blockBytes
  readonly #tags: Array<Buffer> = []

  add(bytes: Uint8Array): void {
    this.#sizeBytes += bytes.length
    for (let at = 0; at < bytes.length;) {
      if (this.#left === 0) {
        this.#tags.push(this.#block.end())
        this.#block = new Checksum()
        this.#left = blockBytes
      }
      const some = at === 0 && bytes.length <= this.#left ? bytes : bytes.subarray(at, at + this.#left)
      this.#block.add(some)
      this.#left -= some.length
      at += some.length
    }
  }

  end(): Buffer {
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(BigInt(this.#sizeBytes))
    return Buffer.concat([mark, size, ...this.#tags, this.#block.end()])
  }
}

/** Whether a part file can contain `sizeBytes` bytes, by its length alone. */
export const lengthTells = (fileBytes: number, sizeBytes: number): "sealed" | "unsealed" | "damaged" =>
  fileBytes === sizeBytes + sealBytes(sizeBytes) ? "sealed" : fileBytes === sizeBytes ? "unsealed" : "damaged"

/** The checksum of the first block that follows the `sizeBytes` bytes of a part's content, or undefined when the seal is damaged. */
export const sealTag = (content: Buffer, sizeBytes: number): Buffer | undefined => {
  const seal = content.subarray(sizeBytes, sizeBytes + headBytes + tagBytes)
  return isHead(seal, sizeBytes) && seal.length === headBytes + tagBytes ? seal.subarray(headBytes) : undefined
}

const isHead = (head: Buffer, sizeBytes: number): boolean =>
  head.length >= headBytes && head.subarray(0, mark.length).equals(mark) &&
  head.readBigUInt64LE(mark.length) === BigInt(sizeBytes)

/** The checksum that a sealed part has for its block number `block`, or undefined when the seal is damaged itself. */
export const readTag = async (file: FileHandle, sizeBytes: number, block: number): Promise<Buffer | undefined> => {
  const head = Buffer.alloc(headBytes)
  const tag = Buffer.alloc(tagBytes)
  const heads = await file.read(head, 0, headBytes, sizeBytes)
  const tags = await file.read(tag, 0, tagBytes, sizeBytes + headBytes + block * tagBytes)
  const isWhole = heads.bytesRead === headBytes && tags.bytesRead === tagBytes && isHead(head, sizeBytes)
  return isWhole ? tag : undefined
}
