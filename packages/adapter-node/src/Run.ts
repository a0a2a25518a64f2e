/** Runs a host's own calls on the services, and makes the errors that they reject with. */
import { DatabaseFault, DriveError as CoreError, Faults } from "@filedrive/core"
import { Cause, Effect, Exit, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { closed, DriveError, notReached, toDriveError } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import { exitOf } from "./ExitOf.ts"
import { HostFailed } from "./HostFailed.ts"
import type { Lifecycle } from "./Lifecycle.ts"
import { iterable } from "./StreamIterable.ts"

export interface Run {
  /** Runs an effect with the drive's services; rejects with a `DriveError`, or with what a host's own code threw. */
  <A, E>(effect: Effect.Effect<A, E, DriveServices>): Promise<A>
  /** Whether the drive is closed: what it has not answered by now it never will. */
  readonly isClosed: () => boolean
  /** Whether the drive is closed or about to be: calls under way are still answered. */
  readonly isClosing: () => boolean
  /** Keeps the process running while a promise is waited for. */
  readonly keepingAlive: <A>(work: Promise<A>) => Promise<A>
}

/** Fails with what a host's call rejects with. A fault of the drive is logged, and its reference is in the error. */
const fail = (cause: Cause.Cause<unknown>): Effect.Effect<never, unknown, SecureRandom.SecureRandom> => {
  const error = toDriveError(Cause.squash(cause))
  if (error instanceof DriveError || error instanceof HostFailed) return Effect.fail(error)
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
  return SecureRandom.SecureRandom.pipe(
    Effect.flatMap((random) => Faults.of(cause, "a call in code", random)),
    Effect.flatMap((answer) => Effect.fail(new DriveError(answer, error)))
  )
}

const told = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.catchCause(DatabaseFault.told(effect), fail)

/** The same of a stream. */
export const toldByStream = <A, E, R>(
  stream: Stream.Stream<A, E, R>
): Stream.Stream<A, unknown, R | SecureRandom.SecureRandom> =>
  Stream.catchCause(DatabaseFault.toldByStream(stream), (cause) => Stream.fromEffect(fail(cause)))

/** What a call rejects with. Any other failure was an interruption, as when the drive is closed. */
const rejection = (error: unknown, isClosing: boolean): unknown => {
  if (error instanceof HostFailed) return error.cause
  if (error instanceof DriveError) return error
  return isClosing ? closed(error) : toDriveError(new CoreError.Unavailable({ code: "unavailable", cause: error }))
}

export const makeRun = (lifecycle: Lifecycle): Run => {
  const run = async <A, E>(effect: Effect.Effect<A, E, DriveServices>): Promise<A> => {
    const leave = lifecycle.inFlight.enter()
    try {
      const { runtime } = await lifecycle.start().catch((error: unknown) => {
        throw error instanceof DriveError ? error : notReached(error)
      })
      const exit = await exitOf(runtime.runFork, told(effect))
      if (Exit.isSuccess(exit)) return exit.value
      throw Cause.squash(exit.cause)
    } catch (error) {
      throw rejection(error, lifecycle.inFlight.closing)
    } finally {
      leave()
    }
  }
  return Object.assign(run, {
    isClosed: () => lifecycle.isClosed,
    isClosing: () => lifecycle.inFlight.closing,
    keepingAlive: <A>(work: Promise<A>) => lifecycle.alive.during(work)
  })
}

export interface Pages<P, A> {
  /** What begins the reading. */
  readonly open: Effect.Effect<Stream.Stream<P, unknown>, unknown, DriveServices>
  readonly valuesOf: (page: P) => Iterable<A>
  /** What becomes of it when the drive is closed: a feed ends, a list that is not read to its end fails. */
  readonly whenClosed: "ends" | "fails"
  readonly signal?: AbortSignal | undefined
}

/** The values of a stream of pages, for `for await`. Each iterator reads anew. */
export const iterate = <P, A>(run: Run, { open, signal, valuesOf, whenClosed }: Pages<P, A>): AsyncIterable<A> =>
  iterable(async () => {
    const { context, pages } = await run(Effect.all({ pages: open, context: Effect.context<DriveServices>() }))
    const values = Stream.flattenIterable(Stream.map(toldByStream(pages), valuesOf))
    const iterator = Stream.toAsyncIterableWith(values, context)[Symbol.asyncIterator]()
    return {
      next: async () => {
        try {
          if (whenClosed === "fails" && run.isClosed()) throw closed()
          // Of a feed a page may have been read already, whose events come again with the cursor of the last one.
          if (whenClosed === "ends" && run.isClosing()) {
            await iterator.return?.()
            return { done: true, value: undefined }
          }
          return await run.keepingAlive(iterator.next())
        } catch (error) {
          if (!run.isClosed()) throw rejection(error, false)
          if (whenClosed === "fails") throw rejection(error, true)
          return { done: true, value: undefined }
        }
      },
      end: () => iterator.return?.()
    }
  }, signal)
