/** Decodes all sound of a file for its peaks. */
import { DriveError, MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import * as CpuBudget from "../CpuBudget.ts"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { type Ffmpeg, inputOptions } from "./Ffmpeg.ts"

/** The longest that is decoded: what comes after is not in the waveform. */
const longestSeconds = 24 * 3_600

/** Decoding takes a hundredth of the playing time or less; the bytes of a film are read besides. */
const limits = { cpuMaxSeconds: 900, deadlineMillis: 3_600_000, outputMaxBytes: 2 * 192_000 * longestSeconds }

const args = (url: string): ReadonlyArray<string> =>
  [
    ["-nostdin", "-v", "error", "-threads", "1", ...inputOptions],
    ["-vn", "-sn", "-dn", "-i", url, "-map", "0:a:0", "-t", String(longestSeconds)],
    ["-ac", "1", "-f", "s16le", "pipe:1"]
  ].flat()

/** Null when the file has no sound. `Unreadable` when none of it can be decoded, or ffmpeg isn't installed. */
export const peaksOf = Effect.fnUntraced(function*(
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks
): Effect.fn.Return<ReadonlyArray<number> | null, DriveError.Unreadable | DriveError.Unavailable> {
  const budget = CpuBudget.make(limits.cpuMaxSeconds)
  const { lastWords, peaks } = yield* ffmpeg.peaks({ ...blocks, budget }, args, limits)
  if (peaks !== null && peaks.length === 2 * MediaTools.peakPairs) return peaks
  if (lastWords.includes("matches no streams")) return null
  yield* Effect.logDebug(`ffmpeg decoded no sound for peaks: ${lastWords.trim()}`)
  return yield* new DriveError.Unreadable({ because: "The sound of this file could not be decoded." })
})
