import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { AccountId, FormId } from "../shared/Ids.ts"
import type { StoredForm } from "./Form.ts"
import * as FormClearing from "./FormClearing.ts"

const [locked, free] = ["a", "b"].map((digit) => AccountId.make(`8c2841fc-1888-4942-91c3-00000000000${digit}`)) as [
  AccountId,
  AccountId
]
const formOf = (accountId: AccountId, number: number): StoredForm => ({
  id: FormId.make(`01a206d2-7e07-7273-9a4c-${String(number).padStart(12, "0")}`),
  accountId,
  storeKey: `incoming/${accountId}/${number}`,
  sizeBytes: 1
})

it.effect("UP-110 forms of an account that is locked keep no other's waiting, and its callers don't wait either", () =>
  Effect.gen(function*() {
    const lock = yield* Deferred.make<void>()
    const forgotten: Array<AccountId> = []
    const clearing = yield* FormClearing.make(Effect.succeed, (forms) =>
      Effect.gen(function*() {
        const [{ accountId }] = forms as readonly [StoredForm]
        if (accountId === locked) yield* Deferred.await(lock)
        for (const form of forms) forgotten.push(form.accountId)
      }))
    for (let number = 0; number < 1_500; number++) yield* clearing.later([formOf(locked, number)])
    yield* clearing.later([formOf(free, 1), formOf(free, 2)])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(forgotten, [free, free])
    const done = yield* Effect.forkChild(clearing.done, { startImmediately: true })
    yield* Deferred.succeed(lock, undefined)
    yield* Fiber.join(done)
    // A hundred were being cleared and a thousand waited; the others are left to the sweep.
    assert.strictEqual(forgotten.filter((id) => id === locked).length, 1_100)
  }))

it.effect("UP-110 a failure of one account's clearing is the end of nothing else", () =>
  Effect.gen(function*() {
    const forgotten: Array<string> = []
    const clearing = yield* FormClearing.make(Effect.succeed, (forms) =>
      forms.some(({ accountId }) =>
          accountId === locked
        )
        ? Effect.die(new Error("the database is away"))
        : Effect.sync(() => void forgotten.push(...forms.map(({ storeKey }) => storeKey))))
    yield* clearing.later([formOf(locked, 1), formOf(free, 1)])
    yield* clearing.done
    yield* clearing.later([formOf(locked, 2), formOf(free, 2)])
    yield* clearing.done
    assert.deepStrictEqual(forgotten, [1, 2].map((number) => formOf(free, number).storeKey))
  }))
