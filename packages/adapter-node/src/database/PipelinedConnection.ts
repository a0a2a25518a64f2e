/**
 * The connection of one transaction, whose statements are sent without waiting for the answers of those before: what begins it
 * ({@link Pipeline.beginningWithLock}), its savepoints, and what asks for it by {@link Pipeline.unawaited}.
 *
 * The server answers in order, and after a failure it refuses all that follows in the transaction. So the failure of a statement that
 * nobody waits for is known by the time the next one is answered, or the commit, which then fails with it.
 */
import { Pipeline } from "@filedrive/core"
import { Cause, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql"
import * as DriverInternals from "./DriverInternals.ts"
import { FirstFailure } from "./FirstFailure.ts"
import { after } from "./MachineTimer.ts"
import { type Connection, type ConnectionOptions, WatchedConnection } from "./WatchedConnection.ts"

/** How long a statement may take to end after it was cancelled. */
const cancelledMillis = 5_000

const noRows = { rows: [] }

/** Whether the server refused the statement or is gone: the transaction is lost then. Other failures left it as it was. */
const isOfServer = ({ reasons }: Cause.Cause<SqlError.SqlError>): boolean =>
  reasons.some((reason) => {
    if (!Cause.isFailReason(reason)) return false
    const { _tag, cause } = reason.error.reason
    return _tag === "ConnectionError" ||
      /^[0-9A-Z]{5}$/.test(String((cause as { readonly code?: unknown } | null)?.code))
  })

export interface PipelineOptions extends ConnectionOptions {
  /** A statement that is sent with the beginning of the transaction. */
  readonly afterBegin?: string | undefined
}

export class PipelinedConnection extends WatchedConnection {
  private readonly failure = new FirstFailure()
  private readonly afterBegin: string | undefined

  constructor(connection: Connection, during: PipelinedConnection["during"], options: PipelineOptions) {
    super(connection, during, options)
    this.afterBegin = options.afterBegin
  }

  protected override send<A>(
    sql: string,
    work: Effect.Effect<A, SqlError.SqlError>
  ): Effect.Effect<A, SqlError.SqlError> {
    return Effect.withFiber((fiber) => {
      const beginsWithLock = fiber.getRef(Pipeline.BeginsWithLock)
      const { afterBegin } = this
      const sendsMore = afterBegin !== undefined && this.failure.isUnused
      const goesAhead = this.goesAhead(sql, beginsWithLock || sendsMore, fiber.getRef(Pipeline.IsUnawaited))
      const number = this.failure.send(sql)
      if (goesAhead) {
        this.sendAhead(number, Effect.runForkWith(fiber.context)(this.during(work)))
        if (!sendsMore) return Effect.succeed(noRows as A)
        const more = this.send(afterBegin, this.connection.query(afterBegin, [], false))
        return Effect.as(beginsWithLock ? Pipeline.unawaited(more) : more, noRows as A)
      }
      const answered = Effect.onInterrupt(this.during(work), () => this.cancelled)
      return Effect.flatMap(Effect.exit(answered), (exit) => {
        if (Exit.isFailure(exit) && isOfServer(exit.cause)) this.failure.failed(number, exit.cause)
        const { cause } = this.failure
        return cause === undefined || sql === "ROLLBACK" ? exit : Effect.failCause(cause)
      })
    })
  }

  /** Within a savepoint every change is waited for: its failure must end with the savepoint. */
  private goesAhead(sql: string, beginsWithLock: boolean, isUnawaited: boolean): boolean {
    if (this.failure.isUnused) return beginsWithLock && sql === "BEGIN"
    if (/^(SAVEPOINT|RELEASE SAVEPOINT|ROLLBACK TO SAVEPOINT) /.test(sql)) return true
    return isUnawaited && !this.failure.isInSavepoint
  }

  private sendAhead(number: number, statement: ReturnType<typeof Effect.runFork<unknown, SqlError.SqlError>>): void {
    statement.addObserver((exit) => {
      if (Exit.isSuccess(exit)) return
      this.failure.failed(number, exit.cause)
      // Without a transaction each of the statements that follow would count by itself.
      if (number === 1) DriverInternals.socketOf(this.connection).destroy(new Error("The transaction did not begin."))
    })
  }

  /** Ends the statement that runs. The connection has no other use until it has ended. */
  private readonly cancelled = Effect.suspend(() => {
    const { connection } = this
    const ended = Effect.callback<void>((resume) => {
      const cancelTimer = after(
        cancelledMillis,
        () => DriverInternals.socketOf(connection).destroy(new Error("A cancelled statement did not end."))
      )
      const waiting = Effect.runFork(DriverInternals.idle(connection))
      waiting.addObserver(() => {
        cancelTimer()
        resume(Effect.void)
      })
    })
    return Effect.andThen(DriverInternals.cancel(connection), ended)
  })
}
