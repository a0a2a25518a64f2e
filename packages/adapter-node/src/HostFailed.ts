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
