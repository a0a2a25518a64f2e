/** Pictures of videos, at the moments asked for. */
import { assert, describe, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import sharp from "sharp"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import * as Samples from "./Samples.ts"

const frameAt = Effect.fnUntraced(function*(path: string, atSeconds: number | null, maxSide = 1568) {
  const tools = yield* MediaTools.MediaTools
  const frame = yield* tools.frame(Samples.sourceOf(path, "video/any"), { atSeconds, maxSide })
  if (frame._tag === "PastEnd") return frame
  const { data, info } = yield* Effect.promise(() => sharp(frame.jpeg).raw().toBuffer({ resolveWithObject: true }))
  assert.deepStrictEqual([info.width, info.height], [frame.width, frame.height])
  const middle = (info.width * (info.height >> 1) + (info.width >> 1)) * info.channels
  return { ...frame, pixel: [...data.subarray(middle, middle + 3)] }
})

/** The colour shown at a moment. */
const colourAt = (path: string, atSeconds: number | null) =>
  Effect.map(frameAt(path, atSeconds), (frame) => frame._tag === "PastEnd" ? frame._tag : Fixtures.nearest(frame.pixel))

const { colourSource, make, toneSource } = Fixtures
const video = (...options: ReadonlyArray<string>) => [...colourSource, "-map", "[v]", ...options]
const h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]

const containers: ReadonlyArray<readonly [what: string, make: () => string]> = [
  ["an MP4 with its index last", () => make("last.mp4", ...video(...h264, "-g", "25"))],
  [
    "an MP4 of one key frame and pictures out of order",
    () => make("one.mp4", ...video(...h264, "-g", "999", "-bf", "3"))
  ],
  [
    "an MP4 of uneven pictures",
    () =>
      make(
        "uneven.mp4",
        ...colourSource.slice(0, -1),
        `${colourSource.at(-1)!};[v]select='eq(n,0)+eq(n,3)+eq(n,10)+gte(n,20)*not(mod(n,10))'[u]`,
        "-map",
        "[u]",
        "-vsync",
        "vfr",
        ...h264
      )
  ],
  ["a Matroska", () => make("film.mkv", ...video(...h264, "-g", "25"))],
  ["a WebM", () => make("film.webm", ...video("-c:v", "libvpx", "-g", "25"))],
  ["an AVI", () => make("film.avi", ...video("-c:v", "mpeg4", "-g", "25"))],
  ["a transport stream", () => make("film.ts", ...video("-c:v", "mpeg2video", "-g", "15", "-output_ts_offset", "5"))]
]

layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })("frames", (it) => {
  describe.skipIf(Fixtures.missing !== undefined)(`of made videos${Samples.because(Fixtures.missing)}`, () => {
    it.effect.each(containers)(
      "MEDIA-26 %s shows at each moment what is shown then",
      ([, make]) =>
        Effect.gen(function*() {
          const path = make()
          for (const at of [0, 0.04, 0.96, 1, 1.55, 1.999, 3, 4.25, 5.05]) {
            assert.strictEqual(yield* colourAt(path, at), Fixtures.colours[Math.floor(at)]!, `at ${at} s`)
          }
        }),
      60_000
    )

    it.effect(
      "MEDIA-26 after the last picture the last is shown, while the sound continues",
      () =>
        Effect.gen(function*() {
          for (const name of ["sound.mp4", "sound.mkv", "sound.ts"]) {
            const path = make(
              name,
              ...toneSource(20),
              ...colourSource.map((arg) =>
                arg.replace(/\[(\d):v\]/g, (_, index: string) => `[${Number(index) + 1}:v]`)
              ),
              "-map",
              "[v]",
              "-map",
              "0:a",
              ...h264
            )
            assert.strictEqual(yield* colourAt(path, 5.5), "magenta", name)
            assert.strictEqual(yield* colourAt(path, 15), "magenta", name)
            assert.strictEqual(yield* colourAt(path, 25), "PastEnd", name)
          }
        }),
      60_000
    )

    it.effect("MEDIA-26 a moment after the end says how long the video is, the end itself shows the last picture", () =>
      Effect.gen(function*() {
        const path = make("end.mp4", ...video(...h264))
        assert.deepStrictEqual(yield* frameAt(path, 6.01), { _tag: "PastEnd", durationSeconds: 6 })
        assert.strictEqual(yield* colourAt(path, 6), "magenta")
      }))

    it.effect("MEDIA-26 without a moment it is the one a tenth of the way in", () =>
      Effect.gen(function*() {
        const path = make("tenth.mp4", ...video("-t", "3", ...h264))
        const frame = yield* frameAt(path, null)
        assert.deepInclude(frame, { _tag: "Frame", atSeconds: 0.3, durationSeconds: 3 })
        assert.strictEqual(yield* colourAt(path, null), "red")
      }))

    it.effect("MEDIA-26 a picture is upright, as large as it is or within the side asked for, in its colours", () =>
      Effect.gen(function*() {
        const filmed = make("filmed.mp4", "-f", "lavfi", "-i", "color=0x4080c0:s=640x360:d=1", ...h264)
        const turned = make("turned.mp4", "-i", filmed, "-c", "copy", "-metadata:s:v", "rotate=90")
        const frame = yield* frameAt(turned, 0)
        assert.deepInclude(frame, { width: 360, height: 640 })
        assert.deepInclude(yield* frameAt(turned, 0, 320), { width: 180, height: 320 })
        const [red, green, blue] = frame._tag === "Frame" ? frame.pixel as Array<number> : []
        for (const [found, drawn] of [[red, 0x40], [green, 0x80], [blue, 0xc0]]) {
          assert.closeTo(found!, drawn!, 6)
        }
      }))

    it.effect("MEDIA-26 a track has no pictures, its cover is none", () =>
      Effect.gen(function*() {
        const cover = make("cover.jpg", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1")
        const track = make(
          "covered.m4a",
          ...toneSource(2),
          "-i",
          cover,
          "-map",
          "0",
          "-map",
          "1",
          "-c:v",
          "copy",
          "-disposition:v",
          "attached_pic"
        )
        const error = yield* Effect.flip(frameAt(track, 0))
        assert.deepInclude(error, { _tag: "Unreadable", because: "There are no pictures in this file." })
      }))
  })

  describe.skipIf(Samples.missing !== undefined || Fixtures.missing !== undefined)(
    `of samples${Samples.because(Samples.missing, Fixtures.missing)}`,
    () => {
      const shown = ["red", "lime", "blue", "yellow", "cyan", "magenta"]
      it.effect.each(["video/colours10s.mp4", "video/colours10s.webm"])(
        "MEDIA-26 %s",
        (name) =>
          Effect.gen(function*() {
            for (const at of [0, 0.949, 0.95, 1, 2.01, 3.99, 4.95, 5.051]) {
              assert.strictEqual(yield* colourAt(Samples.sample(name), at), shown[Math.floor(at)]!, `at ${at} s`)
            }
          }),
        60_000
      )
    }
  )
})
