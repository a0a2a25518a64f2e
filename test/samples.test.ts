/** What real files are found to be by their first bytes. */
import { assert, describe, it } from "@effect/vitest"
import { MediaKinds } from "@filedrive/core"
import { FileTypeKinds } from "@filedrive/media"
import { Effect } from "effect"
import * as FileType from "../packages/core/src/shared/FileType.ts"
import { haveSamples, readSample, samplesOf } from "./Samples.ts"

const kinds: ReadonlyArray<readonly [folder: string, type: FileType.FileType]> = [
  ["audio", "Audio"],
  ["image", "Image"],
  ["raw", "Image"],
  ["pdf", "Document"],
  ["text", "Text"],
  ["video", "Video"]
]

const found = (sample: string) => FileTypeKinds.detect(readSample(sample).subarray(0, MediaKinds.headBytes))

describe.runIf(haveSamples)("samples (needs the folder of samples: test/Samples.ts)", () => {
  it.effect.each(kinds.flatMap(([folder, type]) => samplesOf(folder).map((sample) => ({ sample, type }))))(
    "UP-26 $sample is found to be $type",
    ({ sample, type }) =>
      Effect.gen(function*() {
        const mimeType = yield* found(sample)
        assert.strictEqual(FileType.ofMimeType(mimeType ?? ""), type, `found ${mimeType}`)
      })
  )

  it.effect("UP-26 a playlist that is called a film is found out", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* found("hostile/hls-in-mp4-name.mp4"), "text/plain")
    }))
})
