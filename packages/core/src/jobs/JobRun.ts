/** One run of a job under its lease: the handler, the heartbeat beside it, and what becomes of the job. */
import { Cause, DateTime, Duration, Effect, Exit, Metric, Random, Schedule } from "effect"
import * as Background from "../database/Background.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { JobRegistry } from "./JobRegistry.ts"
import type { JobOutcome } from "./Jobs.ts"
import { LeaseLifetime } from "./JobSignals.ts"
import { JobsRepo, type LeasedJob } from "./JobsRepo.ts"

const longestDelay = Duration.hours(1)

/** Once there is room again, work that waited for it goes on soon. */
const longestDelayWhenFull = Duration.minutes(1)

/** How much of a failure is kept for whoever looks at failing jobs, in UTF-16 code units. */
const errorMaxLength = 4_000

const runs = Metric.counter("filedrive_job_runs_total", {
  description: "Runs of jobs by kind and outcome",
  incremental: true
})

/** How long after its `attempt`-th failure a job runs again: doubling from a second to an hour, a fifth more or less. */
export const retryDelay = (attempt: number): Effect.Effect<Duration.Duration> =>
  Effect.map(
    Random.nextBetween(0.8, 1.2),
    (jitter) => Duration.millis(Math.min(1_000 * 2 ** (attempt - 1), Duration.toMillis(longestDelay)) * jitter)
  )

/** Whether it is for want of room that a job could not be done. */
const isForWantOfRoom = (cause: Cause.Cause<unknown>): boolean =>
  DatabaseFault.ofCause(cause)?.code === "no_space" ||
  cause.reasons.some((reason) =>
    Cause.isFailReason(reason) && reason.error instanceof Unavailable && reason.error.code === "no_space"
  )

type RunEnd =
  | { readonly _tag: "Ran"; readonly exit: Exit.Exit<JobOutcome, unknown> }
  /** Another worker may have the job by now: nothing of this run counts any more. */
  | { readonly _tag: "LeaseLost" }

const leaseLost: RunEnd = { _tag: "LeaseLost" }

export const makeJobRun = Effect.gen(function*() {
  const handlers = yield* JobRegistry
  const repo = yield* JobsRepo
  const leaseLifetime = yield* LeaseLifetime
  const leaseEnd = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, leaseLifetime))

  /** Ends when the lease is lost, or can no longer be said to be ours because the database is away. */
  const heartbeat = Effect.fnUntraced(function*(job: LeasedJob) {
    let held = yield* leaseEnd
    while (true) {
      yield* Effect.sleep(Duration.times(leaseLifetime, 1 / 3))
      const next = yield* leaseEnd
      const renewed = yield* Effect.catchDefect(repo.renew(job, next), (defect) =>
        Effect.gen(function*() {
          yield* Effect.logWarning("A job's lease could not be renewed.", defect)
          return DateTime.isLessThan(yield* DateTime.now, held) ? null : false
        }))
      if (renewed === false) return leaseLost
      if (renewed) held = next
    }
  })

  const settle = Effect.fnUntraced(function*(job: LeasedJob, exit: Exit.Exit<JobOutcome, unknown>) {
    if (Exit.isSuccess(exit)) {
      return exit.value._tag === "Done" ? yield* repo.finish(job) : yield* repo.release(job, exit.value.time, null)
    }
    const isFull = isForWantOfRoom(exit.cause)
    const usual = yield* retryDelay(job.attempt)
    const delay = isFull ? Duration.min(usual, longestDelayWhenFull) : usual
    const failed = `Job ${job.kind} ${job.key} failed (attempt ${job.attempt}); retrying in ${Duration.format(delay)}.`
    // What waits for room is told once: others, like deletions, may ask for it again and again meanwhile.
    if (!isFull || job.attempt === 1) yield* Effect.logWarning(failed, exit.cause)
    const failure = Cause.pretty(exit.cause).replaceAll("\u0000", "").toWellFormed().slice(0, errorMaxLength)
    return yield* repo.release(job, DateTime.addDuration(yield* DateTime.now, delay), failure.toWellFormed())
  })

  /** Has the worker look when a job that is settled runs again. */
  const settled = (job: LeasedJob, exit: Exit.Exit<JobOutcome, unknown>) =>
    Effect.flatMap(
      settle(job, exit),
      (time) => time === null ? Effect.void : handlers.wakeSignal.notify(DateTime.fromDateUnsafe(time))
    )

  /** A database that is away for a moment must not make the work be done again. */
  const persist = (effect: Effect.Effect<void>) =>
    Effect.sandbox(effect).pipe(
      Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
      Effect.catch((cause) => Effect.logError("A job could not be settled; it runs again when its lease ends.", cause))
    )

  return Effect.fn("JobsWorker.run")(function*(job: LeasedJob) {
    yield* Effect.annotateCurrentSpan({ "job.kind": job.kind, "job.key": job.key, "job.attempt": job.attempt })
    const handler = handlers.byKind.get(job.kind)
    const handled = handler === undefined
      ? Effect.die(new Error(`No handler of ${job.kind} is left in this process.`))
      : Effect.suspend(() => handler.run({ kind: job.kind, key: job.key, attempt: job.attempt })).pipe(
        Background.behindOthers
      )
    yield* Effect.uninterruptibleMask((restore) =>
      restore(Effect.raceFirst(
        Effect.map(Effect.exit(handled), (exit): RunEnd => ({ _tag: "Ran", exit })),
        heartbeat(job)
      )).pipe(
        // A process that ends gives its jobs back at once instead of when their leases end.
        Effect.onInterrupt(() => persist(Effect.flatMap(DateTime.now, (now) => repo.handBack(job, now)))),
        Effect.flatMap((end) => {
          const outcome = end._tag === "LeaseLost" ? "lost" : Exit.isSuccess(end.exit) ? "succeeded" : "failed"
          return Effect.andThen(
            Metric.update(Metric.withAttributes(runs, { kind: job.kind, outcome }), 1),
            end._tag === "LeaseLost"
              ? Effect.logWarning(`The lease of the job ${job.kind} ${job.key} was lost; its run was stopped.`)
              : persist(settled(job, end.exit))
          )
        })
      )
    )
  })
})
