/**
 * A drive's files without a host: every service of the features on a
 * given database, a store in memory, and jobs that run when the test says so.
 */
import { assert } from "@effect/vitest"
import {
  MemoryObjectStore,
  MemoryRemoteFile,
  MemoryWebhooks,
  TestImageGenerator,
  TestMediaTools,
  TestPasswordHasher,
  TestSecretBox
} from "@filedrive/testing"
import { DateTime, Duration, Effect, Exit, Fiber, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import { CurrentAccount, type Limits, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Quota } from "../src/accounts/Quota.ts"
import { Database } from "../src/database/Database.ts"
import * as Features from "../src/Features.ts"
import { Files } from "../src/files/Files.ts"
import type { NewFile } from "../src/files/NewFile.ts"
import * as ObjectHeaders from "../src/objects/ObjectHeaders.ts"
import { PendingDeletions } from "../src/objects/PendingDeletions.ts"
import * as StoreKey from "../src/objects/StoreKey.ts"
import { Accounts } from "../src/ports/Accounts.ts"
import { MediaKinds } from "../src/ports/MediaKinds.ts"
import { ObjectStore } from "../src/ports/ObjectStore.ts"
import { AccountId, FileId, FolderId } from "../src/shared/Ids.ts"
import { ManualJobs } from "./ManualJobs.ts"
import { ordinaryUser } from "./ordinaryUser.ts"

/** Room of every account in these tests. */
export const quotaBytes = 1_000_000

const TestAccounts = Layer.succeed(
  Accounts,
  Accounts.of({
    find: (id) => Effect.succeedSome(ordinaryUser(id, { quotaBytes }))
  })
)

/** A store that copies at most 1 GiB at once, so that larger files move in parts. */
const Store = Layer.effect(
  ObjectStore,
  Effect.map(ObjectStore, (store) => ObjectStore.of({ ...store, singleUploadMaxBytes: 1024 ** 3 }))
).pipe(Layer.provideMerge(MemoryObjectStore.layer))

/** Services of the test's choice, on a migrated database. */
export const layerOf = <A, SE, S, E, R>(services: Layer.Layer<A, SE, S>, database: Layer.Layer<Database, E, R>) =>
  services.pipe(
    Layer.provideMerge(AccountTransaction.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        ManualJobs.layer,
        Store,
        TestAccounts,
        TestMediaTools.layer,
        MemoryRemoteFile.layer,
        TestImageGenerator.layer,
        TestPasswordHasher.layer,
        MemoryWebhooks.layer,
        TestSecretBox.layer,
        Layer.succeed(MediaKinds, MediaKinds.of({ detect: () => Effect.succeed(null) })),
        Digest.layerWebCrypto,
        SecureRandom.layerWebCrypto
      )
    ),
    Layer.provideMerge(database)
  )

/** All of them. */
export const layer = <E, R>(database: Layer.Layer<Database, E, R>) => layerOf(Features.layer, database)

/** A fresh account: tests share a database and never meet in it. */
export const newAccount = Effect.gen(function*() {
  const transaction = yield* AccountTransaction
  const id = AccountId.make(yield* (yield* SecureRandom.SecureRandom).uuidV7())
  yield* transaction.open(id)
  return id
})

/** Runs a call as an account. */
export const as = (id: AccountId, limits: Partial<Limits> = {}) =>
  Effect.provideService(CurrentAccount, { id, tokenId: null, limits: { ...unlimited, ...limits } })

/** Stores bytes and records them as a private file, as an upload does. */
export const addFile = Effect.fnUntraced(function*(accountId: AccountId, given: Partial<NewFile> = {}) {
  const random = yield* SecureRandom.SecureRandom
  const store = yield* ObjectStore
  const memory = yield* MemoryObjectStore
  const transaction = yield* AccountTransaction
  const quota = yield* Quota
  const deletions = yield* PendingDeletions
  const files = yield* Files
  const name = yield* random.uuidV7()
  const file = {
    accountId,
    objectKey: `users/${accountId}/${name}`,
    storeKey: StoreKey.make("files", accountId, name),
    fileName: `${name}.txt`,
    type: "Text" as const,
    mimeType: "text/plain",
    sizeBytes: 10,
    folderId: null,
    ...given
  }
  const at = { bucket: "private" as const, key: file.storeKey }
  const due = DateTime.add(yield* DateTime.now, { hours: 1 })
  yield* transaction.run(accountId, () => deletions.schedule(accountId, [{ bucket: at.bucket, storeKey: at.key }], due))
  const form = yield* store.signForm({
    at,
    headers: ObjectHeaders.of(file, "private"),
    sizeBytes: file.sizeBytes,
    lifetime: Duration.hours(1)
  })
  assert.strictEqual(yield* memory.sendZeros(form, file.sizeBytes), 204)
  const { etag } = Option.getOrThrow(yield* store.head(at))
  return yield* transaction.run(
    accountId,
    () => Effect.tap(files.record({ ...file, etag }), () => quota.add(accountId, { usedBytes: file.sizeBytes }))
  )
})

/** A folder, below the ones of its path that are there. */
export const addFolder = Effect.fnUntraced(function*(accountId: AccountId, path: string) {
  const { sql, tables: t } = yield* Database
  const id = FolderId.make(yield* (yield* SecureRandom.SecureRandom).uuidV7())
  const now = DateTime.toDateUtc(yield* DateTime.now)
  const name = path.slice(path.lastIndexOf("/") + 1)
  const above = path.slice(0, path.lastIndexOf("/"))
  yield* sql`
    INSERT INTO ${t.folders} (id, account_id, parent_id, name, folded_name, path, folded_path, depth, insert_time)
    VALUES (${id}, ${accountId},
      (SELECT id FROM ${t.folders} WHERE account_id = ${accountId} AND folded_path = ${above.toLowerCase()}),
      ${name}, ${name.toLowerCase()}, ${path}, ${path.toLowerCase()}, ${path.split("/").length - 1}::smallint, ${now})
  `
  return id
})

