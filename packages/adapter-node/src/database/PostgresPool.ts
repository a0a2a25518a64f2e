/** A host's own `pg.Pool` (node-postgres 8) as the drive's database. */
import { PgClient, type PgConnection } from "@effect/sql-pg"
import { DatabaseSchema, jobsChannel, StatementTime } from "@filedrive/core"
import { Cause, Context, Duration, Effect, Layer, Queue, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import type { HostClient, HostPool } from "./pool/HostPool.ts"
import { JoinedSession } from "./pool/JoinedSession.ts"
import * as PoolConnections from "./pool/PoolConnections.ts"
import { lost } from "./pool/PoolSession.ts"
import { wakeUps } from "./Postgres.ts"
import { commit } from "./WatchedClient.ts"

export type { HostClient, HostPool } from "./pool/HostPool.ts"

export interface PostgresPoolOptions {
  /** Of `pg`, with 2 connections or more: one of them listens while jobs run or somebody follows a feed. */
  readonly pool: HostPool
  /** How long a statement may take before it is cancelled. Default 30 seconds; work on whole tables has ten minutes. */
  readonly statementTimeout?: Duration.Input
}

/** The host's transaction that the statements of this fiber belong to; null when they belong to none. */
export const Joined = Context.Reference<JoinedSession | null>("@filedrive/adapter-node/database/Joined", {
  defaultValue: () => null
})

/** Begins every transaction of the drive. `SET LOCAL` ends with the transaction, so the host's session settings stay as they are. */
const begin = [
  "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
  "SET LOCAL TimeZone TO 'UTC'",
  "SET LOCAL jit TO off",
  "SET LOCAL statement_timeout TO 0",
  "SET LOCAL lock_timeout TO 0",
  "SET LOCAL idle_in_transaction_session_timeout TO '60s'"
].join("; ")

/** The name that the driver's compiler has for a JSON value. */
const json = Statement.custom<Statement.Custom<"PgJson", unknown>>("PgJson")

interface Notified {
  readonly channel: string
  readonly payload?: string
  readonly processId: number
}

const make = Effect.fnUntraced(function*({ pool, statementTimeout = StatementTime.ordinary }: PostgresPoolOptions) {
  const connections = PoolConnections.make(pool, Duration.toMillis(Duration.fromInputUnsafe(statementTimeout)))
  const connection: Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope> = Effect.flatMap(
    Joined,
    (joined): Effect.Effect<SqlConnection.Connection, SqlError.SqlError, Scope.Scope> =>
      joined === null ? connections.take : Effect.succeed(joined)
  )

  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: connection,
    compiler: PgClient.makeCompiler(),
    beginTransaction: begin,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })

  /** The drive doesn't learn when the host commits, so a joined call announces its changes by notifications instead. */
  const { afterCommit: afterOwnCommit } = client
  const afterCommit: SqlClient.SqlClient["afterCommit"] = (effect) =>
    Effect.flatMap(Joined, (joined) => joined === null ? afterOwnCommit(effect) : Effect.void)

  const listen = Effect.fnUntraced(function*(channel: string) {
    const heard = yield* Queue.unbounded<PgConnection.Notification, SqlError.SqlError>()
    // In a session that others get too nothing would be heard: what is missed is found by polls.
    if (yield* connections.areShared) return heard as Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>
    const { client: taken, session } = yield* connections.takeIdle
    const onNotification = (given: unknown) => {
      const { channel, payload = "", processId } = given as Notified
      Queue.offerUnsafe(heard, { channel, payload, processId })
    }
    const onEnd = (error?: unknown) => {
      session.isSpoiled = true
      Queue.failCauseUnsafe(heard, Cause.fail(lost(error ?? new Error("The connection has ended."))))
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        taken.on("notification", onNotification)
        taken.on("error", onEnd)
        taken.on("end", onEnd)
      }),
      () =>
        Effect.gen(function*() {
          if (!session.isSpoiled) yield* Effect.ignore(session.execute(`UNLISTEN "${channel}"`, [], undefined))
          taken.removeListener("notification", onNotification)
          taken.removeListener("error", onEnd)
          taken.removeListener("end", onEnd)
          yield* Queue.shutdown(heard)
        })
    )
    yield* session.execute(`LISTEN "${channel}"`, [], undefined)
    // Nothing else is sent on this connection, so it is probed from time to time.
    yield* Effect.sleep(statementTimeout).pipe(
      Effect.andThen(session.execute("SELECT 1", [], undefined)),
      Effect.forever,
      Effect.catch((error) => Effect.sync(() => onEnd(error))),
      Effect.forkScoped
    )
    return heard as Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>
  })

  const all = Object.assign(client, {
    afterCommit,
    [PgClient.TypeId]: PgClient.TypeId as PgClient.TypeId,
    config: {},
    json: (value: unknown) => Statement.fragment([json(value)]),
    listen,
    notify: (channel: string, payload: string) => Effect.asVoid(client`SELECT pg_notify(${channel}, ${payload})::text`)
  })

  /**
   * Wakes those who wait for jobs and events when the host commits: PostgreSQL delivers notifications with the commit, and equal
   * ones of a transaction once.
   */
  const announce = Effect.flatMap(DatabaseSchema, (schema) =>
    client`
      SELECT pg_notify(${jobsChannel}, ${schema})::text, pg_notify(${jobsChannel}, ${`feed ${schema} host *`})::text
      WHERE pg_current_xact_id_if_assigned() IS NOT NULL
    `)

  const join = (given: HostClient) => new JoinedSession(connections.ofHost(given))
  const foreign = (given: HostClient, session: JoinedSession) =>
    connections.foreign(given, session).pipe(
      client.withTransaction,
      Effect.provideService(Joined, session),
      Effect.catchIf(PoolConnections.isForbidden, () => Effect.succeed(undefined))
    )
  return Context.make(PgClient.PgClient, all).pipe(
    Context.add(SqlClient.SqlClient, all),
    Context.add(HostTransactions, { join, foreign, announce })
  )
})

/** Lets the drive's statements join a transaction that the host has begun on one of its connections. */
export class HostTransactions extends Context.Service<HostTransactions, {
  readonly join: (client: HostClient) => JoinedSession
  /** Why the drive can't work on the client, undefined when it can; what has been found once is remembered. */
  readonly foreign: (
    client: HostClient,
    session: JoinedSession
  ) => Effect.Effect<string | undefined, SqlError.SqlError>
  /** To be run in the transaction, after a call that has changed something. */
  readonly announce: Effect.Effect<unknown, SqlError.SqlError>
}>()("@filedrive/adapter-node/database/PostgresPool/HostTransactions") {}

/** The drive gives back every connection that it takes, and does not end the pool, which is the host's. */
export const layer = (options: PostgresPoolOptions) =>
  wakeUps.pipe(Layer.provideMerge(Layer.effectContext(make(options)).pipe(Layer.provide(Reactivity.layer))))
