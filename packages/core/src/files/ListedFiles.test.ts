/** Files that many lists hold, whoever's they are. */
import { assert, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect } from "effect"
import { Statement } from "effect/sql"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, asTimePasses, layer, newAccount, unknownFile } from "../../test/FilesTest.ts"
import { Database } from "../database/Database.ts"
import { FolderTree } from "../organize/FolderTree.ts"
import { Lists } from "../organize/Lists.ts"
import * as Batches from "../shared/Batches.ts"
import type { FileId, ListId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { FileAccess } from "./FileAccess.ts"
import { Trash } from "./Trash.ts"

const image = { type: "Image", mimeType: "image/png" } as const

/** Images that are public, or shared with somebody else, in as many galleries of theirs each. */
const heldFiles = Effect.fnUntraced(function*(count: number, listCount: number, seen: "public" | "shared" = "public") {
  const [access, shares] = [yield* FileAccess, yield* Shares]
  const { sql, tables: t } = yield* Database
  const [me, other] = [yield* newAccount, yield* newAccount]
  const ids = yield* Effect.replicateEffect(addFile(me, image), count)
  if (seen === "public") yield* Effect.forEach(ids, (id) => access.toggle(id)).pipe(as(me))
  else yield* shares.share(ids, [other]).pipe(as(me))
  yield* sql`
    WITH made AS (
      INSERT INTO ${t.lists} (id, account_id, kind, title, is_public, insert_time, file_count)
      SELECT gen_random_uuid(), ${other}, 'gallery', 'held', FALSE, ${DateTime.toDateUtc(yield* DateTime.now)}, ${count}
      FROM generate_series(1, ${listCount}::int) RETURNING id
    )
    INSERT INTO ${t.list_items} (list_id, file_id, position, is_counted)
    SELECT made.id, f.id, f.place, TRUE FROM made, unnest(${ids}::uuid[]) WITH ORDINALITY f (id, place)
  `
  return { me, other, ids }
})

/** Runs a call, and counts its statements that match. */
const counting = Effect.fnUntraced(function*<A, E, R>(pattern: RegExp, call: Effect.Effect<A, E, R>) {
  let count = 0
  const answer = yield* call.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        if (pattern.test(statement.compile()[0])) count++
        return statement
      }))
  )
  return { answer, count }
})

/** The one by which the entries of files that leave or come into view are changed, after their lists are locked. */
const changesLists = /UPDATE \S*list_items\S* AS i SET is_counted/

