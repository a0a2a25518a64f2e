/**
 * Looks into feeds that many followers ask for at once. Each account has one look at a time on its way, and who asks for one
 * that waits already shares it: however many follow, others wait for one look of theirs.
 */
import { Deferred, Effect, type Exit, Scope } from "effect"

export interface SharedLooks<A> {
  /** The answer of `look`, begun after this was asked. Looks of one account with equal keys may be one. */
  readonly share: (accountId: string, key: string, look: Effect.Effect<A>) => Effect.Effect<A>
}

interface Waiting<A> {
  readonly look: Effect.Effect<A>
  readonly answer: Deferred.Deferred<A>
  followers: number
}

export const make = <A>(): Effect.Effect<SharedLooks<A>, never, Scope.Scope> =>
  Effect.map(Scope.Scope, (scope) => {
    /** Of each account that has a look on its way, those that wait behind it, oldest first. */
    const accounts = new Map<string, Map<string, Waiting<A>>>()

    const run = Effect.fnUntraced(function*(accountId: string, waiting: Map<string, Waiting<A>>) {
      for (;;) {
        const [next] = waiting
        if (next === undefined) break
        const [key, { answer, look }] = next
        // From now on it may miss what is committed: who asks later waits for another.
        waiting.delete(key)
        const exit: Exit.Exit<A> = yield* Effect.exit(look)
        yield* Deferred.done(answer, exit)
      }
      accounts.delete(accountId)
    })

    // Only the waiting can be broken off: who has noted a look has it begun, too.
    const share = (accountId: string, key: string, look: Effect.Effect<A>) =>
      Effect.uninterruptibleMask((restore) => {
        const running = accounts.get(accountId)
        const waiting = running ?? new Map<string, Waiting<A>>()
        const asked = waiting.get(key) ?? { look, answer: Deferred.makeUnsafe<A>(), followers: 0 }
        waiting.set(key, asked)
        asked.followers++
        const leave = Effect.sync(() => {
          if (--asked.followers === 0 && waiting.get(key) === asked) waiting.delete(key)
        })
        const answered = Effect.onInterrupt(restore(Deferred.await(asked.answer)), () => leave)
        if (running !== undefined) return answered
        accounts.set(accountId, waiting)
        return Effect.andThen(Effect.forkIn(Effect.interruptible(run(accountId, waiting)), scope), answered)
      })

    return { share }
  })
