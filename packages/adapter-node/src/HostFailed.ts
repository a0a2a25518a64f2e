/** What a host's own streams, rows and callbacks throw: it is handed back to the host as it is, and is no fault of the drive. */

export class HostFailed {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

export const hostFailed = (cause: unknown): HostFailed => cause instanceof HostFailed ? cause : new HostFailed(cause)

const has = (given: unknown, method: symbol): boolean => {
  try {
    return typeof given === "object" && given !== null &&
      typeof (given as Record<symbol, unknown>)[method] === "function"
  } catch {
    return false
  }
}

export const isAsyncIterable = <A>(given: unknown): given is AsyncIterable<A> => has(given, Symbol.asyncIterator)
export const isIterable = <A>(given: unknown): given is Iterable<A> => has(given, Symbol.iterator)

/** The same values; one that can't even be begun, like a stream that somebody else reads, fails as the host's own. */
export const hostsOwn = <A>(given: AsyncIterable<A>): AsyncIterable<A> => ({
  [Symbol.asyncIterator]: () => {
    try {
      return given[Symbol.asyncIterator]()
    } catch (cause) {
      throw hostFailed(cause)
    }
  }
})

/** The same rows; what their iterator throws is the host's own. */
export const hostsRows = function*<A>(given: Iterable<A>): Iterable<A> {
  try {
    yield* given
  } catch (cause) {
    throw hostFailed(cause)
  }
}

/**
 * Ends a stream or rows that a host has passed to a call which fails, so that nothing of the host's stays open: most failures come before
 * anything is read, and nobody would read it any more. What is not the host's to end alone, like a stream that another reads, stays.
 */
export const abandon = async (given: unknown): Promise<void> => {
  try {
    if (given instanceof ReadableStream) {
      if (!given.locked) await given.cancel()
      return
    }
    if (typeof given !== "object" || given === null || given instanceof Blob || Array.isArray(given)) return
    const { destroy, return: end } = given as { readonly destroy?: unknown; readonly return?: unknown }
    // Without an error: a Node stream would emit it, and end the process of a host that does not listen.
    if (typeof destroy === "function" && isAsyncIterable(given)) destroy.call(given)
    else if (typeof end === "function" && (isAsyncIterable(given) || isIterable(given))) await end.call(given)
  } catch {
    // The call rejects with what it failed by, which tells more than that its source can't be ended either.
  }
}
