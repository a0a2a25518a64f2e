/**
 * Work for later. A job is a wake-up `{kind, key}`; the state of the work
 * is in the tables of the feature that enqueued it, so a handler may run twice
 * and must come to the same end.
 *
 * A service of its own: a host may bring its own queue. Features of the drive
 * don't call it: they define their kinds of jobs in {@link "./Job.ts"}, whose keys have types.
 */
import { type Cause, Context, type DateTime, type Duration, type Effect, type Scope } from "effect"

/** A job as its handler sees it. */
export interface Job {
  readonly kind: string
  /** What the job is for. The key of an account's job begins with its id and a `/`, so that its jobs can be told from others'. */
  readonly key: string
  /** 1 on the first run. */
  readonly attempt: number
  /** What {@link Jobs}' `start` was given for this run; undefined when the job was claimed otherwise. */
  readonly ready?: unknown
}

/** How a run ended. A handler that fails or dies has backed off. */
export type JobOutcome =
  /** Nothing is left to do. */
  | { readonly _tag: "Done" }
  /** Run it again at `time`; the count of attempts starts anew. */
  | { readonly _tag: "Retry"; readonly time: DateTime.Utc }
  /** There is more to do: run it again as soon as others that are due have run. The count of attempts starts anew. */
  | { readonly _tag: "Yield" }
  /** It failed: run it again after a delay that grows with each attempt. */
  | { readonly _tag: "BackOff"; readonly cause: Cause.Cause<unknown> }

export const done: JobOutcome = { _tag: "Done" }
export const retry = (time: DateTime.Utc): JobOutcome => ({ _tag: "Retry", time })
export const yieldToOthers: JobOutcome = { _tag: "Yield" }
export const backOff = (cause: Cause.Cause<unknown>): JobOutcome => ({ _tag: "BackOff", cause })

/** Most jobs of a kind that one process runs at once, unless its handler says another number. */
export const defaultConcurrency = 4

export interface JobHandlerOptions {
  /** Most jobs of this kind that one process runs at once. Default: {@link defaultConcurrency}. */
  readonly concurrency?: number
  /**
   * Most of these that are one account's. Accounts then take turns, however many jobs each of them has waiting. Default: no
   * bound, and jobs run in the order in which they are due.
   */
  readonly concurrencyOfAccount?: number
}

export class Jobs extends Context.Service<Jobs, {
  /**
   * Enqueues a run at `time` (now when left out). There is one job for each
   * kind and key: enqueueing it again while it waits moves it to the earlier of the
   * two times, and enqueueing it while it runs makes it run once more afterwards.
   *
   * Joins the caller's transaction: rolled back with it, and run only after its commit.
   */
  readonly enqueue: (job: {
    readonly kind: string
    readonly key: string
    readonly time?: DateTime.Utc
  }) => Effect.Effect<void>

  /** The same for many keys at once, each run as soon as there is room. */
  readonly enqueueAll: (jobs: { readonly kind: string; readonly keys: ReadonlyArray<string> }) => Effect.Effect<void>

  /**
   * Enqueues a run now, for this process to begin as soon as the caller's transaction has committed, without a poll: for work that
   * somebody waits for. `ready` is handed to that run, in memory. Where there is no room by then it waits as any other
   * job; should the process end, another one runs it when its lease ends. One that is running already runs once more.
   */
  readonly start: (job: {
    readonly kind: string
    readonly key: string
    readonly ready?: unknown
  }) => Effect.Effect<void>

  /** Whether this process runs jobs, and has room for one more of the kind for the account with whose id the key begins. */
  readonly hasRoom: (kind: string, key: string) => Effect.Effect<boolean>

  /** Deletes a waiting job; a running one continues to its end. */
  readonly cancel: (kind: string, key: string) => Effect.Effect<void>

  /**
   * Names the handler of a kind while the scope is open. A handler that fails
   * or dies is run again with growing delay, without end; every failure is logged.
   */
  readonly handle: <E>(
    kind: string,
    handler: (job: Job) => Effect.Effect<JobOutcome, E>,
    options?: JobHandlerOptions
  ) => Effect.Effect<void, never, Scope.Scope>

  /**
   * Runs `effect` in this process or another, once every `interval`, while the scope is open. On a new database the first
   * run is due `firstAfter` from then, at once when it is left out.
   */
  readonly every: <E>(
    kind: string,
    interval: Duration.Duration,
    effect: Effect.Effect<void, E>,
    firstAfter?: Duration.Duration
  ) => Effect.Effect<void, never, Scope.Scope>
}>()("@filedrive/core/jobs/Jobs") {}
