/** Converts a file to what every browser plays: H.264 and AAC in MP4 with its index first, or AAC alone. */
import { DriveError, MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { availableParallelism } from "node:os"
import * as CpuBudget from "../CpuBudget.ts"
import { Fragments } from "../mp4/Fragments.ts"
import type { Size } from "../Size.ts"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { displaySize } from "./DisplaySize.ts"
import { type Ffmpeg, inputOptions, longest } from "./Ffmpeg.ts"
import { durationOf, hasSound, pictures, type Probe, type Stream } from "./Probe.ts"

/** The longest film and the longest track that are converted, in seconds. */
const longestSeconds = { film: 6 * 3_600, track: 24 * 3_600 }

/** 1080p: the longer and the shorter side, whichever is the width. */
const largest = { long: 1_920, short: 1_080 }

/** Pixels a second from which decoding alone takes most of two cores; the encoder then has to be the fastest. */
const manyPixels = 1.3e8

/** Bits a second of pictures at most, and of sound. */
const [videoMaxRate, audioRate] = [12e6, 160e3]

/** As previews are charged to nobody, they are bounded by what they are made of. */
const outputMaxBytes = (sizeBytes: number): number => 64e6 + 8 * sizeBytes

/** Without a byte read or written for so long, the program is ended like one that was killed: it may have been stopped. */
const silenceMillis = 300_000

const even = (pixels: number): number => Math.max(2 * Math.round(pixels / 2), 2)

/** The size of the pictures, never larger than they are. */
export const previewSize = ({ height, width }: Size): Size => {
  const scale = Math.min(1, largest.long / Math.max(width, height), largest.short / Math.min(width, height))
  return { width: even(width * scale), height: even(height * scale) }
}

const numberOf = (rate: string | undefined): number => {
  const [frames = Number.NaN, seconds = Number.NaN] = (rate ?? "").split("/").map(Number)
  return frames / seconds
}

/**
 * Whether pictures come at other times than multiples of one rate, as telephones record them: then each keeps its own time, in
 * units that films commonly have.
 */
const isUneven = ({ avg_frame_rate, r_frame_rate }: Stream): boolean => {
  const [average, base] = [numberOf(avg_frame_rate), numberOf(r_frame_rate)]
  return !(Math.abs(average - base) <= base / 1_000)
}

const videoArgs = (stream: Stream, threads: number, isOld: boolean): ReadonlyArray<ReadonlyArray<string>> => {
  const { height, width } = displaySize(stream) ?? { width: largest.long, height: largest.short }
  const shown = previewSize({ width, height })
  const isHeavy = width * height * (numberOf(stream.avg_frame_rate) || 25) > manyPixels
  return [
    // The filter decides by itself; the encoder gets eight bits.
    [
      "-vf",
      `scale=${shown.width}:${shown.height}:flags=${isHeavy ? "fast_bilinear" : "bicubic"},setsar=1,format=yuv420p`
    ],
    ["-c:v", "libx264", "-preset", isHeavy ? "ultrafast" : "veryfast", "-crf", "23", "-threads", String(threads)],
    ["-maxrate", String(videoMaxRate), "-bufsize", String(2 * videoMaxRate)],
    ["-force_key_frames", "expr:gte(t,n_forced*2)"],
    // None is repeated where some are missing, which may be for hours.
    [isOld ? "-vsync" : "-fps_mode", "vfr"],
    isUneven(stream) ? ["-enc_time_base", "1/90000"] : []
  ]
}

const args = (found: Probe, seconds: number, isOld: boolean) => (url: string): ReadonlyArray<string> => {
  const shown = pictures(found)
  const threads = Math.min(availableParallelism(), 4)
  return [
    ["-nostdin", "-v", "error", "-threads", String(threads), ...inputOptions],
    [...shown === undefined ? ["-vn"] : [], "-sn", "-dn", "-i", url, "-t", String(seconds)],
    shown === undefined ? [] : ["-map", `0:${shown.index}`],
    hasSound(found) ? ["-map", "0:a:0"] : [],
    ["-map_metadata", "-1", "-map_chapters", "-1"],
    ...shown === undefined ? [] : videoArgs(shown, threads, isOld),
    ["-af", "aformat=sample_rates=48000|44100|32000|22050|16000:channel_layouts=stereo|mono"],
    ["-c:a", "aac", "-b:a", String(audioRate)],
    ["-f", "mp4", "-movflags", "delay_moov+default_base_moof", "-frag_duration", "1000000"],
    ["-send_expect_100", "1", "-method", "PUT", url]
  ].flat()
}

const tooLong = (hours: number) =>
  new DriveError.Unreadable({
    because: `No preview was made: this file is longer than ${hours} hours. It can still be downloaded.`
  })

const tooLarge = new DriveError.Unreadable({
  because: "No preview was made: it would be far larger than the file. It can still be downloaded."
})

const damaged = new DriveError.Unreadable({
  because: "No preview could be made: the file is damaged, or of a kind that ffmpeg on the server can't decode."
})

const noEncoder = new DriveError.Unreadable({
  because: "A preview needs an ffmpeg with the encoders libx264 and aac on the server.",
  missingTool: "ffmpeg with libx264"
})

/** By the machine's clock, not the drive's. */
const whenSilent = (progress: () => number, millis: number, silent: () => void): () => void => {
  let last = progress()
  const timer = setInterval(() => {
    const now = progress()
    if (now === last) silent()
    last = now
  }, millis)
  return () => clearInterval(timer)
}

/** Fails once `progress` has not changed for so long. */
const unlessSilent = <A, E, R>(work: Effect.Effect<A, E, R>, progress: () => number, millis: number) =>
  Effect.raceFirst(
    work,
    Effect.callback<never, DriveError.Unavailable>((resume) => {
      const cancel = whenSilent(progress, millis, () => resume(Effect.fail(MediaTools.killed("A silent ffmpeg"))))
      return Effect.sync(cancel)
    })
  )

/** Whether it knows the former name of an option only. */
const isOldOf = (ffmpeg: Ffmpeg): Effect.Effect<boolean> =>
  Effect.map(ffmpeg.program("ffmpeg"), (program) => Number.parseInt(program?.version ?? "", 10) < 6)

/** The time that a file of this length may take, on a machine that has other things to do. */
const limitsOf = (seconds: number) => ({
  cpuMaxSeconds: Math.min(120 + 20 * seconds, longest.cpuMaxSeconds),
  deadlineMillis: Math.min(600_000 + 60_000 * seconds, longest.deadlineMillis)
})

/** Bounds of a preview; tests make them small. */
export interface PreviewBounds {
  readonly bytesMax?: number
  readonly silenceMillis?: number
}

/** The preview of a file whose probe is `found`; its bytes go to `sink`. `Unreadable` when they are too many. */
export const previewOf = Effect.fnUntraced(function*<E, R>(
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks,
  found: Probe,
  sink: MediaTools.PreviewSink<E, R>,
  bounds: PreviewBounds = {}
): Effect.fn.Return<MediaTools.Preview, DriveError.Unreadable | DriveError.Unavailable | E, R> {
  const bytesMax = bounds.bytesMax ?? outputMaxBytes(blocks.sizeBytes)
  const isFilm = pictures(found) !== undefined
  if (!isFilm && !hasSound(found)) return yield* damaged
  const longestOf = isFilm ? longestSeconds.film : longestSeconds.track
  const seconds = durationOf(found)
  if (seconds !== null && seconds > longestOf) return yield* tooLong(longestOf / 3_600)
  const context = yield* Effect.context<R>()
  const fragments = new Fragments()

  const write = (bytes: Uint8Array): Effect.Effect<void, E | DriveError.Unreadable> =>
    Effect.gen(function*() {
      const samples = yield* Effect.try({ try: () => fragments.take(bytes), catch: () => damaged })
      if (fragments.payloadBytes > bytesMax) return yield* tooLarge
      for (const piece of samples) yield* sink.write(piece)
      // Of a file that doesn't tell its length, by how much of it was read.
      const made = seconds === null ? blocks.bytesRead() / blocks.sizeBytes : fragments.seconds / seconds
      yield* sink.progress(Math.min(made, 1))
    }).pipe(Effect.provideContext(context))

  const limits = limitsOf(seconds ?? longestOf)
  const budget = CpuBudget.make(limits.cpuMaxSeconds)
  // One that doesn't tell its length ends there.
  const running = ffmpeg.convert({ ...blocks, budget }, args(found, longestOf, yield* isOldOf(ffmpeg)), limits, write)
  const { exitCode, lastWords } = yield* unlessSilent(
    running,
    () => blocks.bytesRead() + fragments.payloadBytes,
    bounds.silenceMillis ?? silenceMillis
  )
  if (exitCode !== 0) {
    yield* Effect.logDebug(`ffmpeg made no preview: ${lastWords.trim()}`)
    return yield* /Unknown encoder/.test(lastWords) ? noEncoder : damaged
  }
  const head = yield* Effect.try({ try: () => fragments.head(), catch: () => damaged })
  return { head, mimeType: isFilm ? "video/mp4" : "audio/mp4" }
})
