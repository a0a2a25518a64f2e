/** Previews and peaks: made once, in the background, and gone with their file. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { addFile, as, asTimePasses, checkBooks, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { extracted, recordOf, textAt, track, video } from "../../test/MediaTest.ts"
import {
  counted,
  film,
  find,
  h264,
  opened,
  Parts,
  pieces,
  prores,
  requested,
  run,
  stateOf
} from "../../test/PreviewsTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import { Library } from "../library/Library.ts"
import { Unreadable } from "../shared/DriveError.ts"
import { Peaks } from "./Peaks.ts"
import { Previews } from "./Previews.ts"

testLayer(layer(TestDatabase.layer).pipe(Layer.provideMerge(Parts)))("Previews", (it) => {
  it.effect("MEDIA-73 MEDIA-79 a film that browsers don't play gets a preview when it is asked for, once, charged to nobody", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const me = yield* newAccount
      const id = yield* film(me, "once.mov")
      assert.deepInclude(yield* stateOf(me, id), { status: "none", stream: null })
      assert.isNull(yield* opened(me, id))
      assert.deepInclude(yield* requested(me, id), { status: "working", progress: 0, error: null, stream: null })
      assert.deepInclude(yield* requested(me, id), { status: "working" })
      yield* (yield* ManualJobs).runDue
      const done = yield* requested(me, id)
      assert.deepInclude(done, { status: "done", progress: 1, error: null })
      assert.deepInclude(done.stream, { mimeType: "video/mp4", sizeBytes: 10 })
      assert.strictEqual(yield* opened(me, id), "index film")
      yield* (yield* ManualJobs).runDue
      assert.strictEqual(yield* counted("preview", "once.mov"), 1)
      assert.deepInclude(yield* library.usage.pipe(as(me)), { usedBytes: 10, objectCount: 1 })
      assert.strictEqual((yield* recordOf(me, id)).id, id)
      yield* settled(me)
    }))

  it.effect("MEDIA-74 a preview larger than a part is stored while it is made, its index first", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const id = yield* film(me, "large.mov", pieces("0123", "456789abcdefghijkl", "mnopqrstu", "v", "wxyz"))
      yield* requested(me, id)
      yield* (yield* ManualJobs).runDue
      assert.strictEqual(yield* opened(me, id), "index 0123456789abcdefghijklmnopqrstuvwxyz")
      yield* settled(me)
    }))

  it.effect("MEDIA-72 a file that browsers play gets none: its link leads to itself, and not while it is in trash", () =>
    Effect.gen(function*() {
      const previews = yield* Previews
      const me = yield* newAccount
      yield* (yield* TestMediaTools).say("plays.mp4", { streams: h264 })
      const id = yield* addFile(me, { ...video, fileName: "plays.mp4" })
      // Not looked into yet: the job finds out.
      yield* requested(me, id)
      yield* (yield* ManualJobs).runDue
      assert.deepInclude(yield* requested(me, id), { status: "none", error: null })
      assert.strictEqual(yield* counted("preview", "plays.mp4"), 0)
      const link = yield* previews.link(yield* find(me, id))
      assert.strictEqual(link?.mimeType, "video/mp4")
      yield* (yield* Trash).put([id]).pipe(as(me))
      assert.isNull(yield* previews.link(yield* find(me, id)))
      yield* settled(me)
    }))

  it.effect("MEDIA-76 a file that can't be converted fails with the sentence, and is not tried again", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const id = yield* film(me, "broken.mov")
      const because = "No preview could be made: it is damaged."
      yield* (yield* TestMediaTools).say("broken.mov", { streams: prores, preview: new Unreadable({ because }) })
      yield* requested(me, id)
      yield* (yield* ManualJobs).runDue
      assert.deepInclude(yield* stateOf(me, id), { status: "failed", error: because, stream: null })
      yield* TestClock.adjust("1 day")
      assert.deepInclude(yield* requested(me, id), { status: "failed" })
      assert.deepStrictEqual((yield* (yield* ManualJobs).waiting).filter(({ kind }) => kind === "media.preview"), [])
      yield* settled(me)
    }))

  it.effect("MEDIA-76 without ffmpeg the sentence says so; it is tried again when somebody asks ten minutes later", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const media = yield* TestMediaTools
      const me = yield* newAccount
      const id = yield* film(me, "no tool.mov")
      const because = "Opening this file needs ffmpeg on the server."
      yield* media.say("no tool.mov", {
        streams: prores,
        preview: new Unreadable({ because, missingTool: "ffmpeg" })
      })
      yield* requested(me, id)
      yield* jobs.runDue
      assert.deepInclude(yield* requested(me, id), { status: "failed", error: because })
      assert.deepStrictEqual((yield* jobs.waiting).filter(({ kind }) => kind === "media.preview"), [])
      yield* media.say("no tool.mov", { streams: prores, preview: pieces("film") })
      yield* TestClock.adjust("10 minutes")
      assert.deepInclude(yield* requested(me, id), { status: "working", error: null })
      yield* jobs.runDue
      assert.strictEqual(yield* opened(me, id), "index film")
      yield* settled(me)
    }))

  const moments = (["createUpload", "putPart", "completeUpload", "head"] as const).flatMap((at) =>
    (["before", "after"] as const).map((when) => ({ at, when }))
  )

  it.effect.each(moments)(
    "MEDIA-75 a run killed $when $at is followed by one that begins anew, and leaves nothing",
    ({ at, when }) =>
      Effect.gen(function*() {
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const name = `killed ${when} ${at}.mov`
        const id = yield* film(me, name, pieces("0123456789", "abcdefghij", "klm"))
        yield* requested(me, id)
        yield* memory.plant(at, Faults[when](Effect.interrupt))
        assert.isTrue(Exit.hasInterrupts(yield* run(me, id)))
        assert.deepInclude(yield* stateOf(me, id), { status: "working" })
        yield* (yield* ManualJobs).runDue
        assert.deepInclude(yield* stateOf(me, id), { status: "done", progress: 1 })
        assert.strictEqual(yield* opened(me, id), "index 0123456789abcdefghijklm")
        yield* TestClock.adjust("13 hours")
        yield* (yield* ManualJobs).runDue
        assert.lengthOf((yield* checkBooks(me)).held, 4)
        yield* settled(me)
      })
  )

  it.effect("MEDIA-75 storage that fails is asked again; a run that ended so doesn't count as one that was killed", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* film(me, "storage.mov", pieces("0123456789", "abcdefghij"))
      yield* requested(me, id)
      for (let time = 0; time < 6; time++) {
        yield* memory.plant("putPart", Faults.notReached)
        assert.isTrue(Exit.isFailure(yield* run(me, id)))
      }
      assert.isTrue(Exit.isSuccess(yield* run(me, id)))
      assert.strictEqual(yield* opened(me, id), "index 0123456789abcdefghij")
      yield* settled(me)
    }))

  it.effect("MEDIA-74 its progress is saved and never goes back", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* film(me, "slow.mov", pieces("0123456789", "abcdefghij", "klmnopqrst", "uvwxyz"))
      yield* requested(me, id)
      const seen: Array<number> = []
      const look = Effect.gen(function*() {
        yield* TestClock.adjust("2 seconds")
        yield* Effect.yieldNow
        seen.push((yield* stateOf(me, id)).progress)
      })
      const context = yield* Effect.context<Effect.Services<typeof look>>()
      const note = Faults.after(Effect.asVoid(Effect.orDie(Effect.provideContext(look, context))))
      yield* memory.plant("putPart", note, 2)
      yield* memory.plant("putPart", Faults.notReached)
      assert.isTrue(Exit.isFailure(yield* run(me, id)))
      const before = (yield* stateOf(me, id)).progress
      yield* memory.plant("putPart", note, 4)
      assert.isTrue(Exit.isSuccess(yield* run(me, id)))
      assert.isAbove(before, 0)
      assert.isTrue(seen.every((progress, at) => at === 0 || progress >= seen[at - 1]!), String(seen))
      assert.strictEqual((yield* stateOf(me, id)).progress, 1)
      yield* settled(me)
    }))

  it.effect("MEDIA-86 the progress goes on from the first part of a run that follows a killed one", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const id = yield* film(me, "killed late.mov", pieces("0123456789", "abcdefghij", "klmnopqrst", "uvwxyz"))
      yield* requested(me, id)
      const look = Effect.gen(function*() {
        yield* TestClock.adjust("2 seconds")
        yield* Effect.yieldNow
        return (yield* stateOf(me, id)).progress
      })
      const context = yield* Effect.context<Effect.Services<typeof look>>()
      const seen: Array<number> = []
      const note = Faults.after(
        Effect.orDie(Effect.provideContext(Effect.map(look, (progress) => void seen.push(progress)), context))
      )
      yield* memory.plant("putPart", note, 2)
      yield* memory.plant("putPart", Faults.before(Effect.interrupt))
      assert.isTrue(Exit.hasInterrupts(yield* run(me, id)))
      const before = (yield* stateOf(me, id)).progress
      assert.isAbove(before, 0)
      seen.length = 0
      yield* memory.plant("putPart", note, 4)
      assert.isTrue(Exit.isSuccess(yield* run(me, id)))
      const shown = [before, ...seen.slice(0, 3)]
      assert.isTrue(shown.every((progress, at) => at === 0 || progress > shown[at - 1]!), String(shown))
      assert.isBelow(shown.at(-1)!, 1)
      yield* settled(me)
    }))

  it.effect("MEDIA-77 deleting a file ends its preview under way and removes what is made, at once", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const trash = yield* Trash
      const me = yield* newAccount
      const made = yield* film(me, "made.mov", pieces("0123456789", "abcdefghij"))
      yield* requested(me, made)
      yield* run(me, made)
      yield* (yield* ManualJobs).runDue
      yield* trash.delete([made]).pipe(as(me))
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      const making = yield* film(me, "making.mov", pieces("0123456789", "abcdefghij", "klmnopqrst"))
      yield* requested(me, making)
      const remove = Effect.asVoid(Effect.orDie(trash.delete([making]).pipe(as(me))))
      const context = yield* Effect.context<Effect.Services<typeof remove>>()
      yield* memory.plant("putPart", Faults.after(Effect.provideContext(remove, context)))
      assert.isTrue(Exit.isSuccess(yield* asTimePasses(run(me, making), "1 second")))
      yield* TestClock.adjust("13 hours")
      yield* (yield* ManualJobs).runDue
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      yield* settled(me)
    }))

  it.effect("MEDIA-77 a preview stays where it is when its file becomes public or private, or goes to trash and back", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const me = yield* newAccount
      const id = yield* film(me, "moves.mov")
      yield* requested(me, id)
      yield* (yield* ManualJobs).runDue
      const { thumbnailUrl } = yield* access.toggle(id).pipe(as(me))
      assert.isNotNull(thumbnailUrl)
      assert.strictEqual(yield* opened(me, id), "index film")
      yield* trash.put([id]).pipe(as(me))
      assert.isNull(yield* opened(me, id))
      yield* trash.restore([id]).pipe(as(me))
      assert.strictEqual(yield* opened(me, id), "index film")
      yield* trash.delete([id]).pipe(as(me))
      assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      yield* settled(me)
    }))

  it.effect("MEDIA-78 the peaks of a file with sound are made when it was looked into, once, as JSON", () =>
    Effect.gen(function*() {
      const peaks = yield* Peaks
      const me = yield* newAccount
      const id = yield* film(me, "loud.mov")
      const file = yield* find(me, id)
      yield* (yield* ManualJobs).runDue
      const link = yield* peaks.link(file)
      assert.strictEqual(link?.mimeType, "application/json")
      assert.strictEqual(yield* textAt(link!.url), "[-1,1,0,0.5]")
      yield* peaks.request(file)
      yield* (yield* ManualJobs).runDue
      assert.strictEqual(yield* counted("peaks", "loud.mov"), 1)
      yield* (yield* TestMediaTools).say("mute.mp4", { streams: { ...h264, audio: null } })
      const mute = yield* addFile(me, { ...video, fileName: "mute.mp4" })
      yield* extracted
      yield* (yield* ManualJobs).runDue
      assert.isNull(yield* peaks.link(yield* find(me, mute)))
      yield* settled(me)
    }))

  it.effect("MEDIA-78 sound that can't be decoded has none, and is not tried forever; storage that fails is asked again", () =>
    Effect.gen(function*() {
      const media = yield* TestMediaTools
      const jobs = yield* ManualJobs
      const peaks = yield* Peaks
      const me = yield* newAccount
      const because = "The sound of this file could not be decoded."
      yield* media.say("noise.mp3", {
        streams: { ...h264, container: "mp3", video: null },
        peaks: new Unreadable({ because })
      })
      const id = yield* addFile(me, { ...track, fileName: "noise.mp3" })
      yield* extracted
      yield* jobs.runDue
      assert.isNull(yield* peaks.link(yield* find(me, id)))
      assert.deepStrictEqual((yield* jobs.waiting).filter(({ kind }) => kind === "media.peaks"), [])
      yield* media.say("noise.mp3", { peaks: [0, 1] })
      yield* media.plant("peaks", Faults.notReached)
      yield* peaks.request(yield* find(me, id))
      yield* jobs.runDue
      assert.isNull(yield* peaks.link(yield* find(me, id)))
      yield* jobs.runDue
      assert.isNotNull(yield* peaks.link(yield* find(me, id)))
      yield* settled(me)
    }))

  it.effect("MEDIA-13 previews and peaks are in no list and no search, and nobody opens them by an id", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const me = yield* newAccount
      const id = yield* film(me, "listed.mov")
      yield* requested(me, id)
      yield* (yield* ManualJobs).runDue
      const usage = yield* library.usage.pipe(as(me, unlimited))
      assert.deepInclude(usage, { objectCount: 1 })
      assert.strictEqual((yield* recordOf(me, id)).id, id)
    }))
})
