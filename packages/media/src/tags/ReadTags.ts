/** Reads a track's tags in the sandbox, which says which parts of the file it needs, and is called again with them. */
import type { DriveError, MediaTools } from "@filedrive/core"
import { Effect, Stream } from "effect"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import { blockBytes, type SourceBlocks } from "../SourceBlocks.ts"
import type { TagsOptions, WrittenTags } from "./Tags.ts"

/** Most bytes of a file that are passed; enough for any picture that is shown as a cover. */
const handedMaxBytes = 24e6
const roundsMax = 40
/** CPU that may be spent on finding which parts are needed: each round reads all of them again, usually in a millisecond. */
const cpuMaxMillis = 20_000
/** Tags are at the beginning, the older ones at the end. */
const headBlocks = 4
const tailBlocks = 1
/** How many more, between these, tell whether a length may be estimated: what begins and ends in silence differs in the middle. */
const sampleBlocks = 8

/** Null when the file has no readable tags, or they are spread over too much of it. */
export const readTags = Effect.fnUntraced(function*(
  sandbox: Sandbox,
  source: MediaTools.MediaSource,
  blocks: SourceBlocks,
  wanted: Pick<TagsOptions, "picture" | "duration">
): Effect.fn.Return<WrittenTags | null, DriveError.Unreadable | DriveError.Unavailable> {
  const { mimeType, sizeBytes } = source
  const count = Math.ceil(sizeBytes / blockBytes)
  const handed = new Map<number, Uint8Array>()
  const add = Effect.fnUntraced(function*(first: number, last: number) {
    for (let block = first; block <= Math.min(last, count - 1); block++) {
      if (handed.has(block)) continue
      const start = block * blockBytes
      handed.set(block, yield* blocks.range(start, Math.min(start + blockBytes, sizeBytes) - 1))
    }
  })
  let cpuMillis = 0
  yield* add(0, headBlocks - 1)
  yield* add(Math.max(0, count - tailBlocks), count - 1)
  for (let round = 0; round < roundsMax; round++) {
    // In order, as the last block may be shorter than the others.
    const ordered = [...handed].toSorted(([a], [b]) => a - b)
    const answer = yield* sandbox.run(
      "tags",
      { ...wanted, sizeBytes, mimeType, blocks: ordered.map(([block]) => block) },
      {
        sizeBytes: ordered.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0),
        bytes: Stream.fromIterable(ordered.map(([, bytes]) => bytes)),
        budget: blocks.budget
      }
    )
    if (answer.tag === "written") {
      const known = handed.size
      if (answer.isEstimated) {
        for (let sample = 1; sample <= sampleBlocks; sample++) {
          const block = Math.floor((count * sample) / (sampleBlocks + 1))
          yield* add(block, block)
        }
      }
      if (handed.size === known) return answer.tags
      continue
    }
    if (answer.tag === "damaged") return null
    cpuMillis += answer.cpuMillis
    if (cpuMillis > cpuMaxMillis) return null
    const { first, last } = answer.blocks
    // A file that is read sequentially is passed in ever larger pieces.
    const further = Math.min(2 ** round, 32)
    if ((handed.size + Math.max(last - first, further) + 1) * blockBytes > handedMaxBytes) return null
    yield* add(first, Math.max(last, first + further - 1))
  }
  return null
})
