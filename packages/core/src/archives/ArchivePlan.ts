/** How an archive is cut into parts, and where a builder continues. Pure. */
import { Context } from "effect"
import * as Limits from "../limits/Limits.ts"
import * as ZipPlan from "./ZipPlan.ts"

/** Parts have at least this many bytes, the last one aside. Tests make it small. */
export const SmallestPart = Context.Reference<number>("@filedrive/core/archives/SmallestPart", {
  defaultValue: () => Limits.partSizeBytes
})

/**
 * Bytes in every part but the last: larger ones where there would be more than 10,000. Kept when files are left out, so
 * that what is stored before them stays good.
 */
export const partSize = (totalBytes: number, smallest: number): number => {
  const step = Math.min(Limits.partSizeStepBytes, smallest)
  return Math.max(smallest, Math.ceil(totalBytes / Limits.partsMaxCount / step) * step)
}

/** Where the archive's part `partNumber` (from 1) begins and where it ends. */
export const range = (totalBytes: number, partSizeBytes: number, partNumber: number) => ({
  from: (partNumber - 1) * partSizeBytes,
  to: Math.min(totalBytes, partNumber * partSizeBytes)
})

export const partCount = (totalBytes: number, partSizeBytes: number): number => Math.ceil(totalBytes / partSizeBytes)

/** How many of the parts stay good when entry `index` is left out: those that end before it begins. */
export const partsBefore = (plan: ZipPlan.ZipPlan, partSizeBytes: number, index: number): number =>
  Math.floor(plan.starts[index]! / partSizeBytes)

/** The entries whose bytes or records are in `from` up to `to`; the last number is not among them. */
export const entriesIn = (plan: ZipPlan.ZipPlan, from: number, to: number): readonly [first: number, end: number] => [
  ZipPlan.entryAt(plan, from),
  Math.min(plan.count, ZipPlan.entryAt(plan, to - 1) + 1)
]
