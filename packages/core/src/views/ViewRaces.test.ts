/** Opens of files by many at once: what only a real server shows. */
import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Deferred, Effect, Exit, Fiber, Random } from "effect"
import { TestClock } from "effect/testing"
import { addFile, as, asTimePasses } from "../../test/FilesTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { testDrive } from "../../test/TestDrive.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { FileViews } from "./FileViews.ts"

const atOnce = { concurrency: "unbounded" } as const

const person = Effect.gen(function*() {
  const id = yield* (yield* TestAccounts).add()
  yield* (yield* AccountTransaction).open(id)
  return id
})

const opens = (user: AccountId, id: FileId) =>
  Downloads.use((downloads) => downloads.link(id)).pipe(as(user), Effect.asVoid)

/** Opens as they are counted in each of the three ways, and view events, of each file of the account. */
const counts = Effect.fnUntraced(function*(me: AccountId) {
  const { sql, tables: t } = yield* Database
  return yield* sql<{ readonly all: number; readonly days: number; readonly viewers: number; readonly events: number }>`
    SELECT v.views::int AS all,
      (SELECT sum(views)::int FROM ${t.file_view_days} d WHERE d.file_id = v.file_id) AS days,
      (SELECT sum(views)::int FROM ${t.file_viewers} d WHERE d.file_id = v.file_id) AS viewers,
      (SELECT count(*)::int FROM ${t.events} e WHERE e.file_id = v.file_id AND e.kind = 'view')
        - (SELECT count(*)::int FROM ${t.file_viewers} d WHERE d.file_id = v.file_id) AS events
    FROM ${t.file_views} v WHERE v.account_id = ${me}
  `
})

testLayer(testDrive(TestDatabase.layerPostgres, TestAccounts.layer), { timeout: "120 seconds" })(
  "Views by many at once",
  (it) => {
    it.effect("VIEW-2 sixty opens by one viewer at once are sixty opens and one event; the next day one more", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const [me, ann] = [yield* person, yield* person]
        const id = yield* addFile(me)
        yield* Shares.use((shares) => shares.share([id], [ann])).pipe(as(me))
        const events = Effect.map(
          sql`SELECT 1 FROM ${t.events} WHERE file_id = ${id} AND kind = 'view'`,
          ({ length }) => length
        )
        for (const day of [1, 2]) {
          yield* Effect.all(Arr.makeBy(60, () => opens(ann, id)), atOnce)
          assert.strictEqual(yield* events, day)
          yield* TestClock.adjust("1 day")
        }
        assert.deepStrictEqual(yield* counts(me), [{ all: 120, days: 120, viewers: 120, events: 0 }])
      }))

    it.effect("VIEW-10 a later open of the day waits for nobody who holds the owner's account", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const transaction = yield* AccountTransaction
        const [me, ann] = [yield* person, yield* person]
        const id = yield* addFile(me)
        yield* Shares.use((shares) => shares.share([id], [ann])).pipe(as(me))
        yield* opens(ann, id)
        const [held, opened] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const work = Effect.gen(function*() {
          yield* sql`UPDATE ${t.files} SET description = 'x' WHERE id = ${id} AND account_id = ${me}`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(opened)
        })
        const owner = yield* Effect.forkChild(transaction.run(me, () => work))
        yield* Deferred.await(held)
        yield* opens(ann, id)
        yield* Deferred.succeed(opened, undefined)
        yield* Fiber.join(owner)
        assert.deepStrictEqual(yield* counts(me), [{ all: 2, days: 2, viewers: 2, events: 0 }])
      }))

    it.effect("VIEW-10 VIEW-2 SHR-5 opens, sharing, trash and deletion at once wait for each other in no ring, and every open counts", () =>
      Effect.gen(function*() {
        const trash = yield* Trash
        const shares = yield* Shares
        const me = yield* person
        const viewers = yield* Effect.replicateEffect(person, 4)
        const ids = yield* Effect.replicateEffect(addFile(me), 12)
        yield* shares.share(ids, viewers).pipe(as(me))
        const anything = Effect.gen(function*() {
          const some = yield* Effect.replicateEffect(
            Effect.map(Random.nextIntBetween(0, ids.length - 1), (index) => ids[index]!),
            3
          )
          const viewer = viewers[yield* Random.nextIntBetween(0, viewers.length - 1)]!
          const operations: ReadonlyArray<Effect.Effect<unknown, unknown, Downloads>> = [
            opens(viewer, some[0]!),
            opens(viewer, some[1]!),
            opens(viewer, some[2]!),
            shares.share(some, [viewer]).pipe(as(me)),
            shares.unshare(some.toReversed(), [viewer]).pipe(as(me)),
            trash.put(some).pipe(as(me)),
            trash.restore(ids).pipe(as(me)),
            trash.delete(some.slice(0, 1)).pipe(as(me))
          ]
          // Few files are deleted, so that there are some to open.
          const last = (yield* Random.nextIntBetween(0, 12)) === 0 ? operations.length - 1 : operations.length - 2
          return yield* Effect.ignore(operations[yield* Random.nextIntBetween(0, last)]!)
        })
        const exits = yield* asTimePasses(Effect.all(Arr.makeBy(500, () => Effect.exit(anything)), { concurrency: 20 }))
        assert.deepStrictEqual(exits.filter(Exit.isFailure), [])
        const found = yield* counts(me)
        assert.isAbove(found.length, 0)
        for (const { all, days, events, viewers } of found) {
          assert.deepStrictEqual([days, viewers, events], [all, all, 0])
        }
      }))

    it.effect("VIEW-9 the sweep forgets salts and viewers without a name of past days, and nothing that is counted", () =>
      Effect.gen(function*() {
        const { sql, tables: t } = yield* Database
        const access = yield* FileAccess
        const views = yield* FileViews
        const [me, ann] = [yield* person, yield* person]
        const id = yield* addFile(me)
        yield* access.toggle(id).pipe(as(me))
        yield* Shares.use((shares) => shares.share([id], [ann])).pipe(as(me))
        const kept = Effect.map(
          sql<
            { readonly named: boolean }
          >`SELECT user_id IS NOT NULL AS named FROM ${t.file_viewers} WHERE file_id = ${id}`,
          (rows) => rows.map(({ named }) => named).sort()
        )
        yield* opens(ann, id)
        const stranger = { address: "192.0.2.1", userAgent: "" }
        yield* Downloads.use((downloads) => downloads.publicLink(id, stranger))
        yield* TestClock.adjust("1 day")
        yield* views.sweep
        assert.deepStrictEqual(yield* kept, [false, true])
        yield* TestClock.adjust("1 day")
        yield* Downloads.use((downloads) => downloads.publicLink(id, stranger))
        yield* views.sweep
        assert.deepStrictEqual(yield* kept, [false, true])
        assert.strictEqual((yield* sql`SELECT 1 FROM ${t.view_salts}`).length, 1)
        assert.deepInclude((yield* counts(me))[0]!, { all: 3, days: 3, viewers: 2 })
      }))
  }
)
