/** The fields that facts are made of, as each kind of tag writes them, and which tag counts where a file has several. */
import type { IAudioMetadata } from "music-metadata"
import { decoderOf } from "./CodePage.ts"
import { genresOf } from "./Genres.ts"
import * as Id3 from "./Id3.ts"
import { rawText, runsOf } from "./RawTexts.ts"

export type FieldName = "title" | "artist" | "artists" | "album" | "genre" | "tempo" | "key"

/** The values of a tag, by field. */
export type Fields = Readonly<Partial<Record<FieldName, ReadonlyArray<string>>>>

/** By the field's name in any kind of tag, in small letters. */
const fieldNames: Readonly<Record<FieldName, ReadonlyArray<string>>> = {
  title: ["tit2", "tt2", "title", "©nam", "inam", "titl", "name", "segment:title", "track:title"],
  artist: ["tpe1", "tp1", "artist", "author", "©art", "iart", "auth", "track:artist"],
  artists: ["txxx:artists", "artists", "wm/artists", "discogs_artists"],
  album: ["talb", "tal", "album", "wm/albumtitle", "©alb", "iprd", "irpd", "album:title"],
  genre: ["tcon", "tco", "genre", "wm/genre", "©gen", "gnre", "ignr", "track:genre"],
  tempo: ["tbpm", "tbp", "bpm", "wm/beatsperminute", "tmpo", "track:bpm"],
  key: ["tkey", "tke", "key", "wm/initialkey"]
}

const fieldByName: ReadonlyMap<string, FieldName> = new Map(
  (Object.entries(fieldNames) as ReadonlyArray<[FieldName, ReadonlyArray<string>]>)
    .flatMap(([field, names]) => names.map((name) => [name, field] as const))
)

/** Taggers that write into free fields name the key so. */
const keyName = /(?:^|[:/])(?:initial[ _]?key|key)$/i

const fieldOf = (id: string): FieldName | undefined => {
  const name = id.toLowerCase().replace(/^----:com\.apple\.itunes:/, "")
  return fieldByName.get(name) ?? (keyName.test(name) ? "key" : undefined)
}

interface Value {
  readonly id: string
  readonly text: string
}

const collected = (values: ReadonlyArray<Value>): Fields => {
  const fields: Partial<Record<FieldName, Array<string>>> = {}
  for (const { id, text } of values) {
    const field = fieldOf(id)
    const trimmed = text.replaceAll("\u0000", "").trim()
    if (field !== undefined && trimmed !== "") (fields[field] ??= []).push(trimmed)
  }
  return fields
}

/** Names like AC/DC and M/A/R/R/S, which hold the sign that parts artists in older tags. */
const isOneName = (parts: ReadonlyArray<string>): boolean => parts.every((part) => /^\p{Lu}{1,2}$/u.test(part))

/** Artists of ID3 before 2.4 are parted by `/`. */
const artistsOf = (text: string): ReadonlyArray<string> => {
  const parts = text.split("/").map((part) => part.trim()).filter((part) => part !== "")
  return isOneName(parts) ? [text] : parts
}

const ofId3 = ({ major, texts }: Id3.Id3): Fields => {
  // What is no UTF-8 is in an old code page as well, whatever is declared.
  const isOld = (bytes: Uint8Array, encoding: Id3.Id3Encoding) =>
    encoding === "latin1" || (encoding === "utf-8" && Id3.decoded(bytes, encoding).includes("\ufffd"))
  const decode = decoderOf(
    texts.flatMap(({ encoding, values }) => values.filter((bytes) => isOld(bytes, encoding)))
  )
  const values = texts.flatMap(({ encoding, id, values }) =>
    values.map((bytes) => ({ id, text: isOld(bytes, encoding) ? decode(bytes) : Id3.decoded(bytes, encoding) }))
  )
  const { artist, artists, genre, ...others } = collected(values)
  const several = major < 4 && artist?.length === 1 ? artistsOf(artist[0]!) : artist
  return {
    ...others,
    ...several !== undefined && { artist: several },
    ...artists !== undefined && { artists: major < 4 ? artists.flatMap(artistsOf) : artists },
    ...genre !== undefined && { genre: genresOf(genre) }
  }
}

/** Kinds of tag whose texts are Latin-1 by their rules. */
const latin1Kinds = new Set(["exif", "ID3v1"])

const isBytes = (text: string): boolean => !/[\u0100-\uffff]/.test(text)
const asBytes = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** The bytes of a field's text, where it may be in an old code page; `runs` is what is known of the file. */
const oldBytes = (kind: string, { id, text }: Value, runs: () => ReadonlyArray<Buffer>): Uint8Array | null => {
  if (latin1Kinds.has(kind)) return isBytes(text) ? asBytes(text) : null
  return text.includes("\ufffd") ? rawText(runs(), kind, id, text) : null
}

const ofNative = (
  kind: string,
  tags: IAudioMetadata["native"][string],
  runs: () => ReadonlyArray<Buffer>
): Fields => {
  const values = tags.flatMap(({ id, value }) =>
    typeof value === "string" || typeof value === "number" ? [{ id, text: String(value) }] : []
  )
  const known = values.map((value) => ({ ...value, bytes: oldBytes(kind, value, runs) }))
  const decode = decoderOf(known.flatMap(({ bytes }) => bytes ?? []))
  // Some programs write UTF-8 into what is UTF-16, each byte as a character.
  const unmixed = (text: string) => isBytes(text) ? decoderOf([])(asBytes(text)) : text
  return collected(known.map(({ bytes, id, text }) => ({ id, text: bytes === null ? unmixed(text) : decode(bytes) })))
}

/** Which counts, field by field: the file's own kind of tag first. Of MP3 and AAC that is ID3. */
const order = ["matroska", "APEv2", "vorbis", "ID3v2", "asf", "iTunes", "exif", "AIFF", "ID3v1"]
const orderOfMpeg = ["ID3v2", ...order.filter((kind) => kind !== "ID3v2")]

const isMpeg = ({ container }: IAudioMetadata["format"]): boolean => /^(?:MPEG|ADTS)/i.test(container ?? "")

/** The tags of a file, those that count first. */
const tagsOf = (
  { format, native }: IAudioMetadata,
  id3: ReadonlyArray<Id3.Id3>,
  runs: () => ReadonlyArray<Buffer>
): ReadonlyArray<Fields> =>
  (isMpeg(format) ? orderOfMpeg : order).flatMap((kind) =>
    kind === "ID3v2" ? id3.map(ofId3) : native[kind] === undefined ? [] : [ofNative(kind, native[kind], runs)]
  )

/** The fields of a file: each from the first tag that has it, artists from one tag alone. */
export const fieldsOf = (
  metadata: IAudioMetadata,
  id3: ReadonlyArray<Id3.Id3>,
  blocks: ReadonlyMap<number, Uint8Array>
): Fields => {
  let known: ReadonlyArray<Buffer> | null = null
  const tags = tagsOf(metadata, id3, () => known ??= runsOf(blocks))
  const first = (name: FieldName) => tags.find((fields) => fields[name] !== undefined)?.[name] ?? []
  const ofArtists = tags.find(({ artist, artists }) => artist !== undefined || artists !== undefined)
  return {
    title: first("title"),
    artists: [...new Set(ofArtists?.artists ?? ofArtists?.artist ?? [])],
    album: first("album"),
    genre: first("genre"),
    tempo: first("tempo"),
    key: first("key")
  }
}
