import { assert, layer } from "@effect/vitest"
import { Faults, MemoryObjectStore, TestDatabase } from "@filedrive/testing"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive, testDriveOn } from "../../test/TestDrive.ts"
import { balance, codes, input, MiB, post, uploadOnForm } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"
import * as Limits from "../limits/Limits.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { DriveError } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { FormEnds } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"
import { UploadSweep } from "./UploadSweep.ts"

const newOwner = (quotaBytes: number | null = null) => TestAccounts.use((users) => users.add({ quotaBytes }))
const sweep = UploadSweep.use((sweeper) => sweeper.sweep)
const create = (owner: AccountId, sizeBytes: number, name = "a.bin") =>
  Forms.use((forms) => forms.create(input(owner, sizeBytes, { objectKey: `users/${owner}/${name}` }))).pipe(as(owner))
const cancel = (owner: AccountId, name = "a.bin") =>
  Forms.use((forms) => forms.cancel(Checked.objectKey(`users/${owner}/${name}`))).pipe(as(owner))

/** What storage holds of one account, in bytes. */
const storedBytes = Effect.fnUntraced(function*(owner: AccountId) {
  yield* FormEnds.use((ends) => ends.cleared)
  const store = yield* MemoryObjectStore
  return (yield* store.objects).filter(({ key }) => key.includes(owner)).reduce((sum, one) => sum + one.sizeBytes, 0)
})

const formRows = Effect.fnUntraced(function*(owner: AccountId) {
  yield* FormEnds.use((ends) => ends.cleared)
  const { sql, tables: t } = yield* Database
  return (yield* sql`SELECT 1 FROM ${t.upload_forms} WHERE account_id = ${owner}`).length
})

