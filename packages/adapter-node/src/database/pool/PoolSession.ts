/** A connection of the host's pool while the drive has it: its statements, their time, and their end. */
import { StatementTime } from "@filedrive/core"
import { Duration, Effect, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import type { HostClient } from "./HostPool.ts"
import { type Answer, type Ending, PoolStatement, rowsOf } from "./PoolStatement.ts"
import { encode } from "./PoolValues.ts"

/** How long a cancelled statement may take to end before its connection is closed. */
const endingMillis = 5_000

const reasonOf = (code: string, constraint: string | undefined, props: {
  readonly cause: unknown
  readonly message: string
  readonly operation: string
}): SqlError.SqlErrorReason => {
  if (code.startsWith("08")) return new SqlError.ConnectionError(props)
  if (code.startsWith("28")) return new SqlError.AuthenticationError(props)
  if (code === "42501") return new SqlError.AuthorizationError(props)
  if (code.startsWith("42")) return new SqlError.SqlSyntaxError(props)
  if (code === "23505") return new SqlError.UniqueViolation({ ...props, constraint: constraint ?? "unknown" })
  if (code.startsWith("23")) return new SqlError.ConstraintError(props)
  if (code === "40P01") return new SqlError.DeadlockError(props)
  if (code === "40001") return new SqlError.SerializationError(props)
  if (code === "55P03") return new SqlError.LockTimeoutError(props)
  if (code === "57014") return new SqlError.StatementTimeoutError(props)
  return new SqlError.UnknownError(props)
}

export const lost = (cause: unknown, operation = "execute"): SqlError.SqlError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message, operation }) })
}

const errorOf = (ending: Exclude<Ending, { tag: "answered" }>): SqlError.SqlError => {
  if (ending.tag === "lost") return lost(ending.error)
  const { code, constraint, message } = ending.error
  const props = { cause: ending.error, message, operation: "execute" }
  return new SqlError.SqlError({ reason: reasonOf(code, constraint, props) })
}

/** The error code when a client is not one of node-postgres. */
export const noClient = "filedrive_no_client"

const notTaken = (because: string, cause?: unknown): Error =>
  Object.assign(new Error(`The client's query did not take a statement: ${because}.`, { cause }), { code: noClient })

export interface SessionOptions {
  /** Asks the server to cancel the statement that runs on the session. The next statement is sent after this has ended. */
  readonly cancel: (isRunning: () => boolean) => Promise<void>
  /** Closes the connection, so that its statement ends. A host's own is not closed, and what doesn't end is waited for no longer. */
  readonly destroy?: () => void
  readonly statementMillis: number
}

export class PoolSession implements SqlConnection.Connection {
  /** Whether the session must not be used again: it was cut, or a late cancellation may still hit its next statement. */
  isSpoiled = false
  /** Whether the server was a standby when the session began: it refuses transactions that would write. */
  isStandby = false
  private readonly client: HostClient
  private readonly options: SessionOptions
  private readonly givenUp = new WeakSet<PoolStatement>()
  /** Statements wait here for the one before them, since node-postgres 8 warns when its own queue is used, and 9 will have none. */
  private readonly waiting: Array<PoolStatement> = []
  private current: PoolStatement | undefined

  constructor(client: HostClient, options: SessionOptions) {
    this.client = client
    this.options = options
  }

  private ask(sql: string, params: ReadonlyArray<unknown>): Effect.Effect<Answer, SqlError.SqlError> {
    return Effect.withFiber((fiber) => {
      const time = fiber.getRef(StatementTime.StatementTime)
      const limitMillis = time === null ? this.options.statementMillis : Duration.toMillis(time)
      return Effect.callback<Answer, SqlError.SqlError>((resume) => {
        const ended = Promise.withResolvers<Ending>()
        // The system's time: a server is also watched in programs whose test clock stands still.
        // @effect-diagnostics-next-line globalTimersInEffect:off
        const timer = setTimeout(() => {
          const error = new Error(`The database has not answered for ${limitMillis / 1000} seconds.`)
          void this.giveUp(statement, ended.promise).then(() => resume(Effect.fail(lost(error, "connect"))))
        }, limitMillis)
        const text = this.isStandby && sql.startsWith("BEGIN ") ? sql.replace(" READ WRITE", "") : sql
        const statement = new PoolStatement(text, encode(params), (ending) => {
          clearTimeout(timer)
          if (ending.tag === "lost") this.isSpoiled = true
          ended.resolve(ending)
          if (this.current === statement) this.sendNext()
          if (!this.givenUp.has(statement)) {
            resume(ending.tag === "answered" ? Effect.succeed(ending.answer) : Effect.fail(errorOf(ending)))
          }
        })
        this.waiting.push(statement)
        if (this.current === undefined) this.sendNext()
        return Effect.promise(() => {
          clearTimeout(timer)
          return this.giveUp(statement, ended.promise)
        })
      })
    })
  }

  private sendNext(): void {
    this.current = this.waiting.shift()
    if (this.current !== undefined) this.send(this.current)
  }

  /**
   * node-postgres returns a statement that it takes, and a client that hands on to it may promise it. Anything else means, while the
   * statement was not sent, that nobody will ever send it.
   */
  private send(statement: PoolStatement): void {
    const answer = async (): Promise<unknown> => this.client.query(statement)
    answer().then(
      (given) => {
        if (given !== statement && !statement.isSent) statement.refuse(notTaken("it returned something else"))
      },
      (error: unknown) => statement.refuse(notTaken("it failed", error))
    )
  }

  /** Cancels the statement and waits for its end; when the server no longer answers, the connection is closed. */
  private async giveUp(statement: PoolStatement, ended: Promise<Ending>): Promise<void> {
    if (statement.isEnded || this.givenUp.has(statement)) return
    this.givenUp.add(statement)
    const place = this.waiting.indexOf(statement)
    if (place !== -1) {
      // It was never sent, so a cancellation would hit the statement that runs.
      this.waiting.splice(place, 1)
      return
    }
    const left = Promise.withResolvers<Ending>()
    const timer = setTimeout(() => {
      this.isSpoiled = true
      if (this.options.destroy === undefined) {
        left.resolve({ tag: "lost", error: new Error("The statement did not end.") })
      } else this.options.destroy()
    }, endingMillis)
    const canceled = this.options.cancel(() => !statement.isEnded)
    const ending = await Promise.race([ended, left.promise])
    clearTimeout(timer)
    await canceled
    // Otherwise the cancellation could arrive later and cancel the next statement.
    if (ending.tag !== "refused" || ending.error.code !== "57014") this.isSpoiled = true
  }

  readonly execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    Effect.map(this.ask(sql, params), (answer) => {
      const rows = rowsOf(answer)
      return transform === undefined ? rows : transform(rows)
    })

  readonly executeUnprepared: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    this.execute(sql, params, transform)

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (sql, params) =>
    Effect.map(this.ask(sql, params), (answer) => ({ ...answer, oid: null, rows: rowsOf(answer) }))

  readonly executeValues: SqlConnection.Connection["executeValues"] = (sql, params) =>
    Effect.map(this.ask(sql, params), ({ values }) => values)

  readonly executeValuesUnprepared: SqlConnection.Connection["executeValues"] = (sql, params) =>
    this.executeValues(sql, params)

  /** All rows are read before the first is given. */
  readonly executeStream: SqlConnection.Connection["executeStream"] = (sql, params, transform) =>
    Stream.fromIterableEffect(this.execute(sql, params, transform))
}
