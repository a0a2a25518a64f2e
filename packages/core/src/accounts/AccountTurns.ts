/**
 * The turns of one process's transactions at an account: one runs, the others wait here and hold no connection meanwhile.
 *
 * Those that can be shared run together (group commit): the first to get its turn begins the transaction and locks the account,
 * and whoever waits then follows in it, each in a savepoint of its own, so that a failure takes back only its own changes.
 * There is one lock and one commit for all of them, and each caller is answered after that commit.
 *
 * ```text
 *   waiting ──turn──▶ first ──done──▶ followers, one after the other ──▶ commit ──▶ all are answered
 *                       └── failed: rolled back; the next one begins another transaction
 * ```
 */
import { Cause, Clock, Context, Deferred, Effect, Exit, Scope, Semaphore, Tracer } from "effect"
import { SqlError } from "effect/sql"
import { Background } from "../database/Background.ts"
import type { Database } from "../database/Database.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { HeldAccount } from "./HeldAccount.ts"

/** Changes that one transaction takes at most: other processes wait for the account too. */
const mostTogether = 64

/** How often a change is made again that the database gave up to end a deadlock. */
const mostRetries = 3

/** A database that kept a transaction waiting for this long before it failed is not asked once more by each of those who wait. */
const awayMillis = 5_000

/** The change of a caller: runs in a transaction that holds the account. */
type Work<A, E, R> = (held: HeldAccount) => Effect.Effect<A, E, R>

/** A change that may share a transaction, with all that its caller provides. */
interface Shared {
  readonly work: Work<unknown, unknown, never>
  readonly context: Context.Context<never>
  readonly number: number
  readonly answer: Deferred.Deferred<unknown, unknown>
}

/** Who waits at an account. */
interface Line {
  readonly turn: Semaphore.Semaphore
  readonly shared: Array<Shared>
  /** Whether a fiber serves those who share. */
  isLed: boolean
  /** Callers and leaders that have to do with this line. */
  users: number
  /** Those with a number up to this one are told that the database is away. */
  refused: { readonly upTo: number; readonly cause: Cause.Cause<never> } | undefined
}

/** The same statements may follow each other in one transaction: what they may write, and behind whom they run, is the same. */
const isAlike = (one: Shared, other: Shared): boolean =>
  Context.get(one.context, WritePurpose.WritePurpose) === Context.get(other.context, WritePurpose.WritePurpose)
  && Context.get(one.context, Background) === Context.get(other.context, Background)

const isDeadlock = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return SqlError.isSqlError(error) && error.reason._tag === "DeadlockError"
  })

/** A failing database is a defect here: a caller can only answer 500 or 503. */
const asDefect = <E>(cause: Cause.Cause<E>): Cause.Cause<Exclude<E, SqlError.SqlError>> =>
  Cause.fromReasons(cause.reasons.map((reason) =>
    Cause.isFailReason(reason) && SqlError.isSqlError(reason.error)
      ? Cause.makeDieReason(reason.error).annotate(Cause.reasonAnnotations(reason))
      : reason as Cause.Reason<Exclude<E, SqlError.SqlError>>
  ))

/** What a transaction adds to the context of its effects, but for its span. */
const transactionOf = (outside: Context.Context<never>, inside: Context.Context<never>): Context.Context<never> => {
  const added = new Map<string, unknown>()
  for (const [key, value] of inside.mapUnsafe) {
    if (key !== Tracer.ParentSpan.key && outside.mapUnsafe.get(key) !== value) added.set(key, value)
  }
  return Context.makeUnsafe(added)
}

