/**
 * Which failure a transaction fails with: the first one, since the server refuses whatever follows in the transaction and says only
 * that. A return to a savepoint undoes the failures since that savepoint, and no others.
 */
import type { Cause } from "effect"
import type { SqlError } from "effect/sql"

interface Failure {
  /** Of the statement that failed. */
  readonly number: number
  readonly cause: Cause.Cause<SqlError.SqlError>
}

/** A return to a savepoint: it undoes the failures of the statements between the two. */
interface Return {
  readonly savepoint: number
  readonly number: number
  /** The first failure that it undoes. */
  undone: Failure | undefined
}

const earlier = (one: Failure | undefined, other: Failure): Failure =>
  one === undefined || other.number < one.number ? other : one

export class FirstFailure {
  /** The number of the last statement. */
  private sent = 0
  /** The numbers of the savepoints that are open, the innermost last. */
  private readonly savepoints: Array<number> = []
  private readonly returns: Array<Return> = []
  private first: Failure | undefined

  /** Whether no statement was sent yet. */
  get isUnused(): boolean {
    return this.sent === 0
  }

  /** Whether a savepoint is open. */
  get isInSavepoint(): boolean {
    return this.savepoints.length > 0
  }

  get cause(): Cause.Cause<SqlError.SqlError> | undefined {
    return this.first?.cause
  }

  /** Returns the number of a statement that is sent now. */
  send(sql: string): number {
    const number = ++this.sent
    if (sql.startsWith("SAVEPOINT ")) this.savepoints.push(number)
    else if (sql.startsWith("RELEASE SAVEPOINT ")) this.savepoints.pop()
    else if (sql.startsWith("ROLLBACK TO SAVEPOINT ")) this.return(number)
    return number
  }

  private return(number: number): void {
    const savepoint = this.savepoints.at(-1) ?? 0
    const isUndone = this.first !== undefined && this.first.number > savepoint
    this.returns.push({ savepoint, number, undone: isUndone ? this.first : undefined })
    if (isUndone) this.first = undefined
  }

  /** Notes the failure of a statement; answers may be noted in any order. */
  failed(number: number, cause: Cause.Cause<SqlError.SqlError>): void {
    const failure = { number, cause }
    const undoing = this.returns.find((other) => other.savepoint < number && number < other.number)
    if (undoing !== undefined) {
      undoing.undone = earlier(undoing.undone, failure)
      return
    }
    // A return that failed has undone nothing.
    const failedReturn = this.returns.find((other) => other.number === number)
    this.first = earlier(this.first, failedReturn?.undone ?? failure)
  }
}
