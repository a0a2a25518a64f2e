/** Sorted texts in one run of bytes, and where each ends: found by binary search, and all with the same beginning are adjacent. */

/** Texts as they are kept: text `at` is `bytes` from `offsets[at]` up to `offsets[at + 1]`. */
export interface Dictionary {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const encode = (text: string): Uint8Array => encoder.encode(text)

export const lengthOf = ({ offsets }: Dictionary): number => offsets.length - 1

export const textAt = ({ bytes, offsets }: Dictionary, at: number): string =>
  decoder.decode(bytes.subarray(offsets[at], offsets[at + 1]))

/** Compares text `at` with `other` from `start` to `end`, byte by byte: the order of characters' codes. */
export const compareAt = (
  { bytes, offsets }: Dictionary,
  at: number,
  other: Uint8Array,
  start = 0,
  end = other.length
): number => {
  const from = offsets[at]!
  const length = offsets[at + 1]! - from
  const shared = Math.min(length, end - start)
  for (let step = 0; step < shared; step++) {
    const difference = bytes[from + step]! - other[start + step]!
    if (difference !== 0) return difference
  }
  return length - (end - start)
}

/** Compares text `at` of one with text `otherAt` of another. */
export const compareTexts = (one: Dictionary, at: number, other: Dictionary, otherAt: number): number =>
  compareAt(one, at, other.bytes, other.offsets[otherAt], other.offsets[otherAt + 1])

/** Whether text `at` begins with `beginning`. */
const beginsWith = ({ bytes, offsets }: Dictionary, at: number, beginning: Uint8Array): boolean => {
  const from = offsets[at]!
  if (offsets[at + 1]! - from < beginning.length) return false
  for (let step = 0; step < beginning.length; step++) {
    if (bytes[from + step] !== beginning[step]) return false
  }
  return true
}

/** The first `at` below `end` from `start` on for which `isPast`; once it is, it is for all after. */
export const firstThat = (start: number, end: number, isPast: (at: number) => boolean): number => {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isPast(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Where the text stands, or -1. */
export const find = (dictionary: Dictionary, text: Uint8Array): number => {
  const at = firstThat(0, lengthOf(dictionary), (at) => compareAt(dictionary, at, text) >= 0)
  return at < lengthOf(dictionary) && compareAt(dictionary, at, text) === 0 ? at : -1
}

/** Where the texts begin and end that begin so. */
export const findBeginning = (dictionary: Dictionary, beginning: Uint8Array): readonly [start: number, end: number] => {
  const start = firstThat(0, lengthOf(dictionary), (at) => compareAt(dictionary, at, beginning) >= 0)
  const end = firstThat(start, lengthOf(dictionary), (at) => !beginsWith(dictionary, at, beginning))
  return [start, end]
}
