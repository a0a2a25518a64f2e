/** What a host may say at each call in code, as a program says it to `@filedrive/client`. */
import { Effect } from "effect"
import { refusal } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import type { Run } from "./Run.ts"

export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason at once. One that only reads is interrupted, another one that has begun is finished. */
  readonly signal?: AbortSignal | undefined
  /** Has no meaning here: a call in code needs no network. So that code for `@filedrive/client` runs here too. */
  readonly retries?: number
}

/** By what is used of it: a host may have one of another library's. */
const isSignal = (given: unknown): given is AbortSignal =>
  typeof (given as Partial<AbortSignal> | null)?.addEventListener === "function"

/** Never ends by itself. */
const untilAborted = (signal: AbortSignal) =>
  Effect.callback<never>((resume) => {
    const end = () => resume(Effect.interrupt)
    signal.addEventListener("abort", end)
    return Effect.sync(() => signal.removeEventListener("abort", end))
  })

/** Runs a call until its signal. */
export const runUntil = async <A, E>(
  run: Run,
  effect: Effect.Effect<A, E, DriveServices>,
  signal: unknown
): Promise<A> => {
  if (signal === undefined) return run(effect)
  if (!isSignal(signal)) throw refusal("signal", "must be an AbortSignal")
  if (signal.aborted) throw signal.reason
  const call = run(Effect.raceFirst(effect, untilAborted(signal)))
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener("abort", abort)
  try {
    return await Promise.race([call, aborted.promise])
  } finally {
    signal.removeEventListener("abort", abort)
    // What becomes of a call that nobody waits for any more.
    call.catch(() => undefined)
  }
}
