/** What one file is found by, made of what is recorded of it. */
import type { FileType } from "../shared/FileType.ts"
import type { FileId } from "../shared/Ids.ts"
import { utf8Length } from "../shared/Text.ts"
import * as Lexeme from "./Lexeme.ts"
import * as NameKey from "./NameKey.ts"
import * as Words from "./Words.ts"

/** A file in view, as its words are made of it. */
export interface Findable {
  readonly id: FileId
  readonly accountNo: number
  readonly type: FileType
  readonly isPublic: boolean
  readonly fileName: string
  readonly description: string | null
  /** Its folder and those above it. */
  readonly folderNos: ReadonlyArray<string>
  readonly tags: ReadonlyArray<{ readonly no: string; readonly text: string }>
  readonly title: string | null
  readonly artists: ReadonlyArray<string> | null
  readonly album: string | null
  readonly genre: string | null
}

export interface SearchRow {
  readonly id: FileId
  readonly nameKey: string
  readonly lexemes: ReadonlyArray<string>
  /** Those that are kept to find whole words by their beginnings. */
  readonly words: ReadonlyArray<string>
}

/** PostgreSQL holds a mebibyte of lexemes in a row. A file of more words is found by its first ones. */
const lexemesMaxBytes = 900_000

export const of = (file: Findable): SearchRow => {
  const { accountNo } = file
  const lexemes = new Set([
    Lexeme.type(accountNo, file.type),
    Lexeme.access(accountNo, file.isPublic),
    ...file.folderNos.map(Lexeme.folder),
    ...file.tags.map(({ no }) => Lexeme.tag(no))
  ])
  const words = new Set<string>()
  let bytes = 0
  const add = (text: string): boolean => {
    const lexeme = Lexeme.word(accountNo, text)
    if (lexemes.has(lexeme)) return true
    bytes += utf8Length(lexeme)
    if (bytes > lexemesMaxBytes) return false
    lexemes.add(lexeme)
    return true
  }
  for (const text of texts(file)) {
    const index = Words.index(text)
    for (const word of index.words) {
      if (add(word) && Words.isLookedUp(word)) words.add(word)
    }
    for (const gram of index.grams) add(gram)
  }
  return { id: file.id, nameKey: NameKey.of(file.fileName), lexemes: [...lexemes], words: [...words] }
}

/** What matters most first. */
const texts = ({ album, artists, description, fileName, genre, tags, title }: Findable): ReadonlyArray<string> =>
  [fileName, ...tags.map(({ text }) => text), title, ...(artists ?? []), album, genre, description]
    .filter((text): text is string => text !== null)
