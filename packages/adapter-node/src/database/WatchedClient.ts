/**
 * The driver's client on a pool of connections that each must answer in
 * time: what `PgClient.layer` makes, with a watch.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Background, StatementTime } from "@filedrive/core"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Latch, Layer, Queue, type Scope, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { AnswerWatch, type Watched } from "./AnswerWatch.ts"
import * as BackgroundPool from "./BackgroundPool.ts"
import * as DriverInternals from "./DriverInternals.ts"
import { after } from "./MachineTimer.ts"
import { PipelinedConnection } from "./PipelinedConnection.ts"
import * as Sessions from "./Sessions.ts"
import { type Admission, WatchedConnection } from "./WatchedConnection.ts"

export interface WatchedOptions extends PgClient.PgPoolConfig {
  /** How long a statement may take that sets no other time. */
  readonly statementTimeout: Duration.Duration
  /** Is told of every question and answer. Default: abandons connections that owe an answer for too long. */
  readonly watch?: StatementWatch
  /**
   * Whether a call's wait for a connection counts to the time of its statements. Not where all share one: there a statement
   * that is abandoned ends the work of all. Default true.
   */
  readonly boundsWaits?: boolean
  /** Refuses statements before they are sent. Default: refuses none. */
  readonly admission?: Admission
  /**
   * The application name of the one connection that background work ({@link Background}) gets: one statement or transaction
   * of it at a time. Default: background work uses the same connections as the rest.
   */
  readonly backgroundName?: string
  /**
   * What every session is set to. Where there are some, it is noticed whether a pooler shares sessions among transactions
   * ({@link Pooler}); then they are set for each transaction. Default: none, and no pooler is expected.
   */
  readonly sessionSettings?: Readonly<Record<string, string>>
}

export type StatementWatch = Pick<AnswerWatch, "know" | "forget" | "asked" | "answered">

type Connection = PgConnection.PgConnection

/** A connection keeps the process running while a statement on it waits for its answer. */
interface Holding {
  readonly hold: () => void
  readonly release: () => void
  /** Taken by a transaction. */
  readonly turn: Semaphore.Semaphore
  /** Closed while a transaction sends ahead: who got the connection before it must not send in between. */
  readonly open: Latch.Latch
  /** Statements that found it open and have not ended. They may not even be sent yet. */
  alongside: number
  /** Open when the last of them has ended. */
  readonly alone: Latch.Latch
}

/** How long a connection has to show that it answers. */
const signOfLifeMillis = 2_000

/** A peer that answers closes its end at once; while a drive closes, people wait for one that does not. */
const goodbyeMillis = 1_000

/**
 * What a caller waits at most beyond its statement's time, and what a statement of a transaction has at least. A statement's
 * time begins when it is asked; before that its caller may have waited for a connection, or behind others on the same one.
 */
const graceMillis = 5_000

const unanswered = (millis: number) => {
  const message = `The database has not answered for ${millis / 1000} seconds.`
  return new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation: "connect" })
  })
}

/**
 * Waits no longer than that. Work that continues in vain ends by itself. One fiber and a timer: every statement is run by
 * this, and a race of two fibers takes more of a small call's time.
 */
const within = <A, E, R>(
  limitMillis: (caller: Fiber.Fiber<unknown, unknown>) => number,
  work: Effect.Effect<A, E, R>
) =>
  Effect.withFiber<A, E | SqlError.SqlError, R>((caller) =>
    Effect.callback((resume) => {
      const fiber = Effect.runForkWith(caller.context as Context.Context<R>)(work)
      const millis = limitMillis(caller)
      const cancelTimer = after(millis, () => {
        resume(Effect.fail(unanswered(millis)))
        fiber.interruptUnsafe(caller.id)
      })
      fiber.addObserver((exit) => {
        cancelTimer()
        resume(exit)
      })
      return Effect.andThen(Effect.sync(cancelTimer), Fiber.interrupt(fiber))
    })
  )

/** PostgreSQL answers `ROLLBACK` to the `COMMIT` of a transaction that has failed. */
export const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (answer) =>
    (answer as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
        new SqlError.SqlError({
          reason: new SqlError.UnknownError({
            cause: new Error("COMMIT rolled back a transaction that had failed"),
            message: "COMMIT rolled back a transaction that had failed",
            operation: "commit"
          })
        })
      )
      : Effect.void)

/** The name that the driver's compiler has for a JSON value. */
const json = Statement.custom<Statement.Custom<"PgJson", unknown>>("PgJson")

