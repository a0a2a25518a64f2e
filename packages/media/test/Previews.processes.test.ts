/** Previews and peaks of real files, as ffprobe sees them. */
import { assert, describe, layer } from "@effect/vitest"
import { DriveError, MediaTools } from "@filedrive/core"
import { Deferred, Effect, Fiber } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import * as Ffmpeg from "../src/ffmpeg/Ffmpeg.ts"
import { previewOf } from "../src/ffmpeg/Preview.ts"
import { probe } from "../src/ffmpeg/Probe.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { make as blocksOf } from "../src/SourceBlocks.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import * as Samples from "./Samples.ts"

const { make, place } = Fixtures

/** Makes a preview and keeps it as a file. */
const previewed = Effect.fnUntraced(function*(path: string, mimeType: string) {
  const tools = yield* MediaTools.MediaTools
  const [pieces, fractions]: [Array<Uint8Array>, Array<number>] = [[], []]
  const { head, mimeType: made } = yield* tools.preview(Samples.sourceOf(path, mimeType), {
    // The bytes are only the sink's until it has ended.
    write: (bytes) => Effect.sync(() => void pieces.push(bytes.slice())),
    progress: (fraction) => Effect.sync(() => void fractions.push(fraction))
  })
  const out = `${path}.preview.mp4`
  writeFileSync(out, Buffer.concat([head, ...pieces]))
  return { out, fractions, mimeType: made }
})

interface Probed {
  readonly streams: ReadonlyArray<Readonly<Record<string, string | number>>>
  readonly format: Readonly<Record<string, string>>
}

const ffprobe = (path: string): Probed =>
  JSON.parse(
    execFileSync("ffprobe", ["-v", "error", "-count_packets", "-show_streams", "-show_format", "-of", "json", path], {
      encoding: "utf8"
    })
  ) as Probed

/** The types of a file's boxes, in their order. */
const boxesOf = (path: string): ReadonlyArray<string> => {
  const bytes = readFileSync(path)
  const types: Array<string> = []
  for (let at = 0; at < bytes.length;) {
    const short = bytes.readUInt32BE(at)
    types.push(bytes.toString("latin1", at + 4, at + 8))
    at += short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
  }
  return types
}

