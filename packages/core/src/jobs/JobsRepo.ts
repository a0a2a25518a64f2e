/**
 * Jobs in SQL. The only module that reads or writes `jobs`.
 *
 * A worker owns a job while it holds its lease; every statement that settles
 * one names the lease, so a worker that lost it changes nothing.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"

/** A job that a worker has taken. */
export interface LeasedJob {
  readonly id: bigint
  readonly kind: string
  readonly key: string
  readonly attempt: number
  readonly lease: string
}

/** Jobs of one kind that still can't be run. */
export interface FailingJob {
  readonly kind: string
  readonly key: string
  readonly attempts: number
  readonly lastError: string
  readonly runTime: Date
}

const make = Effect.gen(function*() {
  const { schema, sql, tables: t } = yield* Database

  /** One job for each kind and key: a waiting one comes earlier, a running one runs again. Joins the caller's transaction. */
  const enqueue = Effect.fnUntraced(function*(kind: string, key: string, time: DateTime.Utc, now: DateTime.Utc) {
    const runTime = DateTime.toDateUtc(time)
    yield* sql`
      INSERT INTO ${t.jobs} AS j (kind, key, run_time, insert_time)
      VALUES (${kind}, ${key}, ${runTime}, ${DateTime.toDateUtc(now)})
      ON CONFLICT (kind, key) DO UPDATE SET
        run_time = CASE WHEN j.lease IS NULL THEN LEAST(j.run_time, EXCLUDED.run_time) ELSE j.run_time END,
        rerun_time = CASE WHEN j.lease IS NULL THEN NULL ELSE LEAST(j.rerun_time, EXCLUDED.run_time) END
    `
    // In the transaction, so that no other process looks before there is something to see.
    if (DateTime.isLessThanOrEqualTo(time, now)) yield* sql`SELECT pg_notify(${`${schema}_jobs`}, ${kind})`
  }, Effect.orDie)

  /** Makes a job that is not there yet, and leaves one that is alone. */
  const ensure = (kind: string, key: string, now: DateTime.Utc) =>
    sql`
      INSERT INTO ${t.jobs} (kind, key, run_time, insert_time)
      VALUES (${kind}, ${key}, ${DateTime.toDateUtc(now)}, ${DateTime.toDateUtc(now)})
      ON CONFLICT (kind, key) DO NOTHING
    `.pipe(Effect.asVoid, Effect.orDie)

  const cancel = (kind: string, key: string) =>
    sql`
      WITH waiting AS (DELETE FROM ${t.jobs} WHERE kind = ${kind} AND key = ${key} AND lease IS NULL)
      UPDATE ${t.jobs} SET rerun_time = NULL WHERE kind = ${kind} AND key = ${key} AND lease IS NOT NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  /** Takes due jobs, of each kind at most as many as it has room for; no two workers take the same. */
  const claim = (
    room: ReadonlyMap<string, number>,
    lease: string,
    now: DateTime.Utc,
    leaseUntil: DateTime.Utc
  ) =>
    sql<LeasedJob>`
      UPDATE ${t.jobs} SET lease = ${lease}::uuid, lease_until = ${
      DateTime.toDateUtc(leaseUntil)
    }, attempts = attempts + 1
      WHERE id IN (
        SELECT due.id FROM unnest(${[...room.keys()]}::text[], ${[...room.values()]}::int[]) AS wanted (kind, room),
        LATERAL (
          SELECT j.id FROM ${t.jobs} j
          WHERE j.kind = wanted.kind AND j.run_time <= ${DateTime.toDateUtc(now)}
            AND (j.lease IS NULL OR j.lease_until <= ${DateTime.toDateUtc(now)})
          ORDER BY j.run_time LIMIT wanted.room FOR UPDATE SKIP LOCKED
        ) due
      )
      RETURNING id, kind, key, attempts AS attempt, lease::text AS lease
    `.pipe(Effect.orDie)

  /** Keeps a lease alive; false when it was lost. */
  const renew = (job: LeasedJob, leaseUntil: DateTime.Utc) =>
    sql`
      UPDATE ${t.jobs} SET lease_until = ${DateTime.toDateUtc(leaseUntil)}
      WHERE id = ${job.id} AND lease = ${job.lease}::uuid RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Nothing is left to do, unless the job was asked for again while it ran. */
  const finish = (job: LeasedJob) =>
    sql`
      WITH finished AS (
        DELETE FROM ${t.jobs} WHERE id = ${job.id} AND lease = ${job.lease}::uuid AND rerun_time IS NULL
      )
      UPDATE ${t.jobs}
      SET run_time = rerun_time, rerun_time = NULL, lease = NULL, lease_until = NULL, attempts = 0, last_error = NULL
      WHERE id = ${job.id} AND lease = ${job.lease}::uuid AND rerun_time IS NOT NULL
    `.pipe(Effect.asVoid, Effect.orDie)

  /** To be run at `time`, or earlier if it was asked for while it ran. A failure keeps its count and its error. */
  const release = (job: LeasedJob, time: DateTime.Utc, failure: string | null) =>
    sql`
      UPDATE ${t.jobs}
      SET run_time = LEAST(rerun_time, ${DateTime.toDateUtc(time)}::timestamptz), rerun_time = NULL, lease = NULL,
        lease_until = NULL, last_error = ${failure}::text, attempts = CASE WHEN ${failure}::text IS NULL THEN 0 ELSE attempts END
      WHERE id = ${job.id} AND lease = ${job.lease}::uuid
    `.pipe(Effect.asVoid, Effect.orDie)

  /** When the next job of these kinds is due: its time, or the end of the lease it is under. */
  const nextTime = (kinds: ReadonlyArray<string>) =>
    sql<{ readonly time: Date | null }>`
      SELECT min(GREATEST(run_time, lease_until)) AS time FROM ${t.jobs} WHERE kind = ANY(${kinds}::text[])
    `.pipe(Effect.map((rows) => rows[0]?.time ?? null), Effect.orDie)

  const counts = sql<
    { readonly kind: string; readonly waiting: number; readonly running: number; readonly failing: number }
  >`
    SELECT kind, count(*) FILTER (WHERE lease IS NULL)::int AS waiting, count(lease)::int AS running,
      count(last_error)::int AS failing
    FROM ${t.jobs} GROUP BY kind ORDER BY kind
  `.pipe(Effect.orDie)

  const failing = (limit: number) =>
    sql<FailingJob>`
      SELECT kind, key, attempts, last_error AS "lastError", run_time AS "runTime" FROM ${t.jobs}
      WHERE last_error IS NOT NULL ORDER BY attempts DESC, id LIMIT ${limit}::int
    `.pipe(Effect.orDie)

  return { enqueue, ensure, cancel, claim, renew, finish, release, nextTime, counts, failing }
})

export class JobsRepo
  extends Context.Service<JobsRepo, Effect.Success<typeof make>>()("@filedrive/core/jobs/JobsRepo")
{
  static readonly layer = Layer.effect(JobsRepo, make)
}
