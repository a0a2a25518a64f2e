/** The picture a file is shown by: replaced, shown, moved and removed with its file. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import {
  addFolder,
  as,
  checkBooks,
  eventually,
  joinAsTimePasses,
  layer,
  newAccount,
  open,
  settled,
  unknownFile
} from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import {
  addExtracted,
  image,
  jpeg,
  pictureCount,
  recordOf,
  search,
  textAt,
  video,
  withCover
} from "../../test/MediaTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Library } from "../library/Library.ts"
import { Lists } from "../organize/Lists.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { Views } from "../views/Views.ts"
import { Derivatives } from "./Derivatives.ts"
import { Downloads } from "./Downloads.ts"
import { FileAccess } from "./FileAccess.ts"
import type { FileRecord } from "./FileRecord.ts"
import { Trash } from "./Trash.ts"

/** Ids of the pictures that a record names. */
const pictureId = ({ media }: FileRecord): FileId => {
  const id = media !== null && "coverId" in media ? media.coverId : null
  assert.isNotNull(id)
  return id!
}

const large = { sizeBytes: 3 * 1024 ** 3 }

testLayer(layer(TestDatabase.layer))("Derivatives", (it) => {
  it.effect("MEDIA-8 MEDIA-14 a picture takes the place of the one before, which is removed", () =>
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const me = yield* newAccount
      const { cover, id } = yield* withCover(me)
      const before = yield* recordOf(me, id)
      assert.strictEqual(pictureId(before), cover)
      assert.strictEqual(yield* textAt(before.thumbnailUrl), "art")
      const next = yield* derivatives.replace(me, id, jpeg("newer art"))
      assert.deepInclude(next, { isPublic: false, fileName: "cover.jpg", mimeType: "image/jpeg", sizeBytes: 9 })
      const after = yield* recordOf(me, id)
      assert.strictEqual(pictureId(after), next.id)
      assert.strictEqual(yield* textAt(after.thumbnailUrl), "newer art")
      assert.strictEqual((yield* open(before.thumbnailUrl)).status, 404)
      assert.strictEqual(yield* pictureCount(id), 1)
      yield* settled(me)
    }))

  it.effect("MEDIA-14 a file that is not there, somebody else's, or a picture itself is shown by none", () =>
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const [me, other] = [yield* newAccount, yield* newAccount]
      const { cover, id } = yield* withCover(me)
      for (const [owner, file] of [[me, unknownFile], [other, id], [me, cover]] as const) {
        assert.strictEqual((yield* derivatives.replace(owner, file, jpeg("x")).pipe(Effect.flip))._tag, "NotFound")
      }
      yield* settled(me)
      yield* settled(other)
    }))

  it.effect("MEDIA-9 a public file's picture has its lasting link, a private one's a link for six hours", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const me = yield* newAccount
      const { id } = yield* withCover(me)
      const { thumbnailUrl: signed } = yield* recordOf(me, id)
      yield* TestClock.adjust("359 minutes")
      assert.strictEqual(yield* textAt(signed), "art")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual((yield* open(signed)).status, 403)
      const { thumbnailUrl: lasting } = yield* access.toggle(id).pipe(as(me))
      yield* TestClock.adjust("1 day")
      yield* (yield* ManualJobs).runDue
      assert.strictEqual(yield* textAt(lasting), "art")
      assert.strictEqual((yield* recordOf(me, id)).thumbnailUrl, lasting)
      yield* settled(me)
    }))

  it.effect("MEDIA-9 every answer with files shows their pictures, to those who may see them", () =>
    Effect.gen(function*() {
      const downloads = yield* Downloads
      const lists = yield* Lists
      const shares = yield* Shares
      const [me, friend] = [yield* newAccount, yield* newAccount]
      const { id } = yield* withCover(me, { fileName: "tune.mp3" })
      yield* shares.share([id], [friend]).pipe(as(me))
      const [shared] = (yield* shares.sharedWithMe(Checked.sharedFiles({})).pipe(as(friend))).files
      const link = yield* downloads.link(id).pipe(as(friend))
      const { added } = yield* lists.create("playlist", {
        title: Checked.listTitle("Mix"),
        isPublic: false,
        fileIds: [id]
      }).pipe(
        as(friend)
      )
      assert.deepStrictEqual(added, [id])
      assert.deepStrictEqual(yield* search(me, { text: "tune" }), [id])
      for (const record of [shared!, link]) assert.strictEqual(yield* textAt(record.thumbnailUrl), "art")
      yield* settled(me)
    }))

  it.effect("MEDIA-10 a picture's id opens for whoever its file does, and is no open of it", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const downloads = yield* Downloads
      const shares = yield* Shares
      const views = yield* Views
      const [me, friend, other] = [yield* newAccount, yield* newAccount, yield* newAccount]
      const folder = yield* addFolder(me, "/A")
      const { cover, id } = yield* withCover(me, { folderId: folder })
      const record = yield* downloads.link(cover).pipe(as(me))
      assert.deepInclude(record, { id: cover, type: "Image", objectKey: null, folder: null, isPublic: false })
      assert.strictEqual(yield* textAt(record.downloadUrl), "art")
      const refusal = (who: AccountId, limits = {}) =>
        Effect.map(downloads.link(cover).pipe(as(who, limits), Effect.flip), (error) => "code" in error && error.code)
      assert.strictEqual(yield* refusal(other), "file_not_found")
      assert.strictEqual(yield* refusal(friend), "file_not_found")
      yield* shares.share([id], [friend]).pipe(as(me))
      assert.strictEqual(yield* textAt((yield* downloads.link(cover).pipe(as(friend))).downloadUrl), "art")
      assert.strictEqual(
        yield* textAt((yield* downloads.link(cover).pipe(as(me, { folderId: folder }))).downloadUrl),
        "art"
      )
      assert.strictEqual(yield* refusal(me, { folderId: yield* addFolder(me, "/B") }), "file_not_found")
      const stranger = { address: "192.0.2.1", userAgent: "" }
      assert.strictEqual((yield* downloads.publicLink(cover, stranger).pipe(Effect.flip)).field, "id")
      yield* access.toggle(id).pipe(as(me))
      assert.strictEqual(yield* textAt((yield* downloads.publicLink(cover, stranger)).downloadUrl), "art")
      assert.deepStrictEqual((yield* views.select(Checked.views({})).pipe(as(me))).files, [])
      yield* settled(me)
    }))

  it.effect("MEDIA-11 a picture goes public and private with its file, and no link breaks before the file's does", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const downloads = yield* Downloads
      const me = yield* newAccount
      const { cover, id } = yield* withCover(me)
      const { thumbnailUrl: signed } = yield* recordOf(me, id)
      const opened = yield* access.toggle(id).pipe(as(me))
      assert.deepInclude(yield* downloads.link(cover).pipe(as(me)), {
        isPublic: true,
        downloadUrl: opened.thumbnailUrl
      })
      assert.strictEqual(yield* textAt(opened.thumbnailUrl), "art")
      assert.strictEqual(yield* textAt(signed), "art")
      const closed = yield* access.toggle(id).pipe(as(me))
      assert.strictEqual((yield* open(opened.thumbnailUrl)).status, 404)
      assert.strictEqual(yield* textAt(closed.thumbnailUrl), "art")
      assert.deepStrictEqual((yield* checkBooks(me)).held.filter((at) => at.startsWith("public/")), [])
      yield* settled(me)
    }))

  it.effect("MEDIA-11 MEDIA-14 a picture that is replaced while its file is toggled goes where the file is", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const derivatives = yield* Derivatives
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      for (const method of ["toggle", "replace"] as const) {
        const { id } = yield* withCover(me)
        const replace = Effect.asVoid(Effect.orDie(derivatives.replace(me, id, jpeg("newer"))))
        const toggle = Effect.asVoid(Effect.orDie(access.toggle(id).pipe(as(me))))
        if (method === "toggle") {
          // The second copy is the picture's.
          yield* memory.plant("copy", (run) => run)
          yield* memory.plant("copy", Faults.after(replace))
          yield* toggle
        } else {
          yield* memory.plant("put", Faults.after(toggle))
          yield* replace
        }
        const record = yield* recordOf(me, id)
        assert.isTrue(record.isPublic)
        assert.strictEqual(yield* textAt(record.thumbnailUrl), "newer")
        assert.strictEqual(yield* pictureCount(id), 1)
      }
      yield* settled(me)
    }))

  it.effect("MEDIA-11 a large file's picture goes with it when its move ends", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const derivatives = yield* Derivatives
      const jobs = yield* ManualJobs
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const { id } = yield* withCover(me, large)
      yield* access.toggle(id).pipe(as(me))
      const moving = yield* recordOf(me, id)
      assert.isFalse(moving.isPublic)
      assert.strictEqual(yield* textAt(moving.thumbnailUrl), "art")
      const replace = Effect.asVoid(Effect.orDie(derivatives.replace(me, id, jpeg("newer"))))
      yield* memory.plant("copy", Faults.after(replace))
      yield* jobs.runDue
      const moved = yield* recordOf(me, id)
      assert.isTrue(moved.isPublic)
      assert.strictEqual(yield* textAt(moved.thumbnailUrl), "newer")
      const closing = yield* Effect.forkChild(access.toggle(id).pipe(as(me)))
      yield* eventually(recordOf(me, id), ({ accessMove }) => accessMove !== null)
      yield* jobs.runDue
      const closed = yield* joinAsTimePasses(closing)
      assert.isFalse(closed.isPublic)
      assert.strictEqual((yield* open(moved.thumbnailUrl)).status, 404)
      assert.strictEqual(yield* textAt(closed.thumbnailUrl), "newer")
      yield* settled(me)
    }))

  it.effect("MEDIA-12 trash hides the picture, restoring shows it, deleting and purging remove every object of it", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const downloads = yield* Downloads
      const library = yield* Library
      for (const end of ["delete", "purge"] as const) {
        const me = yield* newAccount
        const { cover, id } = yield* withCover(me)
        for (const isPublic of [false, true]) {
          if (isPublic) yield* access.toggle(id).pipe(as(me))
          yield* trash.put([id]).pipe(as(me))
          const [trashed] = (yield* library.list("trash").pipe(as(me), Effect.flatMap(Stream.runCollect))).flat()
          assert.deepInclude(trashed, { id, isPublic, thumbnailUrl: null, downloadUrl: null })
          assert.strictEqual((yield* downloads.link(cover).pipe(as(me), Effect.flip))._tag, "Refused")
          yield* trash.restore([id]).pipe(as(me))
          assert.strictEqual(yield* textAt((yield* recordOf(me, id)).thumbnailUrl), "art")
        }
        yield* trash.put([id]).pipe(as(me))
        // Former private objects of both, kept for links given out, end at once.
        yield* (end === "delete" ? trash.delete([id]) : trash.empty).pipe(as(me))
        assert.deepStrictEqual((yield* checkBooks(me)).held, [])
        assert.strictEqual(yield* pictureCount(id), 0)
      }
    }))

  it.effect("MEDIA-13 pictures are in no list, search and usage", () =>
    Effect.gen(function*() {
      const library = yield* Library
      const me = yield* newAccount
      const { id: photo } = yield* addExtracted(me, "a.png", { ...image, sizeBytes: 100 })
      const { id: film } = yield* addExtracted(me, "b.mp4", { ...video, sizeBytes: 10 })
      const files = yield* library.list("files").pipe(as(me, unlimited), Effect.flatMap(Stream.runCollect))
      assert.sameMembers(files.flat().map(({ id }) => id), [photo, film])
      assert.sameMembers(yield* search(me, {}), [photo, film])
      assert.deepInclude(yield* library.usage.pipe(as(me)), { usedBytes: 110, objectCount: 2 })
      yield* settled(me)
    }))
})
