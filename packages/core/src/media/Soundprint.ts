/**
 * Comparing soundprints: Chromaprint's numbers of a track, eight a second.
 *
 * Two recordings are the same when their prints agree in most bits over a long
 * enough stretch, wherever in either it begins.
 */
import type { AccountId } from "../shared/Ids.ts"

/** A soundprint: unsigned 32-bit numbers. */
export type Soundprint = Uint32Array

/** Numbers kept of one track: the two minutes Chromaprint looks at, and room for more. */
const maxLength = 4_096

/** Keys that a track is found by. */
export const keysMaxCount = 128

export const make = (numbers: ReadonlyArray<number>): Soundprint => Uint32Array.from(numbers.slice(0, maxLength))

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
 * What a track is looked up by: of its different numbers, mixed with the account's, the smallest. Which those are
 * is the same for every track, so two that share many numbers share many keys.
 */
export const keys = (accountId: AccountId, print: Soundprint): ReadonlyArray<number> => {
  const seed = seedOf(accountId)
  const mixed = new Set<number>()
  for (const number of print) mixed.add(mix(number ^ seed))
  return [...Int32Array.from(mixed).sort()].slice(0, keysMaxCount)
}
