/** A PostgreSQL server (15 or later) as the drive's database. */
import { PgClient } from "@effect/sql-pg"
import { EventWakeUps, jobsChannel, WakeUps } from "@filedrive/core"
import { Context, type Duration, Effect, Layer, Redacted, Schedule, Stream } from "effect"
import type { ConnectionOptions } from "node:tls"

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
  /** False behind a pooler that hands each statement to another session (PgBouncer in transaction mode). Default true. */
  readonly prepare?: boolean
}

/**
 * What every session is set to.
 *
 * - A process that stops in the middle of a transaction holds its account's row;
 *   the server ends such a session after a minute.
 * - No `statement_timeout`: a listing may stream for as long as its reader takes. A statement nobody waits for any more
 *   is cancelled in a transaction; outside of one statements are short.
 * - `jit` costs tens of milliseconds wherever the planner overrates a short query.
 */
const sessionSettings = {
  timezone: "UTC",
  datestyle: "ISO",
  jit: "off",
  idle_in_transaction_session_timeout: "60s"
}

/**
 * Statements outside transactions that may be on their way on one connection.
 * They travel together: at many requests at once that takes a third off what a
 * request costs this process. More of them would wait longer behind a slow one.
 */
const statementsAtOnce = 8

/**
 * Hears of other processes' jobs and events, on one connection for both, which is held while anybody listens; what is
 * missed while that is down, the worker's and the followers' polls find.
 */
const wakeUps = Layer.effectContext(
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
 * Fails with `SqlError` only when the URL makes no sense.
 */
export const layer = (options: PostgresOptions) =>
  wakeUps.pipe(Layer.provideMerge(PgClient.layer({
    url: Redacted.isRedacted(options.url) ? options.url : Redacted.make(options.url),
    maxConnections: options.maxConnections ?? 10,
    ssl: options.ssl,
    applicationName: options.applicationName ?? "filedrive",
    connectTimeout: options.connectTimeout,
    prepare: options.prepare,
    multiplex: true,
    multiplexConcurrency: statementsAtOnce,
    startupParameters: sessionSettings
  })))
