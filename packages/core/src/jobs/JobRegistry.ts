/** The handlers of this process by kind of job, and the signal that makes its worker poll. */
import { Context, type Duration, Effect, Layer } from "effect"
import { defaultConcurrency, type Job, type JobHandlerOptions, type JobOutcome } from "./Jobs.ts"
import type { LeasedJob } from "./LeasedJob.ts"
import * as WakeSignal from "./WakeSignal.ts"

export interface Recurrence {
  readonly interval: Duration.Duration
  /** From its first appearance in the database to its first run. */
  readonly firstAfter: Duration.Duration
}

export interface JobHandler {
  readonly run: (job: Job) => Effect.Effect<JobOutcome, unknown>
  readonly concurrency: number
  /** Null: accounts don't take turns. */
  readonly concurrencyOfAccount: number | null
  /** Runs by itself, once every so often, in one process of all. */
  readonly every: Recurrence | null
}

/** The worker of this process. */
export interface Runner {
  /** Whether one more job of this kind, of this account, may run. */
  readonly fits: (kind: string, account: string) => boolean
  /** Names a new lease. */
  readonly lease: Effect.Effect<string>
  /** Begins to run a job that was claimed for this process. False when there is no room for it. */
  readonly run: (job: LeasedJob, ready: unknown) => Effect.Effect<boolean>
}

export class JobRegistry extends Context.Service<JobRegistry, {
  readonly byKind: ReadonlyMap<string, JobHandler>
  readonly wakeSignal: WakeSignal.WakeSignal
  readonly add: (
    kind: string,
    handler: Pick<JobHandler, "run" | "every">,
    options?: JobHandlerOptions
  ) => Effect.Effect<void>
  readonly remove: (kind: string) => Effect.Effect<void>
  /** Null where this process runs no jobs. */
  readonly runner: () => Runner | null
  readonly setRunner: (runner: Runner | null) => Effect.Effect<void>
}>()("@filedrive/core/jobs/JobRegistry") {
  static readonly layer = Layer.effect(
    JobRegistry,
    Effect.gen(function*() {
      const byKind = new Map<string, JobHandler>()
      const wakeSignal = yield* WakeSignal.make
      let runner: Runner | null = null
      return JobRegistry.of({
        byKind,
        wakeSignal,
        add: (kind, handler, options) =>
          Effect.suspend(() => {
            if (byKind.has(kind)) return Effect.die(new Error(`The job kind ${kind} has a handler already.`))
            byKind.set(kind, {
              ...handler,
              concurrency: options?.concurrency ?? defaultConcurrency,
              concurrencyOfAccount: options?.concurrencyOfAccount ?? null
            })
            return wakeSignal.notify()
          }),
        remove: (kind) => Effect.sync(() => void byKind.delete(kind)),
        runner: () => runner,
        setRunner: (next) =>
          Effect.sync(() => {
            runner = next
          })
      })
    })
  )
}
