/** Who is answered when many ask at once: files that are read, and posters, through the same places. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase, testPicture } from "@filedrive/testing"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { MediaTools } from "../ports/MediaTools.ts"
import { Unavailable, Unreadable } from "../shared/DriveError.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { Covers } from "./Covers.ts"
import { FairTools } from "./FairTools.ts"
import { Reading } from "./Reading.ts"

const addImage = (accountId: AccountId, fileName: string) =>
  addFile(accountId, { fileName, type: "Image", mimeType: "image/png" })

/** Reading and covers whose tools open what is named `slow…` when told to, and all else at once. */
const fair = Effect.gen(function*() {
  const begun: Array<string> = []
  const ended: Array<string> = []
  const gates = yield* Queue.unbounded<Effect.Effect<void, Unreadable | Unavailable>>()
  const still: MediaTools["Service"]["still"] = ({ fileName }) =>
    Effect.gen(function*() {
      begun.push(fileName)
      if (fileName.startsWith("slow")) yield* Effect.flatten(Queue.take(gates))
      return testPicture(fileName)
    }).pipe(Effect.onExit(() => Effect.sync(() => void ended.push(fileName))))
  const built = yield* Layer.build(
    Layer.fresh(Layer.merge(Reading.layerNoDeps, Covers.layerNoDeps).pipe(Layer.provide(FairTools.layer)))
  ).pipe(Effect.provideService(MediaTools, { ...(yield* MediaTools), still }))
  const reading = Context.get(built, Reading)
  return {
    begun,
    ended,
    covers: Context.get(built, Covers),
    read: (me: AccountId, fileId: FileId) => reading.read(Checked.reading({ fileId })).pipe(as(me)),
    /** Lets the running one continue. */
    letOn: (how: Effect.Effect<void, Unreadable | Unavailable> = Effect.void) => Queue.offer(gates, how)
  }
})

/** Lets what was forked before get as far as it does by itself: the database may be another process. */
const settled = Effect.andThen(Effect.replicateEffect(newAccount, 5), Effect.replicateEffect(Effect.yieldNow, 200))

