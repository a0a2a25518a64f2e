/**
 * The turns of one process's transactions at an account: one runs, the others wait here and hold no connection meanwhile.
 *
 * Those that can be shared run together (group commit): the first to get its turn begins the transaction and locks the account,
 * and those that wait by then follow in it, each in a savepoint of its own, so that a failure rolls back only its own changes.
 * There is one lock and one commit for all of them, and each caller is answered after that commit.
 *
 * ```text
 *   waiting ──turn──▶ first ──done──▶ followers, one after the other ──▶ commit ──▶ all are answered
 *                       └── failed: rolled back; the next one begins another transaction
 * ```
 */
import { Cause, Clock, Context, Deferred, Effect, Exit, Option, Result, Scope, Semaphore, Tracer } from "effect"
import { SqlError } from "effect/sql"
import type { Database } from "../database/Database.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import * as Pipeline from "../database/Pipeline.ts"
import type { AccountId } from "../shared/Ids.ts"
import { type Change, isAlike, type Line, type Shared, takeNext, type Work } from "./AccountLine.ts"
import type { Balance } from "./Balance.ts"
import type { HeldAccount } from "./HeldAccount.ts"

/** The most changes that one transaction takes: other processes wait for the account too. */
const mostTogether = 64

/** How often a change is tried again after the database has rolled it back to end a conflict. */
const mostRetries = 3

/** When a transaction has waited for this long before the database failed, those who wait fail too, without trying it themselves. */
const awayMillis = 5_000

type Exits = ReadonlyArray<Exit.Exit<unknown, unknown>>

const exitOf = <A, E>(result: Result.Result<A, E>): Exit.Exit<A, E> =>
  Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure)

/** Whether the database has rolled the transaction back for the sake of others, so that the same change may succeed at once. */
const isConflict = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    return SqlError.isSqlError(error) && ["DeadlockError", "SerializationError"].includes(error.reason._tag)
  })

/** A failing database is a defect here: a caller can only answer 500 or 503. */
const asDefect = <E>(cause: Cause.Cause<E>): Cause.Cause<Exclude<E, SqlError.SqlError>> =>
  Cause.fromReasons(cause.reasons.map((reason) =>
    Cause.isFailReason(reason) && SqlError.isSqlError(reason.error)
      ? Cause.makeDieReason(reason.error).annotate(Cause.reasonAnnotations(reason))
      : reason as Cause.Reason<Exclude<E, SqlError.SqlError>>
  ))

/** What a transaction adds to the context of its effects, except its span. */
const transactionOf = (outside: Context.Context<never>, inside: Context.Context<never>): Context.Context<never> => {
  const added = new Map<string, unknown>()
  for (const [key, value] of inside.mapUnsafe) {
    if (key !== Tracer.ParentSpan.key && outside.mapUnsafe.get(key) !== value) added.set(key, value)
  }
  return Context.makeUnsafe(added)
}

/**
 * Runs `effect` with its own caller's context and no other: what another caller has set, such as the purpose of its writes, must
 * not reach it.
 */
const within = <A, E>(effect: Effect.Effect<A, E>, context: Context.Context<never>): Effect.Effect<A, E> =>
  Effect.updateContext(effect, () => context)

/** Runs an effect as what the caller with this context has done, not as a part of the transaction. */
const underSpanOf = (context: Context.Context<never>) => <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const span = Context.getOption(context, Tracer.ParentSpan)
  return Option.isSome(span) ? Effect.provideService(effect, Tracer.ParentSpan, span.value) : effect
}

