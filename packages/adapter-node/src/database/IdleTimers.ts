/**
 * PostgreSQL in WebAssembly sets an alarm after most statements, and its timer
 * would keep a process alive that has nothing left to do: a test runner's,
 * a script's. No option turns that off, so the timer is made one that doesn't.
 */

/** Runs `work`, which must be synchronous; timers it sets, and those their callbacks set, keep no process alive. */
export const withIdleTimers = <A>(work: () => A): A => {
  const { setTimeout } = globalThis
  const idle = (callback: (...args: ReadonlyArray<unknown>) => void, delay?: number, ...args: ReadonlyArray<unknown>) =>
    setTimeout(() => withIdleTimers(() => callback(...args)), delay).unref()
  globalThis.setTimeout = idle as unknown as typeof setTimeout
  try {
    return work()
  } finally {
    globalThis.setTimeout = setTimeout
  }
}