layer(TestDrive, { timeout: "60 seconds" })("Forms and what they hold", (it) => {
  it.effect("UP-61 a form holds its bytes from its issue until it is inserted, and leaves room for no other", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner(10)
      const form = yield* create(owner, 6)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 6 })
      const more: ReadonlyArray<Effect.Effect<unknown, unknown, Forms | Uploads>> = [
        create(owner, 5, "b"),
        Uploads.use((uploads) => uploads.open(input(owner, 5, { objectKey: `users/${owner}/b` }))).pipe(as(owner))
      ]
      for (const call of more) assert.deepInclude(yield* Effect.flip(call), { code: "storage_limit_reached" })
      yield* create(owner, 4, "c")
      yield* post(form, "123456")
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 10 })
      yield* Inserts.use((inserts) => inserts.insert(input(owner, 6))).pipe(as(owner))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 6, heldBytes: 4 })
    }))

  it.effect("UP-53 a new form for a key supersedes the one before: its bytes and what it sent are gone, what it sends is refused", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner(10)
      const [unsent, sent] = [yield* create(owner, 7), yield* create(owner, 10)]
      assert.strictEqual(yield* post(unsent, "1234567"), 403)
      assert.strictEqual(yield* post(sent, "1234567890"), 204)
      yield* create(owner, 3)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 3 })
      assert.strictEqual(yield* storedBytes(owner), 0)
      // Nothing came on the newest, and what came on others is no longer there to be inserted.
      const refused = yield* Inserts.use((inserts) => inserts.insert(input(owner, 10))).pipe(as(owner), Effect.flip)
      assert.deepInclude(refused, { code: "object_not_found" })
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 3 })
      assert.strictEqual(yield* formRows(owner), 1)
    }))

  it.effect("UP-53 a form that is refused leaves the one before as it was", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner(10)
      const form = yield* create(owner, 7)
      assert.deepInclude(yield* Effect.flip(create(owner, 11)), { code: "storage_limit_reached" })
      assert.strictEqual(yield* post(form, "1234567"), 204)
      yield* Inserts.use((inserts) => inserts.insert(input(owner, 7))).pipe(as(owner))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 7, heldBytes: 0 })
    }))

  it.effect("UP-54 a cancelled form gives its bytes back at once, and what it sent or sends counts for nothing", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner(10)
      for (const isSent of [false, true]) {
        const form = yield* create(owner, 10)
        if (isSent) yield* post(form, "1234567890")
        assert.isTrue(yield* cancel(owner))
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
        assert.strictEqual(yield* post(form, "1234567890"), 403)
        assert.strictEqual(yield* storedBytes(owner), 0)
        assert.isFalse(yield* cancel(owner))
      }
      yield* uploadOnForm(input(owner, 10), "1234567890").pipe(as(owner))
      assert.isFalse(yield* cancel(owner))
      assert.strictEqual(yield* formRows(owner), 0)
    }))

  it.effect("UP-54 cancelling needs the permission add and the caller's own key, and no plan", () =>
    Effect.gen(function*() {
      const users = yield* TestAccounts
      const [owner, stranger] = [yield* newOwner(), yield* newOwner()]
      yield* create(owner, 5)
      const cancelled = Forms.use((forms) => forms.cancel(Checked.objectKey(`users/${owner}/a.bin`)))
      const limits = { permissions: ["read" as const], folderId: null }
      assert.deepStrictEqual(codes(yield* cancelled.pipe(as(owner, limits), Effect.exit)), ["token_limit", undefined])
      assert.deepStrictEqual(codes(yield* cancelled.pipe(as(stranger), Effect.exit)), ["not_allowed", undefined])
      yield* users.change(owner, { plan: null })
      assert.isTrue(yield* cancelled.pipe(as(owner)))
    }))

  it.effect("UP-55 an account has at most 1,000 open forms; one more is refused, one in another's place is not", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner()
      const names = Array.from({ length: Limits.openFormsMaxCount }, (_, n) => `many/${n}`)
      yield* Effect.forEach(names, (name) => create(owner, 1, name), { discard: true })
      assert.deepInclude(yield* Effect.flip(create(owner, 1, "more")), { code: "too_many_forms" })
      yield* create(owner, 2, "many/7")
      assert.strictEqual((yield* balance(owner)).heldBytes, Limits.openFormsMaxCount + 1)
      yield* cancel(owner, "many/8")
      yield* create(owner, 1, "more")
      assert.deepInclude(yield* Effect.flip(create(owner, 1, "another")), { code: "too_many_forms" })
    }))

  it.effect("UP-75 an account has at most 1,000 uploads in parts that are no files yet; one more is refused, continuing with one is not", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner()
      const open = (name: string) =>
        Uploads.use((uploads) => uploads.open(input(owner, 1, { objectKey: `users/${owner}/${name}` }))).pipe(as(owner))
      const opened = yield* Effect.forEach(
        Array.from({ length: Limits.openUploadsMaxCount }, (_, n) => `many/${n}`),
        open
      )
      assert.deepInclude(yield* Effect.flip(open("more")), { _tag: "Refused", code: "too_many_forms" })
      assert.strictEqual((yield* open("many/7")).resumed, true)
      const store = yield* MemoryObjectStore
      assert.strictEqual((yield* store.openUploads).length >= opened.length, true)
      yield* Uploads.use((uploads) => uploads.abort(opened[0]!.token)).pipe(as(owner))
      yield* open("more")
    }))

  it.effect("UP-6 a form for more than the account's whole quota is told so, whatever the disk holds", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      const owner = yield* newOwner(10)
      yield* store.plant("room", Faults.noSpace)
      assert.deepInclude(yield* Effect.flip(create(owner, 11)), { code: "storage_limit_reached" })
      assert.deepInclude(yield* Effect.flip(create(owner, 10)), { code: "no_space" })
    }))

  it.effect("UP-56 a form gives its bytes back an hour after it expired, and what arrived on it goes", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner()
      const form = yield* create(owner, 5)
      yield* post(form, "12345")
      yield* create(owner, 7, "unsent")
      yield* TestClock.adjust("2 days")
      yield* TestClock.adjust("59 minutes")
      yield* sweep
      assert.deepStrictEqual([(yield* balance(owner)).heldBytes, yield* storedBytes(owner)], [12, 5])
      yield* TestClock.adjust("1 minute")
      yield* sweep
      assert.deepStrictEqual([(yield* balance(owner)).heldBytes, yield* storedBytes(owner)], [0, 0])
      assert.strictEqual(yield* formRows(owner), 0)
    }))

  it.effect("UP-61 an upload in parts that is inserted ends the form of its key", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner()
      yield* create(owner, 5)
      yield* Effect.gen(function*() {
        const uploads = yield* Uploads
        const { signed, token } = yield* uploads.open(input(owner, MiB))
        const memory = yield* MemoryObjectStore
        yield* memory.sendZeros(signed[0]!.url, MiB)
        yield* uploads.complete(token)
        yield* Inserts.use((inserts) => inserts.insert(input(owner, MiB)))
      }).pipe(as(owner))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: MiB, heldBytes: 0 })
      assert.strictEqual(yield* formRows(owner), 0)
    }))

  it.effect("UP-110 forms of inserted files are ended in storage together, though it can't be reached at first", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      const owner = yield* newOwner()
      const names = Array.from({ length: 30 }, (_, at) => `together/${at}`)
      yield* store.plant("revokeForms", Faults.notReached)
      yield* Effect.forEach(
        names,
        (name) => uploadOnForm(input(owner, 4, { objectKey: Checked.objectKey(`users/${owner}/${name}`) }), "1234"),
        { concurrency: "unbounded" }
      ).pipe(
        as(owner)
      )
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 120, heldBytes: 0 })
      yield* FormEnds.use((ends) => ends.cleared)
      // The sweep does the rest, where storage could not be reached.
      yield* sweep
      assert.strictEqual(yield* formRows(owner), 0)
      assert.strictEqual(yield* storedBytes(owner), 120)
    }))

  it.effect("UP-60 an insert whose key became another file meanwhile leaves no copy behind", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      const owner = yield* newOwner(10)
      const insert = (sizeBytes: number) =>
        Inserts.use((inserts) => inserts.insert(input(owner, sizeBytes))).pipe(as(owner))
      const context = yield* Effect.context<Forms | Inserts | MemoryObjectStore>()
      yield* post(yield* create(owner, 6), "123456")
      const other = Effect.gen(function*() {
        yield* post(yield* create(owner, 4), "1234")
        yield* insert(4)
      })
      yield* store.plant("copy", Faults.after(other.pipe(Effect.orDie, Effect.provide(context))))
      assert.deepStrictEqual(codes(yield* Effect.exit(insert(6))), ["size_mismatch", "fileSize"])
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 4, heldBytes: 0 })
      assert.strictEqual(yield* storedBytes(owner), 4)
    }))

  it.effect("UP-57 a call that is cut off at any step leaves nothing held and nothing stored for longer than an hour", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      const steps = { supersede: ["signForm", "revokeForms", "remove"], cancel: ["revokeForms", "remove"] } as const
      const faults = [Faults.notReached, Faults.answerLost, Faults.before(Effect.interrupt)]
      for (const call of ["supersede", "cancel"] as const) {
        for (const step of steps[call]) {
          for (const fault of faults) {
            const owner = yield* newOwner(10)
            const former = yield* create(owner, 9)
            yield* post(former, "123456789")
            yield* store.plant(step, fault)
            const cutOff = Effect.asVoid<unknown, DriveError, Forms>(
              call === "cancel" ? cancel(owner) : create(owner, 4)
            )
            yield* Effect.exit(cutOff).pipe(Effect.forkChild, Effect.flatMap(Fiber.await))
            yield* sweep
            // Repeating it comes to the end it would have had.
            yield* cutOff
            const where = `${call}, ${step}`
            assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: call === "cancel" ? 0 : 4 }, where)
            assert.strictEqual(yield* storedBytes(owner), 0, where)
            assert.strictEqual(yield* formRows(owner), call === "cancel" ? 0 : 1, where)
            assert.strictEqual(yield* post(former, "123456789"), 403, where)
          }
        }
      }
    }))

  it.effect("UP-71 on a full disk a form's bytes go at once, and storage is told when there is room", () =>
    Effect.gen(function*() {
      const store = yield* MemoryObjectStore
      for (const times of [1, 2]) {
        for (const call of ["supersede", "cancel"] as const) {
          const owner = yield* newOwner(10)
          const former = yield* create(owner, 9)
          yield* post(former, "123456789")
          yield* store.plant("revokeForms", Faults.noSpace, times)
          yield* Effect.asVoid<unknown, DriveError, Forms>(call === "cancel" ? cancel(owner) : create(owner, 4))
          const where = `${call}, ${times}`
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: call === "cancel" ? 0 : 4 }, where)
          assert.strictEqual(yield* storedBytes(owner), 0, where)
          const open = call === "cancel" ? 0 : 1
          assert.strictEqual(yield* formRows(owner), open + (times === 1 ? 0 : 1), where)
          yield* sweep
          assert.strictEqual(yield* formRows(owner), open, where)
          assert.strictEqual(yield* post(former, "123456789"), 403, where)
        }
      }
    }))
})