/** Decodes all of a file. Throws when there is anything wrong with it. */
const decode = (path: string) =>
  assert.strictEqual(execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"], { encoding: "utf8" }), "")

const pictures = (
  rate: string,
  size: string,
  seconds = 3
) => ["-f", "lavfi", "-i", `testsrc2=r=${rate}:s=${size}:d=${seconds}`]
const sine = (seconds: number) => ["-f", "lavfi", "-i", `sine=d=${seconds}:r=48000`]

interface Film {
  readonly name: string
  readonly mimeType: string
  readonly args: ReadonlyArray<string>
  readonly rate: string
  readonly size: readonly [width: number, height: number]
  readonly frames: number
  readonly sound?: false
}

const films: ReadonlyArray<Film> = [
  {
    name: "prores.mov",
    mimeType: "video/quicktime",
    args: [...pictures("24000/1001", "1280x720"), ...sine(3), "-c:v", "prores_ks", "-c:a", "pcm_s24le"],
    rate: "24000/1001",
    size: [1_280, 720],
    frames: 72
  },
  {
    name: "tall 10 bit.mp4",
    mimeType: "video/mp4",
    args: [
      ...pictures("30000/1001", "1216x2160", 1),
      "-c:v",
      "libx264",
      "-preset",
      "ultrafast",
      "-pix_fmt",
      "yuv420p10le"
    ],
    rate: "30000/1001",
    size: [1_080, 1_918],
    frames: 30,
    sound: false
  },
  {
    name: "hevc.mkv",
    mimeType: "video/x-matroska",
    args: [
      ...pictures("50", "320x240"),
      ...sine(3),
      "-c:v",
      "libx265",
      "-x265-params",
      "log-level=error",
      "-c:a",
      "flac"
    ],
    rate: "50/1",
    size: [320, 240],
    frames: 150
  },
  {
    name: "old.avi",
    mimeType: "video/x-msvideo",
    args: [...pictures("25", "322x242"), ...sine(3), "-c:v", "mpeg4", "-c:a", "mp2"],
    rate: "25/1",
    size: [322, 242],
    frames: 75
  },
  {
    name: "broadcast.ts",
    mimeType: "video/mp2t",
    args: [...pictures("60000/1001", "320x240"), ...sine(3), "-c:v", "mpeg2video", "-c:a", "ac3"],
    rate: "60000/1001",
    size: [320, 240],
    frames: 180
  }
]

const tracks = [
  { name: "a.aiff", mimeType: "audio/aiff", args: ["-c:a", "pcm_s16be"] },
  { name: "a.m4a", mimeType: "audio/mp4", args: ["-c:a", "alac"] },
  { name: "a.wma", mimeType: "audio/x-ms-wma", args: ["-c:a", "wmav2"] }
]

layer(NodeMediaTools.layer(), { timeout: 60_000 })("previews", (it) => {
  describe.skipIf(Fixtures.missing !== undefined)(`of made files${Samples.because(Fixtures.missing)}`, () => {
    it.effect.each(films)(
      "MEDIA-73 MEDIA-74 $name becomes H.264 and AAC with its index first, at its own rate",
      (film) =>
        Effect.gen(function*() {
          const { fractions, mimeType, out } = yield* previewed(make(film.name, ...film.args), film.mimeType)
          assert.strictEqual(mimeType, "video/mp4")
          assert.deepStrictEqual(boxesOf(out), ["ftyp", "moov", "mdat"])
          const { format, streams } = ffprobe(out)
          const [shown, heard] = streams
          assert.deepInclude(shown, {
            codec_name: "h264",
            pix_fmt: "yuv420p",
            width: film.size[0],
            height: film.size[1],
            r_frame_rate: film.rate,
            avg_frame_rate: film.rate,
            nb_read_packets: String(film.frames)
          })
          assert.strictEqual(heard?.["codec_name"], film.sound === false ? undefined : "aac")
          const [frames = 1, seconds = 1] = film.rate.split("/").map(Number)
          assert.closeTo(Number(shown?.["duration"]), film.frames * seconds / frames, 0.002)
          assert.strictEqual(Number(format["start_time"]), 0)
          assert.isTrue(fractions.every((fraction, at) => fraction >= (fractions[at - 1] ?? 0) && fraction <= 1))
          decode(out)
        }),
      120_000
    )

    it.effect.each(tracks)("MEDIA-73 $name becomes AAC in MP4", ({ args, mimeType, name }) =>
      Effect.gen(function*() {
        const made = yield* previewed(make(name, ...sine(4), ...args), mimeType)
        assert.strictEqual(made.mimeType, "audio/mp4")
        assert.deepStrictEqual(boxesOf(made.out), ["ftyp", "moov", "mdat"])
        const { format, streams } = ffprobe(made.out)
        assert.deepStrictEqual(streams.map(({ codec_name }) => codec_name), ["aac"])
        assert.closeTo(Number(format["duration"]), 4, 0.1)
        decode(made.out)
      }), 60_000)

    it.effect("MEDIA-73 pictures that come unevenly keep their own times", () =>
      Effect.gen(function*() {
        const uneven = make(
          "uneven.mp4",
          ...pictures("30", "160x120", 4),
          "-vf",
          "select='not(eq(mod(n,7),3))',setpts=PTS+0.004*random(1)/TB",
          "-vsync",
          "vfr",
          "-enc_time_base",
          "1/90000",
          "-c:v",
          "libx264"
        )
        const { out } = yield* previewed(uneven, "video/mp4")
        const times = (path: string) =>
          execFileSync("ffprobe", [
            "-v",
            "error",
            "-select_streams",
            "v",
            "-show_entries",
            "packet=pts_time",
            "-of",
            "csv=p=0",
            path
          ], {
            encoding: "utf8"
          }).trim().split("\n").map((line) => Number.parseFloat(line)).toSorted((a, b) => a - b)
        const [before, after] = [times(uneven), times(out)]
        assert.lengthOf(after, before.length)
        for (const [at, time] of before.entries()) assert.closeTo(after[at]! - after[0]!, time - before[0]!, 0.002)
      }), 60_000)

    it.effect(
      "MEDIA-80 a playlist, a file that is cut off, noise, and one that is too long get none, and a sentence",
      () =>
        Effect.gen(function*() {
          const tools = yield* MediaTools.MediaTools
          const whole = readFileSync(make("cut.mov", ...pictures("25", "160x120"), "-c:v", "prores_ks"))
          const secret = place("secret.txt")
          writeFileSync(secret, "secret")
          const files: ReadonlyArray<readonly [name: string, mimeType: string, bytes: Uint8Array]> = [
            ["list.mp4", "video/mp4", Buffer.from(`#EXTM3U\n#EXTINF:1,\nfile://${secret}\n`)],
            ["concat.mp4", "video/mp4", Buffer.from(`ffconcat version 1.0\nfile ${secret}\n`)],
            ["cut.mov", "video/quicktime", whole.subarray(0, whole.length / 2)],
            ["noise.mkv", "video/x-matroska", Buffer.alloc(10_000, 0x5a)],
            ["empty.mov", "video/quicktime", new Uint8Array()]
          ]
          for (const [name, mimeType, bytes] of files) {
            const path = place(`hostile ${name}`)
            writeFileSync(path, bytes)
            const error = yield* Effect.flip(previewed(path, mimeType))
            assert.strictEqual(error._tag, "Unreadable", name)
          }
          const still = make("still.mkv", ...pictures("1/3600", "160x120", 9 * 3_600), "-c:v", "ffv1")
          const error = yield* Effect.flip(previewed(still, "video/x-matroska"))
          assert.include((error as DriveError.Unreadable).because, "longer than 6 hours")
          assert.isNull(yield* tools.peaks(Samples.sourceOf(still, "video/x-matroska")))
        }),
      60_000
    )

    it.effect("MEDIA-80 a preview that would be far larger than its file is given up", () =>
      Effect.gen(function*() {
        const ffmpeg = yield* Ffmpeg.make({ processes: 1, memoryMaxBytes: 1e9 })
        const source = Samples.sourceOf(
          make("much.mkv", ...pictures("25", "640x480"), "-c:v", "mpeg4"),
          "video/x-matroska"
        )
        const blocks = yield* blocksOf(source, { readMaxBytes: 1e9, keepMaxBytes: 1e6 })
        let written = 0
        const sink = {
          write: (bytes: Uint8Array) => Effect.sync(() => void (written += bytes.length)),
          progress: () => Effect.void
        }
        const error = yield* Effect.flip(
          previewOf(ffmpeg, blocks, yield* probe(ffmpeg, blocks), sink, { bytesMax: 10_000 })
        )
        assert.include((error as DriveError.Unreadable).because, "far larger than the file")
        assert.isAtMost(written, 200_000)
      }).pipe(Effect.scoped), 60_000)

    it.effect("MEDIA-75 when storage fails, that is the answer, and no more is made", () =>
      Effect.gen(function*() {
        const tools = yield* MediaTools.MediaTools
        const source = Samples.sourceOf(
          make("full.mkv", ...pictures("25", "160x120"), "-c:v", "mpeg4"),
          "video/x-matroska"
        )
        const failing = new DriveError.Unavailable({ code: "storage_unavailable", cause: new Error("full") })
        const sink = { write: () => Effect.fail(failing), progress: () => Effect.void }
        assert.strictEqual(yield* Effect.flip(tools.preview(source, sink)), failing)
      }), 60_000)

    it.effect("MEDIA-77 nothing is made any longer once nobody waits for it", () =>
      Effect.gen(function*() {
        const tools = yield* MediaTools.MediaTools
        const source = Samples.sourceOf(
          make("stopped.mkv", ...pictures("25", "640x480", 20), "-c:v", "mpeg4"),
          "video/x-matroska"
        )
        const begun = yield* Deferred.make<void>()
        let written = 0
        const fiber = yield* Effect.forkChild(tools.preview(source, {
          write: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.sync(() => void written++)),
          progress: () => Effect.void
        }))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        const then = written
        yield* Effect.promise(() => setTimeout(300))
        assert.strictEqual(written, then)
      }), 60_000)

    it.effect(
      "MEDIA-78 the peaks of a file are those of its sound, and of a film only the sound is read",
      () =>
        Effect.gen(function*() {
          const tools = yield* MediaTools.MediaTools
          const loudLast = ["-f", "lavfi", "-i", "aevalsrc=if(lt(t\\,2)\\,0.1\\,0.8)*sin(880*t):d=4:s=44100"]
          const wave = make("loud.wav", ...loudLast)
          const peaks = (yield* tools.peaks(Samples.sourceOf(wave, "audio/wav")))!
          assert.lengthOf(peaks, 2 * MediaTools.peakPairs)
          assert.closeTo(Math.max(...peaks.slice(0, 1_900)), 0.1, 0.01)
          assert.closeTo(Math.max(...peaks.slice(2_100)), 0.8, 0.01)
          assert.closeTo(Math.min(...peaks.slice(2_100)), -0.8, 0.01)
          const film = Samples.sourceOf(
            make("film.mov", ...pictures("25", "1280x720", 4), ...loudLast, "-c:v", "prores_ks", "-c:a", "pcm_s16le"),
            "video/quicktime"
          )
          assert.lengthOf((yield* tools.peaks(film))!, 2 * MediaTools.peakPairs)
          const mute = make("mute.mov", ...pictures("25", "160x120", 1), "-c:v", "prores_ks")
          assert.isNull(yield* tools.peaks(Samples.sourceOf(mute, "video/quicktime")))
        }),
      60_000
    )
  })
})
