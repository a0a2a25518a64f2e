/** Images that make no cover, or are shown as another. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase, TestMediaTools } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { extracted } from "../../test/MediaTest.ts"
import { Derivatives } from "../files/Derivatives.ts"
import { Downloads } from "../files/Downloads.ts"
import type { NewFile } from "../files/NewFile.ts"
import { Collections } from "../organize/Collections.ts"
import { Lists } from "../organize/Lists.ts"
import { Unreadable } from "../shared/DriveError.ts"
import type { AccountId, FileId, ListId } from "../shared/Ids.ts"
import { Covers } from "./Covers.ts"
import { Reading } from "./Reading.ts"

const addImage = (accountId: AccountId, given: Partial<NewFile> = {}) =>
  addFile(accountId, { type: "Image", mimeType: "image/png", fileName: "art.png", ...given })
const addTrack = (accountId: AccountId) => addFile(accountId, { type: "Audio", mimeType: "audio/mpeg" })
const addVideo = (accountId: AccountId) => addFile(accountId, { type: "Video", mimeType: "video/mp4" })

const newPlaylist = (accountId: AccountId) =>
  Effect.gen(function*() {
    return (yield* (yield* Lists).create("playlist", { title: Checked.listTitle("mix"), isPublic: false, fileIds: [] })
      .pipe(
        as(accountId)
      )).list.id
  })

const coverOf = Effect.fnUntraced(function*(accountId: AccountId, playlistId: ListId) {
  const { playlists } = yield* (yield* Collections).select.pipe(as(accountId))
  const { coverId, coverUrl } = playlists.find(({ id }) => id === playlistId)!
  return { coverId, coverUrl }
})

const failureOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => ({ ...error } as Record<string, unknown>))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Images of covers", (it) => {
  it.effect("COVER-14 an image that can't be opened is refused naming imageId, and nothing changes", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      const [track, video, playlistId] = [yield* addTrack(me), yield* addVideo(me), yield* newPlaylist(me)]
      const [whole, broken] = [yield* addImage(me), yield* addImage(me, { fileName: "broken.png" })]
      yield* tools.say("broken.png", { picture: new Unreadable({ because: "It is damaged." }) })
      yield* covers.set({ imageId: whole, trackId: track }).pipe(as(me))
      const { coverId } = (yield* (yield* Downloads).link(track).pipe(as(me))).media as { readonly coverId: FileId }
      for (
        const work of [
          covers.set({ imageId: broken, trackId: track }),
          covers.set({ imageId: broken, playlistId }),
          covers.setVideoThumbnail(Checked.thumbnail({ videoId: video, imageId: broken }))
        ]
      ) {
        const refused = yield* failureOf(Effect.asVoid(work).pipe(as(me)))
        assert.deepInclude(refused, { _tag: "InvalidField", code: "invalid_field", field: "imageId" })
      }
      assert.deepInclude((yield* (yield* Downloads).link(track).pipe(as(me))).media ?? {}, { coverId })
      assert.deepStrictEqual(yield* coverOf(me, playlistId), { coverId: null, coverUrl: null })
      yield* settled(me)
    }))

  it.effect("COVER-14 on a host without tools a track's cover is unreadable, and a playlist is shown by the image", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      const [track, playlistId] = [yield* addTrack(me), yield* newPlaylist(me)]
      const imageId = yield* addImage(me, { fileName: "toolless.png" })
      yield* tools.say("toolless.png", { picture: new Unreadable({ because: "No tool.", missingTool: "sharp" }) })
      const refused = yield* failureOf(covers.set({ imageId, trackId: track }).pipe(as(me)))
      assert.deepInclude(refused, { _tag: "Unreadable", missingTool: "sharp" })
      yield* covers.set({ imageId, playlistId }).pipe(as(me))
      assert.strictEqual((yield* coverOf(me, playlistId)).coverId, imageId)
    }))

  it.effect("COVER-15 a playlist whose image browsers don't show is shown by the image's thumbnail", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const derivatives = yield* Derivatives
      const me = yield* newAccount
      const jpeg = new TextEncoder().encode("a thumbnail")
      for (
        const [mimeType, isThumbnail] of [["image/heic", true], ["image/vnd.adobe.photoshop", true], [
          "image/png",
          false
        ]] as const
      ) {
        const [imageId, playlistId] = [yield* addImage(me, { mimeType }), yield* newPlaylist(me)]
        yield* derivatives.replace(me, imageId, { jpeg })
        yield* covers.set({ imageId, playlistId }).pipe(as(me))
        const { coverId, coverUrl } = yield* coverOf(me, playlistId)
        assert.strictEqual(coverId, imageId)
        assert.strictEqual(coverUrl!.includes("thumbnail.jpg"), isThumbnail)
      }
    }))

  it.effect("READ-35 an image that was found broken in the background is not opened for a cover or a reader once more", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const tools = yield* TestMediaTools
      const me = yield* newAccount
      const trackId = yield* addFile(me, { type: "Audio", mimeType: "audio/mpeg" })
      const opened = (name: string) =>
        Effect.map(tools.calls, (calls) => calls.filter((call) => call === `still ${name}`).length)
      const refused = (imageId: FileId) => Effect.flip(covers.set({ trackId, imageId }).pipe(as(me)))

      yield* tools.say("bomb.png", { picture: new Unreadable({ because: "It takes too much time." }) })
      const bomb = yield* addImage(me, { fileName: "bomb.png" })
      yield* extracted
      assert.strictEqual(yield* opened("bomb.png"), 1)
      assert.deepInclude(yield* refused(bomb), { _tag: "InvalidField", field: "imageId" })
      const unread = yield* Effect.flip((yield* Reading).read(Checked.reading({ fileId: bomb })).pipe(as(me)))
      assert.deepInclude(unread, { _tag: "Unreadable", because: "It takes too much time." })
      assert.strictEqual(yield* opened("bomb.png"), 1)

      // Whatever may succeed now is tried: what only lacked a tool, whose facts alone could not be read, or after an hour.
      yield* tools.say("heic.png", { picture: new Unreadable({ because: "Install it.", missingTool: "magick" }) })
      yield* tools.say("facts.png", { facts: new Unreadable({ because: "Its facts are damaged." }) })
      const [heic, facts] = [
        yield* addImage(me, { fileName: "heic.png" }),
        yield* addImage(me, { fileName: "facts.png" })
      ]
      yield* extracted
      yield* tools.say("heic.png", {})
      yield* tools.say("bomb.png", {})
      yield* TestClock.adjust("1 hour")
      for (const imageId of [heic, facts, bomb]) yield* covers.set({ trackId, imageId }).pipe(as(me))
    }))
})
