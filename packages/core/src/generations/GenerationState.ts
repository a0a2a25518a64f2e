/**
 * The life of a generation as functions of (state, event, time). Pure.
 *
 * ```text
 *   (none) ──started──▶ waiting ──run──▶ asking ──job──▶ submitted ──image──▶ storing ──saved──▶ done
 *                          ▲               │ │               │  ▲                │
 *                          └─ not begun ───┘ └────── image ──┼──│──▶ storing     │
 *                                                            │  └─ not in storage ┘
 *      any of them: cancelled │ failed for good, too often, too long │ a run ended while asking ──▶ cancelled │ failed
 * ```
 *
 * Spec: "Image generation (`status`)".
 */
import { DateTime, Duration } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { ImageFailure, ImageReason } from "../ports/ImageGenerator.ts"
import { type FailureCode, type Generation, isUnderWay } from "./Generation.ts"

/** What a new run of a generation does. */
export type RunAction =
  | { readonly _tag: "Ask" }
  | { readonly _tag: "Look" }
  | { readonly _tag: "Save" }
  /** It is not wanted any more: its provider's job is to be ended. */
  | { readonly _tag: "Abandon" }
  | { readonly _tag: "Fail"; readonly code: FailureCode }
  | { readonly _tag: "Nothing" }

type Timed = Pick<Generation, "state" | "job" | "submitTime" | "successTime">

const isPast = (since: DateTime.Utc | null, lifetime: Duration.Duration, now: DateTime.Utc): boolean =>
  since !== null && DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(since, lifetime))

export const begin = (current: Timed, now: DateTime.Utc): RunAction => {
  switch (current.state) {
    case "waiting":
      return { _tag: "Ask" }
    case "asking":
      // A run that asked has ended without an answer. The provider may have begun, so it is not asked again.
      return { _tag: "Fail", code: "interrupted" }
    case "submitted":
      return isPast(current.submitTime, Limits.imageJobLifetime, now)
        ? { _tag: "Fail", code: "timed_out" }
        : { _tag: "Look" }
    case "storing":
      return isPast(current.successTime, Limits.unsavedImageLifetime, now)
        ? { _tag: "Fail", code: "not_saved" }
        : { _tag: "Save" }
    case "done":
      return { _tag: "Nothing" }
    case "failed":
    case "cancelled":
      return { _tag: current.job === null ? "Nothing" : "Abandon" }
  }
}

export type GenerationEvent =
  | { readonly _tag: "Submitted" }
  | { readonly _tag: "Pending"; readonly pollAfter: Duration.Duration }
  | {
    readonly _tag: "ProviderFailed"
    readonly failure: Pick<ImageFailure, "reason" | "begun" | "retryAfter">
    /** When the call that failed began. */
    readonly callTime: DateTime.Utc
  }
  | { readonly _tag: "Finished" }
  | { readonly _tag: "Saved" }
  /** Its bytes are not in storage, and no longer in memory. */
  | { readonly _tag: "NotStored" }
  | { readonly _tag: "Failed"; readonly code: FailureCode }
  | { readonly _tag: "Cancelled" }

export type NextState =
  | {
    readonly state: "waiting" | "submitted"
    readonly retryTime: DateTime.Utc
    /** When the first of the calls began that have failed since the provider last made progress; null when the last one did not. */
    readonly failTime: DateTime.Utc | null
  }
  | { readonly state: "storing" | "done" }
  | { readonly state: "failed" | "cancelled"; readonly code: FailureCode }
  /** It has ended, or the event does not belong to its state. */
  | { readonly state: "superseded" }

const superseded: NextState = { state: "superseded" }
const failed = (code: FailureCode): NextState => ({ state: "failed", code })

const codes: Readonly<Record<ImageReason, FailureCode>> = {
  moderated: "moderated",
  rejected: "rejected",
  notPaid: "generator_unavailable",
  busy: "busy",
  unavailable: "unavailable",
  invalid: "invalid",
  lost: "lost"
}

