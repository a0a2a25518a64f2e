/**
 * How many rows one transaction of a long operation takes. It holds its account's lock,
 * and of the embedded database the one session there is: so everybody waits for as long as it takes.
 */
import { Clock, Effect } from "effect"

/** What such a transaction should take. A small call is several statements, and may wait for one at each. */
export const aimMillis = 50

export interface Range {
  /** Fewer are not worth a transaction, however long they take. */
  readonly least: number
  readonly most: number
}

/** After `rows` that took `millis`, how many to take where `size` were to be taken. */
export const next = (size: number, rows: number, millis: number, { least, most }: Range): number => {
  if (rows === 0) return size
  const fitting = millis > 0 ? Math.floor(rows * aimMillis / millis) : Infinity
  // One quick batch says little: so a stretch of easy rows is not followed by one that is far too long.
  return Math.max(least, Math.min(most, 2 * size, fitting))
}

export interface Pace {
  /** Rows that the next transaction may take. */
  readonly size: () => number
  /** Runs the work on a batch of so many rows, and learns from how long it takes. Inside the transaction: waiting for it is not work. */
  readonly timed: <A, E, R>(work: Effect.Effect<A, E, R>, rows: (result: A) => number) => Effect.Effect<A, E, R>
}

/**
 * Begins with few rows, and then takes as many as the machine can process in time. `first` is the number to begin with, where the first
 * transaction of its kind is slower than those that follow: plans are made, pages and code are not at hand yet.
 */
export const make = (range: Range, first = range.least): Pace => {
  let size = first
  return {
    size: () => size,
    timed: (work, rows) =>
      Effect.gen(function*() {
        const before = yield* Clock.currentTimeMillis
        const result = yield* work
        size = next(size, rows(result), (yield* Clock.currentTimeMillis) - before, range)
        return result
      })
  }
}