const make = Effect.fnUntraced(function*(
  { admission, backgroundName, boundsWaits = true, sessionSettings, statementTimeout, watch: given, ...config }:
    WatchedOptions
) {
  const pool = yield* backgroundName === undefined ? PgPool.make(config) : BackgroundPool.make(config, backgroundName)
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const ordinaryMillis = Duration.toMillis(statementTimeout)
  const own = given === undefined ? new AnswerWatch(ordinaryMillis) : undefined
  const watch = given ?? own!
  const known = new WeakMap<Connection, Watched & Holding>()
  const sessions = sessionSettings === undefined ? Sessions.own : Sessions.make(pool, config, sessionSettings, runFork)
  const connectionOptions = () => ({ admission, prepares: !sessions.areShared() })

  const watchedOf = (connection: Connection): Watched & Holding => {
    const before = known.get(connection)
    if (before !== undefined) return before
    const socket = DriverInternals.socketOf(connection)
    let waiting = 0
    const watched: Watched & Holding = {
      turn: Semaphore.makeUnsafe(1),
      open: Latch.makeUnsafe(true),
      alongside: 0,
      alone: Latch.makeUnsafe(false),
      hold: () => {
        if (waiting++ === 0) DriverInternals.keepRunning(connection, true)
      },
      release: () => {
        if (--waiting === 0) DriverInternals.keepRunning(connection, false)
      },
      giveUp: (reason) => {
        // A server doesn't notice that its client is gone while a statement waits for a lock.
        runFork(DriverInternals.cancel(connection))
        socket.destroy(reason)
      },
      retire: () => void runFork(pool.invalidate(connection))
    }
    known.set(connection, watched)
    watch.know(watched)
    sessions.begin(connection)
    socket.once("close", () => watch.forget(watched))
    // It was closed in order, and a silent peer never confirms that.
    socket.once("finish", () => setTimeout(() => socket.destroy(), goodbyeMillis).unref())
    return watched
  }

  /** Only work that others may share continues when its caller is interrupted; the driver waits for the end of everything else. */
  const during = (connection: Connection, isShared: boolean, limitMillis = ordinaryMillis) => {
    const watched = watchedOf(connection)
    return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.withFiber((fiber) => {
        const time = fiber.getRef(StatementTime.StatementTime)
        const question = watch.asked(watched, time === null ? limitMillis : Duration.toMillis(time))
        watched.hold()
        return Effect.onExit(work, (exit) =>
          Effect.sync(() => {
            watched.release()
            DriverInternals.freeAnswers(connection)
            if (isShared && Exit.hasInterrupts(exit)) question.abandoned = true
            else watch.answered(watched, question)
          }))
      })
  }

  const checks = new WeakMap<Connection, Deferred.Deferred<boolean>>()

  /** The pool's unused connections may have become silent together with one that was abandoned. */
  const isDoubtful = (connection: Connection) =>
    own?.hasGivenUp === true && (!known.has(connection) || checks.has(connection))

  const check = (connection: Connection, session: Connection) =>
    Effect.suspend(() => {
      const watched = watchedOf(connection)
      const question = watch.asked(watched, Math.min(signOfLifeMillis, ordinaryMillis))
      watched.hold()
      return session.query("SELECT 1", [], false).pipe(
        Effect.onExit(() =>
          Effect.sync(() => {
            watched.release()
            watch.answered(watched, question)
          })
        ),
        Effect.as(true),
        Effect.catch(() => Effect.as(pool.invalidate(connection), false))
      )
    })

  /** Whether a connection answers: all who want it wait for the same check. It is abandoned when it does not. */
  const answers = (connection: Connection, session = connection): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const begun = checks.get(connection)
      if (begun !== undefined) return Deferred.await(begun)
      const outcome = Deferred.makeUnsafe<boolean>()
      checks.set(connection, outcome)
      const ended = Effect.onExit(check(connection, session), () => Effect.sync(() => checks.delete(connection)))
      runFork(Deferred.into(ended, outcome))
      return Deferred.await(outcome)
    })

  const get: Effect.Effect<Connection, SqlError.SqlError, Scope.Scope> = Effect.flatMap(
    pool.get,
    (connection) =>
      isDoubtful(connection)
        ? Effect.flatMap(answers(connection), (answered) => answered ? Effect.succeed(connection) : get)
        : Effect.succeed(connection)
  )

  const multiplex = config.multiplex ?? false
  const shared = (connection: Connection) => {
    const alongside = during(connection, multiplex)
    if (!multiplex) return new WatchedConnection(connection, alongside, connectionOptions())
    const watched = watchedOf(connection)
    const end = Effect.sync(() => {
      if (--watched.alongside === 0) watched.alone.openUnsafe()
    })
    const turn: typeof alongside = (work) =>
      Effect.suspend(() => {
        if (!watched.open.isOpen()) return Effect.andThen(watched.open.await, turn(work))
        watched.alongside++
        return Effect.ensuring(alongside(work), end)
      })
    return new WatchedConnection(connection, turn, connectionOptions())
  }

  /** Waits for the statements that others may still send on a connection that takes no new ones. */
  const untilAlone = (watched: Holding) =>
    Effect.suspend(() => {
      if (watched.alongside === 0) return Effect.void
      watched.alone.closeUnsafe()
      return watched.alone.await
    })

  const statementMillis = (caller: Fiber.Fiber<unknown, unknown>) => {
    const time = caller.getRef(StatementTime.StatementTime)
    return time === null ? ordinaryMillis : Duration.toMillis(time)
  }
  const patiently = <A, E, R>(given: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> => {
    const work = sessions.known(given)
    return boundsWaits ? within((caller) => statementMillis(caller) + graceMillis, work) : work
  }

  /** A session for one user, with its watch. Taking it waits for the statements that others have sent before. */
  const reserve = patiently(Effect.gen(function*() {
    const start = performance.now()
    while (true) {
      const base = yield* pool.get
      const doubtful = isDoubtful(base)
      const { open, turn } = watchedOf(base)
      yield* Effect.acquireRelease(turn.take(1), () => turn.release(1))
      yield* Effect.acquireRelease(Effect.sync(() => open.closeUnsafe()), () => open.open)
      // At once, so that the next user gets another one.
      const own = yield* during(base, multiplex)(base.pin)
      if (doubtful && !(yield* answers(base, own))) continue
      // A silent connection may hold a lock: a caller who has waited for a connection does not wait as long again.
      const left = ordinaryMillis - (boundsWaits ? performance.now() - start : 0)
      return { base, own, during: during(base, false, Math.max(left, Math.min(graceMillis, ordinaryMillis))) }
    }
  }))

  /** No statement is ever sent on a connection that listens, so now and then it is checked whether it still answers. */
  const listen = Effect.fnUntraced(function*(channel: string) {
    yield* patiently(Effect.void)
    // In a session that others get too nothing would be heard: what is missed is found by polls.
    if (sessions.areShared()) return yield* Queue.unbounded<PgConnection.Notification, SqlError.SqlError>()
    // For as long as it listens: it must not use the one connection of background work.
    const { during, own } = yield* Effect.provideService(reserve, Background.Background, false)
    const heard = yield* during(own.listen(channel))
    yield* Effect.sleep(statementTimeout).pipe(
      Effect.andThen(during(own.query("SELECT 1", [], false))),
      Effect.forever,
      // The stream of notifications reports that the connection is lost.
      Effect.ignore,
      Effect.forkScoped
    )
    return heard
  })

  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: Effect.map(patiently(get), shared),
    borrower: (use) =>
      patiently(pool.use((connection) =>
        isDoubtful(connection)
          ? Effect.flatMap(answers(connection), (answered) =>
            answered ? use(shared(connection)) : Effect.scoped(Effect.flatMap(get, (other) => use(shared(other)))))
          : use(shared(connection))
      )),
    transactionAcquirer: Effect.flatMap(reserve, ({ base, during, own }) =>
      multiplex
        ? Effect.as(
          Effect.andThen(DriverInternals.sendAhead(base), untilAlone(watchedOf(base))),
          new PipelinedConnection(base, during, { ...connectionOptions(), afterBegin: sessions.afterBegin() })
        )
        : Effect.succeed(new WatchedConnection(own, during, connectionOptions()))),
    compiler: PgClient.makeCompiler(config.transformQueryNames, config.transformJson),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })

  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId as PgClient.TypeId,
    config,
    json: (value: unknown) => Statement.fragment([json(value)]),
    listen,
    notify: (channel: string, payload: string) => Effect.asVoid(client`SELECT pg_notify(${channel}, ${payload})::text`)
  })
})

/** `PgClient` and `SqlClient` on a pool whose connections are abandoned when they owe an answer for too long. */
export const layer = (
  options: WatchedOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.map(make(options), (client) =>
      Context.make(PgClient.PgClient, client).pipe(Context.add(SqlClient.SqlClient, client)))
  ).pipe(Layer.provide(Reactivity.layer))
