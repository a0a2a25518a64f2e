/** What real files are found to be by their first bytes. */
import { assert, describe, it } from "@effect/vitest"
import { FileTypeKinds } from "@filedrive/adapter-node"
import { MediaKinds } from "@filedrive/core"
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

/** Text in an old encoding without a mark says nothing of itself: then what the sender said stands. */
const unmarked = new Set(["text/de-windows1252.txt", "text/ja-eucjp.txt", "text/ja-utf16le.txt", "text/latin1-fr.txt"])

const found = (sample: string) => FileTypeKinds.detect(readSample(sample).subarray(0, MediaKinds.headBytes))

describe.runIf(haveSamples)("samples", () => {
  it.effect.each(kinds.flatMap(([folder, type]) => samplesOf(folder).map((sample) => ({ sample, type }))))(
    "UP-26 $sample is found to be $type, or nothing at all",
    ({ sample, type }) =>
      Effect.gen(function*() {
        const mimeType = yield* found(sample)
        if (unmarked.has(sample)) assert.isNull(mimeType)
        else assert.strictEqual(FileType.ofMimeType(mimeType ?? ""), type, `found ${mimeType}`)
      })
  )

  it.effect("UP-26 a playlist that is called a film is found out", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* found("hostile/hls-in-mp4-name.mp4"), "text/plain")
    }))
})
