/** What an upload in parts holds against the quota: the most that its part URLs can bring. */
import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Option, Stream } from "effect"
import { Statement } from "effect/sql"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive, testDrive } from "../../test/TestDrive.ts"
import { balance, codes, input, MiB, put, sendParts } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"
import { Library } from "../library/Library.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

const heldBytes = (owner: AccountId) => Effect.map(balance(owner), (of) => of.heldBytes)

/** Bytes of the owner's that storage has: objects, and parts of open uploads. */
const storedBytes = Effect.fnUntraced(function*(owner: AccountId) {
  const memory = yield* MemoryObjectStore
  const store = yield* ObjectStore
  const objects = (yield* memory.objects).filter(({ key }) => key.includes(owner))
  const open = (yield* Stream.runCollect(store.listUploads("private"))).filter(({ key }) => key.includes(owner))
  const parts = yield* Effect.forEach(
    open,
    ({ key, uploadId }) => store.listParts({ bucket: "private", key }, uploadId)
  )
  return [...objects, ...parts.flatMap(Option.getOrElse(() => []))].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
})

layer(TestDrive, { timeout: "60 seconds" })("What an upload holds", (it) => {
  it.effect("UP-106 an upload that is opened again for a smaller file holds what its part URLs can still bring", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const library = yield* Library
      yield* Effect.gen(function*() {
        const large = yield* uploads.open(input(owner, 130 * MiB))
        const small = yield* uploads.open(input(owner, 1))
        assert.isTrue(small.resumed)
        assert.strictEqual(yield* heldBytes(owner), 130 * MiB)
        assert.strictEqual((yield* library.usage).pendingBytes, 130 * MiB)
        for (const part of large.signed) assert.strictEqual(yield* put(part), 200)
        assert.isAtMost(yield* storedBytes(owner), yield* heldBytes(owner))
        // What came is not the file that the upload is for now.
        const refused = yield* Effect.flip(uploads.complete(small.token))
        assert.deepInclude(refused, { code: "parts_invalid" })
        assert.isTrue(yield* uploads.abort(small.token))
      }).pipe(as(owner))
      assert.deepStrictEqual([yield* heldBytes(owner), yield* storedBytes(owner)], [0, 0])
    }))

  it.effect("UP-109 an upload that is opened again for a larger file asks storage for room, and else stays as it was", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const memory = yield* MemoryObjectStore
      const uploads = yield* Uploads
      yield* Effect.gen(function*() {
        yield* uploads.open(input(owner, 60))
        yield* memory.plant("room", Faults.noSpace)
        assert.deepInclude(yield* Effect.flip(uploads.open(input(owner, 61))), { code: "no_space" })
        assert.strictEqual(yield* heldBytes(owner), 60)
        // What is already reserved needs no further room.
        yield* memory.plant("room", Faults.noSpace)
        assert.isTrue((yield* uploads.open(input(owner, 60))).resumed)
        assert.isTrue((yield* uploads.open(input(owner, 1))).resumed)
        assert.deepInclude(yield* Effect.flip(uploads.open(input(owner, 61))), { code: "no_space" })
        assert.isTrue((yield* uploads.open(input(owner, 61))).resumed)
        assert.strictEqual(yield* heldBytes(owner), 61)
      }).pipe(as(owner))
    }))

  it.effect("UP-106 a smaller file always fits, a larger one needs only what is beyond the bytes held", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 100 }))
      const uploads = yield* Uploads
      const open = (bytes: number, name = "a.bin") =>
        uploads.open(input(owner, bytes, { objectKey: `users/${owner}/${name}` }))
      yield* Effect.gen(function*() {
        yield* open(40, "other")
        yield* open(60)
        for (const [bytes, held] of [[1, 100], [60, 100], [30, 100], [59, 100]] as const) {
          assert.isTrue((yield* open(bytes)).resumed)
          assert.strictEqual(yield* heldBytes(owner), held)
        }
        assert.deepStrictEqual(codes(yield* Effect.exit(open(61))), ["storage_limit_reached", "fileSize"])
        assert.deepStrictEqual(codes(yield* Effect.exit(open(1, "third"))), ["storage_limit_reached", "fileSize"])
        assert.strictEqual(yield* heldBytes(owner), 100)
        const { token } = yield* open(10, "other")
        yield* uploads.abort(token)
        assert.strictEqual(yield* heldBytes(owner), 60)
        yield* open(90)
        assert.strictEqual(yield* heldBytes(owner), 90)
      }).pipe(as(owner))
    }))

  it.effect("UP-106 what it holds beyond the file is given back when it completes, and nothing twice when it is recorded", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      const file = input(owner, 14)
      yield* Effect.gen(function*() {
        yield* uploads.open(input(owner, 65 * MiB))
        const { token } = yield* sendParts(file)
        assert.strictEqual(yield* heldBytes(owner), 65 * MiB)
        yield* uploads.complete(token)
        yield* uploads.complete(token)
        assert.strictEqual(yield* heldBytes(owner), 14)
        yield* Inserts.use((inserts) => inserts.insert(file))
      }).pipe(as(owner))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 14, heldBytes: 0 })
    }))

  it.effect("UP-106 an upload whose parts don't fit gives back all it held, and the next holds its own file", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const uploads = yield* Uploads
      yield* Effect.gen(function*() {
        const large = yield* uploads.open(input(owner, 65 * MiB))
        yield* uploads.open(input(owner, 20))
        yield* put(large.signed[0]!)
        const next = yield* uploads.open(input(owner, 20))
        assert.isFalse(next.resumed)
        assert.strictEqual(yield* put(large.signed[1]!), 404)
      }).pipe(as(owner))
      assert.deepStrictEqual([yield* heldBytes(owner), yield* storedBytes(owner)], [20, 0])
    }))

  it.effect("UP-107 an object that was completed for a file of another size than the upload is for by then is removed", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const memory = yield* MemoryObjectStore
      const uploads = yield* Uploads
      const { signed, token } = yield* uploads.open(input(owner, 14)).pipe(as(owner))
      // The call that completes has read that the file has 14 bytes.
      const meanwhile = uploads.open(input(owner, 3)).pipe(
        as(owner),
        Effect.tap(({ resumed }) => Effect.sync(() => assert.isTrue(resumed))),
        Effect.andThen(put(signed[0]!)),
        Effect.provideService(MemoryObjectStore, memory),
        Effect.orDie,
        Effect.asVoid
      )
      yield* memory.plant("listParts", Faults.before(meanwhile))
      const outcome = yield* uploads.complete(token).pipe(as(owner), Effect.exit)
      assert.deepStrictEqual(codes(outcome), ["upload_not_found", undefined])
      assert.deepStrictEqual([yield* heldBytes(owner), yield* storedBytes(owner)], [0, 0])
    }))
  it.effect("UP-108 an object that storage makes after its upload was aborted is removed", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const memory = yield* MemoryObjectStore
      const store = yield* ObjectStore
      const uploads = yield* Uploads
      const { signed, token } = yield* uploads.open(input(owner, 14)).pipe(as(owner))
      yield* put(signed[0]!)
      const open = yield* Stream.runCollect(store.listUploads("private"))
      const at = { bucket: "private", key: open.find(({ key }) => key.includes(owner))!.key } as const
      const headers = { contentType: "a/b", contentDisposition: "attachment", cacheControl: "private" }
      const late = store.put({ at, headers, sizeBytes: 14, body: Stream.make(new Uint8Array(14)) })
      // Aborting comes to its end; then storage has the object that it was making.
      const meanwhile = uploads.abort(token).pipe(
        as(owner),
        Effect.tap((isGone) => Effect.sync(() => assert.isTrue(isGone))),
        Effect.andThen(late),
        Effect.orDie,
        Effect.asVoid
      )
      yield* memory.plant("completeUpload", Faults.before(meanwhile))
      const outcome = yield* uploads.complete(token).pipe(as(owner), Effect.exit)
      assert.deepStrictEqual(codes(outcome), ["upload_not_found", undefined])
      assert.deepStrictEqual([yield* heldBytes(owner), yield* storedBytes(owner)], [0, 0])
    }))
})

layer(testDrive(TestDatabase.layerPostgres, TestAccounts.layer), { timeout: "60 seconds" })(
  "Ends of an upload that race",
  (it) => {
    it.effect("UP-108 aborting answers false when another call has completed the upload meanwhile", () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add())
        const uploads = yield* Uploads
        const { sql, tables: t } = yield* Database
        const { token } = yield* sendParts(input(owner, 14)).pipe(as(owner))
        // Of another server: calls of one server take turns at an account.
        const completing = sql`UPDATE ${t.uploads} SET state = 'complete', end_time = now() WHERE account_id = ${owner}`
        let isFirst = true
        const outside = yield* Effect.context<never>()
        const completedMeanwhile = Effect.provideService(
          Statement.CurrentTransformer,
          (statement) =>
            Effect.gen(function*() {
              const [text] = statement.compile()
              if (isFirst && /SET revision = revision \+ 1/.test(text)) {
                isFirst = false
                yield* Effect.promise(() => Effect.runPromiseWith(outside)(completing))
              }
              return statement
            })
        )
        assert.isFalse(yield* uploads.abort(token).pipe(as(owner), completedMeanwhile))
        assert.strictEqual(yield* heldBytes(owner), 14)
      }))
  }
)
