/** One run of a job under its lease: the handler, the heartbeat beside it, and the job's next state. */
import { Cause, DateTime, Duration, Effect, Exit, identity, Metric, Random, Schedule } from "effect"
import * as Background from "../database/Background.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import { isKilled } from "../ports/MediaTools.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { InvalidJobKey } from "./Job.ts"
import { JobRegistry } from "./JobRegistry.ts"
import { backOff, type JobOutcome } from "./Jobs.ts"
import { LeaseLifetime } from "./JobSignals.ts"
import { JobsRepo } from "./JobsRepo.ts"
import * as JobState from "./JobState.ts"
import type { LeasedJob } from "./LeasedJob.ts"

/** How much of a failure is kept for the operator, in UTF-16 code units. */
const errorMaxLength = 4_000

const runs = Metric.counter("filedrive_job_runs_total", {
  description: "Runs of jobs by kind and outcome",
  incremental: true
})

const isForWantOfRoom = (cause: Cause.Cause<unknown>): boolean =>
  DatabaseFault.ofCause(cause)?.code === "no_space" ||
  cause.reasons.some((reason) =>
    Cause.isFailReason(reason) && reason.error instanceof Unavailable && reason.error.code === "no_space"
  )

const isOfKill = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && isKilled(reason.error))

const hasInvalidKey = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof InvalidJobKey)

/** A handler that fails or dies has backed off. */
const outcomeOf = (exit: Exit.Exit<JobOutcome, unknown>): JobOutcome =>
  Exit.isSuccess(exit) ? exit.value : backOff(exit.cause)

const setbackOf = (cause: Cause.Cause<unknown>): JobState.Setback =>
  isForWantOfRoom(cause) ? "no room" : isOfKill(cause) ? "killed" : hasInvalidKey(cause) ? "invalid key" : "failed"

const failureText = (cause: Cause.Cause<unknown>): string =>
  Cause.pretty(cause).replaceAll("\u0000", "").toWellFormed().slice(0, errorMaxLength).toWellFormed()

const passOf = (outcome: JobOutcome): JobState.Pass =>
  outcome._tag === "BackOff"
    ? { _tag: "BackOff", setback: setbackOf(outcome.cause), failure: failureText(outcome.cause) }
    : outcome

type RunEnd =
  | { readonly _tag: "Ran"; readonly outcome: JobOutcome }
  /** Another worker may have the job by now: the result of this run is ignored. */
  | { readonly _tag: "LeaseLost" }

const leaseLost: RunEnd = { _tag: "LeaseLost" }

export const makeJobRun = Effect.gen(function*() {
  const handlers = yield* JobRegistry
  const repo = yield* JobsRepo
  const leaseLifetime = yield* LeaseLifetime

  /** Ends when the lease is lost, or may have been lost because the database is away. */
  const heartbeat = Effect.fnUntraced(function*(job: LeasedJob) {
    let held = DateTime.addDuration(yield* DateTime.now, leaseLifetime)
    while (true) {
      yield* Effect.sleep(Duration.times(leaseLifetime, 1 / 3))
      const now = yield* DateTime.now
      const next = DateTime.addDuration(now, leaseLifetime)
      const renewed = yield* Effect.catchDefect(repo.renew(job, now, next), (defect) =>
        Effect.gen(function*() {
          yield* Effect.logWarning("A job's lease could not be renewed.", defect)
          return DateTime.isLessThan(yield* DateTime.now, held) ? null : false
        }))
      if (renewed === false) return leaseLost
      if (renewed) held = next
    }
  })

  const tell = (job: LeasedJob, cause: Cause.Cause<unknown>, delay: Duration.Duration) => {
    const setback = setbackOf(cause)
    if (!JobState.isLogged(setback, job.attempt)) return Effect.void
    const failed = `Job ${job.kind} ${job.key} failed (attempt ${job.attempt}); retrying in ${Duration.format(delay)}.`
    return setback === "invalid key" ? Effect.logError(failed, cause) : Effect.logWarning(failed, cause)
  }

  /** Records the job's next state, and makes the worker poll when it runs again. */
  const settle = Effect.fnUntraced(function*(job: LeasedJob, outcome: JobOutcome) {
    const now = yield* DateTime.now
    const jitter = yield* Random.nextBetween(0.8, 1.2)
    const after = JobState.settled({ attempts: job.attempt }, passOf(outcome), now, jitter)
    if (outcome._tag === "BackOff" && after._tag === "Retrying") {
      yield* tell(job, outcome.cause, DateTime.distance(now, after.time))
    }
    const time = yield* repo.settle(job, after, now)
    if (time !== null) yield* handlers.wakeSignal.notify(DateTime.fromDateUnsafe(time))
  })

  /** A database that is away for a moment must not make the work be done again. */
  const persist = (effect: Effect.Effect<void>) =>
    Effect.sandbox(effect).pipe(
      Effect.retry({ schedule: Schedule.exponential("100 millis"), times: 5 }),
      Effect.catch((cause) => Effect.logError("A job could not be settled; it runs again when its lease ends.", cause))
    )

  /** `ready`: what the job was started with, where somebody waits for it. */
  return Effect.fn("JobsWorker.run")(function*(job: LeasedJob, ready?: unknown) {
    yield* Effect.annotateCurrentSpan({ "job.kind": job.kind, "job.key": job.key, "job.attempt": job.attempt })
    const handler = handlers.byKind.get(job.kind)
    const handled = handler === undefined
      ? Effect.die(new Error(`No handler of ${job.kind} is left in this process.`))
      : Effect.suspend(() => handler.run({ kind: job.kind, key: job.key, attempt: job.attempt, ready })).pipe(
        ready === undefined ? Background.behindOthers : identity
      )
    yield* Effect.uninterruptibleMask((restore) =>
      restore(Effect.raceFirst(
        Effect.map(Effect.exit(handled), (exit): RunEnd => ({ _tag: "Ran", outcome: outcomeOf(exit) })),
        heartbeat(job)
      )).pipe(
        // A process that ends gives its jobs back at once instead of when their leases end.
        Effect.onInterrupt(() => persist(Effect.flatMap(DateTime.now, (now) => repo.handBack(job, now)))),
        Effect.flatMap((end) => {
          const outcome = end._tag === "LeaseLost" ? "lost" : end.outcome._tag === "BackOff" ? "failed" : "succeeded"
          return Effect.andThen(
            Metric.update(Metric.withAttributes(runs, { kind: job.kind, outcome }), 1),
            end._tag === "LeaseLost"
              ? Effect.logWarning(`The lease of the job ${job.kind} ${job.key} was lost; its run was stopped.`)
              : persist(settle(job, end.outcome))
          )
        })
      )
    )
  })
})
