/** Claiming jobs, in SQL: which due jobs a worker runs next, and the turns of accounts. See {@link "./JobsRepo.ts"}. */
import { Context, DateTime, Duration, Effect, flow, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import { jobsChannel } from "./JobSignals.ts"
import type { Capacity, Claim, LeasedJob } from "./LeasedJob.ts"

/** Accounts that one poll visits, where they take turns. */
const ringMaxSteps = 64

/** Jobs that become due by one statement, where accounts take turns. */
const duePerStatement = 1_000

/** The clocks of processes that use the database's time differ by much less. */
const clockTolerance = Duration.seconds(10)

const make = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  const date = DateTime.toDateUtc

  /**
   * Claims due jobs under one lease, of each kind at most as many as there is room for; no two workers claim the same. Returns
   * when there will be more. Where accounts take turns, the poll visits those that have something due, beginning after the last one
   * that had its turn: each step is one index lookup, however many jobs that account has waiting, and a poll takes a limited number of steps.
   * A job that is enqueued again from now on runs again; one that was enqueued before is served by this run.
   */
  const claim = (
    capacities: ReadonlyMap<string, Capacity>,
    lease: string,
    now: DateTime.Utc,
    leaseEnd: DateTime.Utc
  ) => {
    const inOrder = [...capacities].filter(([, { turns }]) => turns === null)
    const roundRobin = [...capacities].flatMap(([kind, { free, turns }]) =>
      turns === null ? [] : [{ kind, free, ...turns }]
    )
    const busy = roundRobin.flatMap(({ kind, running }) =>
      [...running].map(([account, count]) => ({ kind, account, count }))
    )
    // Materialized: the planner may otherwise run the limited subquery more than once, and take more.
    return sql<
      | (LeasedJob & { readonly step: number | null; readonly nextTime: null })
      | {
        readonly id: null
        readonly kind: string
        readonly account: string | null
        readonly step: null
        readonly nextTime: Date
      }
    >`
      WITH wanted AS (
        SELECT * FROM unnest(${inOrder.map(([kind]) => kind)}::text[], ${inOrder.map(([, { free }]) => free)}::int[])
          AS wanted (kind, room)
      ), fair AS (
        SELECT * FROM unnest(${roundRobin.map(({ kind }) => kind)}::text[], ${
      roundRobin.map(({ free }) => free)
    }::int[],
          ${roundRobin.map(({ ofAccount }) => ofAccount)}::int[], ${roundRobin.map(({ after }) => after)}::text[])
          AS fair (kind, room, of_account, after)
      ), busy AS (
        SELECT * FROM unnest(${busy.map(({ kind }) => kind)}::text[], ${busy.map(({ account }) => account)}::text[],
          ${busy.map(({ count }) => count)}::int[]) AS busy (kind, account, count)
      ), ring AS MATERIALIZED (
        SELECT fair.kind, turns.account, turns.step FROM fair, LATERAL (
          WITH RECURSIVE turns AS (
            SELECT fair.after COLLATE "C" AS account, false AS is_round, 0 AS step
            UNION ALL
            SELECT next.account, next.is_round, turns.step + 1 FROM turns, LATERAL (
              (SELECT j.account, false AS is_round FROM ${t.jobs} j
                WHERE NOT turns.is_round AND j.kind = fair.kind AND j.is_due AND j.account > turns.account
                ORDER BY j.account LIMIT 1)
              UNION ALL
              (SELECT j.account, true FROM ${t.jobs} j
                WHERE turns.is_round AND j.kind = fair.kind AND j.is_due AND j.account > turns.account
                  AND j.account <= fair.after
                ORDER BY j.account LIMIT 1)
              UNION ALL
              (SELECT j.account, true FROM ${t.jobs} j
                WHERE NOT turns.is_round AND j.kind = fair.kind AND j.is_due AND j.account <= fair.after
                ORDER BY j.account LIMIT 1)
              LIMIT 1
            ) next WHERE turns.step < ${ringMaxSteps}::int
          )
          SELECT turns.account, turns.step FROM turns WHERE turns.step > 0
        ) turns
      ), due AS MATERIALIZED (
        SELECT found.id, NULL::int AS step FROM wanted, LATERAL (
          SELECT j.id FROM ${t.jobs} j WHERE j.kind = wanted.kind AND NOT j.is_due AND j.run_time <= ${date(now)}
          ORDER BY j.run_time LIMIT wanted.room FOR UPDATE SKIP LOCKED
        ) found
        UNION ALL
        SELECT found.id, found.step FROM fair, LATERAL (
          SELECT taken.id, turn.step
          FROM (SELECT ring.account, ring.step FROM ring WHERE ring.kind = fair.kind ORDER BY ring.step) turn, LATERAL (
            SELECT j.id FROM ${t.jobs} j
            WHERE j.kind = fair.kind AND j.is_due AND j.account = turn.account AND j.run_time <= ${date(now)}
            ORDER BY j.run_time
            LIMIT GREATEST(fair.of_account - COALESCE(
              (SELECT busy.count FROM busy WHERE busy.kind = fair.kind AND busy.account = turn.account), 0), 0)
            FOR UPDATE SKIP LOCKED
          ) taken LIMIT fair.room
        ) found
      ), claimed AS (
        UPDATE ${t.jobs} j
        SET lease = ${lease}::uuid, run_time = ${date(leaseEnd)}, set_time = ${
      date(now)
    }, is_due = false, rerun_time = NULL,
          attempts = j.attempts + 1
        -- As an array, or a table of many rows would be read from end to end for these few.
        WHERE j.id = ANY(ARRAY(SELECT id FROM due))
        RETURNING j.id, j.kind, j.key, j.account, j.attempts, j.lease
      )
      SELECT claimed.id, kind, key, account, due.step, attempts AS attempt, lease::text AS lease,
        NULL::timestamptz AS "nextTime"
      FROM claimed JOIN due ON due.id = claimed.id
      UNION ALL
      SELECT NULL, wanted.kind, NULL, NULL, NULL, NULL, NULL, next.run_time FROM wanted, LATERAL (
        SELECT j.run_time FROM ${t.jobs} j WHERE j.kind = wanted.kind AND NOT j.is_due AND j.id NOT IN (SELECT id FROM due)
        ORDER BY j.run_time LIMIT 1
      ) next
      UNION ALL
      -- What is due and was not taken is left to whose turn comes, unless the look ended before it had gone round.
      SELECT NULL, fair.kind, NULL, ring.account, NULL, NULL, NULL, ${date(now)}::timestamptz FROM fair
      JOIN ring ON ring.kind = fair.kind AND ring.step = ${ringMaxSteps}::int, LATERAL (
        -- One lookup for each kind: as EXISTS it may become a join that reads everything due.
        SELECT 1 FROM ${t.jobs} j
        WHERE j.kind = fair.kind AND j.is_due AND j.run_time <= ${date(now)} AND j.id NOT IN (SELECT id FROM due)
        ORDER BY j.account, j.run_time LIMIT 1
      ) others
      UNION ALL
      -- Of one whose time has come this is in the past: it becomes due by the next statement.
      SELECT NULL, fair.kind, NULL, NULL, NULL, NULL, NULL, next.run_time FROM fair, LATERAL (
        SELECT j.run_time FROM ${t.jobs} j WHERE j.kind = fair.kind AND NOT j.is_due
        ORDER BY j.run_time LIMIT 1
      ) next
    `.pipe(
      Effect.map((rows): Claim => {
        const jobs = rows.filter((row) => row.id !== null)
        const others = rows.filter((row) => row.id === null)
        const nextTimes = new Map<string, Date>()
        for (const { kind, nextTime } of others) {
          const sooner = nextTimes.get(kind)
          if (sooner === undefined || nextTime < sooner) nextTimes.set(kind, nextTime)
        }
        const turns = roundRobin.flatMap(({ free, kind }) => {
          const taken = jobs.filter((job) => job.kind === kind)
          const last = taken.toSorted((one, other) => one.step! - other.step!).at(-1)?.account
          // With room left, every account that was visited has had its turn.
          const met = others.find((row) => row.kind === kind && row.account !== null)?.account
          const after = taken.length < free ? met ?? last : last
          return after === undefined ? [] : [[kind, after] as const]
        })
        const overdue = roundRobin.flatMap(({ kind }) =>
          others.some((row) => row.kind === kind && row.account === null && row.nextTime <= date(now)) ? [kind] : []
        )
        return {
          jobs,
          nextTimes,
          turns: new Map(turns),
          isCut: others.some(({ account }) => account !== null),
          overdue
        }
      }),
      Effect.orDie
    )
  }

  /**
   * Of kinds whose accounts take turns, brings jobs whose time has come among those that wait for a turn, and returns how many.
   * So turns pass over the accounts that have only later jobs, of which there may be many thousands. Other processes are told: at the same moment
   * they could neither claim these jobs nor bring them.
   */
  const bringDue = (kinds: ReadonlyArray<string>, now: DateTime.Utc) =>
    sql<{ readonly count: number }>`
      WITH brought AS (UPDATE ${t.jobs} SET is_due = true WHERE id = ANY(ARRAY(
        SELECT found.id FROM unnest(${kinds}::text[]) AS wanted (kind), LATERAL (
          SELECT j.id FROM ${t.jobs} j WHERE j.kind = wanted.kind AND NOT j.is_due AND j.run_time <= ${date(now)}
          ORDER BY j.run_time LIMIT ${duePerStatement}::int FOR UPDATE SKIP LOCKED
        ) found
      )) RETURNING 1), counted AS (SELECT count(*)::int AS count FROM brought)
      SELECT count, pg_notify(${jobsChannel}, ${schema})::text FROM counted WHERE count > 0
    `.pipe(Effect.map(([row]) => row?.count ?? 0), Effect.orDie)

  /** For kinds whose accounts no longer take turns: a former release may have left jobs that wait for one. */
  const leaveTurns = (kinds: ReadonlyArray<string>) =>
    sql`UPDATE ${t.jobs} SET is_due = false WHERE is_due AND kind = ANY(${kinds}::text[])`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  /** Ends every lease, for a process that is alone with its database: the processes that held leases are dead. */
  const endLeases = (now: DateTime.Utc) =>
    sql`UPDATE ${t.jobs} SET run_time = ${date(now)}, set_time = ${date(now)} WHERE lease IS NOT NULL`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  /**
   * A time that was set while a clock was ahead becomes as far from now as it was from the moment at which it was set. A worker that still holds
   * such a lease renews it before its end.
   */
  const correctTimes = (now: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET set_time = ${date(now)}::timestamptz, run_time = run_time + (${
      date(now)
    }::timestamptz - set_time),
        rerun_time = rerun_time + (${date(now)}::timestamptz - set_time)
      WHERE id = ANY(ARRAY(
        SELECT j.id FROM ${t.jobs} j WHERE j.set_time > ${date(DateTime.addDuration(now, clockTolerance))}
        FOR UPDATE SKIP LOCKED
      ))
    `.pipe(Effect.asVoid, Effect.orDie)

  return {
    claim: flow(claim, WritePurpose.freeing),
    bringDue: flow(bringDue, WritePurpose.freeing),
    leaveTurns: flow(leaveTurns, WritePurpose.freeing),
    endLeases: flow(endLeases, WritePurpose.freeing),
    correctTimes: flow(correctTimes, WritePurpose.freeing)
  }
})

export class JobClaimsRepo
  extends Context.Service<JobClaimsRepo, Effect.Success<typeof make>>()("@filedrive/core/jobs/JobClaimsRepo")
{
  static readonly layer = Layer.effect(JobClaimsRepo, make)
}