/** Waits until the tools have begun as many. */
const reached = (begun: ReadonlyArray<string>, count: number): Effect.Effect<void> =>
  Effect.promise(async () => {
    while (begun.length < count) await new Promise((resolve) => setImmediate(resolve))
  })

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("fair reading", (it) => {
  it.effect("READ-18 READ-19 forty readings of one account keep another's from nothing, and are not all taken", () =>
    Effect.gen(function*() {
      const { begun, read } = yield* fair
      const [busy, quiet] = [yield* newAccount, yield* newAccount]
      const ids = yield* Effect.forEach(Array.from({ length: 40 }, (_, n) => n), (n) => addImage(busy, `slow-${n}`))
      const results = yield* Queue.unbounded<Unavailable>()
      for (const id of ids) {
        yield* Effect.forkScoped(
          read(busy, id).pipe(Effect.catchTag("Unavailable", (error) => Queue.offer(results, error)))
        )
      }
      const refused = yield* Effect.replicateEffect(Queue.take(results), 19)
      for (const { code, retryAfterSeconds } of refused) {
        assert.deepStrictEqual([code, retryAfterSeconds], ["unavailable", 1])
      }
      assert.lengthOf(begun, 1)
      const { image } = yield* read(quiet, yield* addImage(quiet, "quick"))
      assert.isString(image?.data)
      assert.strictEqual(yield* Queue.size(results), 0)
    }))

  it.effect("READ-33 READ-34 when four accounts have files opened that take all their time, a fifth waits for a turn", () =>
    Effect.gen(function*() {
      const { begun, ended, letOn, read } = yield* fair
      const owners = yield* Effect.replicateEffect(newAccount, 4)
      const results = yield* Queue.unbounded<number | undefined>()
      for (const [n, me] of owners.entries()) {
        const id = yield* addImage(me, `slow ${n}`)
        yield* Effect.forkScoped(
          Effect.catchTag(read(me, id), "Unavailable", (error) => Queue.offer(results, error.retryAfterSeconds))
        )
        yield* reached(begun, n + 1)
        // Two go aside, two have the places.
        if (n % 2 === 1) yield* TestClock.adjust("1 second")
      }
      const quiet = yield* newAccount
      const { image } = yield* read(quiet, yield* addImage(quiet, "quick"))
      assert.isString(image?.data)
      assert.deepStrictEqual(begun, ["slow 0", "slow 1", "slow 2", "slow 3", "quick"])
      assert.lengthOf(ended, 2)
      assert.strictEqual(yield* Queue.take(results), 1)
      // Whose file was ended gets it when others have left.
      const again = yield* Effect.forkScoped(read(owners[2]!, yield* addImage(owners[2]!, "slow again")))
      yield* reached(begun, 6)
      yield* TestClock.adjust("1 minute")
      for (let n = 0; n < 4; n++) yield* letOn()
      assert.isString((yield* Fiber.join(again)).image?.data)
    }))

  it.effect("READ-18 posters wait for the same places", () =>
    Effect.gen(function*() {
      const { begun, covers, letOn, read } = yield* fair
      const me = yield* newAccount
      const videoId = yield* addFile(me, { fileName: "v.mp4", type: "Video", mimeType: "video/mp4" })
      const [slow, other] = [yield* addImage(me, "slow"), yield* addImage(me, "other")]
      yield* Effect.forkScoped(read(me, slow), { startImmediately: true })
      yield* reached(begun, 1)
      const poster = yield* Effect.forkScoped(
        covers.setVideoThumbnail(Checked.thumbnail({ videoId, imageId: other })).pipe(as(me))
      )
      yield* settled
      assert.deepStrictEqual(begun, ["slow"])
      yield* letOn()
      yield* Fiber.join(poster)
      assert.deepStrictEqual(begun, ["slow", "other"])
    }))

  it.effect("READ-20 equal readings are one run, other accounts' too, and one that disconnects fails no other", () =>
    Effect.gen(function*() {
      const { begun, ended, letOn, read } = yield* fair
      const [owner, other] = [yield* newAccount, yield* newAccount]
      const id = yield* addImage(owner, "slow")
      yield* (yield* Shares).share([id], [other]).pipe(as(owner))
      const ask = (me: AccountId) => Effect.forkScoped(read(me, id), { startImmediately: true })
      const callers = [yield* ask(owner), yield* ask(owner), yield* ask(other)]
      yield* reached(begun, 1)
      yield* settled
      assert.deepStrictEqual(begun, ["slow"])
      yield* Fiber.interruptAll(callers.slice(0, 2))
      assert.deepStrictEqual(ended, [])
      yield* letOn()
      assert.isString((yield* Fiber.join(callers[2]!)).image?.data)
      assert.deepStrictEqual(begun, ["slow"])

      const last = yield* ask(owner)
      yield* reached(begun, 2)
      yield* Fiber.interrupt(last)
      assert.deepStrictEqual([begun, ended], [["slow", "slow"], ["slow", "slow"]])
    }))

  it.effect("READ-21 what took long is remembered for an hour, what did not is not", () =>
    Effect.gen(function*() {
      const { begun, letOn, read } = yield* fair
      const me = yield* newAccount
      const [slow, quick] = [yield* addImage(me, "slow"), yield* addImage(me, "quick")]
      const asking = yield* Effect.forkScoped(read(me, slow), { startImmediately: true })
      yield* settled
      yield* TestClock.adjust("1 second")
      yield* letOn()
      const first = yield* Fiber.join(asking)
      assert.deepStrictEqual(yield* read(me, slow), first)
      yield* read(me, quick)
      yield* read(me, quick)
      assert.deepStrictEqual(begun, ["slow", "quick", "quick"])
      yield* TestClock.adjust(Duration.hours(1))
      yield* letOn()
      yield* read(me, slow)
      assert.deepStrictEqual(begun, ["slow", "quick", "quick", "slow"])
    }))

  it.effect("READ-21 that a file can't be opened is remembered, but nothing that may pass", () =>
    Effect.gen(function*() {
      const { begun, letOn, read } = yield* fair
      const me = yield* newAccount
      const ask = (id: FileId) => Effect.flip(read(me, id))
      const broken = yield* addImage(me, "slow broken")
      yield* letOn(Effect.fail(new Unreadable({ because: "It is cut off." })))
      assert.deepInclude(yield* ask(broken), { _tag: "Unreadable", because: "It is cut off." })
      assert.deepInclude(yield* ask(broken), { _tag: "Unreadable", because: "It is cut off." })
      assert.lengthOf(begun, 1)

      const passing = yield* addImage(me, "slow passing")
      yield* letOn(Effect.fail(new Unavailable({ code: "unavailable", cause: "busy" })))
      yield* letOn(Effect.fail(new Unreadable({ because: "Install it.", missingTool: "sharp" })))
      yield* letOn()
      assert.deepInclude(yield* ask(passing), { _tag: "Unavailable" })
      assert.deepInclude(yield* ask(passing), { missingTool: "sharp" })
      assert.isString((yield* read(me, passing)).image?.data)
    }))

  it.effect("READ-23 an image that can't be opened is not opened again for another size, by whichever call", () =>
    Effect.gen(function*() {
      const { begun, covers, letOn, read } = yield* fair
      const me = yield* newAccount
      const videoId = yield* addFile(me, { fileName: "v.mp4", type: "Video", mimeType: "video/mp4" })
      const trackId = yield* addFile(me, { fileName: "t.mp3", type: "Audio", mimeType: "audio/mpeg" })
      const [bomb, whole] = [yield* addImage(me, "slow bomb"), yield* addImage(me, "whole")]
      yield* letOn(Effect.fail(new Unreadable({ because: "It takes too much time." })))
      const cover = () => Effect.flip(covers.set({ trackId, imageId: bomb }).pipe(as(me)))
      assert.deepInclude(yield* cover(), { _tag: "InvalidField", field: "imageId" })
      assert.deepInclude(yield* cover(), { _tag: "InvalidField", field: "imageId" })
      const poster = yield* Effect.flip(
        covers.setVideoThumbnail(Checked.thumbnail({ videoId, imageId: bomb })).pipe(as(me))
      )
      assert.deepInclude(poster, { _tag: "InvalidField", field: "imageId" })
      assert.deepInclude(yield* Effect.flip(read(me, bomb)), { because: "It takes too much time." })
      assert.deepStrictEqual(begun, ["slow bomb"])

      yield* read(me, whole)
      yield* covers.set({ trackId, imageId: whole }).pipe(as(me))
      assert.deepStrictEqual(begun, ["slow bomb", "whole", "whole"])
      yield* TestClock.adjust(Duration.hours(1))
      yield* letOn()
      yield* covers.set({ trackId, imageId: bomb }).pipe(as(me))
      assert.lengthOf(begun, 4)
    }))

  it.effect("READ-20 what another account has had opened while a call waited is not opened again", () =>
    Effect.gen(function*() {
      const { begun, letOn, read } = yield* fair
      const [owner, other] = [yield* newAccount, yield* newAccount]
      const [shared, own] = [yield* addImage(owner, "slow shared"), yield* addImage(other, "slow own")]
      yield* (yield* Shares).share([shared], [other]).pipe(as(owner))
      const ask = (me: AccountId, id: FileId) => Effect.forkScoped(read(me, id), { startImmediately: true })
      const blocking = yield* ask(other, own)
      yield* settled
      const waiting = yield* ask(other, shared)
      const opening = yield* ask(owner, shared)
      yield* settled
      assert.deepStrictEqual(begun, ["slow own", "slow shared"])
      yield* letOn()
      yield* settled
      const done = yield* Deferred.make<void>()
      yield* letOn(Deferred.await(done))
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.joinAll([blocking, opening, waiting])
      assert.deepStrictEqual(begun, ["slow own", "slow shared"])
    }))
})
