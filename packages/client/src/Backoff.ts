/** Waiting before something is tried again. */
import { timeout } from "./DriveError.ts"

const baseMillis = 500
const mostMillis = 30_000

/** From 0 to 1. */
const chance = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32

/** How long to wait after the failed attempt of a number (from 0): longer each time and by chance; what the server asked for is the least. */
export const backoffMillis = (attempt: number, retryAfterSeconds?: number): number => {
  const most = Math.min(mostMillis, baseMillis * 2 ** attempt)
  // NaN counts as not given.
  return retryAfterSeconds! >= 0 ? retryAfterSeconds! * 1000 + chance() * 250 : (1 + chance()) * most / 2
}

/** Waits; `wake` may end it early, the signal fails it. */
export const sleep = (millis: number, signal?: AbortSignal, wake?: (done: () => void) => () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      unwatch?.()
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, millis)
    const unwatch = wake?.(end)
    signal?.addEventListener("abort", end)
    if (signal?.aborted) end()
  })

/** Runs with a signal that ends with the given one, or after a time without a sign of life. `alive` starts the time anew. */
export const watched = async <A>(
  millis: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal, alive: (millis?: number) => void) => Promise<A>
): Promise<A> => {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal!.reason)
  signal?.addEventListener("abort", abort)
  let timer: ReturnType<typeof setTimeout>
  const alive = (next = millis) => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(timeout()), next)
  }
  alive()
  try {
    return await run(controller.signal, alive)
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    clearTimeout(timer!)
    signal?.removeEventListener("abort", abort)
  }
}

/** Waits for a promise, as long as the signal lets it; the promise goes on for others. */
export const until = <A>(promise: Promise<A>, signal: AbortSignal | undefined): Promise<A> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal!.reason)
    // Also when nobody waits for it: what fails unheard ends a process.
    void promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", abort))
    signal?.throwIfAborted()
    signal?.addEventListener("abort", abort)
  })
