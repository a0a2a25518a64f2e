import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Effect, Layer, Option } from "effect"
import * as Checked from "../../test/Checked.ts"
import { addFile, addFolder, as, layer, newAccount, open, settled, unknownFile } from "../../test/FilesTest.ts"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import type { NewFile } from "../files/NewFile.ts"
import { Trash } from "../files/Trash.ts"
import { Library } from "../library/Library.ts"
import { Collections } from "../organize/Collections.ts"
import { ListContents } from "../organize/ListContents.ts"
import { Lists } from "../organize/Lists.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { AccountId, FileId, ListId } from "../shared/Ids.ts"
import { Covers } from "./Covers.ts"

const addImage = (accountId: AccountId, given: Partial<NewFile> = {}) =>
  addFile(accountId, { type: "Image", mimeType: "image/png", fileName: "art.png", ...given })

const addTrack = (accountId: AccountId, given: Partial<NewFile> = {}) =>
  addFile(accountId, { type: "Audio", mimeType: "audio/mpeg", ...given })

const addVideo = (accountId: AccountId, given: Partial<NewFile> = {}) =>
  addFile(accountId, { type: "Video", mimeType: "video/mp4", ...given })

const newPlaylist = (accountId: AccountId, isPublic = false, fileIds: ReadonlyArray<FileId> = []) =>
  Effect.gen(function*() {
    return (yield* (yield* Lists).create("playlist", { title: Checked.listTitle("mix"), isPublic, fileIds }).pipe(
      as(accountId)
    )).list.id
  })

/** What a playlist is shown by to its owner in a listing and by itself, which is the same. */
const coverOf = Effect.fnUntraced(function*(accountId: AccountId, playlistId: ListId) {
  const { playlists } = yield* (yield* Collections).select.pipe(as(accountId))
  const { coverId, coverUrl } = playlists.find(({ id }) => id === playlistId)!
  const page = yield* pageFor(accountId, playlistId)
  assert.strictEqual(page.coverId, coverId)
  assert.strictEqual(page.coverUrl === null, coverUrl === null)
  return { coverId, coverUrl }
})

const pageFor = Effect.fnUntraced(function*(accountId: AccountId | null, playlistId: ListId) {
  const contents = yield* ListContents
  const reader = accountId === null
    ? Option.none()
    : Option.some(yield* CurrentAccount.pipe(as(accountId)))
  return yield* contents.page("playlist", playlistId, {}, reader)
})

const failureOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => ({ ...error } as Record<string, unknown>))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Covers", (it) => {
  it.effect("COVER-1 a track gets a JPEG of the image, as public as itself, that is counted against nothing", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const me = yield* newAccount
      const [track, imageId] = [yield* addTrack(me), yield* addImage(me, { sizeBytes: 77 })]
      const used = (yield* (yield* Library).usage.pipe(as(me))).usedBytes
      const cover = yield* covers.set({ imageId, trackId: track }).pipe(as(me))
      assert.isTrue("art" in cover && cover.trackId === track && cover.art.id !== imageId)
      const { art } = cover as Extract<typeof cover, { readonly art: unknown }>
      assert.isNull(art.downloadUrl)
      const record = yield* (yield* Downloads).link(track).pipe(as(me))
      assert.deepInclude(record.media ?? {}, { coverId: art.id })
      assert.strictEqual((yield* open(record.thumbnailUrl)).status, 200)
      const picture = yield* (yield* Downloads).link(art.id).pipe(as(me))
      assert.deepInclude(picture, {
        fileName: "cover.jpg",
        mimeType: "image/jpeg",
        fileSize: "still art.png 1200".length
      })
      assert.strictEqual((yield* (yield* Library).usage.pipe(as(me))).usedBytes, used)

      const shown = yield* (yield* FileAccess).toggle(track).pipe(as(me))
      assert.strictEqual((yield* open(shown.thumbnailUrl)).status, 200)
      const again = yield* covers.set({ imageId, trackId: track }).pipe(as(me))
      assert.isTrue("art" in again && again.art.downloadUrl !== null)
      assert.strictEqual((yield* open("art" in again ? again.art.downloadUrl : null)).status, 200)
      assert.strictEqual((yield* open(shown.thumbnailUrl)).status, 404, "the former art is gone")
      yield* (yield* Trash).delete([imageId]).pipe(as(me))
      assert.strictEqual(
        (yield* open("art" in again ? again.art.downloadUrl : null)).status,
        200,
        "the copy is its own"
      )
      yield* settled(me)
    }))

  it.effect("COVER-2 an image above 5 MB is image_too_large, for tracks and playlists alike", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const me = yield* newAccount
      const [track, playlistId] = [yield* addTrack(me), yield* newPlaylist(me)]
      const fits = yield* addImage(me, { sizeBytes: 5_242_880 })
      const large = yield* addImage(me, { sizeBytes: 5_242_881 })
      for (const target of [{ trackId: track }, { playlistId }]) {
        yield* covers.set({ imageId: fits, ...target }).pipe(as(me))
        const refused = yield* failureOf(covers.set({ imageId: large, ...target }).pipe(as(me)))
        assert.deepInclude(refused, { _tag: "InvalidField", code: "image_too_large", field: "imageId" })
      }
    }))

  it.effect("COVER-3 the field that is wrong is named: no image, no track, none or both of the two", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const me = yield* newAccount
      const [track, imageId, playlistId] = [yield* addTrack(me), yield* addImage(me), yield* newPlaylist(me)]
      const fieldOf = (cover: Parameters<typeof covers.set>[0]) =>
        Effect.map(failureOf(covers.set(cover).pipe(as(me))), ({ code, field }) => [code, field])
      assert.deepStrictEqual(yield* fieldOf({ imageId: track, trackId: track }), ["invalid_field", "imageId"])
      assert.deepStrictEqual(yield* fieldOf({ imageId, trackId: imageId }), ["invalid_field", "trackId"])
      assert.deepStrictEqual(yield* fieldOf({ imageId }), ["missing_field", "trackId"])
      assert.deepStrictEqual(yield* fieldOf({ imageId, trackId: track, playlistId }), ["invalid_field", "playlistId"])
    }))

  it.effect("COVER-4 what is not the caller's is not found: another's, in trash, a picture, outside the token's folder", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const [me, other] = [yield* newAccount, yield* newAccount]
      const folderId = yield* addFolder(me, "/Art")
      const [track, imageId, inside] = [yield* addTrack(me), yield* addImage(me), yield* addImage(me, { folderId })]
      const theirs = yield* addImage(other)
      yield* (yield* FileAccess).toggle(theirs).pipe(as(other))
      const trashed = yield* addImage(me)
      yield* (yield* Trash).put([trashed]).pipe(as(me))
      const set = yield* covers.set({ imageId, trackId: track }).pipe(as(me))
      const art = "art" in set ? set.art.id : unknownFile
      for (const id of [theirs, trashed, art, unknownFile]) {
        assert.deepInclude(yield* failureOf(covers.set({ imageId: id, trackId: track }).pipe(as(me))), { id })
      }
      const limits = { folderId }
      const outside = yield* failureOf(covers.set({ imageId: inside, trackId: track }).pipe(as(me, limits)))
      assert.deepInclude(outside, { _tag: "NotFound", id: track })
      const playlistId = yield* newPlaylist(other)
      const notMine = yield* failureOf(covers.set({ imageId, playlistId }).pipe(as(me)))
      assert.deepInclude(notMine, { _tag: "NotFound", resource: "playlist" })
      const mixed = yield* newPlaylist(me, false, [track])
      // Of a list that holds nothing of its folder the token knows nothing.
      const hidden = yield* failureOf(covers.set({ imageId: inside, playlistId: mixed }).pipe(as(me, limits)))
      assert.deepInclude(hidden, { _tag: "NotFound", resource: "playlist" })
      const readOnly = yield* failureOf(
        covers.set({ imageId, trackId: track }).pipe(as(me, { permissions: ["read"] }))
      )
      assert.deepInclude(readOnly, { _tag: "Refused", code: "token_limit" })
    }))

  it.effect("COVER-5 a playlist is shown by the image itself: not while that is in trash, nor once it is deleted", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const trash = yield* Trash
      const me = yield* newAccount
      const [imageId, playlistId] = [yield* addImage(me), yield* newPlaylist(me)]
      assert.deepStrictEqual(yield* coverOf(me, playlistId), { coverId: null, coverUrl: null })
      const set = yield* covers.set({ imageId, playlistId }).pipe(as(me))
      assert.deepStrictEqual(set, { playlistId, title: "mix", isPublic: false })
      const cover = yield* coverOf(me, playlistId)
      assert.strictEqual(cover.coverId, imageId)
      assert.strictEqual((yield* open(cover.coverUrl)).status, 200)
      yield* trash.put([imageId]).pipe(as(me))
      assert.deepStrictEqual(yield* coverOf(me, playlistId), { coverId: null, coverUrl: null })
      yield* trash.restore([imageId]).pipe(as(me))
      assert.strictEqual((yield* coverOf(me, playlistId)).coverId, imageId)
      const other = yield* addImage(me)
      yield* covers.set({ imageId: other, playlistId }).pipe(as(me))
      assert.strictEqual((yield* coverOf(me, playlistId)).coverId, other)
      yield* trash.delete([other]).pipe(as(me))
      assert.deepStrictEqual(yield* coverOf(me, playlistId), { coverId: null, coverUrl: null })
      yield* settled(me)
    }))

  it.effect("COVER-6 a public playlist shows others its image while that is public, and a token its folder's", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const access = yield* FileAccess
      const [me, other] = [yield* newAccount, yield* newAccount]
      const folderId = yield* addFolder(me, "/Music")
      const [imageId, track] = [yield* addImage(me), yield* addTrack(me, { folderId })]
      const playlistId = yield* newPlaylist(me, true, [track])
      yield* covers.set({ imageId, playlistId }).pipe(as(me))
      for (const reader of [other, null]) assert.isNull((yield* pageFor(reader, playlistId)).coverId)
      yield* access.toggle(imageId).pipe(as(me))
      for (const reader of [other, null, me]) {
        const page = yield* pageFor(reader, playlistId)
        assert.strictEqual(page.coverId, imageId)
        assert.strictEqual((yield* open(page.coverUrl ?? null)).status, 200)
      }
      yield* access.toggle(imageId).pipe(as(me))
      assert.isNull((yield* pageFor(other, playlistId)).coverUrl)
      const limited = yield* (yield* Collections).select.pipe(as(me, { folderId }))
      assert.deepStrictEqual(limited.playlists.map(({ coverId }) => coverId), [null])
    }))

  it.effect("COVER-10 a video is shown by the frame at a moment, or by an image, and the former poster is removed", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      const video = yield* addVideo(me, { fileName: "clip.mp4" })
      yield* tools.say("clip.mp4", { facts: { durationSeconds: 10 } })
      const shownBy = Effect.gen(function*() {
        const { thumbnailUrl } = yield* (yield* Downloads).link(video).pipe(as(me))
        const memory = yield* MemoryObjectStore
        return yield* Effect.promise(async () => (await memory.fetch(thumbnailUrl!)).text())
      })
      yield* covers.setVideoThumbnail(Checked.thumbnail({ videoId: video, timestampSeconds: 2.5 })).pipe(as(me))
      assert.strictEqual(yield* shownBy, "frame clip.mp4 2.5")
      const imageId = yield* addImage(me, { fileName: "poster.cr2", sizeBytes: 900_000 })
      yield* covers.setVideoThumbnail(Checked.thumbnail({ videoId: video, imageId })).pipe(as(me))
      assert.strictEqual(yield* shownBy, "still poster.cr2 1280")
      const late = yield* failureOf(
        covers.setVideoThumbnail(Checked.thumbnail({ videoId: video, timestampSeconds: 11 })).pipe(as(me))
      )
      assert.deepInclude(late, { _tag: "InvalidField", field: "timestampSeconds" })
      assert.strictEqual(yield* shownBy, "still poster.cr2 1280")
      yield* settled(me)
    }))

  it.effect("COVER-11 somebody else's video that the caller can see is not_owner, any other is not found", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [seen, hidden, mine] = [yield* addVideo(other), yield* addVideo(other), yield* addVideo(me)]
      yield* (yield* FileAccess).toggle(seen).pipe(as(other))
      const imageId = yield* addImage(other)
      const failing = (videoId: FileId, from: { imageId?: FileId; timestampSeconds?: number }) =>
        failureOf(covers.setVideoThumbnail(Checked.thumbnail({ videoId, ...from })).pipe(as(me)))
      assert.deepInclude(yield* failing(seen, { timestampSeconds: 0 }), { _tag: "Refused", code: "not_owner" })
      assert.deepInclude(yield* failing(hidden, { timestampSeconds: 0 }), { _tag: "NotFound", id: hidden })
      assert.deepInclude(yield* failing(unknownFile, { timestampSeconds: 0 }), { _tag: "NotFound" })
      assert.deepInclude(yield* failing(mine, { imageId }), { _tag: "NotFound", id: imageId })
      assert.deepInclude(yield* failing(mine, {}), { code: "missing_field", field: "timestampSeconds" })
      assert.deepInclude(yield* failing(mine, { imageId, timestampSeconds: 1 }), { field: "imageId" })
      const track = yield* addTrack(me)
      assert.deepInclude(yield* failing(track, { timestampSeconds: 1 }), { field: "videoId" })
      assert.deepInclude(yield* failing(mine, { imageId: track }), { field: "imageId" })
    }))

  it.effect("COVER-12 covers take a plan, but for playlists, which store nothing", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const [track, imageId, videoId] = [yield* addTrack(me), yield* addImage(me), yield* addVideo(me)]
      const playlistId = yield* newPlaylist(me)
      const accounts = yield* Accounts
      const covers = yield* Layer.build(Layer.fresh(Covers.layer)).pipe(
        Effect.provideService(Accounts, {
          find: (id) => Effect.map(accounts.find(id), Option.map((account) => ({ ...account, plan: null })))
        }),
        Effect.flatMap((built) => Effect.provide(Covers, built))
      )
      for (
        const refused of [
          covers.set({ imageId, trackId: track }),
          covers.setVideoThumbnail(Checked.thumbnail({ videoId, timestampSeconds: 0 }))
        ]
      ) {
        assert.deepInclude(yield* failureOf(refused.pipe(as(me))), { _tag: "Refused", code: "no_plan" })
      }
      yield* covers.set({ imageId, playlistId }).pipe(as(me))
    }))

  it.effect("COVER-13 storage that is away changes nothing, and leaves nothing", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const [track, imageId, videoId] = [yield* addTrack(me), yield* addImage(me), yield* addVideo(me)]
      for (const fault of [Faults.notReached, Faults.answerLost]) {
        yield* memory.plant("put", fault)
        const copying = yield* failureOf(covers.set({ imageId, trackId: track }).pipe(as(me)))
        assert.strictEqual(copying["_tag"], "Unavailable")
        yield* memory.plant("put", fault)
        const putting = yield* failureOf(
          covers.setVideoThumbnail(Checked.thumbnail({ videoId, timestampSeconds: 0 })).pipe(as(me))
        )
        assert.strictEqual(putting["_tag"], "Unavailable")
      }
      const records = yield* Effect.forEach([track, videoId], (id) =>
        Effect.flatMap(Downloads, (downloads) => downloads.link(id).pipe(as(me))))
      assert.deepStrictEqual(
        records.map(({ thumbnailUrl }) =>
          thumbnailUrl
        ),
        [null, null]
      )
      yield* settled(me)
    }))
})
