/**
 * Runs jobs in this process: claims what is due under a lease, keeps the lease
 * alive while the handler runs, and settles the job by it. Any number of
 * processes may run one; a job whose worker died is claimed by another when
 * the lease ends.
 */
import { Array as Arr, Context, DateTime, Duration, Effect, Fiber, Layer, Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../database/Database.ts"
import { SoleProcess } from "../database/SoleProcess.ts"
import { JobClaimsRepo } from "./JobClaimsRepo.ts"
import { JobRegistry, type Runner } from "./JobRegistry.ts"
import { makeJobRun } from "./JobRun.ts"
import { LeaseLifetime, PollInterval, WakeUps } from "./JobSignals.ts"
import { JobsRepo } from "./JobsRepo.ts"
import type { Capacity, LeasedJob } from "./LeasedJob.ts"

/** Between two polls for jobs that are due but locked by other transactions. */
const shortestIdle = Duration.millis(100)

/** After a poll that failed, for instance because the database is away. */
const longestRest = Duration.seconds(5)

const none: ReadonlyMap<string, number> = new Map()

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0)

const makeWorker = Effect.gen(function*() {
  const handlers = yield* JobRegistry
  const claims = yield* JobClaimsRepo
  const repo = yield* JobsRepo
  const random = yield* SecureRandom.SecureRandom
  const leaseLifetime = yield* LeaseLifetime
  const pollInterval = yield* PollInterval
  const run = yield* makeJobRun
  const context = yield* Effect.context()
  /** How many jobs of each kind this process runs, by account. */
  const running = new Map<string, ReadonlyMap<string, number>>()
  /** Of kinds whose accounts take turns, the account that had the last one. */
  const lastTurns = new Map<string, string>()
  const ensured = new Set<string>()
  const inOrder = new Set<string>()
  let lastPoll = Infinity

  /** For each kind how many more of it this process may run. */
  const capacities = () =>
    new Map(
      [...handlers.byKind].flatMap(([kind, { concurrency, concurrencyOfAccount: ofAccount }]) => {
        const byAccount = running.get(kind) ?? none
        const free = concurrency - sum(byAccount)
        const turns = ofAccount === null
          ? null
          : { ofAccount, after: lastTurns.get(kind) ?? "", running: byAccount }
        return free > 0 ? [[kind, { free, turns }] as const] : []
      })
    )

  /** Whether one more job of this account could run. */
  const fits = (free: ReadonlyMap<string, Capacity>, { account, kind }: Pick<LeasedJob, "account" | "kind">) => {
    const ofKind = free.get(kind)
    if (ofKind === undefined) return false
    return ofKind.turns === null || (ofKind.turns.running.get(account) ?? 0) < ofKind.turns.ofAccount
  }

  const ensureRecurring = (now: DateTime.Utc) =>
    Effect.suspend(() => {
      const missing = new Map(
        [...handlers.byKind].flatMap(([kind, { every }]) =>
          every === null || ensured.has(kind) ? [] : [[kind, every] as const]
        )
      )
      if (missing.size === 0) return Effect.void
      return Effect.andThen(
        repo.ensure(missing, now),
        Effect.sync(() => {
          for (const kind of missing.keys()) ensured.add(kind)
        })
      )
    })

  const leaveTurns = Effect.suspend(() => {
    const kinds = [...handlers.byKind].flatMap(([kind, { concurrencyOfAccount }]) =>
      concurrencyOfAccount !== null || inOrder.has(kind) ? [] : [kind]
    )
    if (kinds.length === 0) return Effect.void
    return Effect.andThen(
      claims.leaveTurns(kinds),
      Effect.sync(() => {
        for (const kind of kinds) inOrder.add(kind)
      })
    )
  })

  /** At the first poll, and when the clock was set back. */
  const correctTimes = (now: DateTime.Utc) =>
    Effect.suspend(() => {
      const isBack = now.epochMilliseconds < lastPoll
      lastPoll = now.epochMilliseconds
      return isBack ? claims.correctTimes(now) : Effect.void
    })

  /** Before this process has leases of its own. */
  const endDeadLeases = Effect.flatMap(
    SoleProcess,
    (isAlone) => isAlone ? Effect.flatMap(DateTime.now, claims.endLeases) : Effect.void
  ).pipe(
    Effect.catchDefect((defect) =>
      Effect.logError("The leases of the previous process could not be ended; its jobs run when these expire.", defect)
    )
  )

  const count = ({ account, kind }: LeasedJob, by: 1 | -1) => {
    const byAccount = new Map(running.get(kind) ?? none)
    const left = (byAccount.get(account) ?? 0) + by
    if (left === 0) byAccount.delete(account)
    else byAccount.set(account, left)
    running.set(kind, byAccount)
  }

  /** Frees the place of a job; more jobs of a kind that was full may be due. */
  const ended = (job: LeasedJob) =>
    Effect.suspend(() => {
      const wasFull = !fits(capacities(), job)
      count(job, -1)
      return wasFull ? handlers.wakeSignal.notify() : Effect.void
    })

  /** Begins at once, because a run hands its job back when it is interrupted, and can't before it has begun. */
  const begin = (scope: Scope.Scope, job: LeasedJob, ready?: unknown) =>
    Effect.forkIn(Effect.ensuring(run(job, ready), ended(job)), scope, {
      startImmediately: true,
      uninterruptible: false
    })

  /** For jobs that are claimed for this process when they are enqueued. */
  const runner = (scope: Scope.Scope): Runner => ({
    lease: random.uuidV4(),
    fits: (kind, account) => fits(capacities(), { kind, account }),
    run: (job, ready) =>
      Effect.suspend(() => {
        if (!fits(capacities(), job)) return Effect.succeed(false)
        count(job, 1)
        // With the worker's own context: that of the caller's transaction ends with it.
        return Effect.as(Effect.updateContext(begin(scope, job, ready), () => context), true)
      })
  })

  /**
   * Claims and starts the jobs there is room for; they run in `scope`. A claim is never left without its runs. Returns when
   * the next is due of which there is room for more.
   */
  const poll = (scope: Scope.Scope) =>
    Effect.uninterruptible(Effect.gen(function*() {
      const now = yield* DateTime.now
      yield* correctTimes(now)
      yield* ensureRecurring(now)
      yield* leaveTurns
      const free = capacities()
      if (free.size === 0) return { started: [], next: undefined, isCut: false, hasBrought: false }
      const { isCut, jobs, nextTimes, overdue, turns } = yield* claims.claim(
        free,
        yield* random.uuidV4(),
        now,
        DateTime.addDuration(now, leaseLifetime)
      )
      for (const [kind, account] of turns) lastTurns.set(kind, account)
      const started = yield* Effect.forEach(jobs, (job) => {
        count(job, 1)
        return begin(scope, job)
      })
      const hasBrought = overdue.length > 0 && (yield* claims.bringDue(overdue, now)) > 0
      const times = [...capacities().keys()].flatMap((kind) => nextTimes.get(kind) ?? []).map(DateTime.fromDateUnsafe)
      const next = Arr.isArrayNonEmpty(times) ? Arr.min(times, DateTime.Order) : undefined
      return { started, next, isCut, hasBrought }
    }))

  const runDue = Effect.scoped(Effect.gen(function*() {
    const scope = yield* Effect.scope
    let runs = 0
    while (true) {
      const { hasBrought, isCut, started } = yield* poll(scope)
      if (started.length === 0 && !isCut && !hasBrought) return runs
      yield* Fiber.awaitAll(started)
      runs += started.length
    }
  }))

  /**
   * Starts what is due, and waits until there may be more: by a signal, at the time of the next job, or to poll anyway. That
   * time is computed from the poll, so a clock that has jumped since means no wait.
   */
  const look = (scope: Scope.Scope) =>
    Effect.gen(function*() {
      yield* handlers.wakeSignal.reset
      const looked = yield* DateTime.now
      const { hasBrought, next, started } = yield* poll(scope)
      const soonest = started.length > 0 || hasBrought ? looked : DateTime.addDuration(looked, shortestIdle)
      const latest = DateTime.addDuration(looked, pollInterval)
      yield* handlers.wakeSignal.wait(next === undefined ? latest : DateTime.min(latest, DateTime.max(soonest, next)))
    }).pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("The worker could not poll for jobs.", defect),
          Effect.sleep(Duration.min(pollInterval, longestRest))
        )
      )
    )

  const loop = (scope: Scope.Scope) => Effect.forever(look(scope))

  yield* endDeadLeases

  return { runDue, loop, runner }
})

