import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit } from "effect"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount, settled } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import { Collections } from "../organize/Collections.ts"
import { Lists } from "../organize/Lists.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Covers } from "./Covers.ts"

const addImage = (accountId: AccountId) => addFile(accountId, { type: "Image", mimeType: "image/png" })
const addTrack = (accountId: AccountId) => addFile(accountId, { type: "Audio", mimeType: "audio/mpeg" })

testLayer(layer(TestDatabase.layerPostgres), { timeout: "120 seconds" })("Covers under concurrency", (it) => {
  it.effect("COVER-7 of ten covers set at once while the track is made public one stays, and nothing else is left", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const covers = yield* Covers
      const access = yield* FileAccess
      const me = yield* newAccount
      const trackId = yield* addTrack(me)
      const images = yield* Effect.forEach(Array.from({ length: 10 }), () => addImage(me))
      const set = images.map((imageId) => covers.set({ imageId, trackId }).pipe(as(me)))
      yield* Effect.all([...set, access.toggle(trackId).pipe(as(me))], { concurrency: "unbounded" })
      const pictures = yield* sql<{ readonly id: string; readonly isPublic: boolean }>`
        SELECT id, is_public AS "isPublic" FROM ${t.files} WHERE derivative_of = ${trackId}
      `
      assert.deepStrictEqual(pictures.map(({ isPublic }) => isPublic), [true])
      const { media } = yield* (yield* Downloads).link(trackId).pipe(as(me))
      assert.deepInclude(media ?? {}, { coverId: pictures[0]!.id })
      yield* settled(me)
    }))

  it.effect("COVER-7 images that are deleted while they are made covers are 404, or no art any longer", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const trash = yield* Trash
      const lists = yield* Lists
      const me = yield* newAccount
      for (let round = 0; round < 15; round++) {
        const [imageId, trackId] = [yield* addImage(me), yield* addTrack(me)]
        const { list } = yield* lists.create("playlist", { title: Checked.listTitle("mix") }).pipe(as(me))
        const [ofList, ofTrack] = yield* Effect.all([
          Effect.exit(covers.set({ imageId, playlistId: list.id }).pipe(as(me))),
          Effect.exit(covers.set({ imageId, trackId }).pipe(as(me))),
          trash.delete([imageId]).pipe(as(me))
        ], { concurrency: "unbounded" })
        for (const exit of [ofList, ofTrack]) {
          if (Exit.isFailure(exit)) assert.include(String(exit.cause), "No file of yours")
        }
        const { playlists } = yield* (yield* Collections).select.pipe(as(me))
        assert.isNull(playlists.find(({ id }) => id === list.id)!.coverId)
      }
      yield* settled(me)
    }))

  it.effect("COVER-7 ORG-2 deleting the image of many playlists meets another's file leaving them, without a deadlock", () =>
    Effect.gen(function*() {
      const covers = yield* Covers
      const trash = yield* Trash
      const access = yield* FileAccess
      const lists = yield* Lists
      const [me, other] = [yield* newAccount, yield* newAccount]
      for (let round = 0; round < 8; round++) {
        const [imageId, theirs] = [yield* addImage(me), yield* addTrack(other)]
        yield* access.toggle(theirs).pipe(as(other))
        for (let n = 0; n < 12; n++) {
          const { list } = yield* lists.create("playlist", { title: Checked.listTitle("mix"), fileIds: [theirs] }).pipe(
            as(me)
          )
          yield* covers.set({ imageId, playlistId: list.id }).pipe(as(me))
        }
        yield* Effect.all([trash.delete([imageId]).pipe(as(me)), trash.put([theirs]).pipe(as(other))], {
          concurrency: "unbounded"
        })
        const { playlists } = yield* (yield* Collections).select.pipe(as(me))
        assert.isTrue(playlists.every(({ coverId, fileCount }) => coverId === null && fileCount === 0))
      }
    }))
})
