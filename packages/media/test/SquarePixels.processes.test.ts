/** Videos whose pixels are not square. */
import { assert, describe, it, layer } from "@effect/vitest"
import { MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import { displaySize, within } from "../src/ffmpeg/DisplaySize.ts"
import { previewSize } from "../src/ffmpeg/Preview.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import * as Fixtures from "./FfmpegFixtures.ts"
import * as Samples from "./Samples.ts"

const film = (name: string, size: string, aspect: string, ...options: ReadonlyArray<string>) =>
  Fixtures.make(name, "-f", "lavfi", "-i", `testsrc=s=${size}:r=5:d=1`, "-vf", `setsar=${aspect}`, ...options)

const h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]

const turned = (name: string, from: string) =>
  Fixtures.make(name, "-i", from, "-c", "copy", "-metadata:s:v", "rotate=90")

interface Film {
  readonly what: string
  readonly make: () => string
  readonly size: readonly [width: number, height: number]
  /** In the pixels that are stored. */
  readonly stored: readonly [width: number, height: number]
}

const films: ReadonlyArray<Film> = [
  {
    what: "MP4 of wide pixels",
    make: () => film("wide.mp4", "160x120", "4/3", ...h264),
    size: [213, 120],
    stored: [160, 120]
  },
  {
    what: "MP4 of narrow pixels",
    make: () => film("narrow.mp4", "720x480", "8/9", ...h264),
    size: [640, 480],
    stored: [720, 480]
  },
  { what: "Matroska", make: () => film("wide.mkv", "160x120", "4/3", ...h264), size: [213, 120], stored: [160, 120] },
  {
    what: "AVI",
    make: () => film("wide.avi", "160x120", "4/3", "-c:v", "mpeg4", "-q:v", "3"),
    size: [213, 120],
    stored: [160, 120]
  },
  {
    what: "transport stream",
    make: () => film("wide.ts", "720x576", "64/45", "-c:v", "mpeg2video"),
    size: [1_024, 576],
    stored: [720, 576]
  },
  {
    what: "MP4 that was filmed upright",
    make: () => turned("turned.mp4", film("lying.mp4", "160x120", "4/3", ...h264)),
    size: [120, 213],
    stored: [120, 160]
  },
  {
    what: "MP4 of square pixels",
    make: () => film("square.mp4", "160x120", "1/1", ...h264),
    size: [160, 120],
    stored: [160, 120]
  }
]

describe.skipIf(Fixtures.missing !== undefined)(`films${Samples.because(Fixtures.missing)}`, () => {
  layer(NodeMediaTools.layer({ processes: 1 }), { timeout: 60_000 })((it) => {
    it.effect.each(films)(
      "MEDIA-89 the pixels of a $what are shown square",
      ({ make, size: [width, height], stored }) =>
        Effect.gen(function*() {
          const path = make()
          const tools = yield* MediaTools.MediaTools
          const source = () => Samples.sourceOf(path, "video/any")
          assert.deepInclude(yield* tools.probe(source()), { width: stored[0], height: stored[1] })
          assert.deepInclude((yield* tools.streams(source())).video!, { width, height })
          assert.deepInclude(yield* tools.frame(source(), { atSeconds: 0, maxSide: 1_568 }), { width, height })
        })
    )
  })
})

describe("sizes", () => {
  it("MEDIA-89 an impossible pixel ratio is ignored", () => {
    for (const sample_aspect_ratio of ["0:1", "1:0", "100000:1", "1:100000", "-4:3", "N/A", ""]) {
      assert.deepStrictEqual(displaySize({ index: 0, width: 64, height: 48, sample_aspect_ratio }), {
        width: 64,
        height: 48
      })
    }
    assert.isNull(displaySize({ index: 0, sample_aspect_ratio: "4:3" }))
  })

  it("MEDIA-89 a picture keeps its shape within its bounds", () => {
    assert.deepStrictEqual(within({ width: 2_048, height: 1_152 }, 512), { width: 512, height: 288 })
    assert.deepStrictEqual(within({ width: 100, height: 1 }, 50), { width: 50, height: 1 })
    assert.deepStrictEqual(within({ width: 100, height: 80 }, 500), { width: 100, height: 80 })
    assert.deepStrictEqual(previewSize({ width: 2_560, height: 1_080 }), { width: 1_920, height: 810 })
  })
})