export class JobsWorker extends Context.Service<JobsWorker, {
  /** Runs every job that is due now, and those they enqueue, until none is due. Returns how many runs that took. */
  readonly runDue: Effect.Effect<number>
}>()("@filedrive/core/jobs/JobsWorker") {
  /** Runs jobs only when told to: for tests and tools. */
  static readonly layerManual = Layer.effect(
    JobsWorker,
    Effect.map(makeWorker, ({ runDue }) => JobsWorker.of({ runDue }))
  ).pipe(Layer.provide([JobClaimsRepo.layer, JobsRepo.layer]))

  /** Runs jobs while the layer lives. */
  static readonly layer = Layer.effect(
    JobsWorker,
    Effect.gen(function*() {
      const { loop, runDue, runner } = yield* makeWorker
      const { setRunner, wakeSignal } = yield* JobRegistry
      const { schema } = yield* Database
      const wakeUps = yield* WakeUps
      // Closed after the loop has ended, so that a job that is handed back is not claimed once more.
      const runs = yield* Scope.fork(yield* Effect.scope)
      yield* Effect.acquireRelease(setRunner(runner(runs)), () => setRunner(null))
      yield* Effect.forkScoped(loop(runs))
      yield* Effect.forkScoped(
        Stream.runForEach(Stream.filter(wakeUps, (payload) => payload === schema), () => wakeSignal.notify())
      )
      return JobsWorker.of({ runDue })
    })
  ).pipe(Layer.provide([JobClaimsRepo.layer, JobsRepo.layer]))
}
