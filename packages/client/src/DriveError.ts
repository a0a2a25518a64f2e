/** The one error of the client. */

/** A refusal as the API answers it. */
interface Refusal {
  readonly error: string
  readonly code: string
  readonly field?: string
  readonly retryable: boolean
  readonly parts?: ReadonlyArray<number>
  readonly reference?: string
}

/**
 * Why something failed: as the API says it, or with a code of the client's own and status 0: `network` (no answer), `timeout` (none in time),
 * `invalid_option`, `source_changed`, `source_unreadable`; `unexpected_answer` for an answer that is not the API's, such as a proxy's.
 */
export class DriveError extends Error {
  /** What went wrong, for programs. */
  declare readonly code: string
  /** The HTTP status; 0 where there was no answer. */
  declare readonly status: number
  /** Whether the same call could work later. */
  declare readonly retryable: boolean
  /** Path of the field that is wrong, like `fileIds[3]`. */
  declare readonly field: string | undefined
  /** Seconds after which to call again, where the server said so. */
  declare readonly retryAfterSeconds: number | undefined
  /** Numbers of the parts to send again (`parts_missing`, `parts_invalid`). */
  declare readonly parts: ReadonlyArray<number> | undefined
  /** The reference of a fault in the drive's log (`internal`). */
  declare readonly reference: string | undefined

  constructor({ error, ...refusal }: Refusal, status = 0, retryAfterSeconds?: number, cause?: unknown) {
    super(error, { cause })
    Object.assign(this, refusal, { name: "DriveError", status, retryAfterSeconds })
  }
}

/** A failure of the client's own. */
export const failure = (code: string, error: string, retryable = false, cause?: unknown): DriveError =>
  new DriveError({ code, error, retryable }, 0, undefined, cause)

/** The refusal of an option. */
export const invalid = (field: string, must: string): DriveError =>
  new DriveError({ code: "invalid_option", error: `${field} ${must}.`, field, retryable: false })

/** No answer came. */
export const unreachable = (url: string, cause?: unknown): DriveError =>
  failure("network", `${new URL(url).host} could not be reached.`, true, cause)

const mayPass = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Seconds that `Retry-After` asks for, as a number or as a date. */
export const retryAfter = (header: string | null): number | undefined => {
  if (!header) return undefined
  const seconds = Number.isNaN(Number(header)) ? (Date.parse(header) - Date.now()) / 1000 : Number(header)
  return seconds >= 0 ? seconds : undefined
}

/** The failure that an answer tells, whoever gave it. */
export const refusalOf = (status: number, text: string, retryAfterHeader: string | null): DriveError => {
  let refusal: Refusal = {
    code: "unexpected_answer",
    error: `The server answered ${status}.`,
    retryable: mayPass(status)
  }
  try {
    const body = JSON.parse(text)
    if (body.code) refusal = { ...refusal, ...body }
  } catch {
    // A proxy's page, or an error of storage.
  }
  return new DriveError(refusal, status, retryAfter(retryAfterHeader))
}
