/**
 * Jobs in SQL. This module and {@link "./JobClaimsRepo.ts"} alone read and write `jobs`.
 *
 * A worker owns a job while it holds its lease; every statement that settles
 * one names the lease, so a worker that lost it changes nothing. While a job is
 * leased its `run_time` is when the lease ends. {@link "./JobState.ts"} has the states and what changes them.
 *
 * `is_due` marks the jobs that wait for their accounts' turns. It is set when such a job is enqueued for now, or by the claims when its
 * time has come, and cleared whenever the job gets a lease or a later time. `set_time` is when `run_time` was decided.
 */
import { Context, DateTime, type Duration, Effect, flow, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { FailingJob, JobCounts } from "./JobCounts.ts"
import type { Recurrence } from "./JobRegistry.ts"
import { jobsChannel } from "./JobSignals.ts"
import type { Gone, Queued, Retrying } from "./JobState.ts"
import type { LeasedJob } from "./LeasedJob.ts"

interface KindOfJob {
  readonly kind: string
  /** Whether accounts take turns, as its handler says; where the kind has none here, the claims of other processes find the job. */
  readonly takesTurns: boolean
}

const make = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  const date = DateTime.toDateUtc

  /** What enqueuing does to a job that waits already: it comes earlier, unless it is earlier as it is. */
  const earlier = sql.literal(`
    run_time = CASE WHEN j.lease IS NULL THEN LEAST(j.run_time, EXCLUDED.run_time) ELSE j.run_time END,
    set_time = CASE WHEN j.lease IS NULL AND EXCLUDED.run_time < j.run_time THEN EXCLUDED.set_time ELSE j.set_time END,
    is_due = j.is_due OR (EXCLUDED.is_due AND j.lease IS NULL)
  `)

  /**
   * One job for each kind and key: a waiting one comes earlier, a running one runs again. The signal to other
   * processes is part of the transaction, and left out where their next poll will be early enough.
   */
  const enqueue = (
    { key, kind, takesTurns }: KindOfJob & { readonly key: string },
    time: DateTime.Utc,
    now: DateTime.Utc,
    signal: boolean
  ) =>
    sql`
      INSERT INTO ${t.jobs} AS j (kind, key, run_time, is_due, set_time, insert_time)
      VALUES (${kind}, ${key}, ${date(time)}, ${takesTurns && DateTime.isLessThanOrEqualTo(time, now)}::boolean,
        ${date(now)}, ${date(now)})
      ON CONFLICT (kind, key) DO UPDATE SET ${earlier},
        rerun_time = CASE WHEN j.lease IS NULL THEN NULL ELSE LEAST(j.rerun_time, EXCLUDED.run_time) END
      ${signal ? sql`RETURNING pg_notify(${jobsChannel}, ${schema})::text` : sql.literal("")}
    `.pipe(Effect.asVoid, Effect.orDie)

  /**
   * Enqueues a job that is claimed at once under `lease`. Null when another run has it already: then it runs once more, as with
   * {@link enqueue}. The others need no signal: they have nothing to do.
   */
  const start = (kind: string, key: string, lease: string, now: DateTime.Utc, leaseEnd: DateTime.Utc) =>
    sql<LeasedJob>`
      INSERT INTO ${t.jobs} AS j (kind, key, run_time, set_time, insert_time, lease, attempts)
      VALUES (${kind}, ${key}, ${date(leaseEnd)}, ${date(now)}, ${date(now)}, ${lease}::uuid, 1)
      ON CONFLICT (kind, key) DO UPDATE SET
        run_time = CASE WHEN j.lease IS NULL THEN EXCLUDED.run_time ELSE j.run_time END,
        set_time = CASE WHEN j.lease IS NULL THEN EXCLUDED.set_time ELSE j.set_time END,
        is_due = j.is_due AND j.lease IS NOT NULL,
        rerun_time = CASE WHEN j.lease IS NULL THEN NULL ELSE LEAST(j.rerun_time, ${date(now)}) END,
        attempts = CASE WHEN j.lease IS NULL THEN j.attempts + 1 ELSE j.attempts END,
        lease = COALESCE(j.lease, EXCLUDED.lease)
      RETURNING id, kind, key, account, attempts AS attempt, lease::text AS lease
    `.pipe(Effect.map(([job]) => job?.lease === lease ? job : null), Effect.orDie)

  /** The same for many at once, due now; in one order, so that two calls with the same jobs don't deadlock. */
  const enqueueAll = ({ kind, takesTurns }: KindOfJob, keys: ReadonlyArray<string>, now: DateTime.Utc) =>
    sql`
      WITH asked AS (
        INSERT INTO ${t.jobs} AS j (kind, key, run_time, is_due, set_time, insert_time)
        SELECT ${kind}::text, wanted.key, ${date(now)}::timestamptz, ${takesTurns}::boolean, ${date(now)}::timestamptz,
          ${date(now)}::timestamptz
        FROM unnest(${[...new Set(keys)].sort()}::text[]) AS wanted (key)
        ON CONFLICT (kind, key) DO UPDATE SET ${earlier},
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
        UPDATE ${t.jobs} j SET run_time = late.next_time, set_time = ${
      date(now)
    }::timestamptz FROM late WHERE j.id = late.id
      )
      INSERT INTO ${t.jobs} (kind, key, run_time, set_time, insert_time)
      SELECT wanted.kind, '', wanted.first_time, ${date(now)}::timestamptz, ${date(now)}::timestamptz FROM wanted
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

  /** Keeps a lease alive; false when it was lost. */
  const renew = (job: LeasedJob, now: DateTime.Utc, leaseEnd: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET run_time = ${date(leaseEnd)}, set_time = ${date(now)}, is_due = false
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Lets a job wait until `time`, or until the time it was enqueued for while it ran, whichever is earlier. Returns that time. */
  const release = (job: LeasedJob, after: Queued | Retrying | null, now: DateTime.Utc) =>
    sql<{ readonly time: Date }>`
      UPDATE ${t.jobs}
      SET run_time = LEAST(rerun_time, ${after === null ? null : date(after.time)}::timestamptz), rerun_time = NULL,
        is_due = false, set_time = ${date(now)}, lease = NULL, last_error = ${
      after?._tag === "Retrying" ? after.failure : null
    }::text,
        attempts = ${after?.attempts ?? 0}::int
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid AND (rerun_time IS NOT NULL OR ${after !== null})
      RETURNING run_time AS time
    `.pipe(Effect.map((rows) => rows[0]?.time ?? null), Effect.orDie)

  /** Ends a job, unless it was enqueued again while it ran; returns as {@link release} does. */
  const finish = (job: LeasedJob, now: DateTime.Utc) =>
    sql`
      DELETE FROM ${t.jobs}
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid AND rerun_time IS NULL RETURNING 1
    `.pipe(
      Effect.orDie,
      // A second statement, because it must see what the first one may have waited for.
      Effect.flatMap((ended) => ended.length > 0 ? Effect.succeed(null) : release(job, null, now))
    )

  /** Records the state of a job after a run. Returns when it runs again; null when it doesn't, or another worker has it. */
  const settle = (job: LeasedJob, after: Gone | Queued | Retrying, now: DateTime.Utc) =>
    after._tag === "Gone" ? finish(job, now) : release(job, after, now)

  /** Hands a job back as if it had not been claimed. */
  const handBack = (job: LeasedJob, now: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET run_time = ${date(now)}, set_time = ${
      date(now)
    }, is_due = false, rerun_time = NULL, lease = NULL,
        attempts = attempts - 1
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
