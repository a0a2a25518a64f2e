/** Folders whose deletion takes several transactions and is cut short. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Exit, Fiber } from "effect"
import { Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { addManyFiles } from "../../test/addManyFiles.ts"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { as, layer, newAccount } from "../../test/FilesTest.ts"
import { publicFile, restore, statusOf } from "../../test/LastingLinksTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { Database } from "../database/Database.ts"
import { Collections } from "./Collections.ts"
import { FolderMoves } from "./FolderMoves.ts"
import { FolderTree } from "./FolderTree.ts"

const paths = Effect.gen(function*() {
  const { folders } = yield* (yield* Collections).select
  return folders.map(({ path }) => path)
})

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("deletions of folders", (it) => {
  const killedAt = (batch: number) => {
    let batches = 0
    return Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        const [text] = statement.compile()
        if (/WHERE id IN \(\s+SELECT f\.id/.test(text) && ++batches === batch) throw new Error("killed")
        return statement
      }))
  }

  for (const filesGo of ["parent", "trash"] as const) {
    it.effect(`ORG-62 a job deletes what is left of a folder whose deletion was cut short, its files to ${filesGo}`, () =>
      Effect.gen(function*() {
        const [jobs, tree] = [yield* ManualJobs, yield* FolderTree]
        const { sql, tables: t } = yield* Database
        const me = yield* newAccount
        const { id } = yield* tree.create(Checked.path("/from")).pipe(as(me))
        const inner = yield* tree.create(Checked.path("/from/inner")).pipe(as(me))
        const ids = [
          ...(yield* addManyFiles(me, 700, { folderId: id })),
          ...(yield* addManyFiles(me, 300, { folderId: inner.id }))
        ]
        const exit = yield* tree.delete(id, filesGo).pipe(as(me), killedAt(3), Effect.exit)
        assert.isTrue(Exit.isFailure(exit))
        assert.include(yield* paths.pipe(as(me)), "/from")
        yield* jobs.runDue
        assert.include(yield* paths.pipe(as(me)), "/from")
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual((yield* jobs.runDue).filter(({ exit }) => Exit.isFailure(exit)), [])
        assert.deepStrictEqual(yield* paths.pipe(as(me)), [])
        const [found] = yield* sql`
          SELECT count(*)::int AS files, count(trash_time)::int AS trashed FROM ${t.files}
          WHERE account_id = ${me} AND folder_id IS NULL
        `
        assert.deepStrictEqual(found, { files: ids.length, trashed: filesGo === "trash" ? ids.length : 0 })
        yield* checkCounts
      }))
  }

  it.effect("ORG-64 public files whose way to trash is cut short with their folder's deletion keep their bytes and links", () =>
    Effect.gen(function*() {
      const tree = yield* FolderTree
      const me = yield* newAccount
      const { id } = yield* tree.create(Checked.path("/published")).pipe(as(me))
      const files = yield* Effect.replicateEffect(publicFile(me), 3)
      const ids = files.map((file) => file.id)
      yield* FolderMoves.use((moves) => moves.files(ids, { id })).pipe(as(me))
      const killedAtTheEnd = Effect.provideService(Statement.CurrentTransformer, (statement) =>
        Effect.sync(() => {
          const [text] = statement.compile()
          if (/DELETE FROM \S+folders/.test(text)) throw new Error("killed")
          return statement
        }))
      const exit = yield* tree.delete(id, "trash").pipe(as(me), killedAtTheEnd, Effect.exit)
      assert.isTrue(Exit.isFailure(exit))
      for (const { link } of files) assert.strictEqual(yield* statusOf(link), 200)
      yield* tree.delete(id, "trash").pipe(as(me))
      for (const { link } of files) assert.strictEqual(yield* statusOf(link), 404)
      yield* restore(me, ...ids)
      for (const { link } of files) assert.strictEqual(yield* statusOf(link), 200)
      yield* checkCounts
    }))

  it.effect("ORG-62 a deletion that comes to its end leaves no job, and a long one keeps it waiting", () =>
    Effect.gen(function*() {
      const [jobs, tree] = [yield* ManualJobs, yield* FolderTree]
      const me = yield* newAccount
      const outside = yield* Effect.context<never>()
      const waiting = Effect.map(
        jobs.waiting,
        (all) => all.filter(({ key, kind }) => kind === "folders.delete" && key.startsWith(me))
      )
      const seen: Array<number> = []
      /** 40 seconds to each batch. */
      const slowly = Effect.provideService(Statement.CurrentTransformer, (statement) =>
        Effect.gen(function*() {
          const [text] = statement.compile()
          if (!/WHERE id IN \(\s+SELECT f\.id/.test(text)) return statement
          yield* TestClock.adjust("40 seconds")
          const now = (yield* DateTime.now).epochMilliseconds
          const [job] = yield* waiting
          if (job !== undefined) seen.push(job.time.epochMilliseconds - now)
          return statement
        }).pipe(Effect.provideContext(outside)))
      const few = yield* tree.create(Checked.path("/few")).pipe(as(me))
      yield* addManyFiles(me, 3, { folderId: few.id })
      yield* tree.delete(few.id, "parent").pipe(as(me), slowly)
      assert.deepStrictEqual([yield* waiting, seen], [[], []])
      const many = yield* tree.create(Checked.path("/many")).pipe(as(me))
      yield* addManyFiles(me, 700, { folderId: many.id })
      assert.deepStrictEqual(yield* tree.delete(many.id, "parent").pipe(as(me), slowly), { folders: 1, files: 700 })
      assert.isAtLeast(seen.length, 2)
      // A minute after the batch before.
      assert.isAtLeast(Math.min(...seen), 20_000)
      assert.deepStrictEqual(yield* waiting, [])
      yield* checkCounts
    }))
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "60 seconds" })("deletions of folders that move", (it) => {
  it.effect("ORG-62 a deletion by a limited token whose folder leaves what it sees is refused, and leaves no job", () =>
    Effect.gen(function*() {
      const [jobs, tree] = [yield* ManualJobs, yield* FolderTree]
      const me = yield* newAccount
      const outside = yield* Effect.context<never>()
      const [top, elsewhere] = [
        yield* tree.create(Checked.path("/top")).pipe(as(me)),
        yield* tree.create(Checked.path("/elsewhere")).pipe(as(me))
      ]
      const inner = yield* tree.create(Checked.path("/top/inner")).pipe(as(me))
      yield* addManyFiles(me, 700, { folderId: inner.id })
      let moving: Fiber.Fiber<unknown, unknown> | undefined
      /** Requested during the first batch, so it runs before the second. */
      const moved = Effect.provideService(Statement.CurrentTransformer, (statement) =>
        Effect.sync(() => {
          const [text] = statement.compile()
          if (/WHERE id IN \(\s+SELECT f\.id/.test(text)) {
            // In a context without the deletion's transaction, which it would join.
            moving ??= Effect.runForkWith(outside)(tree.move(inner.id, { id: elsewhere.id }, "folder").pipe(as(me)))
          }
          return statement
        }))
      const exit = yield* tree.delete(inner.id, "parent").pipe(as(me, { folderId: top.id }), moved, Effect.exit)
      assert.isTrue(Exit.isFailure(exit))
      yield* Fiber.join(moving!)
      assert.deepStrictEqual((yield* jobs.waiting).filter(({ key }) => key.startsWith(me)), [])
      assert.include(yield* paths.pipe(as(me)), "/elsewhere/inner")
      yield* checkCounts
    }))
})
