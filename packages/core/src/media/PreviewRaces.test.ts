/** Previews under many callers and workers at once: on a real server. And how accounts share their places. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Array as Arr, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { addFile, as, asTimePasses, checkBooks, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { extracted, video } from "../../test/MediaTest.ts"
import { Files } from "../files/Files.ts"
import { Trash } from "../files/Trash.ts"
import * as FairPlaces from "../shared/FairPlaces.ts"
import { AccountId } from "../shared/Ids.ts"
import * as FilePlaces from "./FilePlaces.ts"
import { PreviewRuns, rulesOf, turn } from "./PreviewRuns.ts"
import { Previews } from "./Previews.ts"
import { PreviewPartBytes } from "./PreviewUpload.ts"

const atOnce = { concurrency: "unbounded" } as const

const streams = {
  container: "matroska,webm",
  video: { codec: "hevc", pixelFormat: "yuv420p10le", width: 1_920, height: 1_080 }
}
const preview = ["index ", "0123456789", "abcdefghij", "klmnopqrst"].map((text) => new TextEncoder().encode(text))

const layers = layer(TestDatabase.layerPostgres).pipe(Layer.provideMerge(Layer.succeed(PreviewPartBytes, 10)))

testLayer(layers, { timeout: "120 seconds" })("Previews under many callers at once", (it) => {
  it.effect("MEDIA-73 MEDIA-75 of ten who ask and three runs at once one preview stays, and no object of the others", () =>
    Effect.gen(function*() {
      const previews = yield* Previews
      const runs = yield* PreviewRuns
      const files = yield* Files
      const me = yield* newAccount
      yield* (yield* TestMediaTools).say("race.mkv", { streams, preview })
      const id = yield* addFile(me, { ...video, fileName: "race.mkv" })
      yield* extracted
      const find = Effect.map(files.find(me, id), Option.getOrThrow)
      yield* Effect.all(Arr.makeBy(10, () => Effect.flatMap(find, previews.request)), atOnce)
      const exits = yield* asTimePasses(
        Effect.all(Arr.makeBy(3, () => Effect.exit(runs.run(me, id))), atOnce)
      )
      for (const exit of exits) assert.isFalse(Exit.hasDies(exit), String(exit))
      yield* (yield* ManualJobs).runDue
      const state = yield* Effect.flatMap(find, previews.of)
      assert.deepInclude(state, { status: "done", progress: 1 })
      assert.strictEqual(state.stream?.sizeBytes, 36)
      yield* TestClock.adjust("13 hours")
      yield* (yield* ManualJobs).runDue
      // The film, its poster and the preview.
      assert.lengthOf((yield* checkBooks(me)).held, 3)
      yield* settled(me)
    }))

  it.effect("MEDIA-77 files that are deleted while their previews are made leave nothing", () =>
    Effect.gen(function*() {
      const previews = yield* Previews
      const runs = yield* PreviewRuns
      const files = yield* Files
      const trash = yield* Trash
      const me = yield* newAccount
      yield* (yield* TestMediaTools).say("gone.mkv", { streams, preview })
      const ids = yield* Effect.forEach(Arr.range(1, 12), () => addFile(me, { ...video, fileName: "gone.mkv" }))
      yield* extracted
      yield* Effect.forEach(
        ids,
        (id) => Effect.flatMap(Effect.map(files.find(me, id), Option.getOrThrow), previews.request)
      )
      const exits = yield* asTimePasses(Effect.all(
        ids.flatMap((id) => [
          Effect.exit(Effect.asVoid(runs.run(me, id))),
          Effect.exit(Effect.asVoid(trash.delete([id]).pipe(as(me))))
        ]),
        atOnce
      ))
      for (const exit of exits) assert.strictEqual(exit._tag, "Success")
      yield* TestClock.adjust("13 hours")
      yield* (yield* ManualJobs).runDue
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      yield* settled(me)
    }))
})

testLayer(Layer.empty)("turns of previews", (it) => {
  const [many, other] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"].map((id) =>
    AccountId.make(id)
  ) as [AccountId, AccountId]

  it.effect("MEDIA-81 beside films of one account that never end, another account's begins after one turn", () =>
    Effect.gen(function*() {
      const rules = rulesOf({ inTurn: 1, aside: 2 })
      assert.deepInclude(rules, { ofGroup: 1, preempts: false })
      const places = yield* FairPlaces.make(rules, { turn, waitMax: Duration.infinity }, FilePlaces.causes)
      const endless = yield* Effect.forEach(
        Arr.range(1, rules.places + rules.asideMax),
        () => Effect.forkChild(Effect.exit(places.run(many, Effect.never)), { startImmediately: true })
      )
      let begun = false
      const fiber = yield* Effect.forkChild(places.run(other, Effect.sync(() => void (begun = true))), {
        startImmediately: true
      })
      yield* TestClock.adjust(turn)
      yield* Fiber.join(fiber)
      assert.isTrue(begun)
      yield* Effect.forEach(endless, Fiber.interrupt)
    }))
})
