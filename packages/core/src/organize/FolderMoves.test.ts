import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect } from "effect"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { Trash } from "../files/Trash.ts"
import { FolderId } from "../shared/Ids.ts"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"

const counts = Effect.gen(function*() {
  const { folders } = yield* (yield* Collections).select
  return Object.fromEntries(folders.map(({ fileCount, path }) => [path, fileCount]))
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("FolderMoves", (it) => {
  it.effect("ORG-10 ORG-13 the caller's files move, each once and in the order asked; others are left out", () =>
    Effect.gen(function*() {
      const moves = yield* FolderMoves
      const [me, other] = [yield* newAccount, yield* newAccount]
      const [a, b, theirs] = [yield* addFile(me), yield* addFile(me), yield* addFile(other)]
      const asked = [b, theirs, a.toUpperCase() as typeof a, unknownFile, b]
      const { folder, moved } = yield* moves.files(asked, { path: Checked.path("/A/B/"), field: "folder" }).pipe(as(me))
      assert.deepStrictEqual(moved, [b, a])
      assert.strictEqual(folder!.path, "/A/B")
      const again = yield* moves.files([a], { path: Checked.path("/a/b"), field: "folder" }).pipe(as(me))
      assert.deepStrictEqual(again, { moved: [a], folder })
      assert.deepStrictEqual(yield* counts.pipe(as(me)), { "/A": 0, "/A/B": 2 })
      assert.deepStrictEqual(yield* moves.files([a], { id: null }).pipe(as(me)), { moved: [a], folder: null })
      assert.deepStrictEqual(yield* moves.files([a], { path: Checked.path("/"), field: "folder" }).pipe(as(me)), {
        moved: [a],
        folder: null
      })

      const none = yield* moves.files([theirs], { path: Checked.path("/never"), field: "folder" }).pipe(
        as(me),
        Effect.flip
      )
      assert.deepInclude(none, { _tag: "NotFound", resource: "file" })
      const nowhere = yield* moves.files([a], { id: FolderId.make(unknownFile) }).pipe(as(me), Effect.flip)
      assert.deepInclude(nowhere, { _tag: "NotFound", resource: "folder" })
      const neither = yield* moves.files([theirs], { id: FolderId.make(unknownFile) }).pipe(as(me), Effect.flip)
      assert.deepInclude(neither, { _tag: "NotFound", resource: "folder" })
      const strangers = yield* moves.files([theirs], { id: folder!.id }).pipe(as(other), Effect.flip)
      assert.deepInclude(strangers, { _tag: "NotFound", resource: "folder" })
      const from = yield* moves.fromFolder(folder!.id, { id: null }).pipe(as(other), Effect.flip)
      assert.deepInclude(from, { _tag: "NotFound", resource: "folder" })
      assert.deepStrictEqual(yield* counts.pipe(as(me)), { "/A": 0, "/A/B": 1 })
      yield* checkCounts
    }))

  it.effect("ORG-11 everything that is in a folder moves, in trash too, but not what is in folders inside it", () =>
    Effect.gen(function*() {
      const moves = yield* FolderMoves
      const trash = yield* Trash
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 3)
      const { folder } = yield* moves.files(ids.slice(0, 2), { path: Checked.path("/from"), field: "folder" }).pipe(
        as(me)
      )
      yield* moves.files([ids[2]!], { path: Checked.path("/from/inner"), field: "folder" }).pipe(as(me))
      yield* trash.put([ids[0]!]).pipe(as(me))
      const { moved } = yield* moves.fromFolder(folder!.id, { path: Checked.path("/to"), field: "folder" }).pipe(as(me))
      assert.sameMembers([...moved], ids.slice(0, 2))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), { "/from": 0, "/from/inner": 1, "/to": 1 })
      yield* trash.restore([ids[0]!]).pipe(as(me))
      assert.deepStrictEqual(yield* counts.pipe(as(me)), { "/from": 0, "/from/inner": 1, "/to": 2 })
      assert.deepStrictEqual((yield* moves.fromFolder(folder!.id, { id: null }).pipe(as(me))).moved, [])
      yield* checkCounts
    }))
})
