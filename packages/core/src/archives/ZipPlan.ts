/**
 * Where everything in an archive is: made of the entries' sizes before a byte
 * of them is read, and the same whenever it is made of the same sizes. Pure.
 *
 * ```text
 *   local 0 │ bytes 0 │ descriptor 0 │ local 1 │ … │ central 0 │ central 1 │ … │ end
 * ```
 *
 * It takes sixteen bytes an entry beside the sizes, and nothing of the names.
 */
import * as Zip from "./Zip.ts"

export interface ZipPlan {
  readonly count: number
  /** Offset of each entry, and of the directory behind the last. */
  readonly starts: Float64Array
  /** Offset of each entry's record in the directory, and of the archive's end record behind the last. */
  readonly centralStarts: Float64Array
  readonly totalBytes: number
  /** Length of entry `index`'s bytes, and of its name. */
  readonly sizeOf: (index: number) => Zip.EntrySize
}

/** A run of an archive's bytes that is one thing: bytes `from` up to `to` of that, `of` being the entry. */
export type Piece = {
  readonly kind: "local" | "bytes" | "descriptor" | "central" | "end"
  readonly of: number
  readonly from: number
  readonly to: number
}

export const make = (entries: ReadonlyArray<Zip.EntrySize>): ZipPlan => {
  const count = entries.length
  const starts = new Float64Array(count + 1)
  const centralStarts = new Float64Array(count + 1)
  for (let at = 0; at < count; at++) starts[at + 1] = starts[at]! + Zip.entryLength(entries[at]!)
  centralStarts[0] = starts[count]!
  for (let at = 0; at < count; at++) {
    centralStarts[at + 1] = centralStarts[at]! + Zip.centralLength(entries[at]!, starts[at]!)
  }
  const plan = { count, starts, centralStarts, sizeOf: (index: number) => entries[index]! }
  return { ...plan, totalBytes: centralStarts[count]! + Zip.endLength(directory(plan)) }
}

/** What the archive's end says of its directory. */
export const directory = (
  { centralStarts, count, starts }: Pick<ZipPlan, "count" | "starts" | "centralStarts">
): Zip.Directory => ({
  count,
  offset: starts[count]!,
  lengthBytes: centralStarts[count]! - starts[count]!
})

/** The last of the rising `starts` that is not after `position`. */
const lastAtOrBefore = (starts: Float64Array, position: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= position) low = middle
    else high = middle - 1
  }
  return low
}

/** The entry that `position` is in, its records included; `count` when it is in the directory or the end. */
export const entryAt = (plan: ZipPlan, position: number): number => lastAtOrBefore(plan.starts, position)

/** The things that bytes `from` up to `to` of the archive consist of, in order, none of them empty. */
export function* pieces(plan: ZipPlan, from: number, to: number): Generator<Piece> {
  const cut = (kind: Piece["kind"], of: number, start: number, end: number): Piece | undefined =>
    end > from && start < to && end > start
      ? { kind, of, from: Math.max(from, start) - start, to: Math.min(to, end) - start }
      : undefined

  for (let of = entryAt(plan, from); of < plan.count && plan.starts[of]! < to; of++) {
    const start = plan.starts[of]!
    const bytesStart = start + Zip.localLength(plan.sizeOf(of))
    const bytesEnd = bytesStart + plan.sizeOf(of).sizeBytes
    const local = cut("local", of, start, bytesStart)
    const bytes = cut("bytes", of, bytesStart, bytesEnd)
    const descriptor = cut("descriptor", of, bytesEnd, plan.starts[of + 1]!)
    if (local !== undefined) yield local
    if (bytes !== undefined) yield bytes
    if (descriptor !== undefined) yield descriptor
  }
  const endStart = plan.centralStarts[plan.count]!
  if (to > plan.starts[plan.count]!) {
    for (
      let of = lastAtOrBefore(plan.centralStarts, Math.max(from, plan.starts[plan.count]!));
      of < plan.count && plan.centralStarts[of]! < to;
      of++
    ) {
      const central = cut("central", of, plan.centralStarts[of]!, plan.centralStarts[of + 1]!)
      if (central !== undefined) yield central
    }
  }
  const end = cut("end", plan.count, endStart, plan.totalBytes)
  if (end !== undefined) yield end
}
