import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import * as Checked from "../../test/Checked.ts"
import { addFile, addFolder, as, layer, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { encoded, song } from "../../test/Prints.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { FileAccess } from "../files/FileAccess.ts"
import type { NewFile } from "../files/NewFile.ts"
import { Trash } from "../files/Trash.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Soundprints } from "./Soundprints.ts"

const addTrack = (accountId: AccountId, given: Partial<NewFile> = {}) =>
  addFile(accountId, { type: "Audio", mimeType: "audio/mpeg", ...given })

const hear = Effect.fnUntraced(function*(accountId: AccountId, id: FileId, print: ReadonlyArray<number> | null) {
  const { sql, tables: t } = yield* Database
  const soundprints = yield* Soundprints
  yield* (yield* AccountTransaction).run(accountId, () => soundprints.replace(accountId, id, print))
  yield* sql`UPDATE ${t.files} SET metadata_status = 'done' WHERE id = ${id}`
})

/** A track that was listened to. */
const addHeard = Effect.fnUntraced(function*(
  accountId: AccountId,
  print: ReadonlyArray<number> | null,
  given: Partial<NewFile> = {}
) {
  const id = yield* addTrack(accountId, given)
  yield* hear(accountId, id, print)
  return id
})

const similar = Effect.fnUntraced(function*(accountId: AccountId, id: FileId, limits = {}, limit?: number) {
  return yield* (yield* Soundprints).similar(id, limit === undefined ? limit : Checked.similarLimit(limit)).pipe(
    as(accountId, limits)
  )
})

const idsOf = (...asked: Parameters<typeof similar>) =>
  Effect.map(similar(...asked), ({ tracks }) => tracks.map(({ file }) => file.id))

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Soundprints", (it) => {
  it.effect("MEDIA-30 the same recording is found in other encodings and cuts, best first; other songs are not", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const track = yield* addHeard(me, song(1))
      const bad = yield* addHeard(me, encoded(song(1), 0.08))
      const good = yield* addHeard(me, encoded(song(1), 0.005), { fileName: "good.mp3" })
      const cut = yield* addHeard(me, encoded(song(1).slice(200), 0.03))
      for (let seed = 2; seed < 30; seed++) yield* addHeard(me, song(seed))
      assert.deepStrictEqual(yield* idsOf(me, track), [good, cut, bad])
      assert.includeMembers([...yield* idsOf(me, cut)], [track, good])
      const { pending, tracks } = yield* similar(me, track, {}, 1)
      assert.isFalse(pending)
      assert.strictEqual(tracks.length, 1)
      assert.deepInclude(tracks[0]!.file, { id: good, fileName: "good.mp3", type: "Audio" })
      assert.closeTo(tracks[0]!.similarity, 0.99, 0.005)
    }))

  it.effect("MEDIA-34 not those in trash, outside the token's folder, of another account, or deleted", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const [me, other] = [yield* newAccount, yield* newAccount]
      const folderId = yield* addFolder(me, "/Music")
      const track = yield* addHeard(me, song(1), { folderId })
      const inside = yield* addHeard(me, song(1), { folderId })
      const [outside, trashed, deleted] = [
        yield* addHeard(me, song(1)),
        yield* addHeard(me, song(1)),
        yield* addHeard(me, song(1))
      ]
      yield* addHeard(other, song(1))
      yield* trash.put([trashed]).pipe(as(me))
      yield* trash.delete([deleted]).pipe(as(me))
      assert.sameMembers([...yield* idsOf(me, track)], [inside, outside])
      assert.deepStrictEqual(yield* idsOf(me, track, { folderId }), [inside])
      yield* trash.restore([trashed]).pipe(as(me))
      assert.sameMembers([...yield* idsOf(me, track)], [inside, outside, trashed])
      const { sql, tables: t } = yield* Database
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM ${t.soundprints} WHERE file_id = ${deleted}`, [])
    }))

  it.effect("MEDIA-35 a track not listened to yet is pending; one that tells nothing has none like it", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const waiting = yield* addTrack(me)
      assert.deepStrictEqual(yield* similar(me, waiting), { pending: true, tracks: [] })
      yield* addHeard(me, song(1))
      yield* hear(me, waiting, song(1))
      assert.strictEqual((yield* idsOf(me, waiting)).length, 1)
      const silent = [yield* addHeard(me, null), yield* addHeard(me, Array.from({ length: 500 }, () => 627_964_279))]
      for (const id of silent) assert.deepStrictEqual(yield* similar(me, id), { pending: false, tracks: [] })
      // Listened to again, it is another song now.
      yield* hear(me, waiting, song(2))
      assert.deepStrictEqual(yield* idsOf(me, waiting), [])
    }))

  it.effect("MEDIA-36 somebody else's track that the caller can open is looked for among the caller's own", () =>
    Effect.gen(function*() {
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [theirs, mine] = [yield* addHeard(other, song(1)), yield* addHeard(me, encoded(song(1), 0.01))]
      yield* addHeard(other, song(1))
      assert.strictEqual((yield* Effect.flip(similar(me, theirs)))._tag, "NotFound")
      yield* (yield* FileAccess).toggle(theirs).pipe(as(other))
      assert.deepStrictEqual(yield* idsOf(me, theirs), [mine])
      assert.strictEqual((yield* Effect.flip(similar(me, unknownFile)))._tag, "NotFound")
      const text = yield* addFile(me)
      assert.deepInclude(yield* Effect.flip(similar(me, text)), { _tag: "InvalidField", field: "fileId" })
      const refused = yield* Effect.flip(similar(me, mine, { permissions: ["add"] }))
      assert.deepInclude(refused, { _tag: "Refused", code: "token_limit" })
      // Nobody keeps a soundprint of another's file.
      const soundprints = yield* Soundprints
      yield* (yield* AccountTransaction).run(me, () => soundprints.replace(me, theirs, song(9)))
      assert.deepStrictEqual(yield* idsOf(me, theirs), [mine])
    }))
})
