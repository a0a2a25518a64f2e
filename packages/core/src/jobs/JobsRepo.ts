/**
 * Jobs in SQL. The only module that reads or writes `jobs`.
 *
 * A worker owns a job while it holds its lease; every statement that settles
 * one names the lease, so a worker that lost it changes nothing. While a job is
 * leased its `run_time` is when the lease ends.
 */
import { Context, DateTime, type Duration, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { jobsChannel } from "./JobSignals.ts"

/** What a worker finds when it looks. */
export interface Claim {
  readonly jobs: ReadonlyArray<LeasedJob>
  /** For each kind when the next of the others is due, or its lease ends. */
  readonly nextTimes: ReadonlyMap<string, Date>
}

/** A job that a worker has taken. */
export interface LeasedJob {
  readonly id: bigint
  readonly kind: string
  readonly key: string
  readonly attempt: number
  readonly lease: string
}

export interface JobCounts {
  readonly kind: string
  readonly waiting: number
  readonly running: number
  /** Of the waiting, those whose last run failed. */
  readonly failing: number
}

/** A job whose last run failed, and that will run again. */
export interface FailingJob {
  readonly kind: string
  readonly key: string
  readonly attempts: number
  readonly lastError: string
  readonly nextTime: Date
}

const make = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database
  const date = DateTime.toDateUtc

  /**
   * One job for each kind and key: a waiting one comes earlier, a running one runs again. The signal to other
   * processes is part of the transaction, and left out where their next look will be early enough.
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

  /** The same for many at once, due now; in one order, so that two who ask for the same don't wait for each other in a ring. */
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

  /** A recurring job is made when there is none, and comes earlier when its interval has become shorter. */
  const ensure = (kind: string, interval: Duration.Duration, now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.jobs} AS j (kind, key, run_time, insert_time)
      VALUES (${kind}, '', ${date(now)}, ${date(now)})
      ON CONFLICT (kind, key) DO UPDATE SET run_time = ${date(DateTime.addDuration(now, interval))}
      WHERE j.lease IS NULL AND j.run_time > ${date(DateTime.addDuration(now, interval))}
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Two statements, that of the running job first: one that is given back meanwhile is seen waiting by the second. */
  const cancel = (kind: string, key: string) =>
    Effect.andThen(
      sql`UPDATE ${t.jobs} SET rerun_time = NULL WHERE kind = ${kind} AND key = ${key} AND lease IS NOT NULL`,
      sql`DELETE FROM ${t.jobs} WHERE kind = ${kind} AND key = ${key} AND lease IS NULL`
    ).pipe(Effect.asVoid, Effect.orDie)

  /**
   * Takes due jobs under one lease, of each kind at most as many as there is room for; no two workers take the same. Says
   * when there will be more.
   * A job that is asked for again from now on runs again, one asked for before is served by this run.
   */
  const claim = (room: ReadonlyMap<string, number>, lease: string, now: DateTime.Utc, leaseEnd: DateTime.Utc) =>
    // Materialized: the planner may otherwise run the limited subquery more than once, and take more.
    sql<
      LeasedJob & { readonly nextTime: null } | { readonly id: null; readonly kind: string; readonly nextTime: Date }
    >`
      WITH wanted AS (
        SELECT * FROM unnest(${[...room.keys()]}::text[], ${[...room.values()]}::int[]) AS wanted (kind, room)
      ), due AS MATERIALIZED (
        SELECT found.id FROM wanted, LATERAL (
          SELECT j.id FROM ${t.jobs} j WHERE j.kind = wanted.kind AND j.run_time <= ${date(now)}
          ORDER BY j.run_time LIMIT wanted.room FOR UPDATE SKIP LOCKED
        ) found
      ), claimed AS (
        UPDATE ${t.jobs} j
        SET lease = ${lease}::uuid, run_time = ${date(leaseEnd)}, rerun_time = NULL, attempts = j.attempts + 1
        FROM due WHERE j.id = due.id
        RETURNING j.id, j.kind, j.key, j.attempts, j.lease
      )
      SELECT id, kind, key, attempts AS attempt, lease::text AS lease, NULL::timestamptz AS "nextTime" FROM claimed
      UNION ALL
      SELECT NULL, wanted.kind, NULL, NULL, NULL, next.run_time FROM wanted, LATERAL (
        SELECT j.run_time FROM ${t.jobs} j WHERE j.kind = wanted.kind AND j.id NOT IN (SELECT id FROM due)
        ORDER BY j.run_time LIMIT 1
      ) next
    `.pipe(
      Effect.map((rows): Claim => ({
        jobs: rows.filter((row) => row.id !== null),
        nextTimes: new Map(rows.flatMap((row) => row.id === null ? [[row.kind, row.nextTime] as const] : []))
      })),
      Effect.orDie
    )

  /** Keeps a lease alive; false when it was lost. */
  const renew = (job: LeasedJob, leaseEnd: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET run_time = ${date(leaseEnd)}
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /**
   * Gives a job back, to run at `time` or when it was asked for while it ran, whichever is earlier. A failure
   * keeps the count of attempts, progress starts it anew. Answers when it runs; null when it doesn't, or is another's.
   */
  const release = (job: LeasedJob, time: DateTime.Utc | null, failure: string | null) =>
    sql<{ readonly time: Date }>`
      UPDATE ${t.jobs}
      SET run_time = LEAST(rerun_time, ${time === null ? null : date(time)}::timestamptz), rerun_time = NULL,
        lease = NULL, last_error = ${failure}::text,
        attempts = CASE WHEN ${failure}::text IS NULL THEN 0 ELSE attempts END
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid AND (rerun_time IS NOT NULL OR ${time !== null})
      RETURNING run_time AS time
    `.pipe(Effect.map((rows) => rows[0]?.time ?? null), Effect.orDie)

  /** Ends a job, unless it was asked for again while it ran; answers as {@link release} does. */
  const finish = (job: LeasedJob) =>
    sql`
      DELETE FROM ${t.jobs}
      WHERE id = ${job.id}::bigint AND lease = ${job.lease}::uuid AND rerun_time IS NULL RETURNING 1
    `.pipe(
      Effect.orDie,
      // A second statement, because it must see what the first one may have waited for.
      Effect.flatMap((ended) => ended.length > 0 ? Effect.succeed(null) : release(job, null, null))
    )

  /** Gives a job back as if it had not been taken. */
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

  return { enqueue, enqueueAll, ensure, cancel, claim, renew, release, finish, handBack, counts, failing }
})

export class JobsRepo
  extends Context.Service<JobsRepo, Effect.Success<typeof make>>()("@filedrive/core/jobs/JobsRepo")
{
  static readonly layer = Layer.effect(JobsRepo, make)
}
