/**
 * Which change of a task is delivered next to a webhook, and what becomes of one that failed. Pure.
 *
 * Spec: "Task push notifications": a failed delivery is retried twice, after 2 and after 10 seconds, unless a newer status was sent.
 */
import { DateTime, Duration } from "effect"
import * as Limits from "../limits/Limits.ts"

interface Pending {
  readonly no: number
  /** Attempts that have failed. */
  readonly attempts: number
  readonly dueTime: Date
}

export type Next<P> =
  | { readonly _tag: "Send"; readonly delivery: P }
  | { readonly _tag: "Later"; readonly time: DateTime.Utc }
  | { readonly _tag: "Nothing" }

/** A delivery that waits for longer than any does from now has failed while a clock was ahead: it is due. */
const longestWait = 2 * Math.max(...Limits.webhookRetryDelays.map((delay) => Duration.toMillis(delay)))

/** The oldest that is due is sent; one that waits for its next attempt does not hold back newer ones. `pending`: oldest first. */
export const next = <P extends Pending>(pending: ReadonlyArray<P>, now: DateTime.Utc): Next<P> => {
  const nowMillis = DateTime.toEpochMillis(now)
  const due = pending.find(({ dueTime }) => {
    const wait = dueTime.getTime() - nowMillis
    return wait <= 0 || wait > longestWait
  })
  if (due !== undefined) return { _tag: "Send", delivery: due }
  if (pending.length === 0) return { _tag: "Nothing" }
  return { _tag: "Later", time: DateTime.makeUnsafe(Math.min(...pending.map(({ dueTime }) => dueTime.getTime()))) }
}

/** When a delivery whose attempt failed at `now` is tried again; null when it is given up. */
export const retryTime = ({ attempts }: Pick<Pending, "attempts">, now: DateTime.Utc): DateTime.Utc | null => {
  const delay = Limits.webhookRetryDelays[attempts]
  return delay === undefined ? null : DateTime.addDuration(now, delay)
}
