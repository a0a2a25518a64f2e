/**
 * Runs jobs in this process: claims what is due under a lease, keeps the lease
 * alive while the handler runs, and settles the job by it. Any number of
 * processes may run one; a job whose worker died is taken up by another when
 * the lease ends.
 */
import { Cause, Context, DateTime, Duration, Effect, Exit, Fiber, Layer, Random, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { JobHandlers } from "./JobHandlers.ts"
import type { JobOutcome } from "./Jobs.ts"
import { JobsRepo, type LeasedJob } from "./JobsRepo.ts"

/** How long a job stays a dead worker's. Longer than clocks of two processes may differ. */
export const LeaseLifetime = Context.Reference<Duration.Duration>("@filedrive/core/jobs/LeaseLifetime", {
  defaultValue: () => Duration.seconds(30)
})

/** How often a worker looks for jobs nobody told it of. */
export const PollInterval = Context.Reference<Duration.Duration>("@filedrive/core/jobs/PollInterval", {
  defaultValue: () => Duration.seconds(5)
})

/** Told by other processes that there is something to do; a database that can notify gives one. */
export const WakeUps = Context.Reference<Stream.Stream<unknown>>("@filedrive/core/jobs/WakeUps", {
  defaultValue: () => Stream.never
})

const longestDelay = Duration.hours(1)

/** Between two looks at a job that is due but cannot be taken. */
const shortestIdle = Duration.millis(100)

/** How much of a failure is kept for whoever looks at failing jobs, in UTF-16 code units. */
const errorMaxLength = 4_000

/** How long after its `attempt`-th failure a job runs again: doubling from a second to an hour, a fifth more or less. */
export const retryDelay = (attempt: number): Effect.Effect<Duration.Duration> =>
  Effect.map(
    Random.nextBetween(0.8, 1.2),
    (jitter) => Duration.millis(Math.min(1_000 * 2 ** (attempt - 1), Duration.toMillis(longestDelay)) * jitter)
  )

const makeWorker = Effect.gen(function*() {
  const handlers = yield* JobHandlers
  const repo = yield* JobsRepo
  const random = yield* SecureRandom.SecureRandom
  const leaseLifetime = yield* LeaseLifetime
  const leaseEnd = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, leaseLifetime))
  const running = new Map<string, number>()

  const claim = Effect.gen(function*() {
    const room = new Map(
      [...handlers.byKind]
        .map(([kind, { concurrency }]) => [kind, concurrency - (running.get(kind) ?? 0)] as const)
        .filter(([, free]) => free > 0)
    )
    if (room.size === 0) return []
    const now = yield* DateTime.now
    for (const [kind, { every }] of handlers.byKind) {
      if (every !== null) yield* repo.ensure(kind, "", now)
    }
    return yield* repo.claim(room, yield* random.uuidV4(), now, yield* leaseEnd)
  })

  /** Never ends while the lease holds; a database that is away for a moment does not end it. */
  const heartbeat = (job: LeasedJob) =>
    Effect.flatMap(leaseEnd, (until) => repo.renew(job, until)).pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("A lease could not be renewed", cause), true)),
      Effect.delay(Duration.times(leaseLifetime, 1 / 3)),
      Effect.repeat({ while: (held) => held })
    )

  const settle = Effect.fnUntraced(function*(job: LeasedJob, exit: Exit.Exit<JobOutcome, unknown>) {
    const now = yield* DateTime.now
    if (Exit.isSuccess(exit)) {
      return exit.value._tag === "Done" ? yield* repo.finish(job) : yield* repo.release(job, exit.value.time, null)
    }
    yield* Effect.logWarning(`The job ${job.kind} ${job.key} failed; it runs again.`, exit.cause)
    const time = DateTime.addDuration(now, yield* retryDelay(job.attempt))
    yield* repo.release(job, time, Cause.pretty(exit.cause).slice(0, errorMaxLength))
  })

  const run = Effect.fn("JobsWorker.run")(
    function*(job: LeasedJob) {
      yield* Effect.annotateCurrentSpan({ "job.kind": job.kind, "job.key": job.key, "job.attempt": job.attempt })
      const handler = handlers.byKind.get(job.kind)
      const exit = yield* Effect.exit(
        handler === undefined
          ? Effect.die(new Error(`No handler of ${job.kind} is left in this process.`))
          : Effect.raceFirst(handler.run(job), Effect.andThen(heartbeat(job), Effect.interrupt))
      )
      yield* settle(job, exit)
    },
    // A process that ends gives its jobs back at once instead of when their leases end.
    (effect, job) =>
      Effect.onInterrupt(effect, () => Effect.flatMap(DateTime.now, (now) => repo.release(job, now, null))).pipe(
        Effect.ensuring(Effect.suspend(() => {
          running.set(job.kind, running.get(job.kind)! - 1)
          return handlers.wake.open
        }))
      )
  )

  /** Claims and starts what there is room for; the runs go on in the scope. */
  const start = Effect.gen(function*() {
    const claimed = yield* claim
    for (const { kind } of claimed) running.set(kind, (running.get(kind) ?? 0) + 1)
    return yield* Effect.forEach(claimed, (job) => Effect.forkScoped(run(job)))
  })

  const runDue = Effect.scoped(Effect.gen(function*() {
    let runs = 0
    while (true) {
      const started = yield* start
      if (started.length === 0) return runs
      yield* Fiber.awaitAll(started)
      runs += started.length
    }
  }))

  /** Waits until something may be due: told so, at the time of the next job, or to look anyway. */
  const idle = Effect.gen(function*() {
    const next = yield* repo.nextTime([...handlers.byKind.keys()])
    const now = yield* DateTime.now
    const poll = yield* PollInterval
    const untilNext = next === null ? poll : Duration.max(
      Duration.millis(next.getTime() - now.epochMilliseconds),
      shortestIdle
    )
    yield* Effect.raceFirst(handlers.wake.await, Effect.sleep(Duration.min(untilNext, poll)))
  })

  const loop = Effect.gen(function*() {
    yield* handlers.wake.close
    if ((yield* start).length === 0) yield* idle
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : Effect.andThen(Effect.logError("The jobs worker could not look for jobs.", cause), Effect.sleep("1 second"))
    ),
    Effect.forever
  )

  return { runDue, loop }
})

export class JobsWorker extends Context.Service<JobsWorker, {
  /** Runs every job that is due now, and those they ask for, until none is; answers how many runs that took. */
  readonly runDue: Effect.Effect<number>
}>()("@filedrive/core/jobs/JobsWorker") {
  /** Runs jobs only when told to: for tests and tools. */
  static readonly layerManual = Layer.effect(
    JobsWorker,
    Effect.map(makeWorker, ({ runDue }) => JobsWorker.of({ runDue }))
  ).pipe(Layer.provide(JobsRepo.layer))

  /** Runs jobs while the layer lives. */
  static readonly layer = Layer.effect(
    JobsWorker,
    Effect.gen(function*() {
      const { loop, runDue } = yield* makeWorker
      const { wake } = yield* JobHandlers
      const wakeUps = yield* WakeUps
      yield* Effect.forkScoped(loop)
      yield* Effect.forkScoped(Stream.runForEach(wakeUps, () => wake.open))
      return JobsWorker.of({ runDue })
    })
  ).pipe(Layer.provide(JobsRepo.layer))
}
