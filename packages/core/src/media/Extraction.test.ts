/** Extraction: what is recorded of the tools' results, whatever happens meanwhile. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase, TestMediaTools, testPicture } from "@filedrive/testing"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { checkSearch } from "../../test/checkSearch.ts"
import { addFolder, as, checkBooks, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import {
  add,
  addExtracted,
  extractDue,
  extracted,
  image,
  pictureCount,
  recordOf,
  search,
  textAt,
  track,
  video
} from "../../test/MediaTest.ts"
import { Database } from "../database/Database.ts"
import { Derivatives } from "../files/Derivatives.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { metadataJob } from "../files/MetadataJob.ts"
import { Trash } from "../files/Trash.ts"
import { Unreadable } from "../shared/DriveError.ts"
import { Extraction } from "./Extraction.ts"

const broken = new Unreadable({ because: "It is cut off." })
const lacking = new Unreadable({ because: "There is no ffmpeg here.", missingTool: "ffmpeg" })

testLayer(layer(TestDatabase.layer))("Extraction", (it) => {
  it.effect("MEDIA-1 an image, a track and a video are pending and have a job each, a text does not", () =>
    Effect.gen(function*() {
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const ids = [yield* add(me, "a.png", image), yield* add(me, "b.mp3", track), yield* add(me, "c.mp4", video)]
      const text = yield* add(me, "d.txt", {})
      for (const id of ids) assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "pending")
      assert.strictEqual((yield* recordOf(me, text)).metadataStatus, "done")
      const waiting = (yield* jobs.waiting).filter(({ kind }) => kind === metadataJob.kind).map(({ key }) => key)
      assert.sameMembers(waiting.filter((key) => key.startsWith(me)), ids.map((id) => `${me}/${id}`))
      yield* extracted
      for (const id of ids) assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "done")
      yield* settled(me)
    }))

  it.effect("MEDIA-2 MEDIA-8 what an image holds is recorded, found and shown by its thumbnail", () =>
    Effect.gen(function*() {
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      yield* tools.say("beach.png", {
        facts: {
          title: "Sunset at the pier",
          width: 4_000,
          height: 3_000,
          takenTime: "2024-05-06T07:08:09.000Z",
          location: { latitude: 48.5, longitude: 2.25 },
          camera: "Box 1"
        }
      })
      const record = yield* addExtracted(me, "beach.png", image)
      assert.deepInclude(record.media, {
        title: "Sunset at the pier",
        width: 4_000,
        height: 3_000,
        takenTime: "2024-05-06T07:08:09.000Z",
        location: { latitude: 48.5, longitude: 2.25 },
        camera: "Box 1"
      })
      assert.strictEqual(yield* textAt(record.thumbnailUrl), "still beach.png 512")
      assert.deepStrictEqual(yield* search(me, { text: "pier" }), [record.id])
      assert.deepStrictEqual(yield* search(me, { within: { south: 48, west: 2, north: 49, east: 3 } }), [record.id])
      yield* checkSearch(me)
      yield* settled(me)
    }))

  it.effect("MEDIA-2 MEDIA-8 a video has its facts and a poster", () =>
    Effect.gen(function*() {
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      yield* tools.say("v.mp4", { facts: { durationSeconds: 60, width: 1_080, height: 1_920, title: "Walk" } })
      const record = yield* addExtracted(me, "v.mp4", video)
      assert.deepInclude(record.media, { title: "Walk", duration: 60, width: 1_080, height: 1_920 })
      assert.isNotNull(record.media !== null && "thumbnailId" in record.media ? record.media.thumbnailId : null)
      assert.strictEqual(yield* textAt(record.thumbnailUrl), "frame v.mp4 6")
    }))

  it.effect("MEDIA-3 MEDIA-8 a track has tags, tempo, key, cover and soundprint; what was measured wins", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      yield* tools.say("t.mp3", {
        facts: {
          title: "Vibe",
          artists: ["A", " "],
          album: "",
          durationSeconds: 61,
          taggedTempo: 120,
          taggedKey: "8A"
        },
        picture: testPicture("art"),
        sound: { tempo: 128.5, key: "F#m", soundprint: [1, 2, 4_000_000_000] }
      })
      const record = yield* addExtracted(me, "t.mp3", track)
      const { coverId, ...media } = record.media as never as { readonly coverId: string }
      assert.deepStrictEqual<unknown>(media, {
        title: "Vibe",
        artists: ["A"],
        album: null,
        genre: null,
        duration: 61,
        tempo: 128.5,
        key: "F#m"
      })
      assert.isString(coverId)
      assert.strictEqual(yield* textAt(record.thumbnailUrl), "art")
      assert.lengthOf(yield* sql`SELECT 1 FROM ${t.soundprints} WHERE file_id = ${record.id}`, 1)
      yield* tools.say("tag.mp3", { facts: { taggedTempo: 90, taggedKey: "1m" } })
      assert.deepInclude((yield* addExtracted(me, "tag.mp3", track)).media, { tempo: 90, key: "Am", coverId: null })
      assert.deepStrictEqual(yield* search(me, { key: "A minor", maxTempo: 100, minTempo: 80 }), [
        (yield* search(me, { text: "tag" }))[0]
      ])
    }))

  it.effect("MEDIA-5 what the tools can't read is failed, and keeps what was found of it", () =>
    Effect.gen(function*() {
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      yield* tools.say("cut.png", { facts: { width: 10, height: 10 }, picture: broken })
      const cut = yield* addExtracted(me, "cut.png", image)
      assert.deepInclude(cut.media, { width: 10 })
      assert.deepInclude(cut, { metadataStatus: "failed", thumbnailUrl: null })
      yield* tools.say("noise.mp4", { facts: broken, picture: broken })
      const noise = yield* addExtracted(me, "noise.mp4", video)
      assert.deepInclude(noise, { metadataStatus: "failed", media: null, thumbnailUrl: null })
      const empty = yield* addExtracted(me, "empty.png", { ...image, sizeBytes: 0 })
      assert.deepInclude(empty, { metadataStatus: "failed", media: null })
      yield* settled(me)
    }))

  it.effect("MEDIA-5 what this host has no tool for is left out, and the file is done", () =>
    Effect.gen(function*() {
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      yield* tools.say("p.mp3", { facts: { title: "Plain" }, picture: testPicture("art"), sound: lacking })
      const record = yield* addExtracted(me, "p.mp3", track)
      assert.strictEqual(record.metadataStatus, "done")
      assert.deepInclude(record.media, { title: "Plain", tempo: null, key: null })
      yield* tools.say("v.mkv", { facts: lacking, picture: lacking })
      const unseen = yield* addExtracted(me, "v.mkv", video)
      assert.deepInclude(unseen, { metadataStatus: "done", thumbnailUrl: null, media: null })
    }))

  it.effect("MEDIA-6 while storage is away the file waits, and is extracted when it answers again", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      for (const method of ["get", "put"] as const) {
        const me = yield* newAccount
        yield* extracted
        const id = yield* add(me, `${method}.png`, image)
        yield* memory.plant(method, Faults.notReached)
        const [exit] = yield* extractDue
        assert.isTrue(exit !== undefined && Exit.isFailure(exit))
        assert.deepInclude(yield* recordOf(me, id), { metadataStatus: "pending", media: null })
        yield* checkBooks(me)
        yield* extracted
        assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "done")
        yield* settled(me)
      }
    }))

  it.effect("MEDIA-7 a media type that says more wins, and the search follows", () =>
    Effect.gen(function*() {
      const tools = yield* TestMediaTools
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      yield* tools.say("voice.mp4", { facts: { mimeType: "audio/mp4", title: "Memo" } })
      const id = yield* add(me, "voice.mp4", video)
      const { downloadUrl } = yield* access.toggle(id).pipe(as(me))
      yield* extracted
      const record = yield* recordOf(me, id)
      assert.deepInclude(record, { type: "Audio", mimeType: "audio/mp4", metadataStatus: "done" })
      assert.include(yield* (yield* TestMediaTools).calls, "listen voice.mp4")
      assert.deepStrictEqual(yield* search(me, { type: "Audio" }), [id])
      assert.deepStrictEqual(yield* search(me, { type: "Video" }), [])
      yield* TestClock.adjust("1 minute")
      yield* (yield* ManualJobs).runDue
      const response = yield* Effect.promise(() => memory.fetch(downloadUrl!))
      assert.strictEqual(response.headers.get("content-type"), "audio/mp4")
      yield* tools.say("page.png", { facts: { mimeType: "text/html" } })
      assert.deepInclude(yield* addExtracted(me, "page.png", image), { type: "Image", mimeType: "image/png" })
      yield* checkSearch(me)
    }))

  it.effect("MEDIA-15 a file that is deleted while it is extracted leaves nothing", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const memory = yield* MemoryObjectStore
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      for (const moment of ["before", "after"] as const) {
        const id = yield* add(me, `${moment}.png`, image)
        const gone = Effect.asVoid(Effect.orDie(trash.delete([id]).pipe(as(me))))
        yield* moment === "before" ? tools.plant("probe", Faults.before(gone)) : memory.plant("put", Faults.after(gone))
        yield* extracted
        assert.strictEqual(yield* pictureCount(id), 0)
        assert.deepStrictEqual((yield* checkBooks(me)).held, [])
      }
      yield* settled(me)
    }))

  it.effect("MEDIA-15 a file that is trashed while it is extracted comes back with all that was found", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      yield* tools.say("t.png", { facts: { title: "Lamp" } })
      const id = yield* add(me, "t.png", image)
      yield* tools.plant("still", Faults.before(Effect.asVoid(Effect.orDie(trash.put([id]).pipe(as(me))))))
      yield* extracted
      assert.deepStrictEqual(yield* search(me, { text: "lamp" }), [])
      yield* trash.restore([id]).pipe(as(me))
      const record = yield* recordOf(me, id)
      assert.strictEqual(record.metadataStatus, "done")
      assert.strictEqual(yield* textAt(record.thumbnailUrl), "still t.png 512")
      assert.deepStrictEqual(yield* search(me, { text: "lamp" }), [id])
      yield* checkSearch(me)
      yield* settled(me)
    }))

  it.effect("MEDIA-15 MEDIA-11 a file made public or private while it is extracted has its picture there", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const memory = yield* MemoryObjectStore
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      for (const from of ["private", "public"] as const) {
        for (const moment of ["read", "stored"] as const) {
          const id = yield* add(me, `${from}-${moment}.png`, image)
          const toggle = Effect.asVoid(Effect.orDie(access.toggle(id).pipe(as(me))))
          if (from === "public") yield* toggle
          // Private again, its public object is gone before the tool reads it.
          yield* moment === "read"
            ? tools.plant("still", Faults.before(toggle))
            : memory.plant("put", Faults.after(toggle))
          yield* extracted
          const record = yield* recordOf(me, id)
          assert.deepInclude(record, { isPublic: from === "private", metadataStatus: "done" })
          assert.strictEqual(yield* textAt(record.thumbnailUrl), `still ${from}-${moment}.png 512`)
          assert.strictEqual(yield* pictureCount(id), 1)
        }
      }
      yield* settled(me)
    }))

  it.effect("MEDIA-15 MEDIA-17 a picture that somebody gave stays; after re-extraction the rest is new", () =>
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const extraction = yield* Extraction
      const tools = yield* TestMediaTools
      const [me, other] = [yield* newAccount, yield* newAccount]
      const id = yield* add(me, "v.mp4", video)
      const given = { jpeg: testPicture("mine").jpeg }
      yield* tools.plant(
        "frame",
        Faults.after(Effect.asVoid(Effect.orDie(derivatives.replace(me, id, given))))
      )
      yield* extracted
      assert.strictEqual(yield* textAt((yield* recordOf(me, id)).thumbnailUrl), "mine")
      yield* tools.say("v.mp4", { facts: { title: "Better known" } })
      const text = yield* add(me, "v.txt", {})
      assert.strictEqual(yield* extraction.request([id]).pipe(as(other)), 0)
      const folderId = yield* addFolder(me, "/A")
      assert.strictEqual(yield* extraction.request([id]).pipe(as(me, { folderId })), 0)
      assert.strictEqual(yield* extraction.request([text, id]).pipe(as(me)), 1)
      assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "pending")
      yield* extracted
      const record = yield* recordOf(me, id)
      assert.deepInclude(record.media, { title: "Better known" })
      assert.strictEqual(yield* textAt(record.thumbnailUrl), "mine")
      assert.strictEqual((yield* recordOf(me, text)).metadataStatus, "done")
      yield* settled(me)
    }))

  it.effect.each([
    { at: "get" as const, when: "before" as const },
    { at: "put" as const, when: "before" as const },
    { at: "put" as const, when: "after" as const }
  ])(
    "MEDIA-16 an end of the process $when $at leaves nothing, and the file is extracted again",
    ({ at, when }) =>
      Effect.gen(function*() {
        const extraction = yield* Extraction
        const memory = yield* MemoryObjectStore
        const me = yield* newAccount
        const id = yield* add(me, "kill.png", image)
        yield* memory.plant(at, Faults[when](Effect.interrupt))
        const exit = yield* Effect.forkChild(extraction.run(me, id)).pipe(Effect.flatMap(Fiber.await))
        assert.isTrue(Exit.hasInterrupts(exit))
        assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "pending")
        yield* checkBooks(me)
        yield* extracted
        assert.strictEqual((yield* recordOf(me, id)).metadataStatus, "done")
        yield* settled(me)
      })
  )
})
