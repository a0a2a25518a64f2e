/** A PostgreSQL server (15 or later) as the drive's database. */
import { PgClient } from "@effect/sql-pg"
import { EventWakeUps, jobsChannel, StatementTime, WakeUps } from "@filedrive/core"
import { Config, Context, Duration, Effect, Layer, Redacted, Schedule, Stream } from "effect"
import type { ConnectionOptions } from "node:tls"
import { idleSockets } from "./IdleSocket.ts"
import * as WatchedClient from "./WatchedClient.ts"

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; parameters of libpq such as `sslmode` are understood. */
  readonly url: string | Redacted.Redacted
  /** Most connections this process holds. Default 10; a transaction has one to itself, other statements share. */
  readonly maxConnections?: number
  /** Overrides what the URL says about TLS. */
  readonly ssl?: boolean | ConnectionOptions
  /** As the server shows it in `pg_stat_activity`. Default `filedrive`. */
  readonly applicationName?: string
  /** How long to wait for a connection to open. Default 5 seconds. */
  readonly connectTimeout?: Duration.Input
  /**
   * How long a statement may take before its connection counts as lost. Default 30 seconds; migrations and other work on
   * whole tables have ten minutes.
   */
  readonly statementTimeout?: Duration.Input
  /** Whether the server keeps statements by names. A pooler that has no use for them is noticed without this. Default true. */
  readonly prepare?: boolean
}

/** What a connection begins with. Poolers pass these on, and refuse a connection that begins with others. */
const startupParameters = { client_encoding: "UTF8", timezone: "UTC", datestyle: "ISO" }

/**
 * What every session is set to once it is connected.
 *
 * - A process that stops in the middle of a transaction holds its account's row;
 *   the server ends such a session after a minute.
 * - No `statement_timeout` or `lock_timeout`: how long a statement may take is watched from here, where a server that has
 *   gone silent is noticed too, and where some have more time than others on the same connection. A statement that is abandoned is
 *   cancelled on a connection of its own, which poolers pass on too. One that nobody waits for any longer is cancelled in a
 *   transaction; outside of one statements are short.
 * - `jit` costs tens of milliseconds wherever the planner overrates a short query.
 */
const sessionSettings = {
  jit: "off",
  idle_in_transaction_session_timeout: "60s"
}

/**
 * Statements outside transactions that may run on one connection.
 * They are pipelined: with many requests at once that reduces the cost of a
 * request in this process by a third. With more of them they would wait longer behind a slow one.
 */
const statementsAtOnce = 8

/** When a connection has been idle for this long its peer is probed. */
const keepAlive = Duration.seconds(15)

/**
 * Listens for other processes' jobs and events, on one connection for both, which is held while anybody listens; what is
 * missed while it is down is found by the polls of the worker and the followers.
 */
export const wakeUps = Layer.effectContext(
  Effect.gen(function*() {
    const client = yield* PgClient.PgClient
    const heard = yield* Stream.unwrap(
      Effect.map(client.listen(jobsChannel), (queue) => Stream.fromQueue(queue))
    ).pipe(
      Stream.map(({ payload }) => payload),
      Stream.tapCause((cause) => Effect.logWarning("Listening for jobs and events was interrupted.", cause)),
      Stream.retry(Schedule.spaced("5 seconds")),
      Stream.orDie,
      Stream.share({ capacity: 1_024, strategy: "sliding" })
    )
    return Context.make(WakeUps, heard).pipe(Context.add(EventWakeUps, heard))
  })
)

/**
 * A pool of connections, opened when needed. A process that runs jobs keeps one of them for listening.
 *
 * A connection that doesn't answer in time is abandoned: statements that wait on it fail as on a lost connection, and connections
 * that have been silent since are replaced too.
 *
 * Fails with `SqlError` only when the URL is not valid.
 */
export const layer = (options: PostgresOptions) => {
  const url = Redacted.isRedacted(options.url) ? options.url : Redacted.make(options.url)
  return wakeUps.pipe(Layer.provideMerge(WatchedClient.layer({
    url,
    stream: idleSockets(Redacted.value(url), Duration.toMillis(keepAlive)),
    maxConnections: options.maxConnections ?? 10,
    ssl: options.ssl,
    applicationName: options.applicationName ?? "filedrive",
    connectTimeout: options.connectTimeout,
    prepare: options.prepare,
    statementTimeout: Duration.fromInputUnsafe(options.statementTimeout ?? StatementTime.ordinary),
    multiplex: true,
    multiplexConcurrency: statementsAtOnce,
    startupParameters,
    sessionSettings
  })))
}

/** {@link layer} with its options read by `Config`: `Postgres.layerConfig({ url: Config.Redacted("DATABASE_URL") })`. */
export const layerConfig = (config: Config.Wrap<PostgresOptions>) =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
