/** How a file is cut into parts. Pure. Spec: `/create-multipart-upload`; Limits, "Part size". */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"

/** Parts are counted from 1. */
export const PartNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).pipe(Schema.brand("PartNumber"))
export type PartNumber = typeof PartNumber.Type

/** The parts that one call may have signed. */
export const PartNumbers = Schema.Array(PartNumber).check(
  Schema.isBetweenLength(Limits.partsPerSignCall.min, Limits.partsPerSignCall.max)
)

export interface PartPlan {
  readonly fileSizeBytes: number
  /** Bytes in every part but the last. */
  readonly partSizeBytes: number
  readonly partCount: number
}

/** A stored part, as the store reports it. */
export interface PlacedPart {
  readonly partNumber: number
  readonly sizeBytes: number
}

/**
 * Plans the parts of a file of at least one byte: 64 MiB each, or larger by
 * whole MiB when that would need more than 10,000. Always the same for one size.
 */
export const make = (fileSizeBytes: number): PartPlan => {
  const step = Limits.partSizeStepBytes
  const needed = Math.ceil(fileSizeBytes / Limits.partsMaxCount / step) * step
  const partSizeBytes = Math.max(Limits.partSizeBytes, needed)
  return { fileSizeBytes, partSizeBytes, partCount: Math.ceil(fileSizeBytes / partSizeBytes) }
}

/** Bytes part `partNumber` (from 1) must hold; the last carries the remainder. */
export const partLength = (plan: PartPlan, partNumber: number): number =>
  partNumber < plan.partCount ? plan.partSizeBytes : plan.fileSizeBytes - plan.partSizeBytes * (plan.partCount - 1)

/** Whether a stored part is one of this plan's, at its planned size. */
export const fits = (plan: PartPlan, part: PlacedPart): boolean =>
  part.partNumber >= 1 && part.partNumber <= plan.partCount && part.sizeBytes === partLength(plan, part.partNumber)

/**
 * The size of the smallest file whose plan has room for every part of the plans of both these sizes. That is the larger size,
 * but for two of more than 600 GiB: the parts of the larger file may be larger and fewer, and then it is that of as many parts
 * as there may be. Sizes taken in one after the other are covered all.
 */
export const cover = (one: number, other: number): number => {
  const [small, large] = [make(Math.min(one, other)), make(Math.max(one, other))]
  return small.partSizeBytes === large.partSizeBytes || small.partCount < large.partCount
    ? large.fileSizeBytes
    : large.partSizeBytes * Limits.partsMaxCount
}

/** Numbers of the plan's parts that are not among `stored`, in order; at most `limit` of them. */
export const missing = (
  plan: PartPlan,
  stored: ReadonlyArray<PlacedPart>,
  limit = Number.POSITIVE_INFINITY
): ReadonlyArray<number> => {
  const there = new Set(stored.map((part) => part.partNumber))
  const numbers: Array<number> = []
  for (let number = 1; number <= plan.partCount && numbers.length < limit; number++) {
    if (!there.has(number)) numbers.push(number)
  }
  return numbers
}
