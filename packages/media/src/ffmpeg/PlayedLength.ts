/** The duration of a file that does not state it: its packets are counted, not decoded. */
import type { DriveError } from "@filedrive/core"
import { Effect } from "effect"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { type Ffmpeg, inputOptions } from "./Ffmpeg.ts"
import type { Probe } from "./Probe.ts"

/** Bare frames one after the other: ffprobe takes the first ones for all, which is far off when they vary. */
const bare = new Set(["mp3", "aac"])

export const isEstimated = ({ format }: Probe): boolean => bare.has(format.format_name)

const args = (url: string): ReadonlyArray<string> =>
  [
    ["-nostdin", "-v", "error", "-threads", "1", ...inputOptions],
    ["-vn", "-sn", "-dn", "-i", url, "-map", "0:a:0", "-c", "copy", "-f", "null"],
    ["-progress", "pipe:1", "-stats_period", "3600", "-"]
  ].flat()

/** Seconds; null when unknown. Reads the whole file. */
export const playedSeconds = (
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks
): Effect.Effect<number | null, DriveError.Unreadable | DriveError.Unavailable> =>
  Effect.map(ffmpeg.run("ffmpeg", blocks, args, { outputMaxBytes: 1e6 }), ({ exitCode, output }) => {
    const told = [...Buffer.from(output).toString("latin1").matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
    const seconds = Number(told ?? 0) / 1e6
    return exitCode === 0 && seconds > 0 ? seconds : null
  })
