/** The month's count by any sequence of what callers do and providers answer. */
import { assert, layer } from "@effect/vitest"
import { finished, imageFailure, pending, submitted, TestImageGenerator } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as FastCheck from "fast-check"
import { checkEnded, eventsOf, generate, runFor, used, user } from "../../test/GenerationsTest.ts"
import { as } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { codes } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, GenerationId } from "../shared/Ids.ts"
import { Generations } from "./Generations.ts"

const steps = ["generate", "cancel", "run"] as const
const answers = ["image", "job", "moderated", "busy", "died"] as const

const plan = FastCheck.sample(
  FastCheck.record({
    steps: FastCheck.array(FastCheck.tuple(FastCheck.constantFrom(...steps), FastCheck.nat(20)), {
      minLength: 5,
      maxLength: 25
    }),
    answers: FastCheck.array(FastCheck.constantFrom(...answers), { minLength: 30, maxLength: 30 }),
    allowance: FastCheck.integer({ min: 0, max: 6 })
  }),
  { numRuns: 25, seed: 15 }
)

const answerOf = (answer: typeof answers[number], no: number) => {
  switch (answer) {
    case "image":
      return Effect.succeed(finished())
    case "job":
      return Effect.succeed(submitted(`job-${no}`))
    case "died":
      return Effect.die(new Error("planted: the process ends"))
    default:
      return Effect.fail(imageFailure(answer))
  }
}

/** What the month must have by the rows themselves. */
const counted = Effect.fnUntraced(function*(owner: AccountId) {
  const { sql, tables: t } = yield* Database
  const rows = yield* sql`
    SELECT 1 FROM ${t.generations} WHERE account_id = ${owner} AND state NOT IN ('failed', 'cancelled')
  `
  return rows.length
})

layer(TestDrive, { timeout: "120 seconds" })("The allowance", (it) => {
  it.effect(
    "GEN-7 is what is under way and done of its month, after every step, and never more than it may be",
    () =>
      Effect.gen(function*() {
        const generations = yield* Generations
        const generator = yield* TestImageGenerator
        for (const { allowance, answers, steps } of plan) {
          const owner = yield* user({ monthlyImages: allowance })
          yield* generator.submits(...answers.map(answerOf))
          yield* generator.polls(Effect.succeed(pending()), Effect.fail(imageFailure("lost")))
          const ids: Array<GenerationId> = []
          for (const [step, at] of steps) {
            if (step === "generate") {
              const exit = yield* Effect.exit(generate(owner))
              if (exit._tag === "Success") ids.push(exit.value.id)
              else assert.deepStrictEqual(codes(exit), ["no_images_left", undefined])
            } else if (step === "cancel" && ids.length > 0) {
              yield* generations.cancel(ids[at % ids.length]!).pipe(as(owner))
            } else {
              yield* runFor(1)
            }
            const count = yield* used(owner)
            assert.strictEqual(count, yield* counted(owner))
            assert.isAtMost(count, allowance)
          }
          // What is left is asked for by the rest of the script, and then by default.
          yield* runFor(60)
          yield* checkEnded(owner)
          assert.lengthOf(yield* eventsOf(owner, ["generation"]), ids.length)
          yield* TestClock.setTime(0)
        }
      }),
    120_000
  )

  it.effect("GEN-7 50 calls at once for the last 5 images take 5", () =>
    Effect.gen(function*() {
      const owner = yield* user({ monthlyImages: 5 })
      const exits = yield* Effect.all(Array.from({ length: 50 }, () => Effect.exit(generate(owner))), {
        concurrency: "unbounded"
      })
      const outcomes = exits.map((exit) => codes(exit)[0])
      assert.lengthOf(outcomes.filter((outcome) => outcome === "succeeded"), 5)
      assert.lengthOf(outcomes.filter((outcome) => outcome === "no_images_left"), 45)
      assert.strictEqual(yield* used(owner), 5)
    }))
})
