import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Checked from "../../test/Checked.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, codes, held, input, post } from "../../test/UploadsTest.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"

layer(TestDrive, { timeout: "60 seconds" })("Forms and inserts that come together", (it) => {
  it.effect("UP-111 forms and inserts of calls at the same time have the outcome that they would have one after the other", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add({ quotaBytes: 100 }))
      const [forms, inserts] = [yield* Forms, yield* Inserts]
      const at = (name: string, sizeBytes: number) =>
        input(owner, sizeBytes, { objectKey: Checked.objectKey(`users/${owner}/${name}`) })
      const all = <A, E, R>(calls: ReadonlyArray<Effect.Effect<A, E, R>>) =>
        Effect.all(calls.map((call) => Effect.exit(as(owner)(call))), { concurrency: "unbounded" })
      // 12 of 10 bytes, of which 10 fit; a size that can never fit; and one key twice, whose second form supersedes the first.
      const asked = [
        ...Array.from({ length: 9 }, (_, n) => at(`${n}`, 10)),
        at("huge", 101),
        at("0", 10),
        ...[9, 10, 11].map((n) => at(`${n}`, 10))
      ]
      const issued = yield* all(asked.map((file) => forms.create(file)))
      assert.deepStrictEqual(issued.map(Exit.isSuccess), asked.map((_, n) => n !== 9 && n < 12))
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 100 })
      // The first form of the key "0" is superseded; nothing is sent with the last one.
      const sent = issued.flatMap((exit, n) =>
        Exit.isSuccess(exit) && n !== 0 && n !== 11 ? [{ form: exit.value, n }] : []
      )
      for (const { form, n } of sent) {
        assert.strictEqual(yield* post(form, `bytes of ${String(n).padStart(2)}`.slice(-10)), 204)
      }
      const wanted = [...asked.slice(1, 9), at("0", 10), at("0", 10), at("1", 9), at("9", 10), at("none", 10)]
      const made = yield* all(wanted.map((file) => inserts.insert(file)))
      assert.deepStrictEqual(made.map(Exit.isSuccess), wanted.map((_, n) => n < 10))
      assert.deepStrictEqual(codes(made[10]!), ["size_mismatch", "fileSize"])
      assert.deepStrictEqual(codes(made[11]!), ["object_not_found", "objectKey"])
      assert.deepStrictEqual(codes(made[12]!), ["object_not_found", "objectKey"])
      assert.strictEqual(new Set(made.flatMap((exit) => Exit.isSuccess(exit) ? [exit.value.id] : [])).size, 9)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 90, heldBytes: 10 })
      assert.strictEqual((yield* held(owner)).length, 9)
    }))
})
