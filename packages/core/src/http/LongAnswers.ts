/**
 * Answers whose length grows with an account: how many of them a process makes and sends at a time. These numbers bound the memory that
 * such answers take, however many callers ask and however slowly they read.
 *
 * - A list is read page by page as its caller takes it, so it holds a page of memory, for as long as its caller reads.
 * - Any other long answer is made whole, a few at a time, for the accounts in turn.
 * - An answer counts in bytes until it is sent, also a page of an operation that has pages, since texts can make a page long.
 *
 * A reader that stops is cut off after {@link Limits.longAnswers.stall}: the connection ends, so that no beginning is taken for the whole.
 */
import { Channel, Context, Effect, Layer, PartitionedSemaphore, Scope, Stream } from "effect"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { LinkCall } from "../links/LinkCall.ts"
import { TooManyRequests } from "./ApiError.ts"

/** A place that is taken until it is released; releasing it again does nothing. */
export interface Place {
  readonly release: () => void
}

const { bytes, lists, making, patience, retryAfterSeconds, stall } = Limits.longAnswers

const refused = TooManyRequests.after(
  retryAfterSeconds,
  `Too many long answers are being sent; call again in ${retryAfterSeconds} seconds.`
)

/** Parts of a whole that are taken, by each account and by all. */
class Shares {
  readonly #max: { readonly perAccount: number; readonly perProcess: number }
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(max: { readonly perAccount: number; readonly perProcess: number }) {
    this.#max = max
  }

  /** Takes so much, or returns undefined. An account that has nothing may take more than its share. */
  take(account: string, amount: number): Place | undefined {
    const own = this.#taken.get(account) ?? 0
    if (own > 0 && own + amount > this.#max.perAccount) return undefined
    if (this.#all > 0 && this.#all + amount > this.#max.perProcess) return undefined
    this.#add(account, amount)
    let isTaken = true
    return {
      release: () => {
        if (isTaken) this.#add(account, -amount)
        isTaken = false
      }
    }
  }

  /** Whether the account has taken half of its share. */
  isHalf(account: string): boolean {
    return (this.#taken.get(account) ?? 0) >= this.#max.perAccount / 2
  }

  #add(account: string, amount: number): void {
    this.#all += amount
    const own = (this.#taken.get(account) ?? 0) + amount
    if (own === 0) this.#taken.delete(account)
    else this.#taken.set(account, own)
  }
}

/** Ends a stream whose reader does not come back for the next piece, or never begins, and releases the place at the end. */
const whileRead = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  { release }: Place
): Effect.Effect<Stream.Stream<A, E, R>> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      const runFork = Effect.runForkWith(context)
      let isCut = false
      let stopWaiting = () => {}
      const wait = (interruptReader: () => void) => {
        stopWaiting()
        const fiber = runFork(Effect.delay(
          Effect.sync(() => {
            isCut = true
            release()
            interruptReader()
          }),
          stall
        ))
        stopWaiting = () => fiber.interruptUnsafe()
      }
      wait(() => {})
      return Stream.fromChannel(
        Channel.transformPull(stream.channel, (pull, scope) =>
          Effect.as(
            Scope.addFinalizer(
              scope,
              Effect.sync(() => {
                stopWaiting()
                release()
              })
            ),
            Effect.withFiber((reader) => {
              stopWaiting()
              return isCut
                ? Effect.interrupt
                : Effect.tap(pull, () => Effect.sync(() => wait(() => reader.interruptUnsafe())))
            })
          ))
      )
    })
  )

export class LongAnswers extends Context.Service<LongAnswers, {
  /** The stream of a list, if the account may have one more. It has its place until it ends. */
  readonly list: <A, E, R>(
    account: string,
    stream: Stream.Stream<A, E, R>
  ) => Effect.Effect<Stream.Stream<A, E, R>, TooManyRequests>
  /** Makes a long answer in its account's turn. */
  readonly make: <A, E, R>(account: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TooManyRequests, R>
  /** The bytes of an answer that was made, to be sent as their reader takes them. */
  readonly send: (account: string, bytes: Uint8Array) => Effect.Effect<Stream.Stream<Uint8Array>, TooManyRequests>
}>()("@filedrive/core/http/LongAnswers") {
  static readonly layer = Layer.sync(LongAnswers, () => {
    const places = new Shares(lists)
    const unsent = new Shares(bytes)
    const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: making })

    return LongAnswers.of({
      list: (account, stream) =>
        Effect.suspend(() => {
          const place = places.take(account, 1)
          return place === undefined ? Effect.fail(refused) : whileRead(stream, place)
        }),

      make: <A, E, R>(account: string, work: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          let hasBegun = false
          const inTurn = turns.withPermits(account, 1)(Effect.suspend((): Effect.Effect<A, E | TooManyRequests, R> => {
            hasBegun = true
            // Another would be made in vain if it is as long.
            return unsent.isHalf(account) ? Effect.fail(refused) : work
          }))
          const tooLate = Effect.suspend(() => hasBegun ? Effect.never : Effect.fail(refused))
          return Effect.raceFirst(inTurn, Effect.delay(tooLate, patience))
        }),

      send: (account, whole) =>
        Effect.suspend(() => {
          const place = unsent.take(account, whole.length)
          return place === undefined ? Effect.fail(refused) : whileRead(inPieces(whole), place)
        })
    })
  })
}

/** Whose answer is made. Only an account's own operations have long ones, and their middleware provides it. */
export const accountId = Effect.map(CurrentAccount, ({ id }) => id) as unknown as Effect.Effect<string>

/** Who reads an answer: an account, or at a public link the network of the call; all calls of unknown networks count as one. */
export const caller = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed<string>(
    Context.getOrUndefined(context, CurrentAccount)?.id
      ?? `link ${Context.getOrUndefined(context, LinkCall)?.network ?? null}`
  )
)

/** A short answer is sent at once, as any other. */
export const isShort = (bytes: Uint8Array): boolean => bytes.length <= pieceBytes

const pieceBytes = 256 * 1_024

const inPieces = (whole: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.unfold(0, (from) =>
    Effect.succeed(
      from < whole.length ? [whole.subarray(from, from + pieceBytes), from + pieceBytes] as const : undefined
    ))
