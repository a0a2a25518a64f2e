/**
 * A job's life, as a function of (state, event). Pure. A worker decides by {@link settled} the next state of a job that it ran;
 * the statements of {@link "./JobsRepo.ts"} make the other changes, and a test holds each of them to {@link next}.
 *
 * ```text
 *   (gone) ──enqueued──▶ queued ───────claimed──────▶ running ──done──▶ (gone)
 *                          ▲                          ▲  │ │
 *                          ├───────── retry, yield ───┼──┘ │
 *                          │              retrying ───┘    │
 *                          └─ or retrying ◀── backOff ─────┘
 * ```
 *
 * | event | gone | queued, retrying | running |
 * |---|---|---|---|
 * | enqueued | queued | the same, at the earlier of the two times | the same; runs once more afterwards |
 * | started | running | running | the same; runs once more afterwards |
 * | claimed | | running, once it is due | running, once its lease has ended (its worker abandoned it) |
 * | cancelled | | gone | the same; doesn't run once more |
 * | done | | | gone; queued when it is to run once more |
 * | retry, yield | | | queued, attempts counted anew |
 * | backOff | | | retrying, after a delay that grows with its attempts |
 * | handed back | | | as it waited before, due now |
 *
 * A worker that lost its lease settles nothing: another worker has the job. No job is abandoned because it fails.
 */
import { DateTime, Duration } from "effect"

export interface Queued {
  readonly _tag: "Queued"
  readonly time: DateTime.Utc
  readonly attempts: number
}

/** Waits after a failure. */
export interface Retrying {
  readonly _tag: "Retrying"
  readonly time: DateTime.Utc
  readonly attempts: number
  readonly failure: string
}

export interface Running {
  readonly _tag: "Running"
  readonly lease: string
  readonly leaseEnd: DateTime.Utc
  /** This run included. */
  readonly attempts: number
  /** How the run before failed, if it did. */
  readonly failure: string | null
  /** When it is to run once more, because it was enqueued since it was claimed. */
  readonly rerunTime: DateTime.Utc | null
}

/** The row does not exist: the job is done, was cancelled, or was never enqueued. */
export interface Gone {
  readonly _tag: "Gone"
}

export type JobState = Gone | Queued | Retrying | Running

/** Why a run backs off. */
export type Setback =
  | "failed"
  /** It lacked room, of the database or of storage. */
  | "no room"
  /** A tool that worked on a file was killed. What used up the memory may use it for minutes. */
  | "killed"
  /** Its handler could not read its key: no attempt of this process can be better. */
  | "invalid key"

/** How a run ended. */
export type Pass =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Retry"; readonly time: DateTime.Utc }
  | { readonly _tag: "Yield" }
  | { readonly _tag: "BackOff"; readonly setback: Setback; readonly failure: string }

export type JobEvent =
  | { readonly _tag: "Enqueued"; readonly time: DateTime.Utc }
  /** Enqueued, and claimed by the worker of the same process. */
  | { readonly _tag: "Started"; readonly lease: string; readonly now: DateTime.Utc; readonly leaseEnd: DateTime.Utc }
  | {
    readonly _tag: "Claimed"
    readonly lease: string
    readonly now: DateTime.Utc
    readonly leaseEnd: DateTime.Utc
  }
  | { readonly _tag: "Cancelled" }
  | {
    readonly _tag: "Passed"
    readonly lease: string
    readonly pass: Pass
    readonly now: DateTime.Utc
    /** A factor around 1, so that what failed together doesn't run again together. */
    readonly jitter: number
  }
  /** The worker's process ends. */
  | { readonly _tag: "HandedBack"; readonly lease: string; readonly now: DateTime.Utc }

export const gone: Gone = { _tag: "Gone" }

const longestDelay = Duration.hours(1)

/** After a first tool that was killed. */
const millisAfterKill = 15_000

/** Once there is room again, jobs that waited for it run soon. */
const longestDelayWithoutRoom = Duration.minutes(1)

