import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { input, post } from "../../test/UploadsTest.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { Forms } from "./Forms.ts"

layer(TestDrive, { timeout: "60 seconds" })("Forms", (it) => {
  it.effect("UP-11 a form works for two days and not a second longer", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
      yield* TestClock.adjust("172799 seconds")
      assert.strictEqual(yield* post(form, "hello"), 204)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* post(form, "hello"), 403)
    }))

  it.effect("UP-12 a form with any of its fields changed is refused", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const form = yield* Forms.use((forms) => forms.create(input(owner, 5))).pipe(as(owner))
      for (const [name, value] of Object.entries(form.fields)) {
        const changed = { ...form, fields: { ...form.fields, [name]: `${value}x` } }
        assert.isAtLeast(yield* post(changed, "hello"), 400, name)
      }
      assert.strictEqual(yield* post(form, "hello"), 204)
    }))

  it.effect("UP-74 of a form that is refused once it is signed, storage keeps nothing", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 10 }))
      const store = yield* ObjectStore
      const { revokeForms, signForm } = store
      const open = new Set<string>()
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          Object.assign(store, {
            signForm: (form: Parameters<typeof signForm>[0]) => {
              open.add(form.at.key)
              return signForm(form)
            },
            revokeForms: (...[objects, until]: Parameters<typeof revokeForms>) => {
              for (const { key } of objects) open.delete(key)
              return revokeForms(objects, until)
            }
          })
        ),
        () => Effect.sync(() => Object.assign(store, { revokeForms, signForm }))
      )
      const create = (bytes: number, name: string) =>
        Forms.use((forms) => forms.create(input(owner, bytes, { objectKey: `users/${owner}/${name}` }))).pipe(as(owner))
      yield* create(8, "first")
      assert.strictEqual(open.size, 1)
      assert.deepInclude(yield* Effect.flip(create(3, "second")), { code: "storage_limit_reached" })
      assert.strictEqual(open.size, 1)
    }))
})
