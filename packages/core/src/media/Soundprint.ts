/**
 * Comparing soundprints: Chromaprint's numbers of a track, eight a second, each
 * of 32 bits that say how the sound changes.
 *
 * Two tracks are the same recording when their numbers agree in most bits over all
 * that both have, wherever in either it begins. Another encoding of a recording differs
 * in 1 % of bits, a bad one in 10 to 20, another song in half of them.
 */
import type { AccountId } from "../shared/Ids.ts"

/** A soundprint: unsigned 32-bit numbers. */
export type Soundprint = Uint32Array

/** Numbers kept of one track: Chromaprint reads two minutes; this is room for eight. */
const maxLength = 4_096

/** Fewest numbers that are compared, and fewest different ones: below, nothing can be told. */
const minLength = 16
const minDifferent = 8

/** Bits that may differ, of all; with less sound than {@link enoughLength}, some ten seconds, fewer. */
const errorMax = 0.35
const enoughLength = 80

/** Keys that a track is looked up by. */
export const keysMaxCount = 96

/** Low bits that a key leaves out: they are the first to change when a track is encoded again. */
const looseBits = 4

/**
 * A soundprint of these numbers; null when they are too few or too much alike to know a recording by, as those of a tone
 * or of clicks.
 */
export const make = (numbers: ReadonlyArray<number>): Soundprint | null => {
  const print = Uint32Array.from(numbers.slice(0, maxLength))
  return isTelling(print) ? print : null
}

const isTelling = (print: Soundprint): boolean => {
  const different = new Set(print).size
  return print.length >= minLength && different >= minDifferent && different * 20 >= print.length
}

/** As bytes, each number little-endian. */
export const encode = (print: Soundprint): Uint8Array => {
  const bytes = new Uint8Array(print.length * 4)
  const view = new DataView(bytes.buffer)
  print.forEach((number, index) => view.setUint32(index * 4, number, true))
  return bytes
}

export const decode = (bytes: Uint8Array): Soundprint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: bytes.byteLength >> 2 }, (_, index) => view.getUint32(index * 4, true))
}

/** Mixes a number so that every bit of it depends on every bit. */
const mix = (number: number): number => {
  let h = number | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** A number of an account's own. */
const seedOf = (accountId: AccountId): number => {
  let h = 0
  for (const char of accountId.toLowerCase()) h = mix(h ^ char.charCodeAt(0))
  return h
}

/**
 * The keys that a track is looked up by among an account's: of its different numbers, mixed with the account, the smallest. Which
 * those are is settled by the numbers alone, so tracks share keys as they share numbers: the same recording dozens,
 * badly encoded or cut still about ten of 96, another song none or one.
 */
export const keys = (accountId: AccountId, print: Soundprint): ReadonlyArray<number> => {
  const seed = seedOf(accountId)
  const mixed = new Set<number>()
  for (const number of print) mixed.add(mix((number >>> looseBits) ^ seed))
  return [...Int32Array.from(mixed).sort()].slice(0, keysMaxCount)
}

/**
 * How alike two tracks are, from 0 (no more than any two are) to 1 (bit by bit), where they are most; null when that is not
 * the same recording.
 */
export const compare = (one: Soundprint, other: Soundprint): number | null => {
  let least: number | null = null
  for (const shift of shifts(one, other)) {
    const error = errorAt(one, other, shift)
    if (error !== null && (least === null || error < least)) least = error
  }
  return least === null ? null : 1 - 2 * least
}

/** Positions of one number that are compared, and shifts that are tried: a loop has many, and one is as good as another. */
const placesMaxCount = 8
const shiftsMaxCount = 6

/** How far `other` may be shifted against `one`: as most of the numbers that both have say. */
const shifts = (one: Soundprint, other: Soundprint): ReadonlyArray<number> => {
  const places = new Map<number, Array<number>>()
  one.forEach((number, index) => {
    const at = places.get(number >>> looseBits)
    if (at === undefined) places.set(number >>> looseBits, [index])
    else if (at.length < placesMaxCount) at.push(index)
  })
  const votes = new Map<number, number>()
  other.forEach((number, index) => {
    for (const place of places.get(number >>> looseBits) ?? []) {
      votes.set(place - index, (votes.get(place - index) ?? 0) + 1)
    }
  })
  return [...votes].sort((a, b) => b[1] - a[1]).slice(0, shiftsMaxCount).map(([shift]) => shift)
}

/** The part of bits that differ where both have sound; null when that is too little, or too much differs. */
const errorAt = (one: Soundprint, other: Soundprint, shift: number): number | null => {
  const start = Math.max(0, shift)
  const end = Math.min(one.length, other.length + shift)
  const length = end - start
  const shorter = Math.min(one.length, other.length)
  if (length < Math.max(minLength, Math.min(enoughLength, shorter * 0.75), shorter / 3)) return null
  let bits = 0
  for (let index = start; index < end; index++) bits += countBits(one[index]! ^ other[index - shift]!)
  const error = bits / (32 * length)
  if (error > errorMax * Math.min(1, length / enoughLength)) return null
  // Two tracks that are both silent for a while have that in common with all that are.
  return isTelling(one.subarray(start, end)) ? error : null
}

const countBits = (number: number): number => {
  let n = number - ((number >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
