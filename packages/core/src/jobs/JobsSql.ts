/** Jobs in the drive's own database: the default {@link Jobs}. Runs nothing by itself; see {@link "./JobsWorker.ts"}. */
import { DateTime, Duration, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { InHostTransaction } from "../database/HostTransaction.ts"
import * as StatementTime from "../database/StatementTime.ts"
import { JobRegistry } from "./JobRegistry.ts"
import { Jobs, retry } from "./Jobs.ts"
import { LeaseLifetime, PollInterval } from "./JobSignals.ts"
import { JobsRepo } from "./JobsRepo.ts"
import type { LeasedJob } from "./LeasedJob.ts"

/** {@link Jobs} and {@link JobsOverview}; with the {@link JobRegistry} that the worker runs them by. */
export const layer = Layer.effect(
  Jobs,
  Effect.gen(function*() {
    const { sql } = yield* Database
    const handlers = yield* JobRegistry
    const repo = yield* JobsRepo
    const pollInterval = yield* PollInterval
    const leaseLifetime = yield* LeaseLifetime

    const kindOf = (kind: string) => ({
      kind,
      takesTurns: typeof handlers.byKind.get(kind)?.concurrencyOfAccount === "number"
    })

    /** Runs a job that was claimed here; where there is no room, or the worker has stopped, it is handed back. */
    const begin = Effect.fnUntraced(
      function*(job: LeasedJob, ready: unknown) {
        if (yield* handlers.runner()?.run(job, ready) ?? Effect.succeed(false)) return
        yield* repo.handBack(job, yield* DateTime.now)
        yield* handlers.wakeSignal.notify()
      },
      Effect.catchCause((cause) =>
        Effect.logError("A job could not be handed back; it runs when its lease ends.", cause)
      )
    )

    return Jobs.of({
      enqueue: Effect.fn("Jobs.enqueue")(function*({ key, kind, time }) {
        const now = yield* DateTime.now
        const runTime = time ?? now
        // Other processes poll at least this often, so only jobs that are due sooner are announced.
        const signal = DateTime.isLessThan(runTime, DateTime.addDuration(now, pollInterval))
        yield* repo.enqueue({ ...kindOf(kind), key }, runTime, now, signal)
        yield* sql.afterCommit(handlers.wakeSignal.notify(runTime))
      }),
      enqueueAll: Effect.fn("Jobs.enqueueAll")(function*({ keys, kind }) {
        if (keys.length === 0) return
        yield* repo.enqueueAll(kindOf(kind), keys, yield* DateTime.now)
        yield* sql.afterCommit(handlers.wakeSignal.notify())
      }),
      start: Effect.fn("Jobs.start")(function*({ key, kind, ready }) {
        const now = yield* DateTime.now
        // In a host's transaction nothing is heard of its commit.
        const runner = (yield* InHostTransaction) ? null : handlers.runner()
        if (runner === null) {
          yield* repo.enqueue({ ...kindOf(kind), key }, now, now, true)
          return yield* sql.afterCommit(handlers.wakeSignal.notify(now))
        }
        const job = yield* repo.start(
          kind,
          key,
          yield* runner.lease,
          now,
          DateTime.addDuration(now, leaseLifetime)
        )
        if (job !== null) yield* sql.afterCommit(begin(job, ready))
      }),
      hasRoom: (kind, key) =>
        Effect.map(
          InHostTransaction,
          (isHosts) => !isHosts && (handlers.runner()?.fits(kind, key.split("/", 1)[0]!) ?? false)
        ),
      cancel: Effect.fn("Jobs.cancel")(function*(kind, key) {
        yield* repo.cancel(kind, key)
      }),
      handle: (kind, run, options) =>
        Effect.acquireRelease(handlers.add(kind, { run, every: null }, options), () => handlers.remove(kind)),
      every: (kind, interval, effect, firstAfter = Duration.zero) => {
        const run = () =>
          Effect.flatMap(
            DateTime.now,
            // Recurring jobs of all accounts may read whole tables.
            (started) => Effect.as(StatementTime.patiently(effect), retry(DateTime.addDuration(started, interval)))
          )
        return Effect.acquireRelease(
          handlers.add(kind, { run, every: { interval, firstAfter } }, { concurrency: 1 }),
          () => handlers.remove(kind)
        )
      }
    })
  })
).pipe(Layer.provide(JobsRepo.layer), Layer.provideMerge(JobRegistry.layer))