/** As S3: a form that is signed holds until it expires. */
const Unrefusing = Layer.effect(
  ObjectStore,
  Effect.map(ObjectStore, (store) => ObjectStore.of({ ...store, revokesForms: false, revokeForms: () => Effect.void }))
).pipe(Layer.provideMerge(MemoryObjectStore.layer))

layer(testDriveOn(Unrefusing, TestDatabase.layer, TestAccounts.layer), { timeout: "60 seconds" })(
  "Forms of a store that can't refuse them",
  (it) => {
    it.effect("UP-58 what a superseded, cancelled or forgotten form still sends is removed by the hour's job, and counts for nothing", () =>
      Effect.gen(function*() {
        const owner = yield* newOwner(10)
        const superseded = yield* create(owner, 10)
        const cancelled = yield* create(owner, 10)
        yield* cancel(owner)
        const open = yield* create(owner, 3)
        for (const form of [superseded, cancelled]) assert.strictEqual(yield* post(form, "1234567890"), 204)
        yield* post(open, "123")
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 3 })
        const refused = yield* Inserts.use((inserts) => inserts.insert(input(owner, 10))).pipe(as(owner), Effect.flip)
        assert.deepInclude(refused, { code: "size_mismatch" })
        yield* sweep
        assert.strictEqual(yield* storedBytes(owner), 3)
        yield* Inserts.use((inserts) => inserts.insert(input(owner, 3))).pipe(as(owner))
        yield* sweep
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 3, heldBytes: 0 })
        assert.strictEqual(yield* storedBytes(owner), 3)
      }))
  }
)
