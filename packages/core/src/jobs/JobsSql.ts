/** Jobs in the drive's own database: the default {@link Jobs}. Runs nothing by itself; see {@link "./JobsWorker.ts"}. */
import { DateTime, Duration, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import * as StatementTime from "../database/StatementTime.ts"
import { JobRegistry } from "./JobRegistry.ts"
import { Jobs, retry } from "./Jobs.ts"
import { PollInterval } from "./JobSignals.ts"
import { JobsRepo } from "./JobsRepo.ts"

/** {@link Jobs} and {@link JobsOverview}; with the {@link JobRegistry} that the worker runs them by. */
export const layer = Layer.effect(
  Jobs,
  Effect.gen(function*() {
    const { sql } = yield* Database
    const handlers = yield* JobRegistry
    const repo = yield* JobsRepo
    const pollInterval = yield* PollInterval
    return Jobs.of({
      enqueue: Effect.fn("Jobs.enqueue")(function*({ key, kind, time }) {
        const now = yield* DateTime.now
        const runTime = time ?? now
        // Other processes poll at least this often, so only jobs that are due sooner are announced.
        const signal = DateTime.isLessThan(runTime, DateTime.addDuration(now, pollInterval))
        yield* repo.enqueue(kind, key, runTime, now, signal)
        yield* sql.afterCommit(handlers.wakeSignal.notify(runTime))
      }),
      enqueueAll: Effect.fn("Jobs.enqueueAll")(function*({ keys, kind }) {
        if (keys.length === 0) return
        yield* repo.enqueueAll(kind, keys, yield* DateTime.now)
        yield* sql.afterCommit(handlers.wakeSignal.notify())
      }),
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
