/** Places that groups (accounts, public links) share fairly ({@link "./FairQueue.ts"}), for work that takes long. */
import { Clock, Deferred, type Duration, Effect } from "effect"
import { Unavailable } from "./DriveError.ts"
import * as FairQueue from "./FairQueue.ts"

export interface FairPlaces {
  /**
   * Runs some work of a group when it is its turn. Fails with `Unavailable`, which says when to retry, when too
   * much of the group's waits already, it has waited for too long, or it was preempted: then the work is interrupted.
   * When interrupted, it frees its place, or stops waiting.
   */
  readonly run: <A, E, R>(group: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R>
}

/** How many works of all groups run at a time. */
export interface Places {
  /** Places for works in their turn. */
  readonly inTurn: number
  /** Extra places, for works that take longer than a turn. */
  readonly aside: number
}

export interface Times {
  /** Time after which work moves to an extra place, or may be preempted. */
  readonly turn: Duration.Duration
  /** How long work waits at most. */
  readonly waitMax: Duration.Duration
}

interface Caller {
  readonly group: string
  readonly start: Deferred.Deferred<void, Unavailable>
  readonly preempt: Deferred.Deferred<never, Unavailable>
}

/** Why work is refused, for the log. A group that is a secret is not to be named in them. */
export interface Causes {
  readonly tooMany: (group: string) => string
  readonly preempted: (group: string) => string
}

/** The longest delay before a retry: running work may end at any moment. */
const retryAfterMaxSeconds = 60

export const make = (
  rules: FairQueue.Rules,
  { turn, waitMax }: Times,
  { preempted: wasPreempted, tooMany }: Causes
): Effect.Effect<FairPlaces> =>
  Effect.sync(() => {
    let state = FairQueue.empty
    let lastTicket = 0
    /** What each work waits for: to begin or be refused, and then to be preempted. */
    const here = new Map<number, Caller>()

    /** The delay before a retry, by how long the group's works have been running and how many wait. */
    const refusal = (group: string, because: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const running = state.running.filter((one) => one.group === group)
        const longestMillis = Math.max(0, ...running.map(({ since }) => now - since))
        const seconds = longestMillis / 1_000 * (FairQueue.waitingOf(state, group) + 1) / rules.ofGroup
        return Effect.fail(
          new Unavailable({
            code: "unavailable",
            cause: new Error(because),
            retryAfterSeconds: Math.min(Math.max(Math.ceil(seconds), 1), retryAfterMaxSeconds)
          })
        )
      })

    const step = (event: FairQueue.Event) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const { preempted, refused, started, state: next } = FairQueue.next(rules, state, event, now)
        state = next
        for (const ticket of started) Deferred.doneUnsafe(here.get(ticket)!.start, Effect.void)
        for (const ticket of refused) {
          const { group, start } = here.get(ticket)!
          Deferred.doneUnsafe(start, refusal(group, tooMany(group)))
        }
        for (const ticket of preempted) {
          const { group, preempt } = here.get(ticket)!
          Deferred.doneUnsafe(preempt, refusal(group, wasPreempted(group)))
        }
      })

    /** Its place is free when the work has ended, not when it is told to. */
    const inTurn = <A, E, R>(ticket: number, { preempt }: Caller, work: Effect.Effect<A, E, R>) => {
      if (rules.asideMax === 0 && !rules.preempts) return work
      return Effect.scoped(Effect.andThen(
        Effect.forkScoped(Effect.forever(Effect.delay(step({ _tag: "TurnOver", ticket }), turn)), {
          startImmediately: true
        }),
        rules.preempts ? Effect.raceFirst(work, Deferred.await(preempt)) : work
      ))
    }

    return {
      run: (group, work) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const ticket = ++lastTicket
            const caller: Caller = { group, start: Deferred.makeUnsafe(), preempt: Deferred.makeUnsafe() }
            here.set(ticket, caller)
            const leave = Effect.andThen(step({ _tag: "Left", ticket }), Effect.sync(() => here.delete(ticket)))
            const wait = Effect.timeoutOrElse(Deferred.await(caller.start), {
              duration: waitMax,
              orElse: () => refusal(group, tooMany(group))
            })
            return Effect.andThen(
              step({ _tag: "Arrived", work: { ticket, group } }),
              Effect.ensuring(restore(Effect.andThen(wait, inTurn(ticket, caller, work))), leave)
            )
          })
        )
    }
  })
