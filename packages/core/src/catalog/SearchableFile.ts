/** Makes the search doc of a file from what is recorded of it. */
import * as Doc from "../docindex/Doc.ts"
import * as NameKey from "../docindex/NameKey.ts"
import * as Words from "../docindex/Words.ts"
import type { StoredFacts } from "../facts/MediaFact.ts"
import * as SearchFacts from "../facts/SearchFacts.ts"
import type { FileType } from "../shared/FileType.ts"
import type { FileId } from "../shared/Ids.ts"
import { utf8Length } from "../shared/Text.ts"

/** A file in view, as its doc is made of it. */
export interface SearchableFile extends StoredFacts {
  readonly id: FileId
  readonly insertTime: Date
  readonly type: FileType
  readonly isPublic: boolean
  readonly sizeBytes: number
  readonly fileName: string
  readonly description: string | null
  /** Number of its folder. */
  readonly folderNo: number | null
  readonly tags: ReadonlyArray<{ readonly no: string; readonly text: string }>
}

/** Bytes of a file's words that are kept. A file of more is found by its first ones. */
const lexemesMaxBytes = 900_000

export const docOf = (file: SearchableFile): Doc.Doc => {
  const lexemes = new Set(file.tags.map(({ no }) => Doc.tag(no)))
  let bytes = 0
  const add = (lexeme: string): void => {
    if (lexemes.has(lexeme)) return
    bytes += utf8Length(lexeme)
    if (bytes <= lexemesMaxBytes) lexemes.add(lexeme)
  }
  for (const text of texts(file)) {
    const { grams, words } = Words.index(text)
    for (const word of words) add(word)
    for (const gram of grams) add(gram)
  }
  return {
    id: file.id,
    time: file.insertTime.getTime(),
    type: Doc.typeNo(file.type),
    isPublic: file.isPublic,
    size: file.sizeBytes,
    nameKey: NameKey.of(file.fileName),
    folderNo: file.folderNo,
    ...SearchFacts.numbers(file),
    lexemes: [...lexemes]
  }
}

/** What matters most first. */
const texts = (file: SearchableFile): ReadonlyArray<string> => [
  file.fileName,
  ...file.tags.map(({ text }) => text),
  ...SearchFacts.texts(file),
  ...(file.description === null ? [] : [file.description])
]
