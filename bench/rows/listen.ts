/**
 * The CPU that a minute of music takes to be listened to: tempo, key and
 * soundprint, with ffmpeg's decoding and the start of the processes, as the system
 * counts it for all of them.
 */
import { MediaTools } from "@filedrive/core"
import { NodeMediaTools } from "@filedrive/media"
import { Effect, ManagedRuntime, Stream } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { sampleRate, song } from "../../packages/media/test/Synthesis.ts"
import { withDirectory } from "../DriveCaller.ts"
import { listenRounds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const what = "tempo, key and soundprint of 60 s of music"
const musicSeconds = 60

/** CPU that processes took which this one has started and seen end. */
const endedSeconds = (): number => {
  const fields = readFileSync("/proc/self/stat", "utf8").replace(/^.*\) /, "").split(" ")
  return (Number(fields[13]) + Number(fields[14])) / 100
}

const minute = (directory: string): Buffer => {
  const path = join(directory, "song.mp3")
  const input = Buffer.from(song(128, "Am", musicSeconds).buffer)
  const raw = ["-f", "f32le", "-ar", String(sampleRate), "-ac", "1", "-i", "pipe:0"]
  execFileSync("ffmpeg", ["-v", "error", ...raw, "-ar", "44100", "-ac", "2", "-b:a", "192k", path], { input })
  return readFileSync(path)
}

export const listen = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    if (spawnSync("ffmpeg", ["-version"]).status !== 0) return [{ what, because: "ffmpeg is not installed" }]
    const bytes = minute(directory)
    const source: MediaTools.MediaSource = {
      fileName: "song.mp3",
      mimeType: "audio/mpeg",
      sizeBytes: bytes.length,
      read: ({ end, start }) => Stream.succeed(bytes.subarray(start, end + 1))
    }
    const before = endedSeconds()
    const runtime = ManagedRuntime.make(NodeMediaTools.layer({ processes: 1 }))
    try {
      for (let round = 0; round < listenRounds; round++) {
        const { key, tempo } = await runtime.runPromise(
          Effect.flatMap(MediaTools.MediaTools, (tools) => tools.listen(source))
        )
        if (tempo !== 128 || key !== "Am") throw new Error(`128 in Am sounded like ${tempo} in ${key}.`)
      }
    } finally {
      await runtime.dispose()
    }
    const cpu = (endedSeconds() - before) / listenRounds
    return [{
      what,
      own: `${cpu.toFixed(2)} s of CPU`,
      against: "",
      result: `${(musicSeconds / cpu).toFixed(0)}x as fast as it plays`,
      target: "under 1.5 s of CPU",
      met: cpu < 1.5
    }]
  })