const retryDelays = [2, 5, 10, 20].map((seconds) => Duration.seconds(seconds))
const shortestPoll = Duration.millis(500)
const longestPoll = Duration.seconds(15)
const afterNotStored = Duration.seconds(10)

/** Whether the provider may be asked, or its job looked at, once more. */
const isTemporary = (
  state: "asking" | "submitted",
  { begun, reason }: Pick<ImageFailure, "reason" | "begun">
): boolean => (reason === "busy" || reason === "unavailable") && (state === "submitted" || !begun)

const afterFailure = (
  current: Pick<Generation, "failures" | "failTime"> & { readonly state: "asking" | "submitted" },
  { callTime, failure }: Extract<GenerationEvent, { readonly _tag: "ProviderFailed" }>,
  now: DateTime.Utc
): NextState => {
  const { reason, retryAfter } = failure
  if (!isTemporary(current.state, failure)) return failed(codes[reason])
  const delay = retryDelays[Math.min(current.failures, retryDelays.length - 1)]!
  const retryTime = DateTime.addDuration(now, retryAfter === null ? delay : Duration.max(delay, retryAfter))
  const failTime = current.failTime ?? callTime
  const until = DateTime.addDuration(failTime, Limits.imageRetryPeriod[current.state])
  return DateTime.isGreaterThan(retryTime, until)
    ? failed(codes[reason])
    : { state: current.state === "asking" ? "waiting" : "submitted", retryTime, failTime }
}

/** The next state of a generation. */
export const next = (
  current: Timed & Pick<Generation, "failures" | "failTime">,
  event: GenerationEvent,
  now: DateTime.Utc
): NextState => {
  const { state } = current
  if (!isUnderWay(state)) return superseded
  switch (event._tag) {
    case "Cancelled":
      return { state: "cancelled", code: "cancelled" }
    case "Failed":
      return failed(event.code)
    case "Submitted":
      return state === "asking" ? { state: "submitted", retryTime: now, failTime: null } : superseded
    case "Pending": {
      if (state !== "submitted") return superseded
      const delay = Duration.clamp(event.pollAfter, { minimum: shortestPoll, maximum: longestPoll })
      return { state: "submitted", retryTime: DateTime.addDuration(now, delay), failTime: null }
    }
    case "ProviderFailed":
      return state === "asking" || state === "submitted"
        ? afterFailure({ ...current, state }, event, now)
        : superseded
    case "Finished":
      return state === "asking" || state === "submitted" ? { state: "storing" } : superseded
    case "Saved":
      if (state !== "storing") return superseded
      return isPast(current.successTime, Limits.unsavedImageLifetime, now) ? failed("not_saved") : { state: "done" }
    case "NotStored":
      if (state !== "storing") return superseded
      return current.job === null
        ? failed("not_saved")
        : { state: "submitted", retryTime: DateTime.addDuration(now, afterNotStored), failTime: null }
  }
}

/** What callers are told. */
export interface Shown {
  readonly status: "working" | "done" | "failed"
  readonly isTrashed: boolean
  readonly code: FailureCode | null
}

const working: Shown = { status: "working", isTrashed: false, code: null }
const done: Shown = { ...working, status: "done" }
const inTrash: Shown = { ...done, isTrashed: true }
const notSaved: Shown = { ...working, status: "failed", code: "not_saved" }
const imageDeleted: Shown = { ...working, status: "failed", code: "image_deleted" }

/** What is there of a generation's image. */
export type ImagePresence = "none" | "there" | "trashed"

/** The status of a generation at a time. Spec: "Image generation (`status`)". */
export const shown = (
  { code, state, successTime }: Pick<Generation, "state" | "successTime" | "code">,
  image: ImagePresence,
  now: DateTime.Utc
): Shown => {
  const isOverdue = isPast(successTime, Limits.unsavedImageLifetime, now)
  if (state === "failed" || state === "cancelled") return { ...working, status: "failed", code }
  if (state === "done") return image === "none" && isOverdue ? imageDeleted : image === "trashed" ? inTrash : done
  return isOverdue ? notSaved : working
}
