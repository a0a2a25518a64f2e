/** How much of archives an account may have, and how it gets rid of them. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Exit } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import {
  addFiles,
  afterPart,
  all,
  checkClean,
  checkHolds,
  create,
  layer,
  look,
  runJobs,
  runOnce,
  sizes,
  skips
} from "../../test/ArchivesTest.ts"
import * as Checked from "../../test/Checked.ts"
import { addFolder, as, newAccount } from "../../test/FilesTest.ts"
import { CurrentAccount, type Limits } from "../accounts/CurrentAccount.ts"
import { Database } from "../database/Database.ts"
import { Trash } from "../files/Trash.ts"
import { type AccountId, ApiTokenId, type FileId } from "../shared/Ids.ts"
import { keptMaxBytes } from "./Archive.ts"
import { type ArchiveItem, Archives } from "./Archives.ts"

const GiB = 1024 ** 3

/** Files that say they have 4 GiB each. */
const addHuge = Effect.fnUntraced(function*(me: AccountId, count: number) {
  const { sql, tables: t } = yield* Database
  const ids = yield* addFiles(me, Array.from({ length: count }, () => 1))
  yield* sql`UPDATE ${t.files} SET size = ${4 * GiB}::bigint WHERE account_id = ${me}`
  return ids
})

const remove = (owner: AccountId, { id }: { readonly id: Parameters<Archives["Service"]["delete"]>[0] }) =>
  Archives.use((archives) => archives.delete(id)).pipe(as(owner))

const newId = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

