/**
 * Reads of feeds that many followers ask for at once. Each account has one read running at a time, and a follower who asks for one
 * that is already waiting shares it: however many followers there are, other accounts wait for at most one of their reads.
 */
import { Deferred, Effect, type Exit, Scope } from "effect"

export interface SharedReads<A> {
  /** The result of `read`, begun after this call. Reads of one account with equal keys may be one. */
  readonly share: (accountId: string, key: string, read: Effect.Effect<A>) => Effect.Effect<A>
}

interface Waiting<A> {
  readonly read: Effect.Effect<A>
  readonly answer: Deferred.Deferred<A>
  followers: number
}

export const make = <A>(): Effect.Effect<SharedReads<A>, never, Scope.Scope> =>
  Effect.map(Scope.Scope, (scope) => {
    /** By account that has a read running, the reads that wait for it to end, oldest first. */
    const accounts = new Map<string, Map<string, Waiting<A>>>()

    const run = Effect.fnUntraced(function*(accountId: string, waiting: Map<string, Waiting<A>>) {
      for (;;) {
        const [next] = waiting
        if (next === undefined) break
        const [key, { answer, read }] = next
        // From now on it may miss what is committed: a follower who asks later waits for another read.
        waiting.delete(key)
        const exit: Exit.Exit<A> = yield* Effect.exit(read)
        yield* Deferred.done(answer, exit)
      }
      accounts.delete(accountId)
    })

    // Only the waiting is interruptible: a read that is noted is also begun.
    const share = (accountId: string, key: string, read: Effect.Effect<A>) =>
      Effect.uninterruptibleMask((restore) => {
        const running = accounts.get(accountId)
        const waiting = running ?? new Map<string, Waiting<A>>()
        const asked = waiting.get(key) ?? { read, answer: Deferred.makeUnsafe<A>(), followers: 0 }
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
