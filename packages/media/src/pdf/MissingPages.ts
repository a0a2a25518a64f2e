/**
 * Pages that a PDF lists and does not have. At the first of them the library gives up, for all pages after it; so each is
 * made an empty page, in place of what points to it.
 */
import { constants, inflateSync } from "node:zlib"

export interface Mended {
  readonly bytes: Uint8Array
  /** Objects that were added as empty pages; other empty pages have no number of their own. */
  readonly added: ReadonlySet<number>
}

/** Objects packed in streams are unpacked up to here, in all. */
const unpackedMaxBytes = 64e6
/** What says how a stream is packed, and what is on a page, is far shorter. */
const dictionaryMaxBytes = 4096

interface Found {
  /** The whole file, or the stream that it is packed in. */
  readonly within: Buffer
  readonly at: number
  readonly end: number
  readonly isPacked: boolean
}

type Objects = ReadonlyMap<number, Found>

const textOf = ({ at, end, within }: Found): string => within.toString("latin1", at, end)

const headOf = ({ at, end, within }: Found): string =>
  within.toString("latin1", at, Math.min(end, at + dictionaryMaxBytes))

/** The objects that stand in the file as they are; of several with the same number the last. */
const plainObjects = (file: Buffer): Map<number, Found> => {
  const objects = new Map<number, Found>()
  let begun: { readonly number: number; readonly at: number } | null = null
  const endAt = (end: number) => {
    if (begun !== null) objects.set(begun.number, { within: file, at: begun.at, end, isPacked: false })
    begun = null
  }
  for (let at = file.indexOf("obj"); at >= 0; at = file.indexOf("obj", at + 3)) {
    const before = file.toString("latin1", Math.max(0, at - 24), at)
    const number = /(?:^|\D)(\d{1,10})\s+\d{1,5}\s+$/.exec(before)?.[1]
    if (number === undefined && !before.endsWith("end")) continue
    endAt(number === undefined ? at - 3 : at)
    if (number !== undefined) begun = { number: Number(number), at: at + 3 }
  }
  endAt(file.length)
  return objects
}

/** Objects that are packed together in a stream; null when they can't be unpacked, as in a locked file. */
const packedObjects = (
  file: Buffer,
  { at, end }: Found,
  maxOutputLength: number
): ReadonlyArray<readonly [number, Found]> | null => {
  const begin = file.indexOf("stream", at)
  const dictionary = file.toString("latin1", at, begin)
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1])
  const isLineFeed = file[begin + 6] === 0x0a
  const packed = file.subarray(begin + (isLineFeed ? 7 : 8), end)
  let within = packed
  try {
    // What follows the packed bytes is not looked at.
    if (dictionary.includes("/FlateDecode")) {
      within = inflateSync(packed, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
    }
  } catch {
    return null
  }
  const words = within.toString("latin1", 0, first).trim().split(/\s+/).map(Number)
  if (words.length % 2 === 1 || words.some((word) => !Number.isInteger(word))) return null
  return Array.from({ length: words.length / 2 }, (_, i) => {
    const next = words[i * 2 + 3]
    const found = {
      within,
      at: first + words[i * 2 + 1]!,
      end: next === undefined ? within.length : first + next,
      isPacked: true
    }
    return [words[i * 2]!, found] as const
  })
}

const allObjects = (file: Buffer): Objects | null => {
  const plain = plainObjects(file)
  const objects = new Map(plain)
  let left = unpackedMaxBytes
  for (const found of plain.values()) {
    if (!/\/ObjStm\b[^]*>>\s*stream\r?\n/.test(headOf(found))) continue
    const packed = left > 0 ? packedObjects(file, found, left) : null
    if (packed === null) return null
    left -= packed[0]?.[1].within.length ?? 0
    for (const [number, one] of packed) objects.set(number, one)
  }
  return objects
}

/** Whether it can be a page, or a list of pages: a dictionary, and not a stream, which begins with one. */
const canBePage = (found: Found | undefined): boolean =>
  found !== undefined && /^\s*<</.test(headOf(found)) && !/>>\s*stream\r?\n/.test(headOf(found))

/** The list of the pages of a dictionary; it may be an object of its own. */
const listOf = (objects: Objects, dictionary: Found): Found | null => {
  if (!dictionary.within.subarray(dictionary.at, dictionary.end).includes("/Kids")) return null
  const text = textOf(dictionary)
  const kids = /\/Kids\s*(?:\[|(\d+)\s+\d+\s+R)/.exec(text)
  if (kids === null || !/\/Count\b/.test(text) || !/\/Type\s*\/Pages\b/.test(text)) return null
  return kids[1] === undefined
    ? { ...dictionary, at: dictionary.at + kids.index }
    : objects.get(Number(kids[1])) ?? null
}

/** The file with an empty page for each that is not there, some written over it; null when none is missing, or it can't be told. */
export const mended = (bytes: Uint8Array): Mended | null => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const objects = allObjects(file)
  if (objects === null) return null
  const added = new Set<number>()
  let isEdited = false
  for (const dictionary of objects.values()) {
    const list = listOf(objects, dictionary)
    if (list === null) continue
    for (const kid of textOf(list).split("]", 1)[0]!.matchAll(/(\d+)\s+\d+\s+R\b/g)) {
      const number = Number(kid[1])
      if (canBePage(objects.get(number))) continue
      if (!list.isPacked) {
        file.write("<<>>".padEnd(kid[0].length), list.at + kid.index, "latin1")
        isEdited = true
      } else if (!objects.has(number)) {
        added.add(number)
      }
    }
  }
  if (added.size === 0) return isEdited ? { bytes: new Uint8Array(file), added } : null
  // With a table of objects that is wrong, the library looks for all of them.
  const pages = [...added].map((number) => `\n${number} 0 obj\n<</Type/Page>>\nendobj`)
  const whole = Buffer.concat([file, Buffer.from(`${pages.join("")}\nstartxref\n0\n%%EOF\n`)])
  return { bytes: new Uint8Array(whole), added }
}
