/** How fast a preview of 4K ProRes is made, of the bytes of a file on disk, and how many bytes of it are kept on the way. */
import { MediaTools } from "@filedrive/core"
import { NodeMediaTools } from "@filedrive/media"
import { Effect, ManagedRuntime, Stream } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { createReadStream, statSync } from "node:fs"
import { join } from "node:path"
import { withDirectory } from "../DriveCaller.ts"
import { seconds } from "../Rounds.ts"
import { previewSeconds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const what = `preview of ${previewSeconds} s of 4K ProRes 422 LT, 25 pictures a second`
const partSeconds = 2

/** Two seconds with grain, at the rate that cameras record, over and over. */
const film = (directory: string): string => {
  const [part, whole] = [join(directory, "part.mov"), join(directory, "film.mov")]
  const ffmpeg = (...args: ReadonlyArray<string>) => execFileSync("ffmpeg", ["-nostdin", "-v", "error", ...args])
  const picture = `testsrc2=s=3840x2160:r=25:d=${partSeconds},noise=alls=4:allf=t`
  const sound = ["-f", "lavfi", "-i", `sine=d=${partSeconds}:r=48000`, "-c:a", "pcm_s16le"]
  ffmpeg(
    "-f",
    "lavfi",
    "-i",
    picture,
    ...sound,
    "-c:v",
    "prores_ks",
    "-profile:v",
    "lt",
    "-pix_fmt",
    "yuv422p10le",
    part
  )
  ffmpeg("-stream_loop", String(previewSeconds / partSeconds - 1), "-i", part, "-c", "copy", whole)
  return whole
}

export const preview = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    if (spawnSync("ffmpeg", ["-version"]).status !== 0) return [{ what, because: "ffmpeg is not installed" }]
    const path = film(directory)
    const sizeBytes = statSync(path).size
    const source: MediaTools.MediaSource = {
      fileName: "film.mov",
      mimeType: "video/quicktime",
      sizeBytes,
      read: ({ end, start }) =>
        Stream.orDie(
          Stream.fromAsyncIterable<Uint8Array, unknown>(createReadStream(path, { start, end }), (cause) => cause)
        )
    }
    const runtime = ManagedRuntime.make(NodeMediaTools.layer())
    try {
      let written = 0
      const sink: MediaTools.PreviewSink<never, never> = {
        write: (bytes) => Effect.sync(() => void (written += bytes.length)),
        progress: () => Effect.void
      }
      // The first file looks for ffmpeg, too.
      await runtime.runPromise(Effect.flatMap(MediaTools.MediaTools, ({ streams }) => streams(source)))
      const time = await seconds(() =>
        runtime.runPromise(Effect.flatMap(MediaTools.MediaTools, (tools) => tools.preview(source, sink)))
      )
      const speed = previewSeconds / time
      return [{
        what,
        own: `${time.toFixed(1)} s`,
        against: `${Math.round(sizeBytes * 8 / previewSeconds / 1e6)} Mbit/s in, ${
          (written * 8 / previewSeconds / 1e6).toFixed(1)
        } Mbit/s out`,
        result: `${speed.toFixed(2)}x as fast as it plays`,
        target: "at least 1x on two cores",
        met: speed >= 1
      }]
    } finally {
      await runtime.dispose()
    }
  })