/** How long after its `attempt`-th failure a job runs again. */
export const delayAfter = (setback: Setback, attempt: number, jitter: number): Duration.Duration => {
  const growing = Duration.millis(Math.min(1_000 * 2 ** (attempt - 1), Duration.toMillis(longestDelay)))
  switch (setback) {
    case "failed":
      return Duration.times(growing, jitter)
    case "no room":
      return Duration.min(Duration.times(growing, jitter), longestDelayWithoutRoom)
    case "killed":
      return Duration.times(
        Duration.millis(Math.min(millisAfterKill * 4 ** (attempt - 1), Duration.toMillis(longestDelay))),
        jitter
      )
    // Another version of the drive may be able to read it; until one runs, frequent attempts are useless.
    case "invalid key":
      return Duration.times(longestDelay, jitter)
  }
}

/** Whether the operator is told of this failure: only once of a lasting one. */
export const isLogged = (setback: Setback, attempt: number): boolean =>
  setback === "failed" || setback === "killed" || attempt === 1

/** The next state of a job after a run, unless it was enqueued meanwhile. */
export const settled = (
  { attempts }: Pick<Running, "attempts">,
  pass: Pass,
  now: DateTime.Utc,
  jitter: number
): Gone | Queued | Retrying => {
  switch (pass._tag) {
    case "Done":
      return gone
    case "Retry":
      return { _tag: "Queued", time: pass.time, attempts: 0 }
    case "Yield":
      return { _tag: "Queued", time: now, attempts: 0 }
    case "BackOff": {
      const time = DateTime.addDuration(now, delayAfter(pass.setback, attempts, jitter))
      return { _tag: "Retrying", time, attempts, failure: pass.failure }
    }
  }
}

const isDue = (time: DateTime.Utc, now: DateTime.Utc): boolean => DateTime.isLessThanOrEqualTo(time, now)

const waiting = (time: DateTime.Utc, attempts: number, failure: string | null): Queued | Retrying =>
  failure === null ? { _tag: "Queued", time, attempts } : { _tag: "Retrying", time, attempts, failure }

const enqueued = (state: JobState, time: DateTime.Utc): JobState => {
  switch (state._tag) {
    case "Gone":
      return { _tag: "Queued", time, attempts: 0 }
    case "Running":
      return { ...state, rerunTime: state.rerunTime === null ? time : DateTime.min(state.rerunTime, time) }
    default:
      return { ...state, time: DateTime.min(state.time, time) }
  }
}

/** A job that was enqueued during its run runs once more. */
const rerun = (after: Gone | Queued | Retrying, time: DateTime.Utc | null): JobState =>
  time === null ? after : enqueued(after, time)

export const next = (state: JobState, event: JobEvent): JobState => {
  switch (event._tag) {
    case "Enqueued":
      return enqueued(state, event.time)
    case "Started": {
      if (state._tag === "Running") return enqueued(state, event.now)
      const failure = state._tag === "Retrying" ? state.failure : null
      const attempts = state._tag === "Gone" ? 1 : state.attempts + 1
      return { _tag: "Running", lease: event.lease, leaseEnd: event.leaseEnd, attempts, failure, rerunTime: null }
    }
    case "Claimed": {
      if (state._tag === "Gone") return state
      if (!isDue(state._tag === "Running" ? state.leaseEnd : state.time, event.now)) return state
      const failure = state._tag === "Queued" ? null : state.failure
      const { lease, leaseEnd } = event
      return { _tag: "Running", lease, leaseEnd, attempts: state.attempts + 1, failure, rerunTime: null }
    }
    case "Cancelled":
      return state._tag === "Running" ? { ...state, rerunTime: null } : gone
    case "Passed":
      if (state._tag !== "Running" || state.lease !== event.lease) return state
      return rerun(settled(state, event.pass, event.now, event.jitter), state.rerunTime)
    case "HandedBack":
      if (state._tag !== "Running" || state.lease !== event.lease) return state
      return waiting(event.now, state.attempts - 1, state.failure)
  }
}
