/** The one error that a host's calls reject with. Spec: "Errors", ApiError. */
import {
  DriveError as CoreError,
  fromDriveError,
  ServiceUnavailable,
  statusOfError,
  type WireError
} from "@filedrive/core"

/** Why a call was refused, as its route answers it. */
export class DriveError extends Error {
  override readonly name = "DriveError"
  /** What went wrong, for programs: a code of the API. */
  readonly code: WireError["code"]
  /** Path of the field that is wrong, like `fileIds[3]`; undefined where no field is. */
  readonly field: string | undefined
  /** Whether the same call could work later. */
  readonly retryable: boolean
  /** The HTTP status of the same refusal. */
  readonly status: number
  /** Seconds after which to call again, where the drive knows. */
  readonly retryAfterSeconds: number | undefined
  /** Numbers of the parts to send again (`parts_missing`, `parts_invalid`). */
  readonly parts: ReadonlyArray<number> | undefined
  /** The reference of a fault in the drive's log (`internal`). */
  readonly reference: string | undefined

  constructor(error: WireError, cause?: unknown) {
    super(error.error, cause === undefined ? undefined : { cause })
    this.code = error.code
    this.field = "field" in error && error.field !== "" ? error.field : undefined
    this.retryable = error.retryable
    this.status = statusOfError(error)!
    this.retryAfterSeconds = "retryAfterSeconds" in error ? error.retryAfterSeconds : undefined
    this.parts = "parts" in error ? error.parts : undefined
    this.reference = "reference" in error ? error.reference : undefined
  }
}

/** A refusal of the core as the error that hosts know; everything else as it is. */
export const toDriveError = (error: unknown): unknown =>
  statusOfError(error) !== undefined
    ? new DriveError(error as WireError, (error as WireError).cause)
    : CoreError.isDriveError(error)
    ? new DriveError(fromDriveError(error), error.cause)
    : error

const unavailable = (error: string, retryable: boolean, cause: unknown): DriveError =>
  new DriveError(new ServiceUnavailable({ error, code: "unavailable", retryable }), cause)

/** A call of a drive that is closed, or is closing: it never works again. */
export const closed = (cause?: unknown): DriveError => unavailable("This drive is closed.", false, cause)

/** A call of a drive that could not be started; the next call tries again. */
export const notReached = (cause: unknown): DriveError =>
  unavailable(`The drive did not start: ${(cause as Error).message}`, true, cause)

/**
 * A call in a transaction of the host's whose data others have changed since the transaction began. `cause` is PostgreSQL's own error,
 * as the host's statements fail with: only the whole transaction can be made again, so the call is not retryable.
 */
export const overtaken = (cause: unknown): DriveError =>
  unavailable(
    "The drive was changed since this transaction began (serialization failure); roll it back and begin it again.",
    false,
    cause
  )

/** The refusal of an argument. */
export const refusal = (field: string, because: string, cause?: unknown): DriveError =>
  new DriveError(fromDriveError(new CoreError.InvalidField({ code: "invalid_field", field, because })), cause)

/** Throws the refusal of an argument. */
export const refuse = (field: string, because: string): never => {
  throw refusal(field, because)
}
