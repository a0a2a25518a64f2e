/** One picture of a video. */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { longestSeconds } from "../plausibleDuration.ts"
import type { Size } from "../Size.ts"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { displaySize, within } from "./DisplaySize.ts"
import { type Ffmpeg, inputOptions } from "./Ffmpeg.ts"
import { colourOf } from "./FrameColour.ts"
import { durationOf, pictures, type Probe, startOf } from "./Probe.ts"
import { framePixels } from "./RunTasks.ts"

export interface FrameOptions extends MediaTools.PictureBounds {
  readonly atSeconds: number | null
}

/** Where to seek, in seconds from the beginning: for the picture shown at `at`, from the key frame before `from` on. */
interface Seek {
  readonly from: number
  readonly at: number
  /** Whether a picture that is shown later is accepted. */
  readonly orLater: boolean
}

/** In ffmpeg's own unit of time, rounded up: a picture that begins now is shown now. */
const written = (seconds: number, addedMicros = 0): string =>
  ((Math.ceil(seconds * 1e6) + addedMicros) / 1e6).toFixed(6)

/**
 * Decoding begins at the key frame before (`-noaccurate_seek`: nothing is dropped on the way, or a picture that is shown for
 * long would be missed) and ends after the requested `moment`. The last picture until then is repeated (`tpad`), so
 * that `fps` finds it at that moment, however long ago it began.
 */
const filters = (moment: number, orLater: boolean, { height, width }: Size): string =>
  [
    "settb=1/1000000",
    ...orLater ? [] : [`trim=end=${written(moment, 1)}`],
    "tpad=stop=-1:stop_mode=clone",
    `fps=fps=1000000:start_time=${written(moment)}:round=up`,
    "trim=end_frame=1,setpts=0",
    `scale=w=${width}:h=${height}:flags=bicubic+accurate_rnd+full_chroma_int`,
    "format=rgb48"
  ].join()

/** Times stay those of the file (`-copyts`): shifted ones would be rounded to the unit that the format counts in. */
const args = (found: Probe, seek: Seek, size: Size) => (url: string): ReadonlyArray<string> =>
  [
    ["-nostdin", "-v", "error", "-threads", "2", ...inputOptions],
    ["-copyts", "-noaccurate_seek", "-ss", written(seek.from), "-i", url, "-map", `0:${pictures(found)!.index}`],
    ["-filter_threads", "1", "-vf", filters(startOf(found) + seek.at, seek.orLater, size), "-frames:v", "1"],
    ["-c:v", "rawvideo", "-pix_fmt", framePixels, "-f", "rawvideo", "pipe:1"]
  ].flat()

/**
 * Formats without an index find the key frame after the one that is wanted, or nothing near their end: then from further
 * ahead. And the requested moment may be before the first picture.
 */
const seeksFor = (at: number): ReadonlyArray<Seek> => [
  ...Array.from(
    new Set([0, 2, 15, 60].map((back) => Math.max(0, at - back))),
    (from) => ({ at, from, orLater: false })
  ),
  { at, from: at, orLater: true }
]

/** Bytes that the pictures between a key frame and the requested moment may have, when any moment near it is as good. */
const posterMaxBytes = 6e6
/** Key frames are seldom further apart. */
const keyFramesApartSeconds = 12

/** When the key frame before a moment is shown; null when that can't be told. */
const keyFrameBefore = Effect.fnUntraced(function*(ffmpeg: Ffmpeg, blocks: SourceBlocks, found: Probe, at: number) {
  const start = startOf(found)
  const { output } = yield* ffmpeg.run("ffprobe", blocks, (url) =>
    [
      [...inputOptions, "-v", "error", "-select_streams", String(pictures(found)!.index)],
      [
        "-read_intervals",
        `${written(start + at)}%+#1`,
        "-show_entries",
        "packet=pts_time",
        "-of",
        "csv=p=0",
        "-i",
        url
      ]
    ].flat())
  const time = Number.parseFloat(Buffer.from(output).toString("latin1")) - start
  return time >= 0 && time <= at ? time : null
})

/** At a tenth of the length, or at the key frame before when much would have to be read to get there. */
const posterMoment = Effect.fnUntraced(function*(ffmpeg: Ffmpeg, blocks: SourceBlocks, found: Probe) {
  const duration = durationOf(found) ?? 0
  const tenth = Math.floor(duration * 100) / 1000
  const bytesPerSecond = blocks.sizeBytes / duration
  if (!(bytesPerSecond * keyFramesApartSeconds > posterMaxBytes)) return tenth
  const keyFrame = yield* keyFrameBefore(ffmpeg, blocks, found, tenth)
  return keyFrame === null || (tenth - keyFrame) * bytesPerSecond < posterMaxBytes ? tenth : keyFrame
})

const unreadable = () => new DriveError.Unreadable({ because: "No picture of this video could be decoded." })

/** The frame at a moment of a video whose probe is `found`. `Unreadable` when it has no picture there, or ffmpeg isn't installed. */
export const frame = Effect.fnUntraced(function*(
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks,
  found: Probe,
  options: FrameOptions
) {
  const stream = pictures(found)
  if (stream === undefined) return yield* new DriveError.Unreadable({ because: "There are no pictures in this file." })
  const durationSeconds = durationOf(found)
  const atSeconds = options.atSeconds ?? (yield* posterMoment(ffmpeg, blocks, found))
  if (durationSeconds !== null && atSeconds > durationSeconds) {
    return { _tag: "PastEnd", durationSeconds } satisfies MediaTools.PastEnd
  }
  if (atSeconds > longestSeconds(blocks.sizeBytes)) return yield* unreadable()
  const { maxBytes, maxSide } = options
  const size = within(displaySize(stream), maxSide)
  if (size === null) return yield* unreadable()
  const picture = { ...size, colour: colourOf(stream), maxBytes }
  for (const seek of seeksFor(atSeconds)) {
    const { jpeg, lastWords } = yield* ffmpeg.frame(blocks, args(found, seek, size), picture)
    if (jpeg !== null) return { _tag: "Frame", ...jpeg, atSeconds, durationSeconds } satisfies MediaTools.Frame
    yield* Effect.logDebug(`ffmpeg showed nothing of a video at ${seek.at} s: ${lastWords.trim()}`)
  }
  return yield* unreadable()
})
