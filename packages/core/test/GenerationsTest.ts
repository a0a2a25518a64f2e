/** Generations of a drive whose providers are scripted, and how the account stands after. */
import { assert } from "@effect/vitest"
import { TestImageGenerator } from "@filedrive/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../src/database/Database.ts"
import { Events } from "../src/events/Events.ts"
import { type GenerationRequest, Generations } from "../src/generations/Generations.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import type { AccountId, GenerationId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { checkClean } from "./ImportsTest.ts"
import { as, TestAccounts } from "./TestAccounts.ts"

export const user = (account: Parameters<TestAccounts["Service"]["add"]>[0] = {}) =>
  TestAccounts.use((users) => users.add(account))

export const generate = (owner: AccountId, request: Partial<GenerationRequest> = {}) =>
  Generations.use((generations) => generations.generate({ prompt: "A tram", ...request })).pipe(as(owner))

/** Runs what is due. */
export const runJobs = JobsWorker.use((worker) => worker.runDue)

/** Runs what is due, every second of so many. */
export const runFor = (seconds: number) =>
  Effect.gen(function*() {
    for (let second = 0; second < seconds; second++) {
      yield* runJobs
      yield* TestClock.adjust("1 second")
    }
    yield* runJobs
  })

/** How a generation stands. */
export const look = Effect.fnUntraced(function*(owner: AccountId, id: GenerationId) {
  const [item] = yield* Generations.use((generations) => generations.select([id])).pipe(as(owner))
  return item ?? assert.fail("no such generation")
})

export const used = (owner: AccountId) =>
  Generations.use(({ allowance }) => allowance).pipe(as(owner), Effect.map(({ used }) => used))

/** The provider's calls for one generation, as `submit` or `poll job-1`. */
export const asked = (id: GenerationId) =>
  TestImageGenerator.use(({ calls }) => calls).pipe(
    Effect.map((calls) =>
      calls.flatMap(({ job, method, request }) =>
        request.generationId !== id ? [] : job === null ? [method] : [`${method} ${job}`]
      )
    )
  )

export const eventsOf = (owner: AccountId, kinds: ReadonlyArray<"generation" | "file">) =>
  Events.use((events) => events.select(Checked.events({ kinds, limit: 100 }))).pipe(
    as(owner),
    Effect.map(({ events }) => events.map(({ event }) => event))
  )

/**
 * Every generation has ended; the month has as many as are done; each has one event; and nothing is in storage but files. Answers how
 * many are done.
 */
export const checkEnded = Effect.fnUntraced(function*(owner: AccountId) {
  const { sql, tables: t } = yield* Database
  const rows = yield* sql<{ readonly id: GenerationId; readonly state: string }>`
    SELECT id, state FROM ${t.generations} WHERE account_id = ${owner}
  `
  assert.deepStrictEqual(rows.filter(({ state }) => !["done", "failed", "cancelled"].includes(state)), [])
  const done = rows.filter(({ state }) => state === "done").length
  assert.strictEqual(yield* used(owner), done)
  const events = yield* sql<{ readonly id: string }>`
    SELECT generation_id AS id FROM ${t.events} WHERE account_id = ${owner} AND kind = 'generation'
  `
  assert.sameMembers(events.map(({ id }) => id), rows.map(({ id }) => id))
  // What may still have been stored when its generation ended is kept for an hour.
  yield* TestClock.adjust("61 minutes")
  yield* checkClean(owner)
  return done
})
