/**
 * What was read of accounts lately, and how it is used without ever showing anything outdated.
 *
 * Every transaction that changes an account increases its revision. So a value that was read when the revision was known is
 * true as long as the revision is the same, and one number confirms all of them ({@link latest}).
 */
import { Effect, Fiber } from "effect"
import { LruCache } from "../shared/LruCache.ts"

/** Values by their keys; those that don't exist are missing. */
export interface Recalled<K, V> {
  readonly values: ReadonlyMap<K, V>
  /** Whether one of them was cached: then they are as of the revision that was asked for, otherwise of that or a later one. */
  readonly isCached: boolean
}

interface Options<K, V> {
  /** Bytes that a process keeps. */
  readonly maxBytes: number
  readonly bytesOf: (value: V, key: K) => number
  /** Whether the revision counts all changes of this value; one that can change without is not kept. */
  readonly isCounted?: (value: V) => boolean
}

export class RevisionCache<K, V> {
  readonly #entries: LruCache<K, { readonly revision: number; readonly value: V }>
  readonly #options: Options<K, V>

  constructor(options: Options<K, V>) {
    this.#options = options
    this.#entries = new LruCache(options.maxBytes)
  }

  /**
   * The values of these keys: cached ones as of `revision`, and `read` is called once for all others, if there are any. It must
   * run after `revision` was read.
   */
  recall<E, R>(
    keys: ReadonlyArray<K>,
    revision: number,
    read: (keys: ReadonlyArray<K>) => Effect.Effect<Iterable<readonly [K, V]>, E, R>
  ): Effect.Effect<Recalled<K, V>, E, R> {
    return Effect.suspend(() => {
      const values = new Map<K, V>()
      for (const key of keys) {
        const entry = this.#entries.get(key)
        if (entry?.revision === revision) values.set(key, entry.value)
      }
      const isCached = values.size > 0
      const others = isCached ? keys.filter((key) => !values.has(key)) : keys
      if (others.length === 0) return Effect.succeed({ values, isCached })
      return Effect.map(read(others), (found) => {
        for (const [key, value] of found) {
          values.set(key, value)
          this.#keep(key, revision, value)
        }
        return { values, isCached }
      })
    })
  }

  #keep(key: K, revision: number, value: V): void {
    const { bytesOf, isCounted } = this.#options
    if (isCounted?.(value) === false) return
    this.#entries.set(key, { revision, value }, bytesOf(value, key))
  }
}

/** An answer that depends on a state, like an account's revision, which others may change at any moment. */
export interface Answering<S, A, E, R> {
  /** The state as this process last saw it; undefined when it never did. */
  readonly known: Effect.Effect<S | undefined, E, R>
  /** The state as it is now; undefined when there is none, and no answer. */
  readonly current: Effect.Effect<S | undefined, E, R>
  /** The answer as of a state; undefined when that state is gone. */
  readonly answer: (state: S) => Effect.Effect<A | undefined, E, R>
  /** Whether an answer as of a state is also the answer as of `current`. */
  readonly isConfirmed: (answer: A, state: S, current: S) => Effect.Effect<boolean, E, R>
  /** Runs `work` while nobody can change the state. */
  readonly locked: (work: Effect.Effect<A | undefined, E, R>) => Effect.Effect<A | undefined, E, R>
}

/** How often the answer is computed again because the state changed meanwhile, before others have to wait. */
const triesMaxCount = 3

/**
 * The answer as of now, in four steps of which nearly always the first two are enough:
 *
 * 1. guess: answer by the known state, while the current one is being read;
 * 2. confirm: nothing that the answer depends on has changed;
 * 3. retry: answer by the current state, which may change again meanwhile;
 * 4. lock: answer while others wait. A call that trashes a large folder changes an account faster than it is read.
 */
export const latest = Effect.fnUntraced(
  function*<S, A, E, R>({ answer, current, isConfirmed, known, locked }: Answering<S, A, E, R>) {
    const before = yield* known
    const reading = yield* Effect.forkChild(current, { startImmediately: true })
    const guess = before === undefined ? undefined : yield* answer(before)
    let now = yield* Fiber.join(reading)
    if (guess !== undefined && now !== undefined && (yield* isConfirmed(guess, before!, now))) return guess
    for (let tries = 1; now !== undefined && tries <= triesMaxCount; tries++) {
      const found = yield* answer(now)
      if (found !== undefined) return found
      now = yield* current
    }
    if (now === undefined) return undefined
    return yield* locked(
      Effect.flatMap(current, (state) => state === undefined ? Effect.succeed(undefined) : answer(state))
    )
  }
)