it("DB-21 things go in groups in their order, the large ones alone", () => {
  const groups = (sizes: ReadonlyArray<number>) => Batches.bySize(sizes, (size) => size, 10)
  assert.deepStrictEqual(groups([]), [])
  assert.deepStrictEqual(groups([0, 0, 0]), [[0, 0, 0]])
  assert.deepStrictEqual(groups([4, 6, 0, 1, 12, 0, 30, 10, 1]), [[4, 6, 0], [1], [12], [0], [30], [10], [1]])
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Files that many lists hold", (it) => {
  it.effect("DB-21 files that many lists hold are trashed, restored and deleted in transactions of few entries each", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const { sql, tables: t } = yield* Database
      const { ids, me } = yield* heldFiles(6, 1_000)
      const counts = sql<{ readonly count: number }>`
        SELECT DISTINCT l.file_count AS count FROM ${t.lists} l JOIN ${t.list_items} i ON i.list_id = l.id
        WHERE i.file_id = ANY(${ids}::uuid[])
      `.pipe(Effect.map((rows) => rows.map(({ count }) => count)))
      const trashed = yield* counting(changesLists, asTimePasses(trash.put(ids).pipe(as(me))))
      assert.deepStrictEqual(trashed, { answer: ids, count: 3 })
      assert.deepStrictEqual(yield* counts, [0])
      yield* checkCounts
      // Others see them again once their bytes are back, each by itself, now or by a job.
      const restored = yield* counting(changesLists, asTimePasses(trash.restore(ids).pipe(as(me))))
      assert.deepStrictEqual(restored.answer, ids)
      assert.isAtLeast(restored.count, 3)
      assert.isAtMost(restored.count, 3 + 6)
      yield* checkCounts
      const some: ReadonlyArray<FileId> = ids.slice(0, 2)
      const deleted = yield* counting(/DELETE FROM \S*files/, asTimePasses(trash.delete(some).pipe(as(me))))
      assert.deepStrictEqual(deleted, { answer: some, count: 1 })
      yield* asTimePasses(trash.put(ids).pipe(as(me)))
      const purged = yield* counting(/DELETE FROM \S*files/, asTimePasses(trash.empty.pipe(as(me))))
      // Two transactions that delete, and one that finds nothing left.
      assert.strictEqual(purged.count, 3)
      yield* checkCounts
    }))

  it.effect("DB-21 a file leaves the lists that hold it some at a time before it is deleted, in trash or not", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const { sql, tables: t } = yield* Database
      for (const from of ["view", "trash"]) {
        const { ids: [id], me, other } = yield* heldFiles(1, 6_000)
        yield* sql`
          UPDATE ${t.list_items} SET is_featured = TRUE
          WHERE file_id = ${id!} AND list_id IN (SELECT id FROM ${t.lists} WHERE account_id = ${other} LIMIT 3000)
        `
        yield* sql`
          UPDATE ${t.lists} l SET featured_count = 1
          FROM ${t.list_items} i WHERE i.list_id = l.id AND i.file_id = ${id!} AND i.is_featured
        `
        yield* checkCounts
        const call = from === "view"
          ? Effect.asVoid(trash.delete([id!]))
          : Effect.andThen(asTimePasses(trash.put([id!])), trash.empty)
        const { count } = yield* counting(/DELETE FROM \S*list_items/, asTimePasses(call.pipe(as(me))))
        assert.strictEqual(count, 3)
        const left = yield* sql`SELECT 1 FROM ${t.files} WHERE id = ${id!}`
        assert.lengthOf(left, 0)
        yield* checkCounts
      }
    }))

  it.effect("DB-21 files that many lists hold are unshared and shared again in transactions of few entries each", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const { ids, me, other } = yield* heldFiles(5, 1_000, "shared")
      for (const change of [shares.unshare, shares.share]) {
        const changed = yield* counting(changesLists, change([...ids, unknownFile], [other]).pipe(as(me)))
        assert.strictEqual(changed.count, 3)
        assert.deepInclude(changed.answer, { skipped: [unknownFile], changed: 5 })
        assert.sameMembers([...changed.answer.files], ids)
        yield* checkCounts
      }
    }))

  it.effect("DB-21 a folder of files that many lists hold is deleted into trash in transactions of few entries each", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const { sql, tables: t } = yield* Database
      const { ids, me } = yield* heldFiles(5, 1_000)
      const [a, b] = [
        yield* tree.create(Checked.path("/a")).pipe(as(me)),
        yield* tree.create(Checked.path("/a/b")).pipe(as(me))
      ]
      yield* sql`UPDATE ${t.files} SET folder_id = ${a.id} WHERE id = ANY(${ids.slice(0, 3)}::uuid[])`
      yield* sql`UPDATE ${t.files} SET folder_id = ${b.id} WHERE id = ANY(${ids.slice(3)}::uuid[])`
      yield* sql`UPDATE ${t.folders} SET file_count = CASE WHEN id = ${a.id} THEN 3 ELSE 2 END WHERE account_id = ${me}`
      const deleted = yield* counting(changesLists, asTimePasses(tree.delete(a.id, "trash").pipe(as(me))))
      assert.deepStrictEqual(deleted, { answer: { folders: 2, files: 5 }, count: 3 })
      yield* checkCounts
    }))
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "60 seconds" })("Files that many lists hold, at once", (it) => {
  it.effect("DB-21 a file that leaves many lists to be deleted may be put in others and taken out meanwhile", () =>
    Effect.gen(function*() {
      const [trash, lists] = [yield* Trash, yield* Lists]
      const { sql, tables: t } = yield* Database
      const { ids, me, other } = yield* heldFiles(1, 6_000)
      const third = yield* newAccount
      const held = yield* sql<{ readonly id: ListId }>`
        SELECT l.id FROM ${t.lists} l WHERE l.account_id = ${other} ORDER BY random() LIMIT 40
      `
      const remove = Effect.forEach(held, ({ id }) => lists.remove("gallery", id, ids).pipe(as(other)))
      const make = Effect.forEach(
        Array.from({ length: 40 }, (_, n) => n),
        (n) => lists.create("gallery", { title: Checked.listTitle(String(n)), fileIds: ids }).pipe(as(third))
      )
      const [deleted] = yield* asTimePasses(
        Effect.all([trash.delete(ids).pipe(as(me)), trash.delete(ids).pipe(as(me)), remove, make], {
          concurrency: "unbounded"
        })
      )
      assert.includeMembers([...ids], [...deleted])
      assert.lengthOf(yield* sql`SELECT 1 FROM ${t.list_items} WHERE file_id = ANY(${ids}::uuid[])`, 0)
      assert.lengthOf(yield* sql`SELECT 1 FROM ${t.files} WHERE id = ANY(${ids}::uuid[])`, 0)
      yield* checkCounts
    }))
})
