import { assert, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { Array as Arr, Effect } from "effect"
import { TestClock } from "effect/testing"
import { checkCounts } from "../../test/checkCounts.ts"
import * as Checked from "../../test/Checked.ts"
import { addDerivative, addFile, addFolder, as, open, unknownFile } from "../../test/FilesTest.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { testDrive } from "../../test/TestDrive.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Database } from "../database/Database.ts"
import { Downloads } from "../files/Downloads.ts"
import { FileAccess } from "../files/FileAccess.ts"
import { Trash } from "../files/Trash.ts"
import * as Limits from "../limits/Limits.ts"
import { Lists } from "../organize/Lists.ts"
import { Tags } from "../organize/Tags.ts"
import { AccountId, type FileId } from "../shared/Ids.ts"
import { Shares } from "./Shares.ts"

const nobody = AccountId.make("019845e1-682f-7b02-a706-3b2422d13aff")

/** Status of the link that `user` gets, or what it is refused with. */
const opens = (id: FileId, user: AccountId) =>
  Downloads.use((downloads) => downloads.link(id)).pipe(
    as(user),
    Effect.flatMap(({ downloadUrl }) => open(downloadUrl)),
    Effect.match({ onSuccess: ({ status }): number | string => status, onFailure: (error) => error.code })
  )

