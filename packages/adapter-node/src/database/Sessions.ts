/** The sessions of a pool's connections: whether a pooler shares them, and their settings. */
import { PgConnection, type PgPool } from "@effect/sql-pg"
import { Effect, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import * as DriverInternals from "./DriverInternals.ts"
import { type Client, setSession, setTransaction, sharesSessions, sharing } from "./Pooler.ts"

type Connection = PgConnection.PgConnection

export interface Sessions {
  /** Runs `work` once it is known whether sessions are shared; the first call finds out. */
  readonly known: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
  readonly areShared: () => boolean
  /** Sets the session of a new connection, before its first statement; nothing where sessions are shared. */
  readonly begin: (connection: Connection) => void
  /** The statement that sets a shared session for one transaction. */
  readonly afterBegin: () => string | undefined
}

const clientOf = (connection: Connection): Client => ({
  ask: (sql) => Effect.map(connection.query(sql, [], false), ({ rows }) => rows)
})

/** The process is kept running while the answer is waited for: connections don't do that by themselves. */
const held = (connection: Connection) =>
  Effect.acquireRelease(
    Effect.sync(() => DriverInternals.keepRunning(connection, true)),
    () => Effect.sync(() => DriverInternals.keepRunning(connection, false))
  )

/** For a database without a server, or without settings of sessions: no session is shared. */
export const own: Sessions = {
  known: (work) => work,
  areShared: () => false,
  begin: () => {},
  afterBegin: () => undefined
}

export const make = (
  pool: Pick<PgPool.PgPool, "get" | "invalidate">,
  config: PgPool.Config,
  settings: Readonly<Record<string, string>>,
  runFork: (work: Effect.Effect<unknown>) => unknown
): Sessions => {
  const turn = Semaphore.makeUnsafe(1)
  let shared: boolean | undefined

  /** A pooler has keys of its own for its connections: a connection with the server's process id leads directly to the server. */
  const isDirect = Effect.scoped(Effect.gen(function*() {
    const connection = yield* pool.get
    yield* held(connection)
    const answered = clientOf(connection).ask("SELECT pg_backend_pid() AS pid")
    const [row] = yield* Effect.onError(answered, () => pool.invalidate(connection))
    return (row as { readonly pid: number }).pid === connection.processId
  }))

  const opened = Effect.map(
    Effect.tap(PgConnection.make({ ...config, multiplex: false, prepare: false }), held),
    clientOf
  )
  const look = Effect.flatMap(isDirect, (isDirect) =>
    isDirect
      ? Effect.succeed(false)
      : Effect.scoped(Effect.flatMap(
        Effect.all([opened, opened]),
        ([one, other]) => sharesSessions(one, other)
      )))

  const find = turn.withPermit(Effect.suspend(() =>
    shared !== undefined ? Effect.void : Effect.map(look, (found) => {
      shared = found
      if (found) runFork(Effect.logWarning(sharing))
    })
  ))

  return {
    known: (work) => Effect.suspend(() => shared === undefined ? Effect.andThen(find, work) : work),
    areShared: () => shared === true,
    begin: (connection) => {
      if (shared !== false) return
      const set = connection.query(setSession(settings), [], false)
      runFork(
        Effect.catch(
          set,
          (error) => Effect.logWarning("The settings of a database session could not be applied.", error)
        )
      )
    },
    afterBegin: () => shared === true ? setTransaction(settings) : undefined
  }
}