const asToken = (id: AccountId, tokenId: ApiTokenId, permissions: Limits["permissions"]) =>
  Effect.provideService(CurrentAccount, { id, tokenId, limits: { permissions, folderId: null } })

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("ArchiveBounds", (it) => {
  it.effect("ZIP-18 an account's archives may have 10 GiB together, or its quota if that is more", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual([0, 10 * GiB, 11 * GiB].map(keptMaxBytes), [10 * GiB, 10 * GiB, 11 * GiB])
      assert.isNull(keptMaxBytes(null))
      const me = yield* newAccount
      const ids = yield* addHuge(me, 3)
      const asked = yield* create(me, { fileIds: [ids[0]!] })
      yield* create(me, { fileIds: [ids[1]!] })
      const refused = yield* Effect.flip(create(me, { fileIds: [ids[2]!] }))
      assert.deepInclude(refused, { _tag: "Refused", code: "archives_full" })
      assert.match(refused.message, /more than 10737418240\. Delete one/)
      assert.isTrue(yield* remove(me, asked))
      yield* create(me, { fileIds: [ids[2]!] })
    }))

  it.effect("ZIP-53 without ids the newest archives are answered, newest first", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const files = yield* addFiles(me, [1, 2, 3])
      const made: Array<string> = []
      for (const file of files) {
        made.unshift((yield* create(me, { fileIds: [file] })).id)
        yield* TestClock.adjust("1 second")
      }
      const archives = yield* Archives
      assert.deepStrictEqual((yield* archives.newest().pipe(as(me))).map(({ id }) => id), made)
      assert.deepStrictEqual((yield* archives.newest(1).pipe(as(me))).map(({ id }) => id), made.slice(0, 1))
    }))

  it.effect("ZIP-52 who has too many archives is told the largest that the call may delete, so that one can be deleted", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const [first, second, third] = yield* addHuge(me, 3)
      const asked = [yield* create(me, { fileIds: [first!] }), yield* create(me, { fileIds: [second!] })]
      const refused = yield* Effect.flip(create(me, { fileIds: [third!] }))
      for (const { bytes, id } of asked) assert.include(refused.message, `${id} (${bytes} bytes)`)
      const { sql, tables: t } = yield* Database
      const folderId = yield* addFolder(me, "/Only")
      yield* sql`UPDATE ${t.files} SET folder_id = ${folderId} WHERE id = ${third!}`
      const limited = { permissions: null, folderId }
      const elsewhere = yield* Archives.use((archives) => archives.create({ fileIds: [third!] })).pipe(
        as(me, limited),
        Effect.flip
      )
      assert.deepInclude(elsewhere, { code: "archives_full" })
      for (const { id } of asked) assert.notInclude(elsewhere.message, id)
    }))

  it.effect("ZIP-18 what has failed or lapsed leaves its room", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const me = yield* newAccount
      const ids = yield* addHuge(me, 3)
      const [first, second] = [yield* create(me, { fileIds: [ids[0]!] }), yield* create(me, { fileIds: [ids[1]!] })]
      const full = Effect.flip(create(me, { fileIds: [ids[2]!] }))
      const end = (id: string, state: string) =>
        sql`UPDATE ${t.archives} SET state = ${state}, expire_time = '1970-01-02T00:00:00Z' WHERE id = ${id}`
      yield* end(first.id, "done")
      assert.deepInclude(yield* full, { code: "archives_full" })
      yield* TestClock.adjust("1 day")
      const third = yield* create(me, { fileIds: [ids[2]!] })
      yield* end(second.id, "failed")
      yield* remove(me, third)
      yield* create(me, { fileIds: [ids[0]!] })
      yield* create(me, { fileIds: [ids[1]!] })
    }))

  it.effect("ZIP-19 while an equal archive is built or kept, the same request answers that one", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes)
      const asked = yield* create(me, { fileIds })
      assert.deepStrictEqual(yield* create(me, { fileIds }), asked)
      yield* runJobs
      const again = yield* create(me, { fileIds: [...fileIds, fileIds[0]!] })
      assert.deepInclude(again, { id: asked.id, status: "done" })
      yield* checkHolds(again, sizes, all)
      const folderId = yield* addFolder(me, "/F")
      for (
        const other of [{ fileIds: fileIds.slice(1) }, { fileIds: fileIds.toReversed() }, {
          fileIds,
          title: Checked.archiveTitle("B")
        }]
      ) {
        assert.notStrictEqual((yield* create(me, other)).id, asked.id)
      }
      const { sql, tables: t } = yield* Database
      yield* sql`UPDATE ${t.files} SET folder_id = ${folderId} WHERE id = ${fileIds[2]!}`
      const moved = yield* create(me, { fileIds })
      assert.notStrictEqual(moved.id, asked.id)
      yield* runJobs
      yield* TestClock.adjust("7 days")
      assert.notStrictEqual((yield* create(me, { fileIds })).id, moved.id)
    }))

  it.effect("ZIP-19 one that lost a file on the way is not equal, nor one that has failed", () =>
    Effect.gen(function*() {
      const trash = yield* Trash
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes)
      const asked = yield* create(me, { fileIds })
      const [last] = fileIds.slice(-1)
      yield* trash.put([last!]).pipe(as(me))
      yield* runJobs
      assert.deepStrictEqual(skips(yield* look(me, asked)), [[last!, "trashed"]])
      yield* trash.restore([last!]).pipe(as(me))
      const whole = yield* create(me, { fileIds })
      assert.notStrictEqual(whole.id, asked.id)
      yield* runJobs
      yield* checkHolds(yield* look(me, whole), sizes, all)
    }))

  it.effect("ZIP-20 one that is done is deleted with its bytes, by those who see it, once", () =>
    Effect.gen(function*() {
      const [me, other] = [yield* newAccount, yield* newAccount]
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      yield* runJobs
      assert.isFalse(yield* remove(other, asked))
      const limited = Archives.use((archives) => archives.delete(asked.id))
      assert.isFalse(yield* limited.pipe(as(me, { folderId: yield* addFolder(me, "/F") })))
      assert.deepInclude(yield* Effect.flip(limited.pipe(as(me, { permissions: ["add"] }))), { code: "token_limit" })
      assert.isTrue(yield* remove(me, asked))
      assert.isFalse(yield* remove(me, asked))
      assert.deepStrictEqual(yield* (yield* Archives).select([asked.id]).pipe(as(me)), [])
      yield* checkClean(me, false)
    }))

  it.effect("ZIP-54 a token that may not delete deletes what it requested itself, and no archive of another's", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const newToken = Effect.map(newId, (id) => ApiTokenId.make(id))
      const [mine, others] = [yield* newToken, yield* newToken]
      const reading = asToken(me, mine, ["read"])
      const fileIds = yield* addFiles(me, [1, 2, 3, 4])
      const request = (at: number) => Archives.use((archives) => archives.create({ fileIds: [fileIds[at]!] }))
      const [own, owners, hosts, another] = [
        yield* request(0).pipe(reading),
        yield* request(1).pipe(as(me)),
        yield* request(2).pipe(as(me, { permissions: ["read"] })),
        yield* request(3).pipe(asToken(me, others, ["read"]))
      ]
      // To ask for the same does not make it another's.
      assert.strictEqual((yield* request(3).pipe(reading)).id, another.id)
      const drop = ({ id }: ArchiveItem) => Archives.use((archives) => archives.delete(id))
      for (const archive of [owners, hosts, another]) {
        assert.deepInclude(yield* drop(archive).pipe(reading, Effect.flip), { code: "token_limit" })
      }
      const left = Archives.use((archives) => archives.newest()).pipe(as(me))
      assert.lengthOf(yield* left, 4)
      assert.isTrue(yield* drop(own).pipe(reading))
      // Sessions that the host opened with the same limits are one credential.
      for (const archive of [owners, another]) {
        assert.deepInclude(yield* drop(archive).pipe(as(me, { permissions: ["read"] }), Effect.flip), {
          code: "token_limit"
        })
      }
      assert.isTrue(yield* drop(hosts).pipe(as(me, { permissions: ["read"] })))
      for (const archive of [owners, another]) assert.isTrue(yield* drop(archive).pipe(asToken(me, mine, ["delete"])))
      assert.lengthOf(yield* left, 0)
    }))

  it.effect("ZIP-52 a token that may not delete is told of the archives that it requested itself", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const reading = asToken(me, ApiTokenId.make(yield* newId), ["read"])
      const [first, second, third] = yield* addHuge(me, 3)
      const request = (fileId: FileId) => Archives.use((archives) => archives.create({ fileIds: [fileId] }))
      const [own, owners] = [yield* request(first!).pipe(reading), yield* request(second!).pipe(as(me))]
      const { message } = yield* request(third!).pipe(reading, Effect.flip)
      assert.include(message, own.id)
      assert.notInclude(message, owners.id)
    }))

  it.effect.each([1, 3, 6])(
    "ZIP-20 ZIP-12 one that is deleted after part %i is not built to its end, and leaves nothing",
    (part) =>
      Effect.gen(function*() {
        const context = yield* Effect.context<Archives>()
        const me = yield* newAccount
        const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
        yield* afterPart(part, Effect.provideContext(Effect.orDie(Effect.asVoid(remove(me, asked))), context))
        yield* runOnce(me, asked)
        yield* runJobs
        yield* checkClean(me, false)
      })
  )

  it.effect("ZIP-20 ZIP-12 one that is deleted while its parts become one object leaves nothing", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const context = yield* Effect.context<Archives>()
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      const gone = Effect.provideContext(Effect.orDie(Effect.asVoid(remove(me, asked))), context)
      yield* memory.plant("completeUpload", Faults.after(gone))
      yield* runOnce(me, asked)
      yield* runJobs
      yield* checkClean(me, false)
    }))

  it.effect("ZIP-21 a file that is there and could not be read three times in a row is left out", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, sizes)
      const asked = yield* create(me, { fileIds })
      for (const run of [1, 2, 3]) {
        yield* memory.plant("get", Faults.notReached)
        assert.strictEqual(Exit.isSuccess(yield* runOnce(me, asked)), run === 3, `run ${run}`)
      }
      yield* runJobs
      const item = yield* look(me, asked)
      assert.deepStrictEqual<unknown>(skips(item), [[fileIds[0]!, "unreadable"]])
      yield* checkHolds(item, sizes, all.slice(1))
    }))

  it.effect("ZIP-21 one that is read before that, and storage that is away however often, leave nothing out", () =>
    Effect.gen(function*() {
      const memory = yield* MemoryObjectStore
      const me = yield* newAccount
      const asked = yield* create(me, { fileIds: yield* addFiles(me, sizes) })
      const fail = Effect.gen(function*() {
        yield* memory.plant("get", Faults.notReached)
        assert.isTrue(Exit.isFailure(yield* runOnce(me, asked)))
      })
      yield* fail
      yield* fail
      for (let time = 0; time < 5; time++) {
        yield* memory.plant("head", Faults.notReached)
        yield* fail
      }
      yield* runJobs
      yield* checkHolds(yield* look(me, asked), sizes, all)
    }))
})

testLayer(layer(TestDatabase.layerPostgres), { timeout: "60 seconds" })("ArchiveBounds at the same time", (it) => {
  const atOnce = <A, E, R>(works: ReadonlyArray<Effect.Effect<A, E, R>>) =>
    Effect.forEach(works, Effect.exit, { concurrency: "unbounded" })

  it.effect("ZIP-18 of eight callers at once as many get an archive as there is room for", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const ids: ReadonlyArray<FileId> = yield* addHuge(me, 8)
      const exits = yield* atOnce(ids.map((id) => create(me, { fileIds: [id] })))
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 2)
    }))

  it.effect("ZIP-19 of twelve callers at once who ask for the same all get one archive", () =>
    Effect.gen(function*() {
      const me = yield* newAccount
      const fileIds = yield* addFiles(me, [1])
      const exits = yield* atOnce(Array.from({ length: 12 }, () => create(me, { fileIds })))
      assert.strictEqual(new Set(exits.map((exit) => Exit.isSuccess(exit) ? exit.value.id : "")).size, 1)
    }))
})
