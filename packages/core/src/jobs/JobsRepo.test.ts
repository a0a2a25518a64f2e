/** The statements change a job as {@link "./JobState.ts"} says: each event, in each state. */
import { assert, layer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Duration, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { JobClaimsRepo } from "./JobClaimsRepo.ts"
import { JobsRepo } from "./JobsRepo.ts"
import { gone, type JobEvent, type JobState, next, type Pass, settled } from "./JobState.ts"

const now = DateTime.makeUnsafe("2026-01-01T12:00:00Z")
const at = (offset: Duration.Input) => DateTime.addDuration(now, Duration.fromInputUnsafe(offset))
const before = (offset: Duration.Input) => DateTime.subtractDuration(now, Duration.fromInputUnsafe(offset))

const [mine, others] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
const kind = "letters"
const key = "a"

const held = { _tag: "Running", lease: mine, leaseEnd: at("30 seconds"), attempts: 2, rerunTime: null } as const
const states: ReadonlyArray<JobState> = [
  gone,
  { _tag: "Queued", time: before("1 minute"), attempts: 0 },
  { _tag: "Queued", time: at("1 hour"), attempts: 1 },
  { _tag: "Retrying", time: now, attempts: 3, failure: "no answer" },
  { _tag: "Retrying", time: at("1 hour"), attempts: 3, failure: "no answer" },
  { ...held, failure: null },
  { ...held, failure: "no answer" },
  { ...held, failure: null, rerunTime: at("1 minute") },
  { ...held, failure: "no answer", rerunTime: before("1 second") },
  { ...held, failure: null, leaseEnd: before("1 second"), rerunTime: at("1 minute") }
]

const passes: ReadonlyArray<Pass> = [
  { _tag: "Done" },
  { _tag: "Yield" },
  { _tag: "Retry", time: at("5 minutes") },
  { _tag: "BackOff", setback: "failed", failure: "no answer" }
]
const events: ReadonlyArray<JobEvent> = [
  { _tag: "Enqueued", time: now },
  { _tag: "Enqueued", time: at("2 hours") },
  { _tag: "Started", lease: others, now, leaseEnd: at("30 seconds") },
  { _tag: "Claimed", lease: others, now, leaseEnd: at("30 seconds") },
  { _tag: "Cancelled" },
  ...[mine, others].flatMap((lease) => [
    ...passes.map((pass): JobEvent => ({ _tag: "Passed", lease, pass, now, jitter: 1 })),
    { _tag: "HandedBack", lease, now } as const
  ])
]

interface Row {
  readonly id: bigint
  readonly time: Date
  readonly attempts: number
  readonly lease: string | null
  readonly failure: string | null
  readonly rerunTime: Date | null
}

const plant = (state: JobState) =>
  Effect.gen(function*() {
    const { sql, tables: t } = yield* Database
    yield* sql`DELETE FROM ${t.jobs}`
    if (state._tag === "Gone") return
    const isRunning = state._tag === "Running"
    yield* sql`
      INSERT INTO ${t.jobs} (kind, key, run_time, attempts, lease, last_error, rerun_time, insert_time)
      VALUES (${kind}, ${key}, ${DateTime.toDateUtc(isRunning ? state.leaseEnd : state.time)}, ${state.attempts}::int,
        ${isRunning ? state.lease : null}::uuid, ${state._tag === "Queued" ? null : state.failure}::text,
        ${isRunning && state.rerunTime !== null ? DateTime.toDateUtc(state.rerunTime) : null}::timestamptz,
        ${DateTime.toDateUtc(now)})
    `
  })

const row = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database
  const rows = yield* sql<Row>`
    SELECT id, run_time AS "time", attempts, lease::text AS lease, last_error AS failure, rerun_time AS "rerunTime"
    FROM ${t.jobs}
  `
  return rows[0]
})

const stateOf = (row: Row | undefined): JobState => {
  if (row === undefined) return gone
  const { attempts, failure, lease, rerunTime } = row
  const time = DateTime.fromDateUnsafe(row.time)
  if (lease === null) {
    return failure === null ? { _tag: "Queued", time, attempts } : { _tag: "Retrying", time, attempts, failure }
  }
  return {
    _tag: "Running",
    lease,
    leaseEnd: time,
    attempts,
    failure,
    rerunTime: rerunTime === null ? null : DateTime.fromDateUnsafe(rerunTime)
  }
}

const apply = Effect.fnUntraced(function*(event: JobEvent) {
  const repo = yield* JobsRepo
  const found = yield* row
  const leased = (lease: string) => ({
    id: found?.id ?? 0n,
    kind,
    key,
    account: key,
    attempt: found?.attempts ?? 1,
    lease
  })
  switch (event._tag) {
    case "Enqueued":
      return yield* repo.enqueue({ kind, key, takesTurns: false }, event.time, now, false)
    case "Started":
      return yield* repo.start(kind, key, event.lease, event.now, event.leaseEnd)
    case "Claimed":
      return yield* (yield* JobClaimsRepo).claim(
        new Map([[kind, { free: 8, turns: null }]]),
        event.lease,
        event.now,
        event.leaseEnd
      )
    case "Cancelled":
      return yield* repo.cancel(kind, key)
    case "Passed": {
      const job = leased(event.lease)
      return yield* repo.settle(job, settled({ attempts: job.attempt }, event.pass, event.now, event.jitter), event.now)
    }
    case "HandedBack":
      return yield* repo.handBack(leased(event.lease), event.now)
  }
})

/** As JSON, whose times compare. */
const plain = (state: JobState): unknown => JSON.parse(JSON.stringify(state))

layer(Layer.merge(JobClaimsRepo.layer, JobsRepo.layer).pipe(Layer.provideMerge(TestDatabase.layer)))(
  "The statements of jobs",
  (it) => {
    it.effect.each(events.map((event) => [JSON.stringify(event), event] as const))(
      "JOB-36 do in each state what the table says of %s",
      ([, event]) =>
        Effect.gen(function*() {
          for (const state of states) {
            yield* plant(state)
            yield* apply(event)
            assert.deepStrictEqual(plain(stateOf(yield* row)), plain(next(state, event)), JSON.stringify(state))
          }
        })
    )
  }
)
