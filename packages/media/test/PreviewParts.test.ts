/** What previews and peaks are made of, without ffmpeg. */
import { assert, describe, it, layer } from "@effect/vitest"
import { type DriveError, MediaTools } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { previewSize } from "../src/ffmpeg/Preview.ts"
import { Fragments } from "../src/mp4/Fragments.ts"
import * as NodeMediaTools from "../src/NodeMediaTools.ts"
import { Peaks } from "../src/sound/Peaks.ts"

describe("the size of previews", () => {
  it.each([
    [3_840, 2_160, 1_920, 1_080],
    [2_160, 3_840, 1_080, 1_920],
    [4_096, 2_160, 1_920, 1_012],
    [4_000, 3_000, 1_440, 1_080],
    [640, 480, 640, 480],
    [641, 481, 642, 482],
    [30_000, 2, 1_920, 2]
  ])("MEDIA-73 of %s x %s is %s x %s", (width, height, shownWidth, shownHeight) => {
    assert.deepStrictEqual(previewSize({ width, height }), { width: shownWidth, height: shownHeight })
  })
})

describe("peaks", () => {
  /** Takes samples in pieces of odd sizes. */
  const peaksOf = (samples: ReadonlyArray<number>) => {
    const peaks = new Peaks(100)
    const bytes = Buffer.from(Int16Array.from(samples).buffer)
    for (let at = 0; at < bytes.length; at += 777) peaks.take(bytes.subarray(at, at + 777))
    return peaks.pairs()
  }

  it("MEDIA-78 are as many whatever the length, and are those of each stretch", () => {
    for (const length of [1, 7, 99, 100, 101, 5_000, 300_001]) {
      const pairs = peaksOf(Array.from({ length }, (_, at) => at === length - 1 ? -32_768 : at % 2 === 0 ? 16_384 : 0))
      assert.lengthOf(pairs!, 200)
      assert.strictEqual(pairs!.at(-2), -1)
      assert.isTrue(pairs!.every((value) => value >= -1 && value <= 1))
      if (length > 1) assert.strictEqual(pairs![1], 0.5)
    }
    assert.isNull(peaksOf([]))
  })
})

describe("an index made of fragments", () => {
  it("MEDIA-80 of what is no such file is refused, in bounded memory", () => {
    const wrong = [
      Buffer.alloc(64),
      Buffer.from([0xff, 0xff, 0xff, 0xff, ...Buffer.from("moov")]),
      Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from("moof"), Buffer.alloc(8, 0xff)]),
      Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from("moov"), Buffer.alloc(8, 0xff)])
    ]
    for (const bytes of wrong) assert.throws(() => new Fragments().take(bytes), RangeError)
    assert.throws(() => new Fragments().head(), RangeError)
  })
})

layer(NodeMediaTools.layer({ ffmpegPath: "/nowhere/ffmpeg", ffprobePath: "/nowhere/ffprobe" }), { timeout: 60_000 })(
  "without ffmpeg",
  (it) => {
    it.effect("MEDIA-76 a preview and peaks fail with a sentence that tells what to install", () =>
      Effect.gen(function*() {
        const tools = yield* MediaTools.MediaTools
        const source: MediaTools.MediaSource = {
          fileName: "any.mov",
          mimeType: "video/quicktime",
          sizeBytes: 3,
          read: () => Stream.succeed(new Uint8Array(3))
        }
        const sink = { write: () => Effect.void, progress: () => Effect.void }
        for (const asked of [tools.preview(source, sink), tools.peaks(source), tools.streams(source)]) {
          const error = yield* Effect.flip(asked as Effect.Effect<unknown, DriveError.Unreadable>)
          assert.strictEqual(error._tag, "Unreadable")
          assert.include(error.because, "install ffmpeg")
          assert.isString(error.missingTool)
        }
      }))
  }
)
