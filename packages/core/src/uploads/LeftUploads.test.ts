/** What is left open under a key that a file gets in another way. */
import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Layer, Stream } from "effect"
import * as Checked from "../../test/Checked.ts"
import { row, stored } from "../../test/ImportTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive, testDrive } from "../../test/TestDrive.ts"
import { codes, input, post, put, sendParts } from "../../test/UploadsTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { BulkImport } from "../bulk/BulkImport.ts"
import { Library } from "../library/Library.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { AccountId } from "../shared/Ids.ts"
import { FormEnds } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

const balance = (owner: AccountId) => Quota.use((quota) => quota.balance(owner))

/** How many objects and open uploads of the owner's storage has. */
const held = Effect.fnUntraced(function*(owner: AccountId) {
  yield* FormEnds.use((ends) => ends.cleared)
  const memory = yield* MemoryObjectStore
  const store = yield* ObjectStore
  const open = yield* Stream.runCollect(store.listUploads("private"))
  return {
    objects: (yield* memory.objects).filter(({ key }) => key.includes(owner)).length,
    uploads: open.filter(({ key }) => key.includes(owner)).length
  }
})

const databases = {
  "the embedded database": TestDrive,
  PostgreSQL: testDrive(TestDatabase.layerPostgres, TestAccounts.layer)
}

for (const [name, drive] of Object.entries(databases)) {
  const withImport = BulkImport.layer.pipe(Layer.provideMerge(drive))
  layer(withImport, { timeout: "60 seconds" })(`Uploads left under a file's key, on ${name}`, (it) => {
    it.effect("UP-120 inserting what came on a form ends the upload in parts that is open under its key", () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 70 }))
        const [forms, inserts, library, uploads] = [yield* Forms, yield* Inserts, yield* Library, yield* Uploads]
        yield* Effect.gen(function*() {
          const file = input(owner, 5)
          const form = yield* forms.create(file)
          const { signed, token } = yield* uploads.open(input(owner, 60))
          yield* post(form, "hello")
          assert.strictEqual((yield* library.usage).pendingBytes, 65)
          yield* inserts.insert(file)
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
          assert.strictEqual((yield* library.usage).pendingBytes, 0)
          assert.deepStrictEqual(yield* held(owner), { objects: 1, uploads: 0 })
          // Nothing comes with it any longer, and its end is understood.
          assert.strictEqual(yield* put(signed[0]!), 404)
          assert.deepStrictEqual(codes(yield* Effect.exit(uploads.complete(token))), ["upload_not_found", undefined])
          assert.isTrue(yield* uploads.abort(token))
          yield* inserts.insert(file)
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
          // The room is free for others.
          yield* uploads.open(input(owner, 65, { objectKey: Checked.objectKey(`users/${owner}/b.bin`) }))
        }).pipe(as(owner))
      }))

    it.effect("UP-120 so it does with an upload that is completed meanwhile", () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add())
        const memory = yield* MemoryObjectStore
        const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
        yield* Effect.gen(function*() {
          const file = input(owner, 5)
          const form = yield* forms.create(file)
          const { token } = yield* sendParts(input(owner, 14))
          yield* post(form, "hello")
          const completed = uploads.complete(token).pipe(as(owner), Effect.orDie, Effect.asVoid)
          yield* memory.plant("copy", Faults.before(completed))
          yield* inserts.insert(file)
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
          assert.deepStrictEqual(yield* held(owner), { objects: 1, uploads: 0 })
          assert.deepStrictEqual(codes(yield* Effect.exit(uploads.complete(token))), ["upload_not_found", undefined])
        }).pipe(as(owner))
      }))

    it.effect("UP-120 inserting an upload in parts ends the form that is open under its key", () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add())
        const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
        yield* Effect.gen(function*() {
          const file = input(owner, 14)
          const form = yield* forms.create(input(owner, 5))
          const { token } = yield* sendParts(file)
          yield* post(form, "hello")
          yield* uploads.complete(token)
          yield* inserts.insert(file)
        }).pipe(as(owner))
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 14, heldBytes: 0 })
        assert.deepStrictEqual(yield* held(owner), { objects: 1, uploads: 0 })
      }))

    it.effect("UP-120 files of many keys that are recorded together end the uploads of their own keys alone", () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add())
        const [forms, inserts, uploads] = [yield* Forms, yield* Inserts, yield* Uploads]
        const at = (name: string | number, sizeBytes: number) =>
          input(owner, sizeBytes, { objectKey: Checked.objectKey(`users/${owner}/${name}`) })
        yield* Effect.gen(function*() {
          for (let n = 0; n < 12; n++) {
            const form = yield* forms.create(at(n, 5))
            yield* post(form, "hello")
            if (n % 2 === 0) yield* sendParts(at(n, 7))
          }
          yield* uploads.open(at("other", 100))
          yield* Effect.all(
            Array.from({ length: 24 }, (_, n) => Effect.exit(inserts.insert(at(n % 12, 5)))),
            { concurrency: "unbounded" }
          )
        }).pipe(as(owner))
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 60, heldBytes: 100 })
        assert.deepStrictEqual(yield* held(owner), { objects: 12, uploads: 1 })
      }))

    it.effect("UP-120 so does importing files whose bytes are in storage already", () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add())
        const [bulk, forms, uploads] = [yield* BulkImport, yield* Forms, yield* Uploads]
        yield* Effect.gen(function*() {
          const rows = []
          for (const name of ["a", "b"]) {
            const file = input(owner, 20, { objectKey: Checked.objectKey(row(owner, name).objectKey) })
            const form = yield* forms.create(file)
            yield* post(form, "x".repeat(20))
            yield* sendParts(file)
            const { etag } = yield* stored(owner, `old/${name}`)
            rows.push(row(owner, name, { etag }))
          }
          yield* bulk.run(Stream.fromIterable(rows))
          yield* uploads.open(input(owner, 30, { objectKey: Checked.objectKey(`users/${owner}/other`) }))
        }).pipe(as(owner))
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 20, heldBytes: 30 })
        assert.deepStrictEqual(yield* held(owner), { objects: 2, uploads: 1 })
      }))
  })
}
