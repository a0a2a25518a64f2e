/**
 * Whether a signed-in user may still act. The host may suspend or remove a user at any
 * moment without telling the drive, so every call asks; the host itself is
 * asked at most once in {@link keptFor} for each user. Contract: "Accounts, tokens, sessions".
 */
import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { InHostTransaction } from "../database/HostTransaction.ts"
import { Accounts } from "../ports/Accounts.ts"
import { Refused, Unavailable } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"

/** `gone`: the host knows no such user. */
export type Standing = "active" | "suspended" | "gone"

/** How long an answer counts, from when the host was asked. */
const keptFor = Duration.seconds(3)

/** "There is no such user" may only mean that the host has not heard of a new one everywhere yet. */
const goneKeptFor = Duration.seconds(1)

/** A host that takes longer counts as unreachable. */
const answersWithin = Duration.seconds(10)

/** How often a live feed asks. */
const watchInterval = Duration.seconds(1)

/** Some 2 MB; the users who called last are kept. */
const capacity = 10_000

const outBecause = { suspended: "This account is suspended.", gone: "There is no such user." }

/** The error for a user who is suspended or gone. */
export const refused = (standing: Exclude<Standing, "active">): Refused =>
  new Refused({ code: "not_allowed", because: outBecause[standing] })

const mayAct = (standing: Standing): Effect.Effect<void, Refused> =>
  standing === "active" ? Effect.void : Effect.fail(refused(standing))

export class ActiveAccounts extends Context.Service<ActiveAccounts, {
  /** How the user stands, as the host said at most 3 seconds ago. Fails with `Unavailable` when the host can't be asked. */
  readonly standing: (id: AccountId) => Effect.Effect<Standing, Unavailable>

  /**
   * Lets a user act who shows no session, because the host vouches for who it is: by the same word as {@link standing}.
   * Fails with `Refused` (`not_allowed`) when the user is suspended or gone, `Unavailable` when the host can't be asked.
   */
  readonly check: (id: AccountId) => Effect.Effect<void, Refused | Unavailable>

  /** The same by what the host says now, before something is handed out that lasts: a session, an API token. */
  readonly checkAnew: (id: AccountId) => Effect.Effect<void, Refused | Unavailable>

  /** The user's standing has just changed in this process: the next call asks the host again. */
  readonly forget: (id: AccountId) => Effect.Effect<void>

  /**
   * Waits until the user is suspended or gone, and ends within 5 seconds of it.
   * While the host can't be asked it continues waiting.
   */
  readonly untilOut: (id: AccountId) => Effect.Effect<void>
}>()("@filedrive/core/accounts/ActiveAccounts") {
  static readonly layer = Layer.effect(
    ActiveAccounts,
    Effect.gen(function*() {
      const accounts = yield* Accounts

      const ask = Effect.fnUntraced(function*(id: AccountId) {
        const askedAt = yield* Clock.currentTimeMillis
        const found = yield* Effect.timeoutOrElse(accounts.find(id), {
          duration: answersWithin,
          orElse: () =>
            new Unavailable({ code: "unavailable", cause: new Error("The host's accounts did not answer in time.") })
        })
        const standing: Standing = Option.isNone(found) ? "gone" : found.value.suspended ? "suspended" : "active"
        return { standing, age: Duration.millis((yield* Clock.currentTimeMillis) - askedAt) }
      })

      const cache = yield* Cache.makeWith(ask, {
        capacity,
        timeToLive: Exit.match({
          onFailure: () => Duration.zero,
          onSuccess: ({ age, standing }) =>
            standing === "suspended"
              ? Duration.zero
              : Duration.max(Duration.zero, Duration.subtract(standing === "active" ? keptFor : goneKeptFor, age))
        })
      })

      /** In a host's transaction nothing is kept: it may be rolled back. */
      const standing = (id: AccountId) =>
        Effect.flatMap(
          InHostTransaction,
          (isHosts) => Effect.map(isHosts ? ask(id) : Cache.get(cache, id), (answer) => answer.standing)
        )

      const check = (id: AccountId) => Effect.flatMap(standing(id), mayAct)

      const checkAnew = (id: AccountId) => Effect.flatMap(ask(id), (answer) => mayAct(answer.standing))

      const isOut = (id: AccountId) =>
        Effect.match(standing(id), { onSuccess: (answer) => answer !== "active", onFailure: () => false })

      const untilOut = (id: AccountId): Effect.Effect<void> =>
        Effect.flatMap(
          Effect.delay(isOut(id), watchInterval),
          (out) => out ? Effect.void : Effect.suspend(() => untilOut(id))
        )

      return ActiveAccounts.of({ standing, check, checkAnew, forget: (id) => Cache.invalidate(cache, id), untilOut })
    })
  )
}
