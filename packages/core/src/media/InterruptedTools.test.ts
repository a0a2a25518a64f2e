/** Work on files whose tools are killed, or for which there is no room. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Array as Arr, Cause, Effect, Exit, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { checkBooks, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { add, extractDue, extracted, image, recordOf } from "../../test/MediaTest.ts"
import { counted, film, find, opened, Parts, pieces, requested, run, stateOf } from "../../test/PreviewsTest.ts"
import { MediaTools } from "../ports/MediaTools.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import { Peaks } from "./Peaks.ts"

/** Meets the next fault that is planted. */
const planted = Effect.flatMap(
  MediaTools,
  (tools) =>
    tools.preview({ fileName: "any", mimeType: "video/mp4", sizeBytes: 0, read: () => Stream.empty }, {
      write: () => Effect.void,
      progress: () => Effect.void
    })
).pipe(Effect.mapError((error) => error as Unavailable))

testLayer(layer(TestDatabase.layer).pipe(Layer.provideMerge(Parts)))("tools that are killed", (it) => {
  it.effect.each(["probe", "still"] as const)(
    "MEDIA-82 a file whose %s is killed waits and is extracted then; after four times it counts as one that can't be read",
    (method) =>
      Effect.gen(function*() {
        const tools = yield* TestMediaTools
        const me = yield* newAccount
        yield* extracted
        const id = yield* add(me, `killed ${method}.png`, image)
        yield* tools.plant(method, Faults.toolKilled, 3)
        for (let time = 0; time < 3; time++) {
          const [exit] = yield* extractDue
          assert.isTrue(exit !== undefined && Exit.isFailure(exit))
          assert.deepInclude(yield* recordOf(me, id), { metadataStatus: "pending" })
        }
        yield* extracted
        assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "done")
        const worse = yield* add(me, `killed always ${method}.png`, image)
        yield* tools.plant(method, Faults.toolKilled, 4)
        for (let time = 0; time < 4; time++) yield* extractDue
        assert.strictEqual((yield* recordOf(me, worse)).metadataStatus, "failed")
        assert.deepStrictEqual(yield* extractDue, [])
        yield* settled(me)
      })
  )

  it.effect("MEDIA-82 a preview whose tool is killed is made anew, four times in all; then the sentence doesn't blame the file", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const media = yield* TestMediaTools
      const me = yield* newAccount
      const [made, never] = [yield* film(me, "killed 3.mov"), yield* film(me, "killed 4.mov")]
      yield* jobs.runDue
      yield* requested(me, made)
      yield* media.plant("preview", Faults.toolKilled, 3)
      for (let time = 0; time < 3; time++) {
        yield* jobs.runDue
        assert.deepInclude(yield* stateOf(me, made), { status: "working", error: null })
      }
      yield* jobs.runDue
      assert.strictEqual(yield* opened(me, made), "index film")
      yield* requested(me, never)
      yield* media.plant("preview", Faults.toolKilled, 9)
      for (let time = 0; time < 9; time++) yield* jobs.runDue
      assert.strictEqual(yield* counted("preview", "killed 4.mov"), 0)
      assert.deepInclude(yield* stateOf(me, never), {
        status: "failed",
        error: "The preview could not be made: it was interrupted too often."
      })
      assert.deepStrictEqual((yield* jobs.waiting).filter(({ kind }) => kind === "media.preview"), [])
      // Four runs met one each, so five are left.
      yield* media.plant("preview", Faults.noSpace)
      const runs = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => Effect.flip(planted))
      assert.deepStrictEqual(runs.map(({ code }) => code), [...Arr.replicate("unavailable", 5), "no_space"])
      yield* settled(me)
    }))

  it.effect("MEDIA-82 storage that fails between doesn't count", () =>
    Effect.gen(function*() {
      const media = yield* TestMediaTools
      const me = yield* newAccount
      const id = yield* film(me, "killed and away.mov")
      yield* requested(me, id)
      for (let time = 0; time < 3; time++) {
        yield* media.plant("preview", Faults.toolKilled)
        yield* media.plant("preview", Faults.notReached, 2)
        for (let fault = 0; fault < 3; fault++) assert.isTrue(Exit.isFailure(yield* run(me, id)))
      }
      assert.isTrue(Exit.isSuccess(yield* run(me, id)))
      assert.strictEqual(yield* opened(me, id), "index film")
      yield* settled(me)
    }))

  it.effect("MEDIA-82 the peaks of a file whose tool is killed are tried again, and given up after four times", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const media = yield* TestMediaTools
      const peaks = yield* Peaks
      const me = yield* newAccount
      const waiting = Effect.map(jobs.waiting, (all) => all.filter(({ kind }) => kind === "media.peaks").length)
      for (const times of [3, 4]) {
        const id = yield* film(me, `peaks ${times}.mov`)
        yield* media.plant("peaks", Faults.toolKilled, times)
        for (let time = 1; time <= times; time++) {
          yield* jobs.runDue
          assert.strictEqual(yield* waiting, time < 4 ? 1 : 0)
        }
        yield* jobs.runDue
        assert.strictEqual((yield* peaks.link(yield* find(me, id))) !== null, times < 4)
      }
      yield* settled(me)
    }))

  it.effect.each(["createUpload", "putPart", "completeUpload"] as const)(
    "MEDIA-85 on a full disk (%s) a preview waits, leaves nothing behind, and is made once there is room",
    (at) =>
      Effect.gen(function*() {
        const jobs = yield* ManualJobs
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const id = yield* film(me, `full ${at}.mov`, pieces("0123456789", "abcdefghij", "klm"))
        yield* jobs.runDue
        const before = (yield* checkBooks(me)).held
        yield* requested(me, id)
        yield* memory.plant(at, Faults.noSpace, 6)
        for (let time = 0; time < 6; time++) {
          const exit = yield* run(me, id)
          const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
          assert.strictEqual((error as Unavailable | undefined)?.code, "no_space")
          assert.deepInclude(yield* stateOf(me, id), { status: "working", error: null })
        }
        yield* TestClock.adjust("13 hours")
        assert.deepStrictEqual((yield* checkBooks(me)).held, before)
        yield* jobs.runDue
        assert.strictEqual(yield* opened(me, id), "index 0123456789abcdefghijklm")
        yield* settled(me)
      })
  )
})
