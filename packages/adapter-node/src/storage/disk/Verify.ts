/** Reads an object again, to check whether its bytes are those that were stored. */
import { type DirectoryObject, type DirectoryObjects, partDamaged } from "./DirectoryObjects.ts"
import { hasCode } from "./Durable.ts"
import { ObjectDamaged } from "./ObjectDamaged.ts"
import { locate } from "./ObjectMeta.ts"
import { isSound } from "./Packed.ts"
import type { PackedObject } from "./PackedObjects.ts"
import { blockBytes, Checksum, lengthTells, readTag } from "./Seal.ts"

const readBytes = 1024 * 1024

/** The bytes that were checked, and where to continue; null at the end. */
export interface Verified {
  readonly readBytes: number
  readonly next: number | null
}

/** Checks a packed object that was found with its content; fails with {@link ObjectDamaged}. */
export const verifyPacked = ({ content, meta: { sizeBytes }, path }: PackedObject, from: number): Verified => {
  if (from >= sizeBytes && from > 0) return { readBytes: 0, next: null }
  if (content === undefined || !isSound(content, sizeBytes)) {
    const where = `somewhere in bytes 0 to ${Math.max(0, sizeBytes - 1)}`
    throw new ObjectDamaged(path, `has other bytes than were stored, ${where}`)
  }
  return { readBytes: sizeBytes, next: null }
}

/** Fails with {@link ObjectDamaged} for an object that is packed and has other bytes than were stored. Found with its content. */
export const refuseDamaged = <Found extends DirectoryObject | PackedObject>(found: Found): Found => {
  if (found._tag === "Packed") verifyPacked(found, 0)
  return found
}

/**
 * Checks one block of an object, the one that begins at `from`; fails with {@link ObjectDamaged}. For a part that was
 * stored before there were checksums only the length is checked.
 */
export const verifyBlock = async (
  objects: DirectoryObjects,
  found: DirectoryObject,
  from: number
): Promise<Verified> => {
  if (from === 0) await objects.checkLengths(found)
  const { sizeBytes } = found.meta
  if (from >= sizeBytes) return { readBytes: 0, next: null }
  const { leftBytes, offset, partBytes, partNumber } = locate(found.meta, from)
  const file = await objects.openPart(found, partNumber, partBytes)
  const goingOn = (read: number, by: number) => ({ readBytes: read, next: from + by < sizeBytes ? from + by : null })
  try {
    if (lengthTells((await file.stat()).size, partBytes) === "unsealed") return goingOn(0, leftBytes)
    const length = Math.min(blockBytes, leftBytes)
    const checksum = new Checksum()
    const buffer = Buffer.allocUnsafe(Math.min(readBytes, length))
    for (let at = 0; at < length;) {
      const wanted = Math.min(buffer.length, length - at)
      const { bytesRead } = await file.read(buffer, 0, wanted, offset + at).catch((error: unknown) => {
        throw hasCode(error, "EIO") ? partDamaged(found, partNumber, "can't be read: the disk says EIO") : error
      })
      if (bytesRead === 0) throw partDamaged(found, partNumber, "is shorter than it was")
      checksum.add(buffer.subarray(0, bytesRead))
      at += bytesRead
    }
    const tag = await readTag(file, partBytes, offset / blockBytes)
    if (tag?.equals(checksum.end()) === true) return goingOn(length, length)
    const where = `somewhere in bytes ${offset} to ${offset + length - 1}`
    throw partDamaged(found, partNumber, `has other bytes than were stored, ${where}`)
  } finally {
    await file.close()
  }
}
