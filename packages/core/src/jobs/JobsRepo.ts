/**
 * Jobs in SQL. The only module that reads or writes `jobs`.
 *
 * A worker owns a job while it holds its lease; every statement that settles
 * one names the lease, so a worker that lost it changes nothing. While a job is
 * leased its `run_time` is when the lease ends. {@link "./JobState.ts"} has the states and what changes them.
 */
import { Context, DateTime, type Duration, Effect, flow, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { FailingJob, JobCounts } from "./JobCounts.ts"
import type { Recurrence } from "./JobRegistry.ts"
import { jobsChannel } from "./JobSignals.ts"
import type { Gone, Queued, Retrying } from "./JobState.ts"
import type { Capacity, Claim, LeasedJob } from "./LeasedJob.ts"

/** Accounts that one poll visits, where they take turns. */
const ringMaxSteps = 64

const make = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  const date = DateTime.toDateUtc

  /**
   * One job for each kind and key: a waiting one comes earlier, a running one runs again. The signal to other
   * processes is part of the transaction, and left out where their next poll will be early enough.
   */
  const enqueue = (kind: string, key: string, time: DateTime.Utc, now: DateTime.Utc, signal: boolean) =>
    sql`
      INSERT INTO ${t.jobs} AS j (kind, key, run_time, insert_time)
      VALUES (${kind}, ${key}, ${date(time)}, ${date(now)})
      ON CONFLICT (kind, key) DO UPDATE SET
        run_time = CASE WHEN j.lease IS NULL THEN LEAST(j.run_time, EXCLUDED.run_time) ELSE j.run_time END,
        rerun_time = CASE WHEN j.lease IS NULL THEN NULL ELSE LEAST(j.rerun_time, EXCLUDED.run_time) END
      ${signal ? sql`RETURNING pg_notify(${jobsChannel}, ${schema})::text` : sql.literal("")}
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Enqueues a job that is claimed at once under `lease`. Null when another run has it already: then it runs once more, as with
   * {@link enqueue}. The others need no signal: they have nothing to do.
   */
  const start = (kind: string, key: string, lease: string, now: DateTime.Utc, leaseEnd: DateTime.Utc) =>
    sql<LeasedJob>`
      INSERT INTO ${t.jobs} AS j (kind, key, run_time, insert_time, lease, attempts)
      VALUES (${kind}, ${key}, ${date(leaseEnd)}, ${date(now)}, ${lease}::uuid, 1)
      ON CONFLICT (kind, key) DO UPDATE SET
        run_time = CASE WHEN j.lease IS NULL THEN EXCLUDED.run_time ELSE j.run_time END,
        rerun_time = CASE WHEN j.lease IS NULL THEN NULL ELSE LEAST(j.rerun_time, ${date(now)}) END,
        attempts = CASE WHEN j.lease IS NULL THEN j.attempts + 1 ELSE j.attempts END,
        lease = COALESCE(j.lease, EXCLUDED.lease)
      RETURNING id, kind, key, account, attempts AS attempt, lease::text AS lease
    `.pipe(Effect.map(([job]) => job?.lease === lease ? job : null), Effect.orDie)

  /** The same for many at once, due now; in one order, so that two calls with the same jobs don't deadlock. */
  const enqueueAll = (kind: string, keys: ReadonlyArray<string>, now: DateTime.Utc) =>
    sql`
      WITH asked AS (
        INSERT INTO ${t.jobs} AS j (kind, key, run_time, insert_time)
        SELECT ${kind}::text, wanted.key, ${date(now)}::timestamptz, ${date(now)}::timestamptz
        FROM unnest(${[...new Set(keys)].sort()}::text[]) AS wanted (key)
        ON CONFLICT (kind, key) DO UPDATE SET
          run_time = CASE WHEN j.lease IS NULL THEN LEAST(j.run_time, EXCLUDED.run_time) ELSE j.run_time END,
          rerun_time = CASE WHEN j.lease IS NULL THEN NULL ELSE LEAST(j.rerun_time, EXCLUDED.run_time) END
      )
      SELECT pg_notify(${jobsChannel}, ${schema})::text
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Recurring jobs are made where there are none, and come earlier where their interval has become shorter; where all is as it should be,
   * nothing is written. In one order, so that two processes that start don't deadlock.
   */
  const ensure = (recurring: ReadonlyMap<string, Recurrence>, now: DateTime.Utc) => {
    const kinds = [...recurring.keys()].sort()
    const times = (of: (recurrence: Recurrence) => Duration.Duration) =>
      kinds.map((kind) => date(DateTime.addDuration(now, of(recurring.get(kind)!))).toISOString())
    return sql`
      WITH wanted AS (
        SELECT * FROM unnest(${kinds}::text[], ${times(({ firstAfter }) => firstAfter)}::timestamptz[],
          ${times(({ interval }) => interval)}::timestamptz[]) AS wanted (kind, first_time, next_time)
      ), late AS MATERIALIZED (
        SELECT j.id, wanted.next_time FROM ${t.jobs} j JOIN wanted ON wanted.kind = j.kind
        WHERE j.key = '' AND j.lease IS NULL AND j.run_time > wanted.next_time ORDER BY j.kind FOR UPDATE OF j
      ), earlier AS (
        UPDATE ${t.jobs} j SET run_time = late.next_time FROM late WHERE j.id = late.id
      )
      INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
      SELECT wanted.kind, '', wanted.first_time, ${date(now)} FROM wanted
      WHERE NOT EXISTS (SELECT 1 FROM ${t.jobs} j WHERE j.kind = wanted.kind AND j.key = '')
      ORDER BY wanted.kind
      ON CONFLICT (kind, key) DO NOTHING
    `.pipe(Effect.asVoid, Effect.orDie)
  }

  /** Two statements, that for the running job first: a job that is handed back meanwhile is seen waiting by the second. */
  const cancel = (kind: string, key: string) =>
    Effect.andThen(
      sql`UPDATE ${t.jobs} SET rerun_time = NULL WHERE kind = ${kind} AND key = ${key} AND lease IS NOT NULL`,
      sql`DELETE FROM ${t.jobs} WHERE kind = ${kind} AND key = ${key} AND lease IS NULL`
    ).pipe(Effect.asVoid, Effect.orDie)

  /**
   * Claims due jobs under one lease, of each kind at most as many as there is room for; no two workers claim the same. Returns
   * when there will be more. Where accounts take turns, the poll visits those that have jobs, beginning after the last one
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
                WHERE NOT turns.is_round AND j.kind = fair.kind AND j.account > turns.account ORDER BY j.account LIMIT 1)
              UNION ALL
              (SELECT j.account, true FROM ${t.jobs} j
                WHERE turns.is_round AND j.kind = fair.kind AND j.account > turns.account AND j.account <= fair.after
                ORDER BY j.account LIMIT 1)
              UNION ALL
              (SELECT j.account, true FROM ${t.jobs} j
                WHERE NOT turns.is_round AND j.kind = fair.kind AND j.account <= fair.after ORDER BY j.account LIMIT 1)
              LIMIT 1
            ) next WHERE turns.step < ${ringMaxSteps}::int
          )
          SELECT turns.account, turns.step FROM turns WHERE turns.step > 0
        ) turns
      ), due AS MATERIALIZED (
        SELECT found.id, NULL::int AS step FROM wanted, LATERAL (
          SELECT j.id FROM ${t.jobs} j WHERE j.kind = wanted.kind AND j.run_time <= ${date(now)}
          ORDER BY j.run_time LIMIT wanted.room FOR UPDATE SKIP LOCKED
        ) found
        UNION ALL
        SELECT found.id, found.step FROM fair, LATERAL (
          SELECT taken.id, turn.step
          FROM (SELECT ring.account, ring.step FROM ring WHERE ring.kind = fair.kind ORDER BY ring.step) turn, LATERAL (
            SELECT j.id FROM ${t.jobs} j
            WHERE j.kind = fair.kind AND j.account = turn.account AND j.run_time <= ${date(now)}
            ORDER BY j.run_time
            LIMIT GREATEST(fair.of_account - COALESCE(
              (SELECT busy.count FROM busy WHERE busy.kind = fair.kind AND busy.account = turn.account), 0), 0)
            FOR UPDATE SKIP LOCKED
          ) taken LIMIT fair.room
        ) found
      ), claimed AS (
        UPDATE ${t.jobs} j
        SET lease = ${lease}::uuid, run_time = ${date(leaseEnd)}, rerun_time = NULL, attempts = j.attempts + 1
        -- As an array, or a table of many rows would be read from end to end for these few.
        WHERE j.id = ANY(ARRAY(SELECT id FROM due))
        RETURNING j.id, j.kind, j.key, j.account, j.attempts, j.lease
      )
      SELECT claimed.id, kind, key, account, due.step, attempts AS attempt, lease::text AS lease,
        NULL::timestamptz AS "nextTime"
      FROM claimed JOIN due ON due.id = claimed.id
      UNION ALL
      SELECT NULL, wanted.kind, NULL, NULL, NULL, NULL, NULL, next.run_time FROM wanted, LATERAL (
        SELECT j.run_time FROM ${t.jobs} j WHERE j.kind = wanted.kind AND j.id NOT IN (SELECT id FROM due)
        ORDER BY j.run_time LIMIT 1
      ) next
      UNION ALL
      -- What is due and was not taken is left to whose turn comes, unless the look ended before it had gone round.
      SELECT NULL, fair.kind, NULL, ring.account, NULL, NULL, NULL, ${date(now)}::timestamptz FROM fair
      JOIN ring ON ring.kind = fair.kind AND ring.step = ${ringMaxSteps}::int
      WHERE EXISTS (
        SELECT 1 FROM ${t.jobs} j
        WHERE j.kind = fair.kind AND j.run_time <= ${date(now)} AND j.id NOT IN (SELECT id FROM due)
      )
      UNION ALL
      SELECT NULL, fair.kind, NULL, NULL, NULL, NULL, NULL, next.run_time FROM fair, LATERAL (
        SELECT j.run_time FROM ${t.jobs} j WHERE j.kind = fair.kind AND j.run_time > ${date(now)}
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
        return { jobs, nextTimes, turns: new Map(turns), isCut: others.some(({ account }) => account !== null) }
      }),
      Effect.orDie
    )
  }

  /** Keeps a lease alive; false when it was lost. */
  const renew = (job: LeasedJob, leaseEnd: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET run_time = ${date(leaseEnd)}
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Lets a job wait until `time`, or until the time it was enqueued for while it ran, whichever is earlier. Returns that time. */
  const release = (job: LeasedJob, after: Queued | Retrying | null) =>
    sql<{ readonly time: Date }>`
      UPDATE ${t.jobs}
      SET run_time = LEAST(rerun_time, ${after === null ? null : date(after.time)}::timestamptz), rerun_time = NULL,
        lease = NULL, last_error = ${after?._tag === "Retrying" ? after.failure : null}::text,
        attempts = ${after?.attempts ?? 0}::int
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid AND (rerun_time IS NOT NULL OR ${after !== null})
      RETURNING run_time AS time
    `.pipe(Effect.map((rows) => rows[0]?.time ?? null), Effect.orDie)

  /** Ends a job, unless it was enqueued again while it ran; returns as {@link release} does. */
  const finish = (job: LeasedJob) =>
    sql`
      DELETE FROM ${t.jobs}
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid AND rerun_time IS NULL RETURNING 1
    `.pipe(
      Effect.orDie,
      // A second statement, because it must see what the first one may have waited for.
      Effect.flatMap((ended) => ended.length > 0 ? Effect.succeed(null) : release(job, null))
    )

  /** Records the state of a job after a run. Returns when it runs again; null when it doesn't, or another worker has it. */
  const settle = (job: LeasedJob, after: Gone | Queued | Retrying) =>
    after._tag === "Gone" ? finish(job) : release(job, after)

  /** Hands a job back as if it had not been claimed. */
  const handBack = (job: LeasedJob, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET run_time = ${date(now)}, rerun_time = NULL, lease = NULL, attempts = attempts - 1
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid
    `.pipe(Effect.asVoid, Effect.orDie)

  const counts = sql<JobCounts>`
    SELECT kind, count(*) FILTER (WHERE lease IS NULL)::int AS waiting, count(lease)::int AS running,
      count(*) FILTER (WHERE lease IS NULL AND last_error IS NOT NULL)::int AS failing
    FROM ${t.jobs} GROUP BY kind ORDER BY kind
  `.pipe(Effect.orDie)

  const failing = (limit: number) =>
    sql<FailingJob>`
      SELECT kind, key, attempts, last_error AS "lastError", run_time AS "nextTime" FROM ${t.jobs}
      WHERE last_error IS NOT NULL ORDER BY attempts DESC, id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  // Jobs also delete, and a caller who may do the work may enqueue its job: so this write is allowed on a full disk. There is one row for each job.
  return {
    enqueue: flow(enqueue, WritePurpose.freeing),
    start: flow(start, WritePurpose.freeing),
    enqueueAll: flow(enqueueAll, WritePurpose.freeing),
    ensure: flow(ensure, WritePurpose.freeing),
    cancel: flow(cancel, WritePurpose.freeing),
    claim: flow(claim, WritePurpose.freeing),
    renew: flow(renew, WritePurpose.freeing),
    settle: flow(settle, WritePurpose.freeing),
    handBack: flow(handBack, WritePurpose.freeing),
    counts,
    failing
  }
})

export class JobsRepo
  extends Context.Service<JobsRepo, Effect.Success<typeof make>>()("@filedrive/core/jobs/JobsRepo")
{
  static readonly layer = Layer.effect(JobsRepo, make)
}
