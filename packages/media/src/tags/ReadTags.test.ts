import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { numbered } from "../../test/NumberedSource.ts"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import { blockBytes, make as blocksOf } from "../SourceBlocks.ts"
import { readTags } from "./ReadTags.ts"

/** Always needs one more block of the file, which takes it so long to find out. */
const neverEnding = (cpuMillis: number) => {
  let rounds = 0
  const run: Sandbox["run"] = (_, options) =>
    Effect.sync(() => {
      rounds++
      const handed: ReadonlyArray<number> = (options as { readonly blocks: ReadonlyArray<number> }).blocks
      const next = Array.from({ length: 1_000 }, (_, block) => block).find((block) => !handed.includes(block))!
      return { tag: "missing", blocks: { first: next, last: next }, cpuMillis } as never
    })
  return { sandbox: { run }, rounds: () => rounds }
}

const read = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { source } = numbered(1_000 * blockBytes)
  const blocks = yield* blocksOf(source, { readMaxBytes: 64e6, keepMaxBytes: 24e6 })
  return yield* readTags(sandbox, source, blocks, { picture: false, duration: false })
}, Effect.scoped)

describe("ReadTags", () => {
  it.live("HOSTILE-22 tags that take long to look for are not looked for to their end", () =>
    Effect.gen(function*() {
      const slow = neverEnding(7_000)
      assert.isNull(yield* read(slow.sandbox))
      assert.strictEqual(slow.rounds(), 3)
      const quick = neverEnding(1)
      assert.isNull(yield* read(quick.sandbox))
      assert.isAbove(quick.rounds(), 10)
    }))
})
