/** What one file may take of the machine in all that is asked about it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import * as AudioVideo from "../src/AudioVideo.ts"
import * as CpuBudget from "../src/CpuBudget.ts"
import { cpuSecondsOf } from "../src/CpuTime.ts"
import * as Ffmpeg from "../src/ffmpeg/Ffmpeg.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { make as blocksOf } from "../src/SourceBlocks.ts"
import { numbered } from "./NumberedSource.ts"
import { awaited, quadrants, useBomb } from "./PictureFixtures.ts"
import { childrenOf } from "./Processes.ts"
import { works } from "./SandboxFixtures.ts"
import { inDirectory, script, version } from "./Scripts.ts"

/** Takes seconds, in native code. */
const heavy = (): Uint8Array => {
  const circles = `<circle cx="450" cy="450" r="440" opacity=".5"/>`.repeat(20_000)
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${circles}</svg>`)
}

const options = { maxSide: 100, fileName: "a file" }

/** Waits until a sandboxed process of this one's, with the programs it runs, has taken so many seconds more of CPU. */
const busyFor = (seconds: number) =>
  awaited(async () => {
    const cpu = () => new Map(childrenOf(process.pid).map((pid) => [pid, cpuSecondsOf(pid) ?? 0]))
    const before = cpu()
    while (![...cpu()].some(([pid, now]) => now - (before.get(pid) ?? 0) > seconds)) await pause(20)
  })

describe("the CPU of one file", () => {
  it.live(
    "HOSTILE-49 is counted over its tasks, and when it is used up no other is begun",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const sandbox = yield* Sandbox.make({ processes: 1 })
        const jpeg = yield* awaited(() => quadrants().jpeg().toBuffer())
        const budget = CpuBudget.make(0.8)
        yield* sandbox.run("still", options, { ...Sandbox.contentOf(jpeg), budget })
        const left = yield* budget.left
        assert.isBelow(left, 0.8)
        const ended = yield* Effect.flip(sandbox.run("still", options, { ...Sandbox.contentOf(heavy()), budget }))
        assert.deepInclude(ended, { _tag: "Unreadable" })
        const refused = yield* Effect.flip(sandbox.run("still", options, { ...Sandbox.contentOf(jpeg), budget }))
        assert.deepInclude(refused, { _tag: "Unreadable" })
        assert.match(refused.message, /takes too much time\.$/)
        yield* sandbox.run("still", options, { ...Sandbox.contentOf(jpeg), budget: CpuBudget.make() })
      })),
    60_000
  )

  it.live.skipIf(process.platform !== "linux")(
    "HOSTILE-49 is counted over programs too, to the end of each (needs Linux)",
    () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const busy = `${version}; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done`
          const ffmpeg = yield* Ffmpeg.make({
            ffmpegPath: yield* script(directory, "ffmpeg", busy),
            ffprobePath: yield* script(directory, "ffprobe", `${version}; while :; do :; done`),
            processes: 1,
            memoryMaxBytes: 1e9
          })
          const { source } = numbered(1_000)
          const blocks = yield* blocksOf(source, { readMaxBytes: 1e9, keepMaxBytes: 1e6 })
          const before = yield* blocks.budget.left
          yield* ffmpeg.run("ffmpeg", blocks, () => [])
          const between = yield* blocks.budget.left
          assert.isAbove(before - between, 0.05)
          blocks.budget.spend(between - 1)
          const ended = yield* Effect.flip(ffmpeg.run("ffprobe", blocks, () => []))
          assert.match(ended.message, /takes too much time/)
          const refused = yield* Effect.flip(ffmpeg.run("ffmpeg", blocks, () => []))
          assert.match(refused.message, /takes too much time/)
        })
      ).pipe(Effect.scoped),
    60_000
  )

  it.live.skipIf(process.platform !== "linux")(
    "HOSTILE-56 is counted of tasks that are given up, and of the programs they run (needs Linux)",
    () =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const sandbox = yield* Sandbox.make({ processes: 1 })
          yield* works(sandbox)
          const budget = CpuBudget.make()
          const drawing = sandbox.run("still", options, { ...Sandbox.contentOf(useBomb()), budget })
          const abandoned = yield* Effect.forkChild(drawing, { startImmediately: true })
          yield* busyFor(0.5)
          yield* Fiber.interrupt(abandoned)
          assert.isBelow(yield* budget.left, 59.6)
          assert.isAbove(yield* budget.left, 50)

          const ffmpeg = yield* Ffmpeg.make({
            ffmpegPath: yield* script(directory, "ffmpeg", `${version}; while :; do :; done`),
            ffprobePath: yield* script(directory, "ffprobe", version),
            processes: 1,
            memoryMaxBytes: 1e9
          })
          const blocks = yield* blocksOf(numbered(1_000).source, { readMaxBytes: 1e9, keepMaxBytes: 1e6 })
          yield* ffmpeg.run("ffprobe", blocks, () => [])
          const before = yield* blocks.budget.left
          const running = yield* Effect.forkChild(ffmpeg.run("ffmpeg", blocks, () => []), { startImmediately: true })
          yield* busyFor(0.5)
          yield* Fiber.interrupt(running)
          assert.isAbove(before - (yield* blocks.budget.left), 0.4)
        })
      ).pipe(Effect.scoped),
    120_000
  )

  it.live("HOSTILE-56 is the track's where its cover is opened", () =>
    Effect.scoped(Effect.gen(function*() {
      const { source } = numbered(1_000)
      const picture = Uint8Array.of(1, 2, 3)
      const budgets: Array<CpuBudget.CpuBudget | undefined> = []
      const run: Sandbox.Sandbox["run"] = (task, _, { budget }) => {
        budgets.push(budget)
        return Effect.succeed(
          (task === "tags" ? { tag: "written", tags: { pictures: [picture] } } : { jpeg: picture }) as never
        )
      }
      const { cover } = yield* AudioVideo.make({ run }, {})
      assert.deepInclude(yield* cover({ ...source, mimeType: "audio/flac" }, { maxSide: 100 }), { jpeg: picture })
      assert.deepStrictEqual(budgets, [CpuBudget.of(source), CpuBudget.of(source)])
      assert.strictEqual(budgets[0], budgets[1])
    })))

  it("HOSTILE-49 is one for a file, by however many questions it is read, and another for another's", () => {
    const read = () => Stream.empty
    assert.strictEqual(CpuBudget.of({ read }), CpuBudget.of({ read }))
    assert.notStrictEqual(CpuBudget.of({ read }), CpuBudget.of({ read: () => Stream.empty }))
  })
})
