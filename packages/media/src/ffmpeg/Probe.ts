/** The result of ffprobe for a file. */
import { DriveError } from "@filedrive/core"
import { Effect, Result, Schema } from "effect"
import { plausibleDuration } from "../plausibleDuration.ts"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { decoderOf } from "../tags/CodePage.ts"
import { type Ffmpeg, inputOptions } from "./Ffmpeg.ts"

const Tags = Schema.Record(Schema.String, Schema.String)

const Stream = Schema.Struct({
  index: Schema.Int,
  codec_type: Schema.optionalKey(Schema.String),
  codec_name: Schema.optionalKey(Schema.String),
  pix_fmt: Schema.optionalKey(Schema.String),
  start_time: Schema.optionalKey(Schema.String),
  duration: Schema.optionalKey(Schema.String),
  width: Schema.optionalKey(Schema.Number),
  height: Schema.optionalKey(Schema.Number),
  sample_aspect_ratio: Schema.optionalKey(Schema.String),
  color_primaries: Schema.optionalKey(Schema.String),
  color_transfer: Schema.optionalKey(Schema.String),
  r_frame_rate: Schema.optionalKey(Schema.String),
  avg_frame_rate: Schema.optionalKey(Schema.String),
  disposition: Schema.optionalKey(Schema.Struct({ attached_pic: Schema.optionalKey(Schema.Number) })),
  tags: Schema.optionalKey(Tags),
  side_data_list: Schema.optionalKey(Schema.Array(Schema.Struct({ rotation: Schema.optionalKey(Schema.Number) })))
})
export type Stream = typeof Stream.Type

const Probe = Schema.Struct({
  streams: Schema.Array(Stream),
  format: Schema.Struct({
    format_name: Schema.String,
    size: Schema.optionalKey(Schema.String),
    duration: Schema.optionalKey(Schema.String),
    start_time: Schema.optionalKey(Schema.String),
    tags: Schema.optionalKey(Tags)
  })
})
export type Probe = typeof Probe.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Probe))

type TagSet = typeof Tags.Type

/** The same with its texts decoded: what is no UTF-8 in an old code page, as AVI has it. */
const withTexts = (probe: Probe): Probe => {
  const asBytes = (text: string) => Buffer.from(text, "latin1")
  const sets = [probe.format.tags, ...probe.streams.map(({ tags }) => tags)]
  const read = decoderOf(sets.flatMap((tags) => Object.values(tags ?? {}).map(asBytes)))
  const decoded = (tags: TagSet): TagSet =>
    Object.fromEntries(Object.entries(tags).map(([name, text]) => [name, read(asBytes(text))]))
  const withTags = <A extends { readonly tags?: TagSet }>(one: A): A =>
    one.tags === undefined ? one : { ...one, tags: decoded(one.tags) }
  return { ...probe, format: withTags(probe.format), streams: probe.streams.map(withTags) }
}

/** The entries that are requested: the others could be long. */
const entries = [
  "format=format_name,size,duration,start_time:format_tags",
  "stream=index,codec_type,codec_name,pix_fmt,r_frame_rate,avg_frame_rate,start_time,duration,width,height,sample_aspect_ratio,color_primaries,color_transfer:stream_tags:stream_disposition=attached_pic:stream_side_data=rotation"
].join(":")

const args = (url: string): ReadonlyArray<string> =>
  [...inputOptions, ["-v", "error"], ["-of", "json=string_validation=ignore"], ["-show_entries", entries], ["-i", url]]
    .flat()

const unreadable = () =>
  new DriveError.Unreadable({
    because: "This file could not be opened: it is damaged, or neither sound nor video of a known kind."
  })

/** Runs ffprobe. `Unreadable` when it can't open the file, or isn't installed. */
export const probe = (
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks
): Effect.Effect<Probe, DriveError.Unreadable | DriveError.Unavailable> =>
  ffmpeg.run("ffprobe", blocks, args, { outputMaxBytes: 2e6 }).pipe(
    Effect.flatMap(({ exitCode, lastWords, output }) => {
      // Texts as their bytes, which may be in an old code page.
      const told = decode(Buffer.from(output).toString("latin1"))
      if (exitCode === 0 && Result.isSuccess(told)) return Effect.succeed(withTexts(told.success))
      return Effect.logDebug(`ffprobe could not open a file: ${lastWords.trim()}`).pipe(
        Effect.andThen(Effect.fail(unreadable()))
      )
    })
  )

/** The video stream that is shown; a cover is not one. */
export const pictures = ({ streams }: Probe): Stream | undefined =>
  streams.find(({ codec_type, disposition }) => codec_type === "video" && disposition?.attached_pic !== 1)

export const hasSound = ({ streams }: Probe): boolean => streams.some(({ codec_type }) => codec_type === "audio")

const numberOf = (text: string | undefined): number => Number(text ?? Number.NaN)

/** How much longer than all of its tracks a whole file may be, as where they begin late. */
const longerThanTracks = { times: 2, seconds: 60 }

/** Seconds, or null when the file doesn't state them. The stated duration counts only as far as its tracks and its size agree. */
export const durationOf = ({ format, streams }: Probe): number | null => {
  const begin = numberOf(format.start_time) || 0
  const ends = streams
    .map(({ duration, start_time }) => numberOf(duration) + Math.max(0, (numberOf(start_time) || 0) - begin))
    .filter((end) => end > 0)
  const ofTracks = ends.length === 0 ? null : Math.max(...ends)
  const mostOfWhole = ofTracks === null ? Infinity : ofTracks * longerThanTracks.times + longerThanTracks.seconds
  const ofWhole = numberOf(format.duration)
  return plausibleDuration(ofWhole <= mostOfWhole ? ofWhole : ofTracks, numberOf(format.size) || Infinity)
}

/** The format's start time, in seconds. */
export const startOf = ({ format }: Probe): number => Number(format.start_time ?? 0) || 0
