/** The duration of a file that does not state it: its packets are counted, not decoded. */
import type { DriveError } from "@filedrive/core"
import { Effect } from "effect"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { type Ffmpeg, inputOptions } from "./Ffmpeg.ts"
import { hasSound, pictures, type Probe, startOf } from "./Probe.ts"

/** Bare frames one after the other: ffprobe takes the first ones for all, which is far off when they vary. */
const bare = new Set(["mp3", "aac"])

/** Of an Ogg that was cut out of a longer one, like a broadcast, ffprobe counts what was before as well. */
const beginsLate = (probe: Probe): boolean => probe.format.format_name === "ogg" && startOf(probe) > 1

export const isEstimated = (probe: Probe): boolean => bare.has(probe.format.format_name) || beginsLate(probe)

/** What is shown and heard. */
const streamsOf = (probe: Probe): ReadonlyArray<string> => {
  const shown = pictures(probe)
  return [
    ...shown === undefined ? [] : ["-map", `0:${shown.index}`],
    ...hasSound(probe) ? ["-map", "0:a:0"] : []
  ]
}

const args = (streams: ReadonlyArray<string>) => (url: string): ReadonlyArray<string> =>
  [
    ["-nostdin", "-v", "error", "-threads", "1", ...inputOptions],
    ["-i", url, ...streams, "-c", "copy", "-f", "null"],
    ["-progress", "pipe:1", "-stats_period", "3600", "-"]
  ].flat()

/** Seconds; null when unknown. Reads the whole file. */
export const playedSeconds = (
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks,
  probe: Probe
): Effect.Effect<number | null, DriveError.Unreadable | DriveError.Unavailable> => {
  const streams = streamsOf(probe)
  if (streams.length === 0) return Effect.succeed(null)
  return Effect.map(ffmpeg.run("ffmpeg", blocks, args(streams), { outputMaxBytes: 1e6 }), ({ exitCode, output }) => {
    const told = [...Buffer.from(output).toString("latin1").matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
    const seconds = Number(told ?? 0) / 1e6
    return exitCode === 0 && seconds > 0 ? seconds : null
  })
}
