/** The description of an object (for a directory, the content of its `meta.json`), and the position of a byte in its part files. */
import type { ObjectStore as Port } from "@filedrive/core"

/** Consecutive part files of one size; an upload by plan has two runs at most. */
export interface PartRun {
  readonly firstNumber: number
  readonly count: number
  readonly sizeBytes: number
}

export interface ObjectMeta {
  readonly key: string
  readonly headers: Port.ObjectHeaders
  readonly sizeBytes: number
  readonly etag: string
  readonly storedMillis: number
  /** In the order of the bytes. */
  readonly parts: ReadonlyArray<PartRun>
}

/** What an object is stored with, beside its bytes. */
export interface NewObject {
  readonly headers: Port.ObjectHeaders
  readonly nowMillis: number
}

/** What an object of part files is stored with. */
export interface NewObjectOfParts extends NewObject {
  readonly parts: ReadonlyArray<PartRun>
  /** False: fails with `PlaceTaken` when the address has an object already. Default true. */
  readonly replaces?: boolean
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0

/** Whether a parsed `meta.json` is valid. */
export const isMeta = (value: unknown): value is ObjectMeta => {
  if (typeof value !== "object" || value === null) return false
  const { etag, headers, key, parts, sizeBytes, storedMillis } = value as Partial<Record<keyof ObjectMeta, unknown>>
  return typeof key === "string" && typeof etag === "string" && typeof headers === "object" && headers !== null
    && isNumber(sizeBytes) && typeof storedMillis === "number" && Array.isArray(parts)
    && parts.every((run: Partial<PartRun> | null) => [run?.firstNumber, run?.count, run?.sizeBytes].every(isNumber))
    && sizeOf(parts) === sizeBytes
}

/** The parts of an object of one piece. */
export const onePart = (sizeBytes: number): ReadonlyArray<PartRun> => [{ firstNumber: 1, count: 1, sizeBytes }]

/** A range within a part file. */
export interface Place {
  readonly partNumber: number
  readonly offset: number
  /** Bytes from `offset` to the end of the part. */
  readonly leftBytes: number
  /** Bytes of the whole part. */
  readonly partBytes: number
}

/** The runs of parts in the order they are given. */
export const runsOf = (
  parts: ReadonlyArray<{ readonly partNumber: number; readonly sizeBytes: number }>
): ReadonlyArray<PartRun> => {
  const runs: Array<PartRun> = []
  for (const { partNumber, sizeBytes } of parts) {
    const last = runs.at(-1)
    if (last?.sizeBytes === sizeBytes && last.firstNumber + last.count === partNumber) {
      runs[runs.length - 1] = { ...last, count: last.count + 1 }
    } else runs.push({ firstNumber: partNumber, count: 1, sizeBytes })
  }
  return runs
}

export const sizeOf = (runs: ReadonlyArray<PartRun>): number =>
  runs.reduce((sum, { count, sizeBytes }) => sum + count * sizeBytes, 0)

/** Every part with its length, in the order of the bytes. */
export const partSizes = ({ parts }: ObjectMeta): ReadonlyArray<readonly [partNumber: number, sizeBytes: number]> =>
  parts.flatMap(({ count, firstNumber, sizeBytes }) =>
    Array.from({ length: count }, (_, i) => [firstNumber + i, sizeBytes] as const)
  )

/** Where the byte at `position`, within the object, is. */
export const locate = ({ parts }: ObjectMeta, position: number): Place => {
  let start = 0
  for (const { count, firstNumber, sizeBytes } of parts) {
    if (position < start + count * sizeBytes) {
      const index = Math.floor((position - start) / sizeBytes)
      const offset = position - start - index * sizeBytes
      return { partNumber: firstNumber + index, offset, leftBytes: sizeBytes - offset, partBytes: sizeBytes }
    }
    start += count * sizeBytes
  }
  throw new RangeError(`No byte at ${position}`)
}
