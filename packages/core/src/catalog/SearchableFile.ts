/** What one file is found by, made of what is recorded of it. */
import { DateTime } from "effect"
import * as Doc from "../docindex/Doc.ts"
import * as NameKey from "../docindex/NameKey.ts"
import * as Words from "../docindex/Words.ts"
import type { FoundMedia } from "../files/FileMedia.ts"
import type { FileType } from "../shared/FileType.ts"
import type { FileId } from "../shared/Ids.ts"
import { utf8Length } from "../shared/Text.ts"

/** A file in view, as its doc is made of it. */
export interface SearchableFile {
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
  /** What was found inside, as columns of `file_media` say it; null where nothing was. */
  readonly title: string | null
  readonly artists: ReadonlyArray<string> | null
  readonly album: string | null
  readonly genre: string | null
  readonly takenTime: Date | null
  readonly duration: number | null
  readonly tempo: number | null
  readonly taggedTempo: number | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly key: number | null
}

/** What of it was found inside. */
export const foundIn = (media: FoundMedia | null) => ({
  title: media?.title ?? null,
  artists: media?.artists ?? null,
  album: media?.album ?? null,
  genre: media?.genre ?? null,
  takenTime: media?.taken_time ? DateTime.toDateUtc(DateTime.makeUnsafe(media.taken_time)) : null,
  duration: media?.duration ?? null,
  tempo: media?.tempo ?? null,
  taggedTempo: media?.tagged_tempo ?? null,
  latitude: media?.latitude ?? null,
  longitude: media?.longitude ?? null,
  key: media?.key ?? null
})

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
    taken: file.takenTime?.getTime() ?? null,
    duration: file.duration,
    tempo: file.tempo ?? file.taggedTempo,
    latitude: file.latitude,
    longitude: file.longitude,
    key: file.key,
    lexemes: [...lexemes]
  }
}

/** What matters most first. */
const texts = ({ album, artists, description, fileName, genre, tags, title }: SearchableFile): ReadonlyArray<string> =>
  [fileName, ...tags.map(({ text }) => text), title, ...(artists ?? []), album, genre, description]
    .filter((text): text is string => text !== null)
