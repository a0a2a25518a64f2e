/**
 * How what arrives is cut into parts. Pure.
 *
 * A part is held in memory until it is whole, since a server that states no length doesn't tell which part is the last.
 * So parts begin small and grow only as far as 10,000 of them must hold the largest file: 8 MiB each for the first 8 GiB,
 * 64 MiB up to 133 GiB, 288 MiB beyond. Sizes depend on nothing but the number: a run that continues an import knows
 * from the stored parts where.
 */
import type { StoredPart } from "../ports/ObjectStore.ts"

const MiB = 1024 ** 2

/** Bytes of part `partNumber` (from 1), unless it is the last. */
export const sizeOf = (partNumber: number): number => {
  if (partNumber <= 1_000) return 8 * MiB
  return (partNumber <= 3_000 ? 64 : 288) * MiB
}

/** The parts from the first one on that are stored whole, without a gap, and where the next one begins. */
export const whole = (
  stored: ReadonlyArray<Pick<StoredPart, "partNumber" | "sizeBytes">>
): { readonly count: number; readonly bytes: number } => {
  let count = 0
  let bytes = 0
  for (const part of stored) {
    if (part.partNumber !== count + 1 || part.sizeBytes !== sizeOf(part.partNumber)) break
    count++
    bytes += part.sizeBytes
  }
  return { count, bytes }
}
