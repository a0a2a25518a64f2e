import { assert, layer } from "@effect/vitest"
import { MemoryObjectStore } from "@filedrive/testing"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes, input, post } from "../../test/UploadsTest.ts"
import { Quota } from "../accounts/Quota.ts"
import { Database } from "../database/Database.ts"
import { PendingDeletions } from "../objects/PendingDeletions.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import { Admission } from "./Admission.ts"
import { FormEnds } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { Inserts } from "./Inserts.ts"
import { IssuedForms } from "./IssuedForms.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

const newOwner = TestAccounts.use((users) => users.add({ quotaBytes: 1_000 }))
const balance = (owner: AccountId) => Quota.use((quota) => quota.balance(owner))
const fileOf = (owner: AccountId, name: string, sizeBytes = 5) =>
  input(owner, sizeBytes, { objectKey: Checked.objectKey(`users/${owner}/${name}`) })

/** Forms and inserts as another process has them, on the same database and storage. */
const anotherProcess = Effect.map(
  Layer.build(Layer.fresh(
    Layer.mergeAll(Forms.layerNoDeps, Inserts.layerNoDeps).pipe(
      Layer.provide(FormEnds.layerNoDeps),
      Layer.provide(Admission.layerNoDeps),
      Layer.provide([FormsRepo.layer, IssuedForms.layer, UploadsRepo.layer])
    )
  )),
  (services) => ({ forms: Context.get(services, Forms), inserts: Context.get(services, Inserts) })
)

/** Keys of what storage has of the account, and of what is listed for deletion. */
const left = Effect.fnUntraced(function*(owner: AccountId) {
  yield* FormEnds.use((ends) => ends.cleared)
  const memory = yield* MemoryObjectStore
  const { sql, tables: t } = yield* Database
  return {
    stored: (yield* memory.objects).filter(({ key }) => key.includes(owner)).length,
    listed: (yield* sql`SELECT 1 FROM ${t.pending_deletions} WHERE account_id = ${owner}`).length
  }
})

layer(TestDrive, { timeout: "60 seconds" })("Forms that a process remembers", (it) => {
  it.effect("UP-113 a form that another process has cancelled makes no file, one that it has inserted makes no second", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const own = { forms: yield* Forms, inserts: yield* Inserts }
      const other = yield* anotherProcess
      const [cancelled, inserted, superseded] = ["cancelled", "inserted", "superseded"].map((name) =>
        fileOf(owner, name)
      )
      for (const file of [cancelled!, inserted!, superseded!]) {
        assert.strictEqual(yield* post(yield* as(owner)(own.forms.create(file)), "hello"), 204)
      }
      assert.isTrue(yield* as(owner)(other.forms.cancel(cancelled!.objectKey)))
      const made = yield* as(owner)(other.inserts.insert(inserted!))
      const newer = yield* as(owner)(other.forms.create(superseded!))
      assert.deepStrictEqual(codes(yield* Effect.exit(as(owner)(own.inserts.insert(cancelled!)))), [
        "object_not_found",
        "objectKey"
      ])
      assert.deepStrictEqual(yield* as(owner)(own.inserts.insert(inserted!)), made)
      assert.deepStrictEqual(codes(yield* Effect.exit(as(owner)(own.inserts.insert(superseded!)))), [
        "object_not_found",
        "objectKey"
      ])
      assert.strictEqual(yield* post(newer, "again"), 204)
      yield* as(owner)(own.inserts.insert(superseded!))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 10, heldBytes: 0 })
    }))

  it.effect("UP-112 of keys that were listed ahead nothing stays but the files that were made", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const [forms, inserts] = [yield* Forms, yield* Inserts]
      for (let at = 0; at < 20; at++) {
        const file = fileOf(owner, `${at}`)
        assert.strictEqual(yield* post(yield* as(owner)(forms.create(file)), "hello"), 204)
        yield* as(owner)(inserts.insert(file))
      }
      // 32 were listed with the eighth, and the twelve after it have taken theirs.
      assert.deepStrictEqual(yield* left(owner), { stored: 20, listed: 20 })
      yield* TestClock.adjust("2 hours")
      yield* PendingDeletions.use((deletions) => deletions.removeDue(owner))
      assert.deepStrictEqual(yield* left(owner), { stored: 20, listed: 0 })
      const file = fileOf(owner, "later")
      assert.strictEqual(yield* post(yield* as(owner)(forms.create(file)), "hello"), 204)
      yield* as(owner)(inserts.insert(file))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 105, heldBytes: 0 })
    }))

  it.effect("UP-114 a form that storage can't sign reserves nothing, and the one before it stays", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const [forms, inserts, store] = [yield* Forms, yield* Inserts, yield* ObjectStore]
      const { signForm } = store
      const former = yield* as(owner)(forms.create(fileOf(owner, "a")))
      assert.strictEqual(yield* post(former, "hello"), 204)
      const refuse = () => Effect.fail(new Unavailable({ code: "storage_unavailable", cause: new Error("no answer") }))
      yield* Effect.acquireRelease(
        Effect.sync(() => Object.assign(store, { signForm: refuse })),
        () => Effect.sync(() => Object.assign(store, { signForm }))
      )
      for (const file of [fileOf(owner, "a", 7), fileOf(owner, "b")]) {
        assert.deepInclude(yield* Effect.flip(as(owner)(forms.create(file))), { code: "storage_unavailable" })
      }
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 5 })
      yield* as(owner)(inserts.insert(fileOf(owner, "a")))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 5, heldBytes: 0 })
    }))
})
