/**
 * The format of a packed object: a small object of one piece, in one file with its description. The bytes come first, so that a
 * range of the object is the same range of the file; the seal and the description follow, and all of it is written at once.
 *
 * ```text
 *   the object's bytes │ their seal │ description, JSON │ its checksum, 16 bytes │ its length, 4 bytes │ "fdpack1\n"
 * ```
 *
 * The end of the file shows whether it is complete: a file that was cut off, grew, or has a changed description is damaged. The
 * file's name contains the key, so a second name (a hard link) is a copy of the object under another key.
 */
import { hash } from "node:crypto"
import { isMeta, type ObjectMeta, onePart } from "./ObjectMeta.ts"
import { Checksum, sealBytes, Sealing, sealTag } from "./Seal.ts"

/** The largest object that is packed. A copy with other headers writes it again, which up to this size costs less than a directory. */
export const packedMaxBytes = 128 * 1024

const mark = Buffer.from("fdpack1\n")
const tagBytes = 16
const footBytes = tagBytes + 4 + mark.length

/** This many bytes at the end of a file contain nearly every description. */
export const usualTailBytes = 2 * 1024

const longestKey = 200

/** The file name of a packed object. Undefined for a key that a file name can't contain: its object gets a directory. */
export const packedName = (key: string): string | undefined =>
  key.length <= longestKey && /^[A-Za-z0-9/_-]+$/.test(key)
    // The hash differs for keys that differ only by case, because some file systems ignore case.
    ? `${hash("sha256", key).slice(0, 32)}.${key.replaceAll("/", ".")}`
    : undefined

/** The key in the name of a packed object's file; undefined when it is not such a name. */
export const keyOfName = (name: string): string | undefined =>
  /^[0-9a-f]{32}\.([A-Za-z0-9_.-]+)$/.exec(name)?.[1]?.replaceAll(".", "/")

/** Whether an object of this key and size is packed when it arrives in one piece. */
export const isPackable = (key: string, sizeBytes: number): boolean =>
  sizeBytes <= packedMaxBytes && packedName(key) !== undefined

/** The error for a key without a {@link packedName}, where {@link isPackable} should have been checked before. */
export const notPackable = (key: string): Error =>
  new Error(`The object ${key} can't be packed: a file name can't contain its key.`)

/** The description of a packed object, which is written after its bytes. */
export type Description = Omit<ObjectMeta, "parts" | "key">

const describe = (description: Description): ReadonlyArray<Buffer> => {
  const text = Buffer.from(JSON.stringify(description))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return [text, checksumOf(text), length, mark]
}

const checksumOf = (bytes: Uint8Array): Buffer => {
  const checksum = new Checksum()
  checksum.add(bytes)
  return checksum.end()
}

/** The content of the file for an object of these bytes. */
export const pack = (bytes: Uint8Array, description: Description): Buffer => {
  const sealing = new Sealing()
  sealing.add(bytes)
  return Buffer.concat([bytes, sealing.end(), ...describe(description)])
}

/** The content of a file with the same bytes, the same seal, and another description. */
export const repack = (file: Buffer, description: Description): Buffer => {
  const { sizeBytes } = description
  return Buffer.concat([file.subarray(0, sizeBytes + sealBytes(sizeBytes)), ...describe(description)])
}

/** `More`: the description begins before the tail; read the last `bytes` bytes of the file. */
export type Read = { readonly _tag: "Damaged" } | { readonly _tag: "More"; readonly bytes: number } | {
  readonly _tag: "Read"
  readonly meta: ObjectMeta
}

const damaged: Read = { _tag: "Damaged" }

const parse = (text: Buffer): unknown => {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}

/** Reads the description from the last bytes (`tail`) of a file of `fileBytes` bytes, which was found by `key`. */
export const readTail = (tail: Buffer, fileBytes: number, key: string): Read => {
  if (tail.length < footBytes || !tail.subarray(-mark.length).equals(mark)) return damaged
  const textBytes = tail.readUInt32LE(tail.length - mark.length - 4)
  const tailBytes = textBytes + footBytes
  if (tailBytes > fileBytes) return damaged
  if (tailBytes > tail.length) return { _tag: "More", bytes: tailBytes }
  const [start, end] = [tail.length - tailBytes, tail.length - footBytes]
  const text = tail.subarray(start, end)
  if (!tail.subarray(end, end + tagBytes).equals(checksumOf(text))) return damaged
  const description = parse(text) as Description | undefined
  const sizeBytes = description?.sizeBytes ?? -1
  const meta = { ...description, key, parts: onePart(sizeBytes) }
  return isMeta(meta) && fileBytes === sizeBytes + sealBytes(sizeBytes) + tailBytes ? { _tag: "Read", meta } : damaged
}

/** Whether the bytes of a whole file match its seal. */
export const isSound = (file: Buffer, sizeBytes: number): boolean =>
  sealTag(file, sizeBytes)?.equals(checksumOf(file.subarray(0, sizeBytes))) === true
