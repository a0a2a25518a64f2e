/** Decodes and analyses the sound of a file. */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { listenSeconds, sampleRate } from "../sound/Sound.ts"
import type { SourceBlocks } from "../SourceBlocks.ts"
import { type Ffmpeg, inputOptions } from "./Ffmpeg.ts"

const args = (url: string): ReadonlyArray<string> =>
  [
    ["-nostdin", "-v", "error", "-threads", "1", ...inputOptions],
    ["-vn", "-sn", "-dn", "-i", url, "-map", "0:a:0", "-t", String(listenSeconds)],
    ["-ac", "1", "-ar", String(sampleRate), "-f", "f32le", "pipe:1"]
  ].flat()

/**
 * By its first two minutes; null when the file has no sound. `Unreadable` when it can't be decoded, or ffmpeg isn't
 * installed.
 */
export const decodedAudio = Effect.fnUntraced(function*(
  ffmpeg: Ffmpeg,
  blocks: SourceBlocks
): Effect.fn.Return<MediaTools.Sound | null, DriveError.Unreadable | DriveError.Unavailable> {
  const { lastWords, sound } = yield* ffmpeg.listen(blocks, args, {
    outputMaxBytes: sampleRate * (listenSeconds + 1) * 4
  })
  if (sound !== null) return sound
  if (lastWords.includes("matches no streams")) return null
  yield* Effect.logDebug(`ffmpeg decoded no sound of a track: ${lastWords.trim()}`)
  return yield* new DriveError.Unreadable({ because: "The sound of this file could not be decoded." })
})
