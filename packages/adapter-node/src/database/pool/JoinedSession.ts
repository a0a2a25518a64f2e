/**
 * A connection on which the host has begun a transaction, for calls of the drive within it. What the drive would begin, commit
 * and roll back is a savepoint there: so a call that is refused leaves the host's transaction as it was.
 */
import { Effect } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { PoolSession } from "./PoolSession.ts"

const savepoint = "filedrive_call"

const ofTransaction = (sql: string): string => {
  if (sql.startsWith("BEGIN")) return `SAVEPOINT ${savepoint}`
  if (sql === "COMMIT") return `RELEASE SAVEPOINT ${savepoint}`
  if (sql === "ROLLBACK") return `ROLLBACK TO SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`
  return sql
}

export class JoinedSession implements SqlConnection.Connection {
  /** The failure of the latest statement that failed: an operation tells its caller less of it. */
  failure: SqlError.SqlError | undefined
  private readonly session: PoolSession

  constructor(session: PoolSession) {
    this.session = session
  }

  private noted<A>(work: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    return Effect.tapError(work, (error) => Effect.sync(() => (this.failure = error)))
  }

  readonly execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    this.noted(this.session.execute(ofTransaction(sql), params, transform))

  readonly executeUnprepared: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    this.execute(sql, params, transform)

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (sql, params) =>
    this.noted(this.session.executeRaw(ofTransaction(sql), params))

  readonly executeValues: SqlConnection.Connection["executeValues"] = (sql, params) =>
    this.noted(this.session.executeValues(sql, params))

  readonly executeValuesUnprepared: SqlConnection.Connection["executeValues"] = (sql, params) =>
    this.executeValues(sql, params)

  readonly executeStream: SqlConnection.Connection["executeStream"] = (sql, params, transform) =>
    this.session.executeStream(sql, params, transform)
}
