/** Places that accounts share fairly ({@link "./FairQueue.ts"}), for work that takes long. */
import { Clock, Deferred, type Duration, Effect } from "effect"
import { Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as FairQueue from "./FairQueue.ts"

export interface FairPlaces {
  /**
   * Does some work of an account's when it is its turn. Fails with `Unavailable`, which says when to come again, when too
   * much of the account's waits already, or it has waited for too long. Interrupted, it gives up its place, or its wait.
   */
  readonly run: <A, E, R>(account: AccountId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R>
}

export interface Times {
  /** After which work may go on aside. */
  readonly turn: Duration.Duration
  /** How long work waits at most. */
  readonly waitMax: Duration.Duration
}

/** How long to stay away at most: what runs may end at any moment. */
const retryAfterMaxSeconds = 60

export const make = (rules: FairQueue.Rules, { turn, waitMax }: Times): Effect.Effect<FairPlaces> =>
  Effect.sync(() => {
    let state = FairQueue.empty
    let lastTicket = 0
    /** What everybody who is here waits for: to begin, or to be refused. */
    const waiting = new Map<
      number,
      { readonly account: AccountId; readonly start: Deferred.Deferred<void, Unavailable> }
    >()
    const begunMillis = new Map<number, number>()

    /** How long to stay away, by how long the account's works have been running and how many wait. */
    const refusal = (account: AccountId) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const running = state.running.filter((one) => one.account === account)
        const longestMillis = Math.max(0, ...running.map(({ ticket }) => now - (begunMillis.get(ticket) ?? now)))
        const seconds = longestMillis / 1_000 * (FairQueue.waitingOf(state, account) + 1) / rules.ofAccount
        return Effect.fail(
          new Unavailable({
            code: "unavailable",
            cause: new Error(`Too many files wait to be opened for ${account}`),
            retryAfterSeconds: Math.min(Math.max(Math.ceil(seconds), 1), retryAfterMaxSeconds)
          })
        )
      })

    const step = (event: FairQueue.Event) => {
      const { refused, started, state: next } = FairQueue.next(rules, state, event)
      state = next
      for (const ticket of started) Deferred.doneUnsafe(waiting.get(ticket)!.start, Effect.void)
      for (const ticket of refused) {
        const { account, start } = waiting.get(ticket)!
        Deferred.doneUnsafe(start, refusal(account))
      }
    }

    const inTurn = <A, E, R>(ticket: number, work: Effect.Effect<A, E, R>) =>
      Effect.scoped(Effect.gen(function*() {
        begunMillis.set(ticket, yield* Clock.currentTimeMillis)
        if (rules.asideMax > 0) {
          yield* Effect.forkScoped(Effect.delay(Effect.sync(() => step({ _tag: "TurnOver", ticket })), turn))
        }
        return yield* work
      }))

    return {
      run: (account, work) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const ticket = ++lastTicket
            const start = Deferred.makeUnsafe<void, Unavailable>()
            waiting.set(ticket, { account, start })
            const leave = Effect.sync(() => {
              waiting.delete(ticket)
              begunMillis.delete(ticket)
              step({ _tag: "Left", ticket })
            })
            step({ _tag: "Arrived", work: { ticket, account } })
            const wait = Effect.timeoutOrElse(Deferred.await(start), {
              duration: waitMax,
              orElse: () => refusal(account)
            })
            return Effect.ensuring(restore(Effect.andThen(wait, inTurn(ticket, work))), leave)
          })
        )
    }
  })
