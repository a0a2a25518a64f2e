/** What only a real server shows: many callers at once, each in a session of its own. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect, Option, Result } from "effect"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addFile, as, layer, newAccount } from "../../test/FilesTest.ts"
import { unlimited } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import type { AccountId, ListId } from "../shared/Ids.ts"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { Folders } from "./Folders.ts"
import { FolderTree } from "./FolderTree.ts"
import { ListContents } from "./ListContents.ts"
import { Lists } from "./Lists.ts"
import { Tags } from "./Tags.ts"

const atOnce = { concurrency: "unbounded" } as const
const audio = { type: "Audio", mimeType: "audio/mpeg" } as const

/** Every file of a playlist, in order. */
const whole = Effect.fnUntraced(function*(id: AccountId, list: ListId) {
  const contents = yield* ListContents
  const pages = yield* Effect.forEach(
    Arr.range(0, 9),
    (page) =>
      contents.page(
        "playlist",
        list,
        { limit: Checked.listLimit(200), offset: Checked.listOffset(page * 200) },
        Option.some({ id, tokenId: null, limits: unlimited })
      )
  )
  return pages.flatMap(({ files }) => files.map((file) => file.id))
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "120 seconds" })("Organizing by many callers at once", (it) => {
  it.effect("ORG-4 twenty callers who make one tag make one tag", () =>
    Effect.gen(function*() {
      const tags = yield* Tags
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 20)
      const spelled = (n: number) => n % 2 === 0 ? "Holiday" : "HOLIDAY"
      const made = yield* Effect.all(
        ids.map((id, n) => tags.change([id], Checked.tags([spelled(n), `own ${n}`]), "add").pipe(as(me))),
        atOnce
      )
      assert.strictEqual(new Set(made.map(({ tags: [tag] }) => tag!.id)).size, 1)
      assert.strictEqual(new Set(made.map(({ tags: [tag] }) => tag!.text)).size, 1)
      const all = yield* (yield* Collections).select.pipe(as(me))
      assert.strictEqual(all.tags.length, 21)
      assert.strictEqual(all.tags.find(({ text }) => text.toLowerCase() === "holiday")!.fileCount, 20)
      yield* checkCounts
    }))

  it.effect("ORG-12 ten moves that name one missing path make one folder", () =>
    Effect.gen(function*() {
      const moves = yield* FolderMoves
      const me = yield* newAccount
      const ids = yield* Effect.replicateEffect(addFile(me), 10)
      const moved = yield* Effect.all(
        ids.map((id, n) =>
          moves.files([id], { path: Checked.path(n % 2 === 0 ? "/New/Deep" : "/new/deep/"), field: "folder" }).pipe(
            as(me)
          )
        ),
        atOnce
      )
      assert.strictEqual(new Set(moved.map(({ folder }) => folder!.id)).size, 1)
      const { folders } = yield* (yield* Collections).select.pipe(as(me))
      assert.deepStrictEqual(folders.map(({ fileCount }) => fileCount), [0, 10])
      yield* checkCounts
    }))

  it.effect("ORG-16 folders that are moved into each other at once don't make a ring", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      for (let round = 0; round < 10; round++) {
        const a = yield* tree.create(Checked.path(`/a${round}/in`)).pipe(as(me))
        const b = yield* tree.create(Checked.path(`/b${round}/in`)).pipe(as(me))
        const into = (from: typeof a, to: typeof b) =>
          Effect.result(tree.move(from.id, { id: to.id }, "parentId").pipe(as(me)))
        const results = yield* Effect.all([into(a, b), into(b, a)], atOnce)
        assert.strictEqual(results.filter(Result.isSuccess).length, 1)
      }
      yield* checkCounts
    }))

  it.effect("ORG-21 fifty adds at once lose nothing and leave no gap and no double", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const lists = yield* Lists
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 1_000, { type: "Audio" })
      const { list } = yield* lists.create("playlist", { title: Checked.listTitle("p") }).pipe(as(me))
      const batches = Arr.chunksOf(ids, 20)
      const answers = yield* Effect.all(
        batches.map((batch) => lists.add("playlist", list.id, [...batch, ids[0]!]).pipe(as(me))),
        atOnce
      )
      assert.sameMembers(answers.flatMap(({ added }) => added), ids)
      assert.deepStrictEqual(answers.flatMap(({ skipped }) => skipped), [])
      const [places] = yield* sql<{ readonly low: number; readonly high: number; readonly all: number }>`
        SELECT min(position) AS low, max(position) AS high, count(DISTINCT position)::int AS all
        FROM ${t.list_items} WHERE list_id = ${list.id}
      `
      assert.deepStrictEqual(places, { low: 1, high: 1_000, all: 1_000 })
      const order = yield* whole(me, list.id)
      for (const { added } of answers) {
        const start = order.indexOf(added[0]!)
        assert.deepStrictEqual(order.slice(start, start + added.length), added)
      }
      yield* checkCounts
    }))

  it.effect("ORG-22 ten thousand files are put in another order, and what is in its place is not written", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const lists = yield* Lists
      const me = yield* newAccount
      const ids = yield* addManyFiles(me, 10_000, { type: "Audio" })
      const { list } = yield* lists.create("playlist", { title: Checked.listTitle("all") }).pipe(as(me))
      yield* sql`
        INSERT INTO ${t.list_items} (list_id, file_id, position, is_counted)
        SELECT ${list.id}, id, place * 3, TRUE FROM unnest(${ids}::uuid[]) WITH ORDINALITY named (id, place)
      `
      yield* sql`UPDATE ${t.lists} SET file_count = 10000 WHERE id = ${list.id}`
      const order = Effect.map(
        sql<{ readonly id: string; readonly position: number; readonly version: string }>`
          SELECT file_id AS id, position, xmin::text AS version FROM ${t.list_items} WHERE list_id = ${list.id}
          ORDER BY position
        `,
        (rows) => ({ ids: rows.map(({ id }) => id), versions: new Set(rows.map(({ version }) => version)) })
      )
      const wanted = ids.toReversed()
      yield* lists.reorder("playlist", list.id, wanted, null).pipe(as(me))
      const before = yield* order
      assert.deepStrictEqual(before.ids, wanted)
      yield* lists.reorder("playlist", list.id, wanted, null).pipe(as(me))
      yield* lists.reorder("playlist", list.id, wanted.slice(0, 10), null).pipe(as(me))
      assert.deepStrictEqual(yield* order, before)
      yield* checkCounts
    }))

  it.effect("ORG-1 a file that is put in a list while its owner closes, trashes or deletes it is counted as it ends up", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const lists = yield* Lists
      const [owner, me] = [yield* newAccount, yield* newAccount]
      for (let round = 0; round < 12; round++) {
        const ids = yield* Effect.replicateEffect(addFile(owner, audio), 6)
        yield* Effect.forEach(ids, (id) => access.toggle(id).pipe(as(owner)))
        yield* Effect.all([
          lists.create("playlist", { title: Checked.listTitle("p"), fileIds: ids }).pipe(as(me)),
          lists.create("playlist", { title: Checked.listTitle("q"), fileIds: ids.toReversed() }).pipe(as(me)),
          access.toggle(ids[0]!).pipe(as(owner)),
          trash.put([ids[4]!, ids[1]!]).pipe(as(owner)),
          trash.delete([ids[3]!, ids[2]!]).pipe(as(owner))
        ], atOnce)
      }
      yield* checkCounts
    }))

  it.effect("ORG-2 owners who delete files for good don't deadlock with a list of them that is put in order", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const lists = yield* Lists
      const [a, b, me] = [yield* newAccount, yield* newAccount, yield* newAccount]
      for (let round = 0; round < 4; round++) {
        const ids = yield* Effect.forEach(Arr.range(1, 30), (n) =>
          Effect.gen(function*() {
            const owner = n % 2 === 0 ? a : b
            const id = yield* addFile(owner, audio)
            yield* access.toggle(id).pipe(as(owner))
            return id
          }))
        const { list } = yield* lists.create("playlist", { title: Checked.listTitle("p"), fileIds: ids }).pipe(as(me))
        const trashed = ids.slice(0, 24)
        yield* trash.put(trashed).pipe(as(a))
        yield* trash.put(trashed).pipe(as(b))
        yield* Effect.all([
          lists.reorder("playlist", list.id, ids.toReversed(), null).pipe(as(me)),
          trash.delete(trashed).pipe(as(a)),
          lists.reorder("playlist", list.id, ids, null).pipe(as(me)),
          trash.empty.pipe(as(b)),
          lists.remove("playlist", list.id, ids.slice(10, 20).toReversed()).pipe(as(me))
        ], atOnce)
      }
      yield* checkCounts
    }))

  it.effect("ORG-17 a folder that files arrive in while it is deleted is deleted, and no file is lost", () =>
    Effect.gen(function*() {
      const folders = yield* Folders
      const moves = yield* FolderMoves
      const tree = yield* FolderTree
      const me = yield* newAccount
      for (let round = 0; round < 8; round++) {
        const ids = yield* Effect.replicateEffect(addFile(me), 6)
        const { id } = yield* tree.create(Checked.path(`/r${round}/x`)).pipe(as(me))
        const deleted = Effect.result(tree.delete(id, round % 2 === 0 ? "trash" : "parent").pipe(as(me)))
        const arrivals = ids.map((file, n) =>
          Effect.result(
            moves.files([file], n < 3 ? { id } : { path: Checked.path(`/r${round}/x/y`), field: "folder" }).pipe(as(me))
          )
        )
        const [result, arrived] = yield* Effect.all([deleted, Effect.all(arrivals, atOnce)], atOnce)
        assert.isTrue(Result.isSuccess(result))
        for (const { failure } of arrived.filter(Result.isFailure)) assert.strictEqual(failure._tag, "NotFound")
        assert.isTrue(Option.isNone(yield* folders.find(me, id)))
      }
      yield* checkCounts
    }))
})
