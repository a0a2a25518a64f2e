/** Folders with many folders inside them, which are renamed, moved and deleted some at a time. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Exit, Option } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Database } from "../database/Database.ts"
import { Trash } from "../files/Trash.ts"
import type { AccountId, FolderId } from "../shared/Ids.ts"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { Folders } from "./Folders.ts"
import { FolderTree } from "./FolderTree.ts"

/** Folders in a folder, and one more in each of them: twice as many as `count`. */
const fill = Effect.fnUntraced(function*(me: AccountId, top: FolderId, count: number) {
  const { sql, tables: t } = yield* Database
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const insert = sql`
    INSERT INTO ${t.folders} (id, account_id, parent_id, name, folded_name, path, folded_path, depth, insert_time)
  `
  yield* sql`
    ${insert} SELECT gen_random_uuid(), ${me}, d.id, 'D' || n, 'd' || n, d.path || '/D' || n, d.folded_path || '/d' || n,
      d.depth + 1, ${now}
    FROM ${t.folders} d, generate_series(1, ${count}::int) n WHERE d.id = ${top}
  `
  yield* sql`
    ${insert} SELECT gen_random_uuid(), ${me}, d.id, 'In', 'in', d.path || '/In', d.folded_path || '/in', d.depth + 1, ${now}
    FROM ${t.folders} d WHERE d.parent_id = ${top}
  `
})