export const make = Effect.fnUntraced(function*(
  { sql }: Database["Service"],
  /** Locks the account, in the transaction of the caller. */
  lock: (accountId: AccountId) => Effect.Effect<HeldAccount>
) {
  const scope = yield* Scope.Scope
  const lines = new Map<AccountId, Line>()
  let last = 0

  const lineOf = (accountId: AccountId): Line => {
    const known = lines.get(accountId)
    if (known !== undefined) return known
    const line: Line = { turn: Semaphore.makeUnsafe(1), shared: [], isLed: false, users: 0, refused: undefined }
    lines.set(accountId, line)
    return line
  }

  const leave = (accountId: AccountId, line: Line) => {
    if (--line.users === 0) lines.delete(accountId)
  }

  /** Notices a database that is away: those who wait already need not find out one after the other. */
  const noted = (line: Line) => <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (begun) =>
        Effect.tapCause(transaction, (cause) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const fault = DatabaseFault.ofCause(cause)
            if (fault?.code !== "unavailable" || now - begun < awayMillis) return
            line.refused = { upTo: last, cause: Cause.die(fault.cause) }
          }))
    )

  /** Runs `work` in a transaction of its own when its turn has come; again when the database gave it up to end a deadlock. */
  const alone = <A, E, R>(accountId: AccountId, work: Work<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const line = lineOf(accountId)
      const number = ++last
      line.users++
      const transaction = Effect.catchCause(
        sql.withTransaction(Effect.flatMap(lock(accountId), work)),
        (cause) => Effect.failCause(asDefect(cause) as Cause.Cause<E>)
      )
      const attempt = (retries: number): Effect.Effect<A, E, R> =>
        Effect.catchCause(transaction, (cause) =>
          retries > 0 && isDeadlock(cause) ? attempt(retries - 1) : Effect.failCause(cause))
      return line.turn.withPermit(Effect.suspend(() =>
        line.refused !== undefined && number <= line.refused.upTo
          ? Effect.failCause(line.refused.cause)
          : noted(line)(attempt(mostRetries))
      )).pipe(Effect.ensuring(Effect.sync(() =>
        leave(accountId, line)
      )))
    })

  /** One transaction for the first of those who wait, and for the others that can follow it. */
  const together = (accountId: AccountId, line: Line) =>
    Effect.suspend(() => {
      const first = line.shared.shift()
      if (first === undefined) return Effect.void
      if (line.refused !== undefined && first.number <= line.refused.upTo) {
        return Deferred.failCause(first.answer, line.refused.cause)
      }
      /** Those who have changed something, to be answered as the commit ends. */
      const changed: Array<readonly [Shared, Exit.Exit<unknown, unknown>]> = []
      const transaction = sql.withTransaction(Effect.gen(function*() {
        const held = yield* lock(accountId)
        const inside = transactionOf(first.context, yield* Effect.context())
        // Without a savepoint: nothing else is in the transaction that its failure would have to leave alone.
        const exit = yield* Effect.exit(Effect.provideContext(first.work(held), first.context))
        if (Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause)
        changed.push([first, exit])
        while (changed.length < mostTogether && line.shared[0] !== undefined && isAlike(first, line.shared[0])) {
          const next = line.shared.shift()!
          const savepoint = sql.withTransaction(held.keeping(Effect.suspend(() => next.work(held))))
          const exit = yield* Effect.exit(Effect.provideContext(savepoint, Context.merge(next.context, inside)))
          if (Exit.isSuccess(exit)) changed.push([next, exit])
          else if (isDeadlock(exit.cause)) yield* Effect.forkIn(again(accountId, next), scope)
          else yield* Deferred.failCause(next.answer, asDefect(exit.cause))
        }
      }))
      return Effect.provideContext(transaction, first.context).pipe(
        noted(line),
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit)) {
            for (const [{ answer }, done] of changed) Deferred.doneUnsafe(answer, done)
            return Effect.void
          }
          if (changed.length === 0 && isDeadlock(exit.cause)) return Effect.forkIn(again(accountId, first), scope)
          const failure = Exit.failCause(asDefect(exit.cause))
          if (changed.length === 0) Deferred.doneUnsafe(first.answer, failure)
          for (const [{ answer }] of changed) Deferred.doneUnsafe(answer, failure)
          return Effect.void
        }),
        Effect.ignoreCause
      )
    })

  /** Makes a change once more, in a transaction of its own. */
  const again = (accountId: AccountId, { answer, context, work }: Shared) =>
    Deferred.into(Effect.provideContext(alone(accountId, work), context), answer)

  /** Serves those who share, until none of them waits. */
  const lead = (accountId: AccountId, line: Line): Effect.Effect<void> =>
    Effect.flatMap(line.turn.withPermit(together(accountId, line)), () =>
      Effect.suspend(() => {
        if (line.shared.length > 0) return lead(accountId, line)
        line.isLed = false
        leave(accountId, line)
        return Effect.void
      }))

  /** Begins to serve those who share. Where that is interrupted, because the drive is closed, so are they. */
  const beginToLead = (accountId: AccountId, line: Line) =>
    Effect.suspend(() => {
      line.isLed = true
      line.users++
      return Effect.map(Effect.forkIn(lead(accountId, line), scope, { uninterruptible: false }), (leader) => {
        leader.addObserver((exit) => {
          if (Exit.isSuccess(exit)) return
          line.isLed = false
          leave(accountId, line)
          for (const { answer } of line.shared.splice(0)) Deferred.doneUnsafe(answer, exit)
        })
      })
    })

  /**
   * Runs `work` in a transaction that others may share. When its caller is interrupted before its turn it is not made; once begun
   * it continues without the caller, since the others' changes follow it.
   */
  const shared = <A, E, R>(accountId: AccountId, work: Work<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const line = lineOf(accountId)
      line.users++
      const answer = Deferred.makeUnsafe<A, E>()
      const change = { work, context: fiber.context, number: ++last, answer } as unknown as Shared
      line.shared.push(change)
      return Effect.andThen(line.isLed ? Effect.void : beginToLead(accountId, line), Deferred.await(answer)).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            const at = line.shared.indexOf(change)
            if (at >= 0) line.shared.splice(at, 1)
          })
        ),
        Effect.ensuring(Effect.sync(() => leave(accountId, line)))
      )
    })

  return { alone, shared }
})
