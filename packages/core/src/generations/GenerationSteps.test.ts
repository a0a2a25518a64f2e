/** Steps of a run whose answer was lost: the database may have committed them. */
import { assert, layer } from "@effect/vitest"
import { finished } from "@filedrive/testing"
import { Effect } from "effect"
import { generate, look, used, user } from "../../test/GenerationsTest.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { GenerationsRepo } from "./GenerationsRepo.ts"
import { makeSteps } from "./GenerationSteps.ts"

layer(TestDrive, { timeout: "60 seconds" })("Steps of generations", (it) => {
  it.effect("GEN-40 a step that was committed without an answer is repeated, and changes nothing more", () =>
    Effect.gen(function*() {
      const owner = yield* user()
      const steps = yield* Effect.provide(makeSteps, GenerationsRepo.layer)
      const { id } = yield* generate(owner)
      const { current } = (yield* steps.take(owner, id))!
      assert.strictEqual(current.state, "asking")
      for (const _ of [1, 2]) assert.strictEqual((yield* steps.submitted(current, "job-1")).state, "submitted")
      assert.strictEqual((yield* Effect.flip(steps.submitted(current, "job-2")))._tag, "Superseded")
      const first = yield* steps.storing(current, finished())
      assert.strictEqual(first.job, "job-1")
      assert.deepStrictEqual(yield* steps.storing(current, finished()), first)
      assert.strictEqual((yield* look(owner, id)).status, "working")
      assert.isTrue(yield* steps.cancel(first))
      assert.strictEqual((yield* Effect.flip(steps.submitted(current, "job-1")))._tag, "Superseded")
      assert.strictEqual((yield* Effect.flip(steps.storing(current, finished())))._tag, "Superseded")
      assert.strictEqual(yield* used(owner), 0)
    }))
})