/** Records a derivative, as a cover or thumbnail is: nothing is charged for it. */
export const addDerivative = Effect.fnUntraced(function*(accountId: AccountId, of: FileId) {
  const { sql, tables: t } = yield* Database
  const quota = yield* Quota
  const id = yield* addFile(accountId, { sizeBytes: 3 })
  yield* sql`UPDATE ${t.files} SET derivative_of = ${of} WHERE id = ${id}`
  yield* quota.add(accountId, { usedBytes: -3 })
  return id
})

/** Status of fetching a link, and the name it is saved under. */
export const open = Effect.fnUntraced(function*(url: string | null) {
  const memory = yield* MemoryObjectStore
  assert.isNotNull(url)
  const response = yield* Effect.promise(() => memory.fetch(url!))
  yield* Effect.promise(async () => response.body?.cancel())
  return { status: response.status, disposition: response.headers.get("content-disposition") }
})

/**
 * The drive's books are right: an account is charged what its files add up to,
 * every file's object is there, and no object is there that is neither a
 * file's nor listed for deletion.
 */
export const checkBooks = Effect.fnUntraced(function*(accountId: AccountId) {
  const { sql, tables: t } = yield* Database
  const memory = yield* MemoryObjectStore
  const [sums] = yield* sql<{ readonly used: number; readonly sum: number }>`
    SELECT (SELECT used_bytes::float8 FROM ${t.accounts} WHERE id = ${accountId}) AS used,
      (SELECT coalesce(sum(size), 0)::float8 FROM ${t.files}
        WHERE account_id = ${accountId} AND derivative_of IS NULL) AS sum
  `
  assert.strictEqual(sums!.used, sums!.sum, "charged what the files add up to")
  const key = sql.literal("CASE WHEN is_public THEN 'public' ELSE 'private' END || '/' || store_key AS at")
  const recorded = yield* sql<{ readonly at: string; readonly size: number }>`
    SELECT ${key}, size::float8 AS size FROM ${t.files} WHERE account_id = ${accountId}
  `
  const pending = yield* sql<{ readonly at: string }>`
    SELECT bucket || '/' || store_key AS at FROM ${t.pending_deletions} WHERE account_id = ${accountId}
  `
  const held = new Map(
    (yield* memory.objects).filter((object) => object.key.includes(accountId)).map((
      { bucket, key, sizeBytes }
    ) => [`${bucket}/${key}`, sizeBytes])
  )
  for (const { at, size } of recorded) assert.strictEqual(held.get(at), size, `the bytes of ${at}`)
  const known = new Set([...recorded, ...pending].map(({ at }) => at))
  assert.deepStrictEqual([...held.keys()].filter((at) => !known.has(at)), [], "objects nobody knows")
  return { held: [...held.keys()], pending: pending.map(({ at }) => at), recorded: recorded.map(({ at }) => at) }
})

/** Lets sockets be read: answers of a real server arrive by the machine's event loop, not by the test's clock. */
export const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Asks again until the answer is `right`. */
export const eventually = Effect.fnUntraced(
  function*<A, E, R>(ask: Effect.Effect<A, E, R>, right: (answer: A) => boolean) {
    let answer = yield* ask
    while (!right(answer)) {
      yield* turn
      answer = yield* ask
    }
    return answer
  }
)

/**
 * Runs `effect` while time passes, for those in it who wait for another. A step of the clock follows an answer of the database:
 * a clock that went on by itself would be minutes ahead of a server that has much to do.
 */
export const asTimePasses = Effect.fnUntraced(function*<A, E, R>(
  effect: Effect.Effect<A, E, R>,
  step: Duration.Input = "10 millis"
) {
  const { sql } = yield* Database
  const time = Effect.forever(Effect.andThen(sql`SELECT 1`, TestClock.adjust(step)))
  return yield* Effect.raceFirst(effect, time)
})

/** What comes of `fiber` while time passes. */
export const joinAsTimePasses = <A, E>(fiber: Fiber.Fiber<A, E>) => asTimePasses(Fiber.join(fiber), "100 millis")

/** After everything that is due was removed, storage holds the recorded objects and nothing else. */
export const settled = Effect.fnUntraced(function*(accountId: AccountId) {
  const memory = yield* MemoryObjectStore
  const jobs = yield* ManualJobs
  yield* checkBooks(accountId)
  // First what is still to follow its file into trash or out of it: that leaves objects behind which stay for six hours.
  // Twice afterwards: what a lasting link led to is removed once more, an hour after storage has confirmed its removal.
  for (const time of ["1 minute", "7 hours", "1 hour"] as const) {
    yield* TestClock.adjust(time)
    for (const { exit } of yield* jobs.runDue) assert.isTrue(Exit.isSuccess(exit))
  }
  const { pending, held, recorded } = yield* checkBooks(accountId)
  assert.deepStrictEqual(pending, [])
  assert.sameMembers(held, recorded)
  assert.deepStrictEqual(yield* memory.openUploads, [])
})

export const unknownFile = FileId.make("019845e1-682f-7b02-a706-3b2422d13aff")
