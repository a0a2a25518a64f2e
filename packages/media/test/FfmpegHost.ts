/** A host that runs a program on a file: the one at the path it is given. */
import { Effect } from "effect"
import * as Ffmpeg from "../src/ffmpeg/Ffmpeg.ts"
import { make as blocksOf } from "../src/SourceBlocks.ts"
import { numbered } from "./NumberedSource.ts"

await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const ffmpeg = yield* Ffmpeg.make({ ffmpegPath: process.argv[2]!, processes: 1, memoryMaxBytes: 1e9 })
  const blocks = yield* blocksOf(numbered(1_000).source, { readMaxBytes: 1e9, keepMaxBytes: 1e6 })
  yield* ffmpeg.run("ffmpeg", blocks, () => [])
})))
