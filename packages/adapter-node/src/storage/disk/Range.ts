/**
 * Ranges of a GET, as far as a store of immutable bytes needs them: one range.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests
 */

export type Range = { readonly _tag: "Whole" } | { readonly _tag: "Unsatisfiable" } | {
  readonly _tag: "Part"
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

const whole: Range = { _tag: "Whole" }

/** The range that a `Range` header requests of `sizeBytes` bytes. One that is malformed, or has several ranges, is ignored. */
export const parseRange = (header: string | undefined, sizeBytes: number): Range => {
  const match = /^bytes=\s*(?:(\d+)\s*-\s*(\d*)|-\s*(\d+))\s*$/.exec(header ?? "")
  if (match === null) return whole
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), sizeBytes)
    return length === 0 ? { _tag: "Unsatisfiable" } : { _tag: "Part", start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== "" && Number(last) < start) return whole
  return start >= sizeBytes ? { _tag: "Unsatisfiable" } : { _tag: "Part", start, end }
}