export const make = Effect.fnUntraced(function*(
  { sql }: Database["Service"],
  /** Locks the account in the caller's transaction. */
  lock: (accountId: AccountId) => Effect.Effect<HeldAccount>,
  /** Makes a change to the locked account, and saves the changed counts at its end. */
  saved: <A, E, R>(work: (balance: Balance) => Effect.Effect<A, E, R>) => Work<A, E, R>
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

  /** When the database is away, all who wait already fail at once, not one after the other. */
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

  /** Runs `work` in a transaction of its own when its turn has come; again when the database rolled it back to end a conflict. */
  const alone = <A, E, R>(accountId: AccountId, work: Work<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const line = lineOf(accountId)
      const number = ++last
      line.users++
      const transaction = Effect.catchCause(
        Pipeline.beginningWithLock(sql.withTransaction(Effect.flatMap(lock(accountId), work))),
        (cause) => Effect.failCause(asDefect(cause) as Cause.Cause<E>)
      )
      const attempt = (retries: number): Effect.Effect<A, E, R> =>
        Effect.catchCause(transaction, (cause) =>
          retries > 0 && isConflict(cause) ? attempt(retries - 1) : Effect.failCause(cause))
      return line.turn.withPermit(Effect.suspend(() =>
        line.refused !== undefined && number <= line.refused.upTo
          ? Effect.failCause(line.refused.cause)
          : noted(line)(attempt(mostRetries))
      )).pipe(Effect.ensuring(Effect.sync(() =>
        leave(accountId, line)
      )))
    })

  /** Makes the changes of several callers. Each has its own exit. */
  const made = (accountId: AccountId, asked: ReadonlyArray<Shared>, held: HeldAccount) => {
    const [{ change }] = asked as readonly [Shared]
    if ("work" in change) return Effect.map(change.work(held), (value): Exits => [Exit.succeed(value)])
    const items = asked.map((shared) => (shared.change as typeof change).item)
    return Effect.map(
      saved((balance) => change.batch.run(accountId, items, balance))(held),
      (results): Exits => results.map(exitOf)
    )
  }

  /** Answers those whose change has failed; when several were made together, each is tried again alone. */
  const failed = (accountId: AccountId, line: Line, asked: ReadonlyArray<Shared>, cause: Cause.Cause<unknown>) => {
    const [first] = asked as readonly [Shared]
    // A conflict is a transient fault, but the database is reachable: it rolled back one transaction of many callers.
    if (asked.length > 1 && (isConflict(cause) || DatabaseFault.ofCause(cause) === undefined)) {
      line.shared.unshift(...asked.map((shared) => ({ ...shared, change: { ...shared.change, isAlone: true } })))
      return Effect.void
    }
    if (isConflict(cause)) return Effect.forkIn(again(accountId, first), scope)
    for (const { answer } of asked) Deferred.doneUnsafe(answer, Exit.failCause(asDefect(cause)))
    return Effect.void
  }

  /** One transaction for the first in the queue, and for the others that can follow it. */
  const together = (accountId: AccountId, line: Line) =>
    Effect.suspend(() => {
      const firsts = takeNext(line.shared, () => true)
      const [first] = firsts
      if (first === undefined) return Effect.void
      if (line.refused !== undefined && first.number <= line.refused.upTo) {
        for (const { answer } of firsts) Deferred.doneUnsafe(answer, Exit.failCause(line.refused.cause))
        return Effect.void
      }
      /** The callers whose change is made, with their results, which they get after the commit. */
      const done: Array<readonly [Shared, Exit.Exit<unknown, unknown>]> = []
      const note = (asked: ReadonlyArray<Shared>, exits: Exits) => {
        for (const [at, shared] of asked.entries()) done.push([shared, exits[at]!])
      }
      const transaction = Pipeline.beginningWithLock(sql.withTransaction(Effect.gen(function*() {
        const held = yield* lock(accountId)
        // Without a savepoint: the transaction contains no other change that would have to be kept if this one fails. It runs with the
        // first caller's context already, but for the span.
        note(firsts, yield* underSpanOf(first.context)(made(accountId, firsts, held)))
        if (line.shared.length === 0) return
        // Only for those who follow: it looks at every service of the drive.
        const inside = transactionOf(first.context, yield* Effect.context())
        // Failed ones count too, or callers that repeat them would delay the others' commit without end.
        for (let begun = firsts.length; begun < mostTogether;) {
          const asked = takeNext(line.shared, (next) => isAlike(first, next))
          if (asked[0] === undefined) return
          begun += asked.length
          const savepoint = sql.withTransaction(held.keeping(Effect.suspend(() => made(accountId, asked, held))))
          const exit = yield* Effect.exit(within(savepoint, Context.merge(asked[0].context, inside)))
          if (Exit.isSuccess(exit)) note(asked, exit.value)
          else yield* failed(accountId, line, asked, exit.cause)
        }
      })))
      return within(transaction, first.context).pipe(
        noted(line),
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit)) {
            for (const [{ answer }, told] of done) Deferred.doneUnsafe(answer, told)
            return Effect.void
          }
          if (done.length === 0) return failed(accountId, line, firsts, exit.cause)
          const failure = Exit.failCause(asDefect(exit.cause))
          for (const [{ answer }] of done) Deferred.doneUnsafe(answer, failure)
          return Effect.void
        }),
        Effect.ignoreCause
      )
    })

  /** Makes a change again, in a transaction of its own. */
  const again = (accountId: AccountId, shared: Shared) =>
    Effect.flatMap(
      Effect.exit(within(
        alone(accountId, (held) => made(accountId, [shared], held)),
        shared.context
      )),
      (exit) => Deferred.done(shared.answer, Exit.isSuccess(exit) ? exit.value[0]! : exit)
    )

  /** Makes the changes that share transactions, until none of them waits. */
  const lead = (accountId: AccountId, line: Line): Effect.Effect<void> =>
    Effect.flatMap(line.turn.withPermit(together(accountId, line)), () =>
      Effect.suspend(() => {
        if (line.shared.length > 0) return lead(accountId, line)
        line.isLed = false
        leave(accountId, line)
        return Effect.void
      }))

  /** Begins to make the changes that share transactions. When this is interrupted, because the drive closes, their callers are too. */
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
   * Makes a change in a transaction that others may share. When its caller is interrupted before its turn, it is not made. A change
   * that has begun continues without its caller, since the others' changes follow it.
   */
  const shared = <A, E, R>(accountId: AccountId, change: Change<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const line = lineOf(accountId)
      line.users++
      const answer = Deferred.makeUnsafe<A, E>()
      const waiting = { change, context: fiber.context, number: ++last, answer } as unknown as Shared
      line.shared.push(waiting)
      return Effect.andThen(line.isLed ? Effect.void : beginToLead(accountId, line), Deferred.await(answer)).pipe(
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            const at = line.shared.findIndex((shared) => shared.answer === answer)
            if (at >= 0) line.shared.splice(at, 1)
          })
        ),
        Effect.ensuring(Effect.sync(() => leave(accountId, line)))
      )
    })

  return { alone, shared }
})
