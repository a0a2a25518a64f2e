/** How a file too large for one copy is copied in parts. All parts but the last are of one size, as some stores demand. */
import type { ByteRange, StoredPart } from "../ports/ObjectStore.ts"

/** Bytes of each part but the last. A file of 2 TiB has 4,096. */
export const movePartSizeBytes = 512 * 1024 * 1024

/** Parts copied at once. */
export const movePartsAtOnce = 16

export const partCount = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / movePartSizeBytes))

/** The bytes of part `partNumber`, from 1. */
export const range = (sizeBytes: number, partNumber: number): ByteRange => ({
  start: (partNumber - 1) * movePartSizeBytes,
  end: Math.min(partNumber * movePartSizeBytes, sizeBytes) - 1
})

/** Numbers of the parts that are not stored whole. */
export const missing = (sizeBytes: number, stored: ReadonlyArray<StoredPart>): ReadonlyArray<number> => {
  const whole = new Set(
    stored.filter((part) => {
      const { end, start } = range(sizeBytes, part.partNumber)
      return part.sizeBytes === end - start + 1
    }).map((part) => part.partNumber)
  )
  return Array.from({ length: partCount(sizeBytes) }, (_, index) => index + 1).filter((number) => !whole.has(number))
}
