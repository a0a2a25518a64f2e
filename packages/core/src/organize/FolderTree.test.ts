import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Fiber, Option } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { Trash } from "../files/Trash.ts"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { Folders } from "./Folders.ts"
import { FolderTree } from "./FolderTree.ts"

const paths = Effect.gen(function*() {
  const { folders } = yield* (yield* Collections).select
  return folders.map(({ fileCount, path }) => [path, fileCount] as const)
})

const deep = (levels: number, name = "d") => `/${name}`.repeat(levels)

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("FolderTree", (it) => {
  it.effect("ORG-14 folders go 32 deep with names of any length allowed, and no deeper", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      // Names that no compression makes short.
      const name = (level: number) =>
        Array.from({ length: 255 }, (_, at) => String.fromCharCode(0x4e00 + ((level * 7_919 + at * 104_729) % 20_000)))
          .join("")
      const path = Array.from({ length: 32 }, (_, level) => `/${name(level)}`).join("")
      const made = yield* tree.create(Checked.path(path)).pipe(as(me))
      assert.strictEqual((yield* tree.create(Checked.path(path)).pipe(as(me))).id, made.id)
      assert.throws(() => Checked.path(deep(33)))
      assert.strictEqual((yield* paths.pipe(as(me))).length, 32)
      assert.deepInclude(yield* tree.create(Checked.path("/")).pipe(as(me), Effect.flip), { field: "path" })
      yield* checkCounts
    }))

  it.effect("ORG-14 a folder is not moved to where what it brings along would be below 32", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      const bottom = yield* tree.create(Checked.path(deep(31))).pipe(as(me))
      yield* tree.create(Checked.path("/a/b")).pipe(as(me))
      const a = yield* tree.create(Checked.path("/a")).pipe(as(me))
      const b = yield* tree.create(Checked.path("/a/b")).pipe(as(me))
      const refused = yield* tree.move(a.id, { id: bottom.id }, "parentId").pipe(as(me), Effect.flip)
      assert.deepInclude(refused, { _tag: "InvalidField", field: "parentId" })
      assert.strictEqual((yield* tree.move(b.id, { id: bottom.id }, "parentId").pipe(as(me))).path, `${deep(31)}/b`)
      yield* checkCounts
    }))

  it.effect("ORG-15 a folder keeps what is in it when it is renamed or moved", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const moves = yield* FolderMoves
      const me = yield* newAccount
      const id = yield* addFile(me)
      yield* moves.files([id], { path: Checked.path("/Films/2024/Rushes"), field: "folder" }).pipe(as(me))
      yield* tree.create(Checked.path("/Films-old/x")).pipe(as(me))
      const films = yield* tree.create(Checked.path("/Films")).pipe(as(me))
      assert.strictEqual((yield* tree.rename(films.id, Checked.folderName("FILMS")).pipe(as(me))).path, "/FILMS")
      const taken = yield* tree.rename(films.id, Checked.folderName("films-OLD")).pipe(as(me), Effect.flip)
      assert.deepInclude(taken, { _tag: "InvalidField", field: "name" })
      yield* tree.rename(films.id, Checked.folderName("Größe")).pipe(as(me))
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [
        ["/Films-old", 0],
        ["/Films-old/x", 0],
        ["/Größe", 0],
        ["/Größe/2024", 0],
        ["/Größe/2024/Rushes", 1]
      ])
      const rushes = yield* tree.create(Checked.path("/GRÖSSE/2024/rushes")).pipe(as(me))
      assert.strictEqual(rushes.path, "/Größe/2024/Rushes")
      yield* tree.move(films.id, { path: Checked.path("/archive/new"), field: "folder" }, "folder").pipe(as(me))
      assert.include(
        yield* paths.pipe(as(me), Effect.map((all) => all.map(([path]) => path))),
        "/archive/new/Größe/2024/Rushes"
      )
      yield* tree.create(Checked.path("/Größe")).pipe(as(me))
      const clash = yield* tree.move(films.id, { id: null }, "parentId").pipe(as(me), Effect.flip)
      assert.deepInclude(clash, { _tag: "InvalidField", field: "parentId" })
      for (const name of ["", "a/b", "x".repeat(256), "a\u0000"]) assert.throws(() => Checked.folderName(name))
      yield* checkCounts
    }))

  it.effect("ORG-16 a folder is not moved into itself, by id or by a path that is yet to be made", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      const inner = yield* tree.create(Checked.path("/a/b")).pipe(as(me))
      const a = yield* tree.create(Checked.path("/a")).pipe(as(me))
      for (const to of [{ id: a.id }, { id: inner.id }, { path: Checked.path("/A/b/c/d"), field: "folder" }]) {
        assert.deepInclude(yield* tree.move(a.id, to, "folder").pipe(as(me), Effect.flip), { field: "folder" })
      }
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [["/a", 0], ["/a/b", 0]])
    }))

  it.effect("ORG-17 the files of a deleted folder go to the folder above, or to trash and back to there", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const moves = yield* FolderMoves
      const trash = yield* Trash
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 4)
      const put = (index: number, path: string) =>
        moves.files([ids[index]!], { path: Checked.path(path), field: "folder" }).pipe(as(me))
      yield* put(0, "/a/b")
      yield* put(1, "/a/b/c")
      yield* put(2, "/a/b/c/d")
      yield* put(3, "/a/bb")
      yield* trash.put([ids[1]!]).pipe(as(me))
      const c = yield* tree.create(Checked.path("/a/b/c")).pipe(as(me))
      assert.deepStrictEqual(yield* tree.delete(c.id, "parent").pipe(as(me)), { folders: 2, files: 2 })
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [["/a", 0], ["/a/b", 2], ["/a/bb", 1]])
      const b = yield* tree.create(Checked.path("/a/b")).pipe(as(me))
      assert.deepStrictEqual(yield* tree.delete(b.id, "trash").pipe(as(me)), { folders: 1, files: 3 })
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [["/a", 0], ["/a/bb", 1]])
      yield* trash.restore(ids).pipe(as(me))
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [["/a", 3], ["/a/bb", 1]])
      const a = yield* tree.create(Checked.path("/a")).pipe(as(me))
      yield* tree.delete(a.id, "parent").pipe(as(me))
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [])
      assert.deepInclude(yield* tree.delete(a.id, "parent").pipe(as(me), Effect.flip), { _tag: "NotFound" })
      yield* checkCounts
    }))

  it.effect("ORG-11 ORG-17 a folder of more files than one transaction takes is emptied, and deleted, whole", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const moves = yield* FolderMoves
      const me = yield* newAccount
      const source = yield* tree.create(Checked.path("/from")).pipe(as(me))
      const ids = yield* addManyFiles(me, 1_003, { folderId: source.id })
      const { folder, moved } = yield* moves.fromFolder(source.id, { path: Checked.path("/x/to"), field: "folder" })
        .pipe(as(me))
      assert.sameMembers([...moved], ids)
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [["/from", 0], ["/x", 0], ["/x/to", 1_003]])
      assert.deepStrictEqual(yield* moves.fromFolder(folder!.id, { id: folder!.id }).pipe(as(me)), { folder, moved })
      const x = yield* tree.create(Checked.path("/x")).pipe(as(me))
      assert.deepStrictEqual(yield* tree.delete(x.id, "trash").pipe(as(me)), { folders: 2, files: 1_003 })
      assert.deepStrictEqual(yield* paths.pipe(as(me)), [["/from", 0]])
      yield* checkCounts
    }))

  it.effect("DB-21 a folder that is deleted is gone through once, on from where the last batch ended", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      const { id } = yield* tree.create(Checked.path("/from")).pipe(as(me))
      const inner = yield* tree.create(Checked.path("/from/inner")).pipe(as(me))
      yield* addManyFiles(me, 700, { folderId: id })
      yield* addManyFiles(me, 300, { folderId: inner.id })
      const [looks, fromStart] = [new Set<string>(), new Set<string>()]
      const deleted = yield* tree.delete(id, "trash").pipe(
        as(me),
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            const [text, values] = statement.compile()
            if (!/WHERE id IN \(\s+SELECT f\.id/.test(text)) return statement
            looks.add(String(values))
            if (text.includes("AND TRUE")) fromStart.add(String(values))
            return statement
          }))
      )
      assert.deepStrictEqual(deleted, { folders: 2, files: 1_000 })
      assert.strictEqual(fromStart.size, 2)
      assert.isAtLeast(looks.size, 5)
      yield* checkCounts
    }))

  it.effect("ORG-17 a file that comes to a folder while that is deleted leaves it too, wherever the deletion has been", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const moves = yield* FolderMoves
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const outside = yield* Effect.context<never>()
      // Its id is smaller than those of the files in the folder.
      const late = yield* addFile(me)
      yield* TestClock.adjust("1 second")
      const { id } = yield* tree.create(Checked.path("/from")).pipe(as(me))
      const inner = yield* tree.create(Checked.path("/from/inner")).pipe(as(me))
      yield* addManyFiles(me, 300, { folderId: id })
      yield* addManyFiles(me, 100, { folderId: inner.id })
      const comings: Array<Fiber.Fiber<unknown, unknown>> = []
      const deleted = yield* tree.delete(id, "parent").pipe(
        as(me),
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            const [text] = statement.compile()
            const isLater = /WHERE id IN \(\s+SELECT f\.id/.test(text) && !text.includes("AND TRUE")
            if (isLater && comings.length === 0) {
              // It waits for the lock, which the deletion gives up between its batches.
              comings.push(Effect.runForkWith(outside)(moves.files([late], { id }).pipe(as(me))))
            }
            return statement
          }))
      )
      assert.lengthOf(comings, 1)
      yield* Fiber.join(comings[0]!)
      assert.deepStrictEqual(deleted, { folders: 2, files: 401 })
      const [found] = yield* sql<{ readonly nowhere: number }>`
        SELECT count(*)::int AS nowhere FROM ${t.files} f
        WHERE f.folder_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${t.folders} d WHERE d.id = f.folder_id)
      `
      assert.deepStrictEqual(found, { nowhere: 0 })
      yield* checkCounts
    }))

  it.effect("ORG-18 a file that arrives for a folder which is gone by then is at the top of the drive", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const downloads = yield* Downloads
      const me = yield* newAccount
      const { id } = yield* tree.create(Checked.path("/gone")).pipe(as(me))
      yield* tree.delete(id, "parent").pipe(as(me))
      const file = yield* addFile(me, { folderId: id })
      assert.isNull((yield* downloads.link(file).pipe(as(me))).folder)
      yield* checkCounts
    }))

  it.effect("ORG-13 SEC-2 another account's folder is not there", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const folders = yield* Folders
      const [me, other] = [yield* newAccount, yield* newAccount]
      const { id } = yield* tree.create(Checked.path("/mine")).pipe(as(me))
      const missing = { _tag: "NotFound", resource: "folder" } as const
      assert.deepInclude(yield* tree.rename(id, Checked.folderName("yours")).pipe(as(other), Effect.flip), missing)
      assert.deepInclude(yield* tree.move(id, { id: null }, "parentId").pipe(as(other), Effect.flip), missing)
      assert.deepInclude(yield* tree.delete(id, "parent").pipe(as(other), Effect.flip), missing)
      assert.isTrue(Option.isNone(yield* folders.find(other, id)))
    }))
})