/** How many folders have paths that begin so. */
const countIn = Effect.fnUntraced(function*(me: AccountId, beginning: string) {
  const { sql, tables: t } = yield* Database
  const [found] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::int AS count FROM ${t.folders} WHERE account_id = ${me} AND starts_with(path, ${beginning})
  `
  return found!.count
})

/** What becomes of the rows that statements change which change the paths, or delete, of folders: how many in each. */
const watched = (pattern: RegExp, changes: Array<number>, failsAt = Infinity) =>
  Effect.provideService(Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      const [text, values] = statement.compile()
      if (!pattern.test(text)) return statement
      if (changes.push(Number(values.findLast((value) => typeof value === "number"))) >= failsAt) {
        throw new Error("killed")
      }
      return statement
    }))

const follows = /UPDATE \S*folders\S* AS d SET\s+path =/

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Folders of many folders", (it) => {
  it.effect("DB-21 ORG-15 a folder of many folders is renamed and moved some of them at a time", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const top = yield* tree.create(Checked.path("/Old")).pipe(as(me))
      yield* tree.create(Checked.path("/Old-er/D1")).pipe(as(me))
      yield* fill(me, top.id, 1_500)
      for (
        const [change, path] of [
          [tree.rename(top.id, Checked.folderName("New")), "/New"],
          [tree.rename(top.id, Checked.folderName("NEW")), "/NEW"],
          [tree.move(top.id, { path: Checked.path("/a/b"), field: "folder" }, "folder"), "/a/b/NEW"],
          [tree.move(top.id, { id: null }, "parentId"), "/NEW"]
        ] as const
      ) {
        const followed: Array<number> = []
        assert.strictEqual((yield* change.pipe(as(me), watched(follows, followed))).path, path)
        assert.isAtLeast(followed.length, 2)
        assert.isAtMost(Math.max(...followed), 2_000)
        assert.strictEqual(yield* countIn(me, path), 3_001)
        yield* checkCounts
      }
      assert.strictEqual(yield* countIn(me, "/Old-er"), 2)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual((yield* jobs.runDue).filter(({ kind }) => kind === "folders.follow"), [])
    }))

  it.effect("ORG-56 a folder of few folders is renamed whole or not at all", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      const top = yield* tree.create(Checked.path("/Old")).pipe(as(me))
      yield* fill(me, top.id, 200)
      const exit = yield* tree.rename(top.id, Checked.folderName("New")).pipe(
        as(me),
        watched(follows, [], 1),
        Effect.exit
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(yield* countIn(me, "/Old"), 401)
      const followed: Array<number> = []
      yield* tree.rename(top.id, Checked.folderName("New")).pipe(as(me), watched(follows, followed))
      assert.strictEqual(followed.length, 1)
      assert.strictEqual(yield* countIn(me, "/New"), 401)
      yield* checkCounts
    }))

  it.effect("ORG-56 a rename that was cut short is found by both paths, continues with the next change of a folder, and by itself", () =>
    Effect.gen(function*() {
      const [folders, moves, tree] = [yield* Folders, yield* FolderMoves, yield* FolderTree]
      const jobs = yield* ManualJobs
      const me = yield* newAccount
      const top = yield* tree.create(Checked.path("/Old")).pipe(as(me))
      yield* fill(me, top.id, 1_500)
      const cut = (name: string) =>
        tree.rename(top.id, Checked.folderName(name)).pipe(as(me), watched(follows, [], 2), Effect.exit)
      const idOf = (path: string) => Effect.map(folders.ensure(me, Checked.path(path), "path"), (folder) => folder!.id)

      assert.isTrue(Exit.isFailure(yield* cut("New")))
      const behind = yield* countIn(me, "/Old/")
      assert.isAtLeast(behind, 1)
      assert.isAtLeast(yield* countIn(me, "/New/"), 1)
      // The first has followed, the last has not; nothing is made twice, and nothing is left where it was.
      for (const inner of ["", "/D1", "/D1/In", "/D999", "/D999/In"]) {
        assert.strictEqual(yield* idOf(`/old${inner}`), yield* idOf(`/NEW${inner}`))
      }
      assert.strictEqual(yield* idOf("/Old"), top.id)
      const made = yield* Effect.forEach(["/Old/D1/a", "/New/D1/b", "/Old/D999/a", "/New/D999/b", "/Old/c"], idOf)
      assert.strictEqual((yield* countIn(me, "/Old/")) + (yield* countIn(me, "/New/")), 3_005)
      assert.strictEqual(yield* idOf("/New/D1/a"), made[0])
      assert.strictEqual(yield* idOf("/New/D999/a"), made[2])
      const id = yield* addFile(me)
      yield* moves.files([id], { path: Checked.path("/Old/D999/In"), field: "folder" }).pipe(as(me))
      const taken = yield* tree.create(Checked.path("/other")).pipe(as(me))
      // What changes a folder takes it to its end before.
      assert.strictEqual((yield* tree.rename(taken.id, Checked.folderName("Old")).pipe(as(me))).path, "/Old")
      assert.strictEqual(yield* countIn(me, "/Old"), 1)
      assert.strictEqual(yield* countIn(me, "/New"), 3_006)
      yield* checkCounts

      assert.isTrue(Exit.isFailure(yield* cut("Newer")))
      assert.isAtLeast(yield* countIn(me, "/New/"), 1)
      yield* TestClock.adjust("1 minute")
      for (const { exit } of yield* jobs.runDue) assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(yield* countIn(me, "/New/"), 0)
      assert.strictEqual(yield* countIn(me, "/Newer"), 3_006)
      yield* checkCounts

      assert.isTrue(Exit.isFailure(yield* cut("Gone")))
      assert.deepStrictEqual(yield* tree.delete(top.id, "trash").pipe(as(me)), { folders: 3_006, files: 1 })
      assert.strictEqual(yield* countIn(me, "/"), 1)
      yield* checkCounts
    }))

  it.effect("ORG-14 ORG-56 no folder is made in one that is on its way where it would be too deep when that has come along", () =>
    Effect.gen(function*() {
      const [folders, tree] = [yield* Folders, yield* FolderTree]
      const me = yield* newAccount
      const top = yield* tree.create(Checked.path("/Old")).pipe(as(me))
      yield* fill(me, top.id, 1_500)
      const to = { path: Checked.path("/d".repeat(20)), field: "folder" }
      const exit = yield* tree.move(top.id, to, "folder").pipe(as(me), watched(follows, [], 2), Effect.exit)
      assert.isTrue(Exit.isFailure(exit))
      const deepest = (above: string, levels: number) =>
        folders.ensure(me, Checked.path(above + "/x".repeat(levels)), "folder")
      assert.deepInclude(yield* Effect.flip(deepest("/Old/D999/In", 10)), { _tag: "InvalidField", field: "folder" })
      assert.deepInclude(yield* Effect.flip(deepest("/Old/D1/In", 10)), { _tag: "InvalidField", field: "folder" })
      yield* deepest("/Old/D999/In", 9)
      assert.strictEqual(
        (yield* tree.rename(top.id, Checked.folderName("Young")).pipe(as(me))).path,
        `${"/d".repeat(20)}/Young`
      )
      assert.strictEqual(yield* countIn(me, "/Old"), 0)
      yield* checkCounts
    }))

  it.effect("ORG-56 ORG-31 what has left a token's folder is not reached by its former path", () =>
    Effect.gen(function*() {
      const [collections, trash, folders] = [yield* Collections, yield* Trash, yield* Folders]
      const [moves, tree] = [yield* FolderMoves, yield* FolderTree]
      const me = yield* newAccount
      const limit = yield* tree.create(Checked.path("/Work")).pipe(as(me))
      const top = yield* tree.create(Checked.path("/Work/Old")).pipe(as(me))
      yield* fill(me, top.id, 1_500)
      const id = yield* addFile(me, { folderId: limit.id })
      const cut = tree.move(top.id, { path: Checked.path("/Elsewhere"), field: "folder" }, "folder")
      assert.isTrue(Exit.isFailure(yield* cut.pipe(as(me), watched(follows, [], 2), Effect.exit)))
      const behind = yield* folders.ensure(me, Checked.path("/Elsewhere/Old/D999"), "path")
      const secret = yield* addFile(me, { folderId: behind!.id })
      const limited = as(me, { folderId: limit.id })
      assert.deepInclude(yield* Effect.flip(folders.seen(behind!.id).pipe(limited)), { _tag: "NotFound" })
      assert.deepStrictEqual(yield* trash.put([secret]).pipe(limited), [])
      const seen = (yield* collections.select.pipe(limited)).folders.map(({ path }) => path)
      assert.deepStrictEqual(seen.filter((path) => path.startsWith("/Work/Old")), [])
      const paths = ["/Work/Old", "/Work/Old/new", "/Work/Old/D1", "/Work/Old/D1/In/new", "/Elsewhere/Old/D999"]
      for (const path of [...paths, "/Work/Old/D999", "/Work/Old/D999/In/new"]) {
        const put = moves.files([id], { path: Checked.path(path), field: "folder" }).pipe(
          as(me, { folderId: limit.id })
        )
        assert.deepInclude(yield* Effect.flip(put), { _tag: "Refused", code: "token_limit" })
        assert.deepInclude(
          yield* tree.create(Checked.path(path)).pipe(as(me, { folderId: limit.id }), Effect.flip),
          { _tag: "Refused", code: "token_limit" }
        )
      }
      assert.strictEqual(yield* countIn(me, "/"), 3_003)
      assert.strictEqual(
        (yield* tree.rename(top.id, Checked.folderName("Young")).pipe(as(me))).path,
        "/Elsewhere/Young"
      )
      yield* checkCounts
    }))

  it.effect("DB-21 ORG-17 a folder of many folders is deleted some of them at a time, with those that are made meanwhile", () =>
    Effect.gen(function*() {
      const [folders, tree] = [yield* Folders, yield* FolderTree]
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const { id } = yield* tree.create(Checked.path("/Old")).pipe(as(me))
      yield* tree.create(Checked.path("/Old-er/D1")).pipe(as(me))
      yield* fill(me, id, 750)
      const path = "/Old/D42/In"
      const file = yield* addFile(me, { folderId: (yield* folders.ensure(me, Checked.path(path), "path"))!.id })
      const deletes = /DELETE FROM \S*folders/
      const count = (pattern: RegExp, counts: Array<number>, failsAt = Infinity) =>
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            const [text, values] = statement.compile()
            if (!pattern.test(text)) return statement
            const ids = values.find((value) => Array.isArray(value)) as ReadonlyArray<unknown>
            if (counts.push(ids.length) >= failsAt) throw new Error("killed")
            return statement
          }))
      const first: Array<number> = []
      const exit = yield* tree.delete(id, "parent").pipe(as(me), count(deletes, first, 5), Effect.exit)
      assert.isTrue(Exit.isFailure(exit))
      const left = yield* countIn(me, "/Old/")
      assert.isAtLeast(left, 1)
      assert.isBelow(left, 1_500)
      yield* checkCounts
      // Where the deletion has been already.
      yield* tree.create(Checked.path("/Old/D999/late/later")).pipe(as(me))
      const rest: Array<number> = []
      const deleted = yield* tree.delete(id, "parent").pipe(as(me), count(deletes, rest))
      assert.strictEqual(deleted.folders - 1, yield* Effect.sync(() => rest.reduce((sum, size) => sum + size, 0) - 1))
      assert.isAtMost(Math.max(...first, ...rest), 500)
      assert.isAtLeast(first.length + rest.length, 6)
      assert.strictEqual(yield* countIn(me, "/"), 2)
      const [found] = yield* sql`SELECT folder_id AS folder FROM ${t.files} WHERE id = ${file}`
      assert.deepStrictEqual(found, { folder: null })
      assert.isTrue(Option.isNone(yield* folders.find(me, id)))
      yield* checkCounts
    }))
})
