/**
 * The search data of one file in view, made of all that is recorded of it. A doc is never changed: when anything of its
 * file changes, another doc replaces it.
 */
import type { SearchNumbers } from "../facts/SearchFacts.ts"
import { FileType } from "../shared/FileType.ts"
import type { FileId } from "../shared/Ids.ts"

export interface Doc extends SearchNumbers {
  readonly id: FileId
  /** When it was uploaded. Milliseconds since 1970, as every time here; it never changes. */
  readonly time: number
  /** Its index in {@link FileType}. */
  readonly type: number
  readonly isPublic: boolean
  readonly size: number
  /** The sort key of its name, in the order of characters' codes. */
  readonly nameKey: string
  /** Number of the folder it is in; null at the top of the drive. */
  readonly folderNo: number | null
  /** Words, pieces of runs without spaces, and tags by {@link tag}; each once. */
  readonly lexemes: ReadonlyArray<string>
}

/** A file whose doc changed lately; null: it no longer has one. */
export interface DocChange {
  readonly id: FileId
  readonly time: number
  readonly doc: Omit<Doc, "id" | "time"> | null
}

/** How a tag stands among words, which are of letters and digits alone. */
export const tag = (tagNo: string): string => `#${tagNo}`

/** How a musical key stands among words: segments find those of a key as they find those of a word. */
export const keyLexeme = (key: number): string => `~${key}`

export const typeNo = (type: FileType): number => FileType.literals.indexOf(type)

/** Orders texts as their UTF-8 is: by characters, where `<` goes by halves of those beyond the first 65,536. */
export const compareText = (a: string, b: string): number => {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (one === other) continue
    const [isHalf, isOtherHalf] = [isSurrogate(one), isSurrogate(other)]
    return isHalf === isOtherHalf ? one - other : isHalf ? 1 : -1
  }
  return a.length - b.length
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

/** The order docs are kept in: the oldest first. */
export const compareTime = (a: Doc, b: Doc): number => a.time - b.time || compareIds(a.id, b.id)

/** As the database orders ids. */
export const compareIds = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0
