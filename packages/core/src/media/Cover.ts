/** Payloads and results of setting a cover, and its pure rules. */
import { Data, Result, Schema } from "effect"
import { InvalidField } from "../shared/DriveError.ts"
import type { FileType } from "../shared/FileType.ts"
import { FileId, ListId } from "../shared/Ids.ts"

/** One of `trackId` and `playlistId`. */
export const NewCover = Schema.Struct({
  imageId: FileId,
  trackId: Schema.optionalKey(FileId),
  playlistId: Schema.optionalKey(ListId)
})
export type NewCover = typeof NewCover.Type

export const SetCover = Schema.Union([
  Schema.Struct({
    trackId: FileId,
    /** The track's copy of the image; with its lasting link when the track is public. */
    art: Schema.Struct({ id: FileId, downloadUrl: Schema.NullOr(Schema.String) })
  }),
  Schema.Struct({ playlistId: ListId, title: Schema.String, isPublic: Schema.Boolean })
])
export type SetCover = typeof SetCover.Type

/** One of `timestampSeconds` and `imageId`. */
export const NewThumbnail = Schema.Struct({
  videoId: FileId,
  timestampSeconds: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  imageId: Schema.optionalKey(FileId)
}).pipe(Schema.brand("NewThumbnail"))
export type NewThumbnail = typeof NewThumbnail.Type

/** Names of file types for sentences. */
export const kinds: { readonly [type in FileType]?: string } = { Audio: "a track", Image: "an image", Video: "a video" }

type Target = Data.TaggedEnum<{ Track: { readonly id: FileId }; Playlist: { readonly id: ListId } }>
const Target = Data.taggedEnum<Target>()

type Origin = Data.TaggedEnum<{ Image: { readonly id: FileId }; Moment: { readonly atSeconds: number } }>
const Origin = Data.taggedEnum<Origin>()

/** What the cover is for. */
export const targetOf = ({ playlistId, trackId }: NewCover): Result.Result<Target, InvalidField> => {
  if (trackId !== undefined) {
    return playlistId === undefined
      ? Result.succeed(Target.Track({ id: trackId }))
      : Result.fail(both("playlistId", "trackId"))
  }
  return playlistId === undefined
    ? Result.fail(neither("trackId", "playlistId"))
    : Result.succeed(Target.Playlist({ id: playlistId }))
}

/** Where the thumbnail is from. */
export const originOf = ({ imageId, timestampSeconds }: NewThumbnail): Result.Result<Origin, InvalidField> => {
  if (timestampSeconds !== undefined) {
    if (imageId !== undefined) return Result.fail(both("imageId", "timestampSeconds"))
    return Result.succeed(Origin.Moment({ atSeconds: timestampSeconds }))
  }
  return imageId === undefined
    ? Result.fail(neither("timestampSeconds", "imageId"))
    : Result.succeed(Origin.Image({ id: imageId }))
}

export const pastEnd = (durationSeconds: number) =>
  invalid(
    "timestampSeconds",
    `is past the end: the video is ${Math.round(durationSeconds * 1000) / 1000} seconds long`
  )

const invalid = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })

const both = (field: string, other: string) => invalid(field, `cannot be given together with ${other}`)

const neither = (field: string, other: string) =>
  new InvalidField({ code: "missing_field", field, because: `is missing; send it or ${other}` })
