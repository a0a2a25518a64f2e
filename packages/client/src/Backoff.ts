/** Waiting before something is tried again. */

const baseMillis = 500
const mostMillis = 30_000

/** From 0 to 1. */
const chance = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32

/** How long to wait after the failed attempt of a number (from 0): longer each time and by chance; what the server asked for is the least. */
export const backoffMillis = (attempt: number, retryAfterSeconds?: number): number => {
  const most = Math.min(mostMillis, baseMillis * 2 ** attempt)
  return retryAfterSeconds === undefined
    ? most / 2 + chance() * most / 2
    : retryAfterSeconds * 1000 + chance() * 250
}

/** Waits; `wake` may end it early, the signal fails it. */
export const sleep = (millis: number, signal?: AbortSignal, wake?: (done: () => void) => () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      unwatch?.()
      if (signal?.aborted === true) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, millis)
    const unwatch = wake?.(end)
    if (signal?.aborted === true) end()
    else signal?.addEventListener("abort", end)
  })

/** Runs with a signal that ends with the given one, or after a time without a sign of life. `alive` starts the time anew. */
export const watched = async <A>(
  millis: number,
  signal: AbortSignal | undefined,
  timeout: () => Error,
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
  signal === undefined ? promise : new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort)
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })
