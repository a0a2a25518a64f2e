/**
 * What a video of 500 MB with its index last takes to be looked into: its facts
 * and its poster, read by ranges from the disk store, every byte that the store
 * hands out counted.
 */
import { DiskStore } from "@filedrive/adapter-node"
import { MediaTools, ObjectStore } from "@filedrive/core"
import { NodeMediaTools } from "@filedrive/media"
import { Effect, Layer, ManagedRuntime, Stream } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { createReadStream, statSync } from "node:fs"
import { join } from "node:path"
import { withDirectory } from "../DriveCaller.ts"
import { median, seconds } from "../Rounds.ts"
import { posterMegabytes, posterRounds } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const what = `facts and poster of an MP4 of ${posterMegabytes} MB, its index last`
const at: ObjectStore.ObjectAddress = { bucket: "private", key: "film" }
const headers = { contentType: "video/mp4", contentDisposition: "attachment", cacheControl: "no-store" }

/** Ten seconds of 20 Mbit/s with a key frame every five, over and over. */
const film = (directory: string): string => {
  const [part, whole] = [join(directory, "part.mp4"), join(directory, "film.mp4")]
  const ffmpeg = (...args: ReadonlyArray<string>) => execFileSync("ffmpeg", ["-nostdin", "-v", "error", ...args])
  const picture = "testsrc2=s=1920x1080:r=25:d=10,noise=alls=20:allf=t"
  const rate = ["-b:v", "20M", "-minrate", "20M", "-maxrate", "20M", "-bufsize", "20M", "-g", "125"]
  ffmpeg("-f", "lavfi", "-i", picture, "-c:v", "libx264", "-preset", "ultrafast", ...rate, "-pix_fmt", "yuv420p", part)
  const times = Math.ceil((posterMegabytes * 1e6) / statSync(part).size)
  ffmpeg("-stream_loop", String(times - 1), "-i", part, "-c", "copy", whole)
  return whole
}

export const poster = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    if (spawnSync("ffmpeg", ["-version"]).status !== 0) return [{ what, because: "ffmpeg is not installed" }]
    const store = DiskStore.layer({ root: join(directory, "storage"), endpoint: "http://127.0.0.1:1" })
    const runtime = ManagedRuntime.make(Layer.merge(store, NodeMediaTools.layer()))
    try {
      const path = film(directory)
      const sizeBytes = statSync(path).size
      const body = Stream.fromAsyncIterable<Uint8Array, unknown>(createReadStream(path), (cause) => cause)
      const objects = await runtime.runPromise(ObjectStore.ObjectStore)
      await runtime.runPromise(objects.put({ at, headers, sizeBytes, body }))
      let read = 0
      const source: MediaTools.MediaSource = {
        fileName: "film.mp4",
        mimeType: "video/mp4",
        sizeBytes,
        read: (range) => Stream.tap(objects.get(at, range), (chunk) => Effect.sync(() => (read += chunk.byteLength)))
      }
      const look = Effect.gen(function*() {
        const tools = yield* MediaTools.MediaTools
        const facts = yield* tools.probe(source)
        const frame = yield* tools.frame(source, { atSeconds: null, maxSide: 512 })
        if (facts.width !== 1920 || frame._tag !== "Frame") throw new Error("The film is not shown.")
      })
      const times: Array<number> = []
      const bytes: Array<number> = []
      for (let round = 0; round <= posterRounds; round++) {
        read = 0
        const time = await seconds(() => runtime.runPromise(look))
        // The first looks for ffmpeg, too.
        if (round > 0) times.push(time)
        bytes.push(read)
      }
      const [time, megabytes] = [median(times), Math.max(...bytes) / 1e6]
      return [{
        what,
        own: `${megabytes.toFixed(1)} MB read`,
        against: "",
        result: `${time.toFixed(2)} s`,
        target: "under 20 MB, under 2 s",
        met: megabytes < 20 && time < 2
      }]
    } finally {
      await runtime.dispose()
    }
  })
