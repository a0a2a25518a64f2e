/** How many things run at once, whoever runs them; and telling those who listen. */
import { until } from "../Backoff.ts"
import { invalid } from "../DriveError.ts"

/** A number of things at once; four where none is given. */
export const countOf = (field: string, count = 4): number => {
  if (!(count >= 1)) throw invalid(field, "must be a number from 1")
  return count
}

/** Tells a listener of the host's. What it throws is reported as what nobody catches, and changes nothing of what is told. */
export const tell = <A>(listener: ((value: A) => void) | undefined, value: A): void => {
  try {
    listener?.(value)
  } catch (error) {
    void Promise.reject(error)
  }
}

/** Runs when there is room for it, in the order of arrival. */
export type InTurn = <A>(signal: AbortSignal, work: () => Promise<A>) => Promise<A>

export const turns = (most: number): InTurn => {
  const state = { running: 0 }
  let waiting: Array<() => void> = []
  return async (signal, work) => {
    while (state.running >= most) await until(new Promise<void>((resolve) => waiting.push(resolve)), signal)
    state.running++
    try {
      return await work()
    } finally {
      state.running--
      // All of them look again: the first may have been given up.
      const woken = waiting
      waiting = []
      woken.forEach((wake) => wake())
    }
  }
}

export const atOnce: InTurn = (_signal, work) => work()