testLayer(testDrive(TestDatabase.layer, TestAccounts.layer), { timeout: "60 seconds" })("Shares", (it) => {
  const people = Effect.gen(function*() {
    const accounts = yield* TestAccounts
    const transaction = yield* AccountTransaction
    const three = [
      yield* accounts.add(),
      yield* accounts.add({ handle: "ann", displayName: "Ann" }),
      yield* accounts.add()
    ]
    yield* Effect.forEach(three, transaction.open)
    return three as [AccountId, AccountId, AccountId]
  })

  it.effect("SHR-10 one answer has so many shares; beyond that the call has to name fewer files", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const { sql, tables: t } = yield* Database
      const [me] = yield* people
      const [a, b] = [yield* addFile(me), yield* addFile(me)]
      const shareWith = (file: FileId, count: number) =>
        sql`
          INSERT INTO ${t.shares} (file_id, user_id, account_id, insert_time)
          SELECT ${file}, gen_random_uuid(), ${me}, now() FROM generate_series(1, ${count}::int)
        `
      yield* shareWith(a, Limits.sharesPerCall)
      yield* shareWith(b, 1)
      const error = yield* shares.select([a, b]).pipe(as(me), Effect.flip)
      assert.deepInclude(error, { code: "invalid_field", field: "fileIds" })
      const found = yield* shares.select([a]).pipe(as(me))
      assert.deepStrictEqual(found.map(({ users }) => users.length), [Limits.sharesPerCall])
    }))

  it.effect("SHR-1 a shared file opens for those it is shared with, until it is no longer, at once", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const [me, ann, bob] = yield* people
      const [a, b] = [yield* addFile(me), yield* addFile(me)]
      assert.strictEqual(yield* opens(a, ann), "file_not_found")
      const shared = yield* shares.share([b, a, b], [ann, bob]).pipe(as(me))
      assert.deepStrictEqual(shared, { files: [b, a], skipped: [], changed: 4 })
      assert.deepStrictEqual(yield* Effect.all([opens(a, ann), opens(b, bob), opens(a, me)]), [200, 200, 200])
      const again = yield* shares.share([a, b], [bob, ann, ann]).pipe(as(me))
      assert.deepStrictEqual(again, { files: [a, b], skipped: [], changed: 0 })

      const taken = yield* shares.unshare([a, b], [ann]).pipe(as(me))
      assert.deepStrictEqual(taken, { files: [a, b], skipped: [], changed: 2 })
      assert.deepStrictEqual(yield* Effect.all([opens(a, ann), opens(b, ann), opens(a, bob)]), [
        "file_not_found",
        "file_not_found",
        200
      ])
      assert.deepInclude(yield* shares.unshare([a], [ann]).pipe(as(me)), { files: [a], changed: 0 })
    }))

  it.effect("SHR-2 who is none, suspended or the caller is named, the first of them, and nothing is shared", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const accounts = yield* TestAccounts
      const [me, ann] = yield* people
      const gone = yield* accounts.add({ suspended: true })
      const id = yield* addFile(me)
      for (
        const [users, field] of [
          [[ann, nobody, me], "userIds[1]"],
          [[ann, ann, gone], "userIds[2]"],
          [[me, ann, nobody], "userIds[0]"],
          [[AccountId.make(me.toUpperCase())], "userIds[0]"]
        ] as const
      ) {
        const error = yield* shares.share([id], users).pipe(as(me), Effect.flip)
        assert.deepInclude(error, { _tag: "InvalidField", code: "invalid_field", field })
      }
      assert.deepStrictEqual(yield* shares.select([id]).pipe(as(me)), [{ id, users: [] }])
      assert.deepInclude(yield* shares.share([id], [AccountId.make(ann.toUpperCase())]).pipe(as(me)), { changed: 1 })
      assert.deepInclude(yield* shares.unshare([id], [nobody, me, gone]).pipe(as(me)), { changed: 0 })
      assert.strictEqual(yield* opens(id, ann), 200)
    }))

  it.effect("SHR-3 SEC-2 only the caller's files are shared and told of; none is 404", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const [me, ann, bob] = yield* people
      const [mine, theirs] = [yield* addFile(me), yield* addFile(ann)]
      const cover = yield* addDerivative(me, mine)
      assert.deepStrictEqual(yield* shares.share([theirs, mine, cover, unknownFile], [bob]).pipe(as(me)), {
        files: [mine],
        skipped: [theirs, cover, unknownFile],
        changed: 1
      })
      assert.strictEqual(yield* opens(theirs, bob), "file_not_found")
      assert.deepStrictEqual((yield* shares.select([theirs, mine]).pipe(as(me))).map(({ id }) => id), [mine])
      const others = [theirs, unknownFile]
      for (
        const call of [shares.share(others, [bob]), shares.unshare(others, [bob]), Effect.asVoid(shares.select(others))]
      ) {
        assert.deepInclude(yield* Effect.flip(call.pipe(as(me))), { _tag: "NotFound", resource: "file" })
      }
      yield* shares.share([theirs], [me]).pipe(as(ann))
      assert.strictEqual((yield* Effect.flip(shares.share([theirs], [bob]).pipe(as(me))))._tag, "NotFound")
    }))

  it.effect("SHR-3 AUTH-8 AUTH-9 a token shares with the permission to, in its folder", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const [me, ann] = yield* people
      const folderId = yield* addFolder(me, "/A")
      const inside = yield* addFile(me, { folderId: yield* addFolder(me, "/A/b") })
      const outside = yield* addFile(me)
      for (const call of [shares.share([inside], [ann]), shares.unshare([inside], [ann])]) {
        const error = yield* call.pipe(as(me, { permissions: ["read", "organize"] }), Effect.flip)
        assert.deepInclude(error, { _tag: "Refused", code: "token_limit" })
      }
      const limited = as(me, { permissions: ["share"], folderId })
      assert.deepStrictEqual(yield* shares.share([outside, inside], [ann]).pipe(limited), {
        files: [inside],
        skipped: [outside],
        changed: 1
      })
      yield* shares.share([outside], [ann]).pipe(as(me))
      assert.strictEqual((yield* Effect.flip(shares.unshare([outside], [ann]).pipe(limited)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(shares.select([outside]).pipe(as(me, { folderId }))))._tag, "NotFound")
      assert.strictEqual(yield* opens(outside, ann), 200)
    }))

  it.effect("SHR-4 in trash a file stays shared, opens for nobody, and opens again once restored", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const trash = yield* Trash
      const [me, ann] = yield* people
      const id = yield* addFile(me)
      yield* shares.share([id], [ann]).pipe(as(me))
      yield* trash.put([id]).pipe(as(me))
      assert.strictEqual(yield* opens(id, ann), "file_not_found")
      assert.deepStrictEqual((yield* shares.sharedWithMe(Checked.sharedFiles({})).pipe(as(ann))).files, [])
      assert.strictEqual((yield* shares.select([id]).pipe(as(me)))[0]!.users.length, 1)
      yield* trash.restore([id]).pipe(as(me))
      assert.strictEqual(yield* opens(id, ann), 200)
      yield* trash.delete([id]).pipe(as(me))
      assert.deepStrictEqual((yield* shares.sharedWithMe(Checked.sharedFiles({})).pipe(as(ann))).files, [])
    }))

  it.effect("SHR-5 a private list of others counts a file as long as it is shared", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const lists = yield* Lists
      const access = yield* FileAccess
      const [me, ann] = yield* people
      const track = { type: "Audio", mimeType: "audio/mpeg" } as const
      const [a, b] = [yield* addFile(me, track), yield* addFile(me, track)]
      const create = (fileIds: ReadonlyArray<FileId>) =>
        lists.create("playlist", { title: Checked.listTitle("mix"), fileIds })
      yield* shares.share([a, b], [ann]).pipe(as(me))
      const { id } = (yield* create([a, b]).pipe(as(ann))).list
      const counted = Effect.map(
        lists.reorder("playlist", id, [b, a], null).pipe(as(ann)),
        ({ fileCount }) => fileCount
      )
      assert.strictEqual(yield* counted, 2)
      yield* shares.unshare([a, b], [ann]).pipe(as(me))
      assert.strictEqual(yield* counted, 0)
      yield* access.toggle(b).pipe(as(me))
      assert.strictEqual(yield* counted, 1)
      yield* shares.share([a], [ann]).pipe(as(me))
      assert.strictEqual(yield* counted, 2)
      yield* checkCounts
    }))

  it.effect("SHR-6 the owner is told whom each file is shared with, first shared first", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const accounts = yield* TestAccounts
      const [me, ann, bob] = yield* people
      const [a, b] = [yield* addFile(me), yield* addFile(me)]
      yield* TestClock.adjust("1 minute")
      yield* shares.share([a], [bob]).pipe(as(me))
      yield* TestClock.adjust("1 minute")
      yield* shares.share([a, b], [ann, bob]).pipe(as(me))
      yield* accounts.change(ann, { displayName: "Anna" })
      const ofAnn = { userId: ann, handle: "ann", displayName: "Anna", insertTime: "1970-01-01T00:02:00.000Z" }
      const ofBob = { userId: bob, handle: null, displayName: null }
      assert.deepStrictEqual(yield* shares.select([b, a, b]).pipe(as(me)), [
        {
          id: b,
          users: [ofAnn, { ...ofBob, insertTime: "1970-01-01T00:02:00.000Z" }].sort((x, y) =>
            x.userId < y.userId ? -1 : 1
          )
        },
        { id: a, users: [{ ...ofBob, insertTime: "1970-01-01T00:01:00.000Z" }, ofAnn] }
      ])
      assert.strictEqual((yield* Effect.flip(shares.select([a]).pipe(as(ann))))._tag, "NotFound")
    }))

  it.effect("SHR-7 what is shared with the caller comes page by page, each file once although more are shared", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const tags = yield* Tags
      const [me, ann, bob] = yield* people
      const folderId = yield* addFolder(me, "/Secret")
      const ids = yield* Effect.replicateEffect(addFile(me, { folderId }), 7)
      yield* tags.change([ids[0]!], Checked.tags(["private"]), "add").pipe(as(me))
      for (const some of Arr.chunksOf(ids, 2)) {
        yield* TestClock.adjust("1 second")
        yield* shares.share(some, [ann]).pipe(as(me))
      }
      const met: Array<FileId> = []
      let cursor: string | undefined
      do {
        const page = yield* shares.sharedWithMe(
          Checked.sharedFiles({ ...cursor !== undefined && { cursor }, limit: 3 })
        ).pipe(as(ann))
        for (const file of page.files) {
          assert.deepInclude(file, { folder: null, tags: [], objectKey: null, downloadUrl: null })
          met.push(file.id)
        }
        cursor = page.nextCursor ?? undefined
        yield* TestClock.adjust("1 second")
        yield* shares.share([yield* addFile(bob)], [ann]).pipe(as(bob))
      } while (cursor !== undefined)
      assert.deepStrictEqual([...met].sort(), [...ids].sort())
      assert.strictEqual(met[0], ids[6])
      assert.sameMembers(met.slice(1, 3), ids.slice(4, 6))
      const newest = yield* shares.sharedWithMe(Checked.sharedFiles({})).pipe(as(ann))
      assert.deepStrictEqual([newest.files.length, newest.nextCursor], [10, null])
      assert.deepStrictEqual((yield* shares.sharedWithMe(Checked.sharedFiles({})).pipe(as(me))).files, [])
      for (const wrong of ["", "1", `x.${unknownFile}`, `-1.${unknownFile}`, "1.019845e1"]) {
        const error = yield* shares.sharedWithMe(Checked.sharedFiles({ cursor: wrong })).pipe(as(ann), Effect.flip)
        assert.deepInclude(error, { _tag: "InvalidField", field: "cursor" })
      }
      assert.deepStrictEqual(
        (yield* shares.sharedWithMe(Checked.sharedFiles({ cursor: `999999999999999.${unknownFile}`, limit: 1 })).pipe(
          as(ann)
        )).files.length,
        1
      )
    }))

  it.effect("SHR-8 AUTH-9 a token limited to a folder is shown no shared file and opens none", () =>
    Effect.gen(function*() {
      const shares = yield* Shares
      const downloads = yield* Downloads
      const access = yield* FileAccess
      const [me, ann] = yield* people
      const [id, free] = [yield* addFile(me), yield* addFile(me)]
      yield* shares.share([id, free], [ann]).pipe(as(me))
      const limited = as(ann, { folderId: yield* addFolder(ann, "/A") })
      assert.deepStrictEqual(yield* shares.sharedWithMe(Checked.sharedFiles({})).pipe(limited), {
        files: [],
        nextCursor: null
      })
      assert.deepInclude(yield* downloads.link(id).pipe(limited, Effect.flip), { code: "file_not_found" })
      yield* access.toggle(free).pipe(as(me))
      assert.strictEqual((yield* downloads.link(free).pipe(limited)).id, free)
    }))
})
