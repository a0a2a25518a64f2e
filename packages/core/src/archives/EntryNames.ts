/**
 * What files are called inside an archive, so that it can be unpacked anywhere:
 * on systems that ignore case, forbid characters or know devices by name, and
 * never outside the folder it is unpacked into. Pure. Contract: "Files".
 */
import { foldCase, utf8Length } from "../shared/Text.ts"

/** A file as its owner names it. */
export interface NamedFile {
  /** Path of its folder like `/A/B`, or null at the top. */
  readonly folderPath: string | null
  readonly fileName: string
}

/** Longest name of a file or folder, in UTF-8 bytes: as much as file systems take. */
const segmentMaxBytes = 255

// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u001f\u007f-\u009f\\/:*?"<>|]/g

/** Windows takes these for devices, with any extension too. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i

/** Windows drops these at the end of a name; a name of dots alone leads elsewhere. */
const droppedEnd = /[. ]+$/

const extension = /(?<=.)\.[\p{L}\p{N}_-]{1,16}$/u

const encoder = new TextEncoder()

/** As much of the beginning of `text` as fits, in whole characters. */
const cut = (text: string, maxBytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read)

/** `stem`, `mark` and `ending` in one name, the stem shortened where it is too long. */
const joined = (stem: string, mark: string, ending: string): string => {
  const room = segmentMaxBytes - utf8Length(mark + ending)
  const fitting = utf8Length(stem) <= room ? stem : cut(stem, room).replace(droppedEnd, "")
  return fitting + mark + ending
}

const split = (name: string): readonly [stem: string, ending: string] => {
  const ending = extension.exec(name)?.[0] ?? ""
  return [name.slice(0, name.length - ending.length), ending]
}

/** A name that every system takes for that of one file or folder. */
export const segment = (given: string): string => {
  const plain = given.toWellFormed().normalize("NFC").replace(forbidden, "_").replace(droppedEnd, "")
  const name = plain === "" ? "_" : device.test(plain) ? `_${plain}` : plain
  const [stem, ending] = split(name)
  return joined(stem, "", ending)
}

/** The path of a folder as archives have it, with a `/` at its end; empty for the top. */
const folder = (path: string | null): string =>
  path === null ? "" : path.split("/").filter((name) => name !== "").map((name) => `${segment(name)}/`).join("")

/** The folders of `path`, from the outermost: `a`, `a/b` of `a/b/`. */
const outwards = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

/**
 * Names files of one archive, one after another: each with its folder's path, and no two the same where case and the
 * spelling of accents don't matter. The second of two gets ` (2)` before its extension. No file is called like a folder:
 * `folderPaths` are those of all files that are to be named.
 */
export const namer = (folderPaths: Iterable<string | null>): (file: NamedFile) => string => {
  const folders = new Map<string | null, string>()
  const taken = new Set<string>()
  for (const folderPath of folderPaths) {
    if (folders.has(folderPath)) continue
    const path = folder(folderPath)
    folders.set(folderPath, path)
    for (const each of outwards(path)) taken.add(foldCase(each))
  }
  /** How many of one name there are, so that thousands of them are not counted anew for each. */
  const counts = new Map<string, number>()
  return ({ fileName, folderPath }) => {
    const path = folders.get(folderPath) ?? folder(folderPath)
    const name = segment(fileName)
    const key = foldCase(path + name)
    if (!taken.has(key)) {
      taken.add(key)
      return path + name
    }
    const [stem, ending] = split(name)
    let count = counts.get(key) ?? 1
    let unique: string
    do unique = path + joined(stem, ` (${++count})`, ending)
    while (taken.has(foldCase(unique)))
    counts.set(key, count)
    taken.add(foldCase(unique))
    return unique
  }
}
