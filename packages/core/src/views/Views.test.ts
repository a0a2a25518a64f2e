import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFile, addFolder, as, unknownFile } from "../../test/FilesTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { testDrive } from "../../test/TestDrive.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import type { Account } from "../ports/Accounts.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { Shares } from "../shares/Shares.ts"
import { Views } from "./Views.ts"

const person = Effect.fnUntraced(function*(account: Partial<Account> = {}) {
  const id = yield* (yield* TestAccounts).add(account)
  yield* (yield* AccountTransaction).open(id)
  return id
})

/** Somebody who is signed in gets a link. */
const opens = (user: AccountId, id: FileId, times = 1) =>
  Downloads.use((downloads) => downloads.link(id)).pipe(as(user), Effect.replicateEffect(times))

/** Somebody who isn't gets one. */
const strangerOpens = (id: FileId, address = "192.0.2.1", userAgent = "curl/8") =>
  Downloads.use((downloads) => downloads.publicLink(id, { address, userAgent }))

const select = (me: AccountId, query: Checked.Views = {}) => Effect.map(viewsOf(me, query), ({ files }) => files)

const viewsOf = (me: AccountId, query: Checked.Views) =>
  Views.use((views) => views.select(Checked.views(query))).pipe(as(me))

/** The account's view events, in order. */
const viewEvents = Effect.fnUntraced(function*(me: AccountId) {
  const { sql, tables: t } = yield* Database
  return yield* sql<{ readonly fileId: FileId; readonly folderId: string | null; readonly payload: unknown }>`
    SELECT file_id AS "fileId", folder_id AS "folderId", payload FROM ${t.events}
    WHERE account_id = ${me} AND kind = 'view' ORDER BY seq
  `
})

const share = (me: AccountId, id: FileId, ...users: ReadonlyArray<AccountId>) =>
  Shares.use((shares) => shares.share([id], users)).pipe(as(me))

testLayer(testDrive(TestDatabase.layer, TestAccounts.layer), { timeout: "60 seconds" })("Views", (it) => {
  it.effect("VIEW-1 every link given to anyone but the owner is one open; the owner's and refusals are none", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const trash = yield* Trash
      const [me, ann] = [yield* person(), yield* person()]
      const folderId = yield* addFolder(me, "/A")
      const id = yield* addFile(me)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(opens(ann, id))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(strangerOpens(id))))
      yield* share(me, id, ann)
      yield* opens(ann, id, 3)
      yield* opens(me, id)
      yield* access.toggle(id).pipe(as(me))
      yield* opens(me, id)
      yield* Downloads.use((downloads) => downloads.link(id)).pipe(as(me, { folderId }))
      yield* strangerOpens(id)
      yield* strangerOpens(id)
      yield* trash.put([id]).pipe(as(me))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(strangerOpens(id))))
      yield* trash.restore([id]).pipe(as(me))
      const [file] = yield* select(me)
      assert.deepInclude(file!, { id, isPublic: true, views: 5, allViews: 5 })
      assert.strictEqual((yield* viewEvents(me)).length, 2)
      assert.deepStrictEqual(yield* select(ann), [])
    }))

  it.effect("VIEW-1 a derivative that is opened is not counted", () =>
    Effect.gen(function*() {
      const [me, ann] = [yield* person(), yield* person()]
      const track = yield* addFile(me, { type: "Audio" })
      const cover = yield* addDerivative(me, track)
      yield* (yield* Database).sql`
        INSERT INTO ${(yield* Database).tables.shares} (file_id, user_id, account_id, insert_time)
        VALUES (${track}, ${ann}, ${me}, '1970-01-01')
      `
      yield* opens(ann, cover)
      assert.deepStrictEqual([yield* select(me), yield* viewEvents(me)], [[], []])
    }))

  it.effect("VIEW-2 a viewer's event comes once a day, in UTC, for each file", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const [me, ann, bob] = [yield* person(), yield* person(), yield* person()]
      const folderId = yield* addFolder(me, "/A")
      const [a, b] = [yield* addFile(me, { folderId, fileName: "a.mp3", type: "Audio" }), yield* addFile(me)]
      yield* Effect.forEach([a, b], (id) => access.toggle(id).pipe(as(me)))
      yield* TestClock.setTime(Date.parse("2026-03-01T23:59:59.000Z"))
      yield* opens(ann, a, 2)
      yield* opens(bob, a, 2)
      yield* opens(ann, b)
      yield* strangerOpens(a, "192.0.2.1", "x")
      yield* strangerOpens(a, "192.0.2.1", "x")
      yield* strangerOpens(a, "192.0.2.1", "y")
      yield* strangerOpens(a, "192.0.2.2", "x")
      const today = yield* viewEvents(me)
      assert.deepStrictEqual(today.map(({ fileId }) => fileId), [a, a, b, a, a, a])
      assert.deepStrictEqual(today[0], {
        fileId: a,
        folderId,
        payload: { viewer: null, file: { id: a, type: "Audio", fileName: "a.mp3" } }
      })
      yield* TestClock.adjust("1 second")
      yield* opens(ann, a, 2)
      yield* strangerOpens(a, "192.0.2.1", "x")
      assert.strictEqual((yield* viewEvents(me)).length, 8)
      const views = yield* select(me, { fileIds: [a], since: "2026-03-02" })
      assert.deepInclude(views[0]!, { views: 3, allViews: 11, lastViewTime: "2026-03-02T00:00:00.000Z" })
    }))

  it.effect("VIEW-3 VIEW-8 viewers are named while a file is shared with them and they allow it", () =>
    Effect.gen(function*() {
      const access = yield* FileAccess
      const accounts = yield* TestAccounts
      const shares = yield* Shares
      yield* TestClock.setTime(Date.parse("2026-04-01T12:00:00.000Z"))
      const me = yield* person()
      const ann = yield* person({ handle: "ann", displayName: "Ann" })
      const shy = yield* person({ handle: "shy", showsViews: false })
      const passing = yield* person({ handle: "passing" })
      const id = yield* addFile(me)
      yield* access.toggle(id).pipe(as(me))
      yield* share(me, id, ann, shy)
      yield* opens(ann, id, 2)
      yield* opens(shy, id)
      yield* opens(passing, id)
      yield* strangerOpens(id)
      assert.deepStrictEqual(
        (yield* viewEvents(me)).map(({ payload }) => (payload as { viewer: unknown }).viewer),
        [{ handle: "ann", displayName: "Ann" }, null, null, null]
      )
      const named = { handle: "ann", displayName: "Ann", lastDay: "2026-04-01", views: 2 }
      assert.deepInclude((yield* select(me))[0]!, { views: 5, viewers: [named] })

      // What somebody opened before it was shared with them, or while they did not allow it, is never told.
      yield* share(me, id, passing)
      yield* accounts.change(shy, { showsViews: true })
      assert.deepStrictEqual((yield* select(me))[0]!.viewers, [named])
      yield* TestClock.adjust("1 day")
      yield* opens(passing, id)
      yield* TestClock.adjust("1 minute")
      yield* opens(shy, id)
      assert.deepStrictEqual((yield* select(me))[0]!.viewers, [
        { handle: "shy", displayName: null, lastDay: "2026-04-02", views: 1 },
        { handle: "passing", displayName: null, lastDay: "2026-04-02", views: 1 },
        named
      ])

      yield* accounts.change(ann, { showsViews: false })
      yield* shares.unshare([id], [shy]).pipe(as(me))
      const [file] = yield* select(me)
      assert.deepInclude(file!, { views: 7, allViews: 7 })
      assert.deepStrictEqual(file!.viewers.map(({ handle }) => handle), ["passing"])
      assert.deepStrictEqual((yield* select(me, { since: "2026-04-02" }))[0]!.views, 2)
    }))

  it.effect("VIEW-4 VIEW-6 the most opened since a day come first, none unopened or in trash", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const [me, ann] = [yield* person(), yield* person()]
      const ids = yield* Effect.replicateEffect(addFile(me), 6)
      const [a, b, c, old, trashed, never] = ids as [FileId, FileId, FileId, FileId, FileId, FileId]
      yield* Shares.use((shares) => shares.share(ids, [ann])).pipe(as(me))
      yield* TestClock.setTime(Date.parse("2026-05-01T12:00:00.000Z"))
      yield* opens(ann, old, 9)
      yield* TestClock.adjust("31 days")
      yield* Effect.all([opens(ann, a, 1), opens(ann, b, 3), opens(ann, c, 2), opens(ann, trashed, 5)])
      yield* trash.put([trashed]).pipe(as(me))
      const answer = yield* viewsOf(me, {})
      assert.strictEqual(answer.since, "2026-05-02")
      assert.deepStrictEqual(answer.files.map(({ id, views }) => [id, views]), [[b, 3], [c, 2], [a, 1]])
      assert.deepStrictEqual((yield* select(me, { limit: 1 })).map(({ id }) => id), [b])
      assert.deepStrictEqual((yield* select(me, { since: "2026-05-01", limit: 2 })).map(({ id }) => id), [old, b])
      assert.notInclude((yield* select(me, { since: "0001-01-01" })).map(({ id }) => id), never)
      yield* trash.restore([trashed]).pipe(as(me))
      assert.deepStrictEqual((yield* select(me))[0]!.id, trashed)
      yield* trash.delete([trashed]).pipe(as(me))
      assert.deepStrictEqual((yield* select(me))[0]!.id, b)
      assert.deepStrictEqual(yield* select(me, { since: "9999-12-31" }), [])
    }))

  it.effect("VIEW-5 files that are named are all answered, those nobody opened too", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const [me, ann] = [yield* person(), yield* person()]
      const ids = yield* Effect.replicateEffect(addFile(me), 30)
      const theirs = yield* addFile(ann)
      yield* share(me, ids[7]!, ann)
      yield* opens(ann, ids[7]!)
      yield* trash.put([ids[3]!]).pipe(as(me))
      const files = yield* select(me, { fileIds: [...ids, ids[0]!, theirs, unknownFile] })
      assert.sameMembers(files.map(({ id }) => id), ids)
      assert.strictEqual(files[0]!.id, ids[7])
      assert.deepStrictEqual(files.find(({ id }) => id === ids[3]), {
        ...files[1]!,
        id: ids[3]!,
        fileName: files.find(({ id }) => id === ids[3])!.fileName
      })
      assert.deepInclude(files[1]!, { isPublic: false, views: 0, allViews: 0, lastViewTime: null, viewers: [] })
      assert.strictEqual((yield* select(me, { fileIds: ids, limit: 4 })).length, 4)
    }))

  it.effect("VIEW-7 AUTH-9 a folder is counted before the limit, with what is inside; so is a token's", () =>
    Effect.gen(function*() {
      const [me, ann] = [yield* person(), yield* person()]
      const folderId = yield* addFolder(me, "/Show 100%")
      const inside = yield* addFile(me, { folderId })
      const deeper = yield* addFile(me, { folderId: yield* addFolder(me, "/Show 100%/B") })
      const beside = yield* addFile(me, { folderId: yield* addFolder(me, "/Show 100%B") })
      const ids = [inside, deeper, beside]
      yield* Shares.use((shares) => shares.share(ids, [ann])).pipe(as(me))
      yield* Effect.forEach(ids, (id, index) => opens(ann, id, index + 1))
      const folder = "/show 100%/"
      assert.deepStrictEqual((yield* select(me, { folder: folder })).map(({ id }) => id), [deeper, inside])
      assert.deepStrictEqual((yield* select(me, { folder: folder, limit: 1 })).map(({ id }) => id), [deeper])
      assert.deepStrictEqual((yield* select(me, { folder: folder, fileIds: ids })).map(({ id }) => id), [
        deeper,
        inside
      ])
      assert.strictEqual((yield* select(me, { folder: "/" })).length, 3)
      assert.deepStrictEqual(yield* select(me, { folder: "/nowhere" }), [])
      assert.throws(() => Checked.views({ folder: "show" }))
      const limited = (query: Checked.Views) =>
        Views.use((views) => views.select(Checked.views(query))).pipe(
          as(me, { folderId }),
          Effect.map(({ files }) => files.map(({ id }) => id))
        )
      assert.deepStrictEqual(yield* limited({ limit: 2 }), [deeper, inside])
      assert.deepStrictEqual(yield* limited({ fileIds: [beside, inside] }), [inside])
      assert.deepStrictEqual(yield* limited({ folder: "/Show 100%B" }), [])
      const refused = yield* Views.use((views) => views.select(Checked.views({}))).pipe(
        as(me, { permissions: ["add"] }),
        Effect.flip
      )
      assert.deepInclude(refused, { _tag: "Refused", code: "token_limit" })
    }))

  it.effect("VIEW-9 nothing is kept by which a viewer without a name could be found", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const access = yield* FileAccess
      const [me, ann] = [yield* person(), yield* person()]
      const id = yield* addFile(me)
      yield* access.toggle(id).pipe(as(me))
      yield* TestClock.setTime(Date.parse("2026-07-01T12:00:00.000Z"))
      yield* strangerOpens(id, "198.51.100.77", "SecretAgent/7")
      yield* opens(ann, id)
      const hashes = Effect.map(
        sql<{ readonly row: string; readonly viewer: string }>`
          SELECT v.viewer, v::text AS row FROM ${t.file_viewers} v WHERE file_id = ${id} ORDER BY day, viewer
        `,
        (rows) => {
          for (const { row } of rows) for (const trace of ["198.51", "Agent", ann]) assert.notInclude(row, trace)
          return rows.map(({ viewer }) => viewer)
        }
      )
      const first = yield* hashes
      yield* TestClock.adjust("1 day")
      yield* strangerOpens(id, "198.51.100.77", "SecretAgent/7")
      yield* opens(ann, id)
      const both = yield* hashes
      assert.strictEqual(new Set(both).size, 4)
      assert.deepStrictEqual(both.filter((viewer) => first.includes(viewer)), first)
    }))
})
