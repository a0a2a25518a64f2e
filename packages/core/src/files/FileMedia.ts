/**
 * What was found inside a file: tags of a track, facts of a picture. As it is
 * kept, and as `FileRecord.media` shows it by the file's type.
 *
 * Contract: "Files", FileRecord.
 */
import { Schema } from "effect"
import type { FileType } from "../shared/FileType.ts"
import { FileId } from "../shared/Ids.ts"
import * as MusicalKey from "./MusicalKey.ts"

const time = Schema.String.annotate({ format: "date-time" })

const Location = Schema.Struct({ latitude: Schema.Finite, longitude: Schema.Finite })

/** What was found inside the file, by its `type`. Durations are seconds, sizes pixels. */
export const Media = Schema.Union([
  Schema.Struct({
    title: Schema.NullOr(Schema.String),
    artists: Schema.Array(Schema.String),
    album: Schema.NullOr(Schema.String),
    genre: Schema.NullOr(Schema.String),
    duration: Schema.NullOr(Schema.Finite),
    tempo: Schema.NullOr(Schema.Finite),
    key: Schema.NullOr(Schema.String),
    coverId: Schema.NullOr(FileId)
  }),
  Schema.Struct({
    title: Schema.NullOr(Schema.String),
    duration: Schema.NullOr(Schema.Finite),
    width: Schema.NullOr(Schema.Int),
    height: Schema.NullOr(Schema.Int),
    recordedTime: Schema.NullOr(time),
    location: Schema.NullOr(Location),
    thumbnailId: Schema.NullOr(FileId)
  }),
  Schema.Struct({
    title: Schema.NullOr(Schema.String),
    width: Schema.NullOr(Schema.Int),
    height: Schema.NullOr(Schema.Int),
    takenTime: Schema.NullOr(time),
    location: Schema.NullOr(Location),
    camera: Schema.NullOr(Schema.String)
  })
])
export type Media = typeof Media.Type

/** A row of `file_media`, in the words of its columns. Null and empty: not found. */
export interface FoundMedia {
  readonly title: string | null
  readonly artists: ReadonlyArray<string>
  readonly album: string | null
  readonly genre: string | null
  /** Seconds. */
  readonly duration: number | null
  /** Beats a minute, as measured. */
  readonly tempo: number | null
  /** Beats a minute, as the track's tag says. */
  readonly tagged_tempo: number | null
  /** As {@link MusicalKey} numbers keys. */
  readonly key: number | null
  /** Pixels, as shown: rotation applied. */
  readonly width: number | null
  readonly height: number | null
  /** When a photo was taken or a video recorded, ISO 8601. */
  readonly taken_time: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly camera: string | null
}

/** The same as it is read with its file; all null where nothing was found. */
export interface StoredMedia {
  readonly hasMedia: boolean
  readonly title: string | null
  readonly artists: ReadonlyArray<string> | null
  readonly album: string | null
  readonly genre: string | null
  readonly duration: number | null
  readonly tempo: number | null
  readonly taggedTempo: number | null
  readonly key: number | null
  readonly width: number | null
  readonly height: number | null
  readonly takenTime: Date | null
  readonly latitude: number | null
  readonly longitude: number | null
  readonly camera: string | null
}

/** What a record shows of it; null where nothing was found, and for kinds that have none. */
export const shown = (
  file: StoredMedia & { readonly type: FileType },
  pictureId: FileId | null
): Media | null => {
  if (!file.hasMedia && pictureId === null) return null
  const { album, artists, camera, duration, genre, height, key, latitude, longitude, title, width } = file
  const location = latitude === null || longitude === null ? null : { latitude, longitude }
  const time = file.takenTime?.toISOString() ?? null
  switch (file.type) {
    case "Audio":
      return {
        title,
        artists: artists ?? [],
        album,
        genre,
        duration,
        tempo: file.tempo ?? file.taggedTempo,
        key: key === null ? null : MusicalKey.format(key),
        coverId: pictureId
      }
    case "Video":
      return { title, duration, width, height, recordedTime: time, location, thumbnailId: pictureId }
    case "Image":
      return { title, width, height, takenTime: time, location, camera }
    default:
      return null
  }
}
