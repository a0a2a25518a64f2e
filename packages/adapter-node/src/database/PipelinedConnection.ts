/**
 * The connection of one transaction, whose statements are sent without waiting for the answers of those before: what begins it
 * ({@link Pipeline.beginningWithLock}), its savepoints, and what asks for it by {@link Pipeline.unawaited}.
 *
 * The server answers in order, and after a failure it refuses all that follows in the transaction. So the failure of a statement that
 * nobody waits for is known by the time the next one is answered, or the commit, which then fails with it.
 */
import { Pipeline } from "@filedrive/core"
import { type Cause, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql"
import * as DriverInternals from "./DriverInternals.ts"
import { after } from "./MachineTimer.ts"
import { WatchedConnection } from "./WatchedConnection.ts"

/** How long a statement may take to end after it was cancelled. */
const cancelledMillis = 5_000

const noRows = { rows: [] }

export class PipelinedConnection extends WatchedConnection {
  /** The number of the last statement. */
  private sent = 0
  /** The number of the last return to a savepoint, which undoes failures before it. */
  private rolledBack = 0
  /** The savepoints that are open. */
  private depth = 0
  private failure: Cause.Cause<SqlError.SqlError> | undefined

  protected override send<A>(
    sql: string,
    work: Effect.Effect<A, SqlError.SqlError>
  ): Effect.Effect<A, SqlError.SqlError> {
    return Effect.withFiber((fiber) => {
      if (this.goesAhead(sql, fiber.getRef(Pipeline.BeginsWithLock), fiber.getRef(Pipeline.IsUnawaited))) {
        this.sendAhead(sql, Effect.runForkWith(fiber.context)(this.during(work)))
        return Effect.succeed(noRows as A)
      }
      this.sent++
      const answered = Effect.onInterrupt(this.during(work), () => this.cancelled)
      return Effect.flatMap(
        Effect.exit(answered),
        (exit) => this.failure === undefined || sql === "ROLLBACK" ? exit : Effect.failCause(this.failure)
      )
    })
  }

  /** Within a savepoint every change is waited for: its failure must end with the savepoint. */
  private goesAhead(sql: string, beginsWithLock: boolean, isUnawaited: boolean): boolean {
    if (this.sent === 0) return beginsWithLock && sql === "BEGIN"
    if (sql.startsWith("SAVEPOINT ")) this.depth++
    else if (sql.startsWith("RELEASE SAVEPOINT ")) this.depth--
    else if (!sql.startsWith("ROLLBACK TO SAVEPOINT ")) return isUnawaited && this.depth === 0
    return true
  }

  private sendAhead(sql: string, statement: ReturnType<typeof Effect.runFork<unknown, SqlError.SqlError>>): void {
    const number = ++this.sent
    if (sql.startsWith("ROLLBACK TO")) {
      this.rolledBack = number
      this.failure = undefined
    }
    statement.addObserver((exit) => {
      if (Exit.isSuccess(exit) || number < this.rolledBack) return
      this.failure ??= exit.cause
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
