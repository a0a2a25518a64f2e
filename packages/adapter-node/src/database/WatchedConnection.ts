/** The statements of one connection, each with its watch. */
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

export interface Admission {
  /** Whether all statements are admitted at the moment. */
  readonly isOpen: () => boolean
  readonly check: (sql: string) => Effect.Effect<void, SqlError.SqlError>
}

export type Connection = PgConnection.PgConnection

export interface ConnectionOptions {
  readonly admission: Admission | undefined
  /** Default true. */
  readonly prepares?: boolean
}

/** The statements of a session: `connection` is the session itself, or the view of it that a pin gives. */
export class WatchedConnection implements SqlConnection.Connection {
  protected readonly connection: Connection
  protected readonly during: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  private readonly admission: Admission | undefined
  /** Whether the server may know statements by names: they are lost where a pooler changes sessions. */
  private readonly prepares: boolean

  constructor(
    connection: Connection,
    during: WatchedConnection["during"],
    { admission, prepares = true }: ConnectionOptions
  ) {
    this.connection = connection
    this.during = during
    this.admission = admission
    this.prepares = prepares
  }

  /** Sends a statement that is admitted, and waits for its answer. */
  protected send<A>(_sql: string, work: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    return this.during(work)
  }

  private ask<A>(sql: string, work: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    const { admission } = this
    return Effect.suspend(() =>
      admission === undefined || admission.isOpen()
        ? this.send(sql, work)
        : Effect.flatMap(admission.check(sql), () => this.send(sql, work))
    )
  }

  private rows(
    sql: string,
    params: ReadonlyArray<unknown>,
    transform: (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined,
    prepare: boolean
  ) {
    return Effect.map(
      this.ask(sql, this.connection.query(sql, params, prepare)),
      ({ rows }) => transform === undefined ? rows : transform(rows)
    )
  }

  readonly execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    this.rows(sql, params, transform, this.prepares)

  readonly executeUnprepared: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    this.rows(sql, params, transform, false)

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (sql, params) =>
    this.ask(sql, this.connection.query(sql, params, this.prepares))

  readonly executeValues: SqlConnection.Connection["executeValues"] = (sql, params) =>
    this.ask(sql, this.connection.queryValues(sql, params, this.prepares))

  readonly executeValuesUnprepared: SqlConnection.Connection["executeValues"] = (sql, params) =>
    this.ask(sql, this.connection.queryValues(sql, params, false))

  /** Takes as long as its reader, so it has no time limit. */
  readonly executeStream: SqlConnection.Connection["executeStream"] = (sql, params, transform) => {
    const rows = this.connection.stream(sql, params)
    return transform === undefined
      ? rows
      : Stream.mapArray(rows, (some) => transform(some) as unknown as typeof some)
  }
}
