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

/** Whether an error is a failure of this code. What is thrown may be anything. */
export const hasCode = (error: unknown, code: string): boolean => (error as DriveError | null)?.code === code

/** A failure of the client's own. */
export const failure = (code: string, error: string, retryable = false, cause?: unknown): DriveError =>
  new DriveError({ code, error, retryable }, 0, undefined, cause)

/** An answer that no drive gives. */
export const strange = (what: string): DriveError => failure("unexpected_answer", `The drive gave ${what}.`)

/** Nothing was heard for too long. */
export const timeout = (): DriveError => failure("timeout", "No answer in time.", true)

/** The refusal of an option. */
export const invalid = (field: string, must: string): DriveError =>
  new DriveError({ code: "invalid_option", error: `${field} ${must}.`, field, retryable: false })

/** No answer came. */
export const unreachable = (url: string, cause?: unknown): DriveError =>
  failure("network", `${new URL(url).host} could not be reached.`, true, cause)

/** An answer of storage other than that it has done it. */
export const storageRefused = (status: number, retryable: boolean, because?: string, retryAfterSeconds?: number) =>
  new DriveError(
    { code: "storage_refused", error: `Storage answered ${status}${because ? `: ${because}` : ""}.`, retryable },
    status,
    retryAfterSeconds
  )

/** Seconds that `Retry-After` asks for, as a number or as a date. What asks for weeks means nothing, and a timer of them would end at once. */
export const retryAfter = (header: string | null): number | undefined => {
  const seconds = Number(header) || (Date.parse(header!) - Date.now()) / 1000
  return seconds >= 0 && seconds < 1e6 ? seconds : undefined
}

/** What an answer tells of a failure. */
const told = "error code field parts reference retryable".split(" ")

/** The failure that an answer tells, whoever gave it. */
export const refusalOf = (status: number, text: string, retryAfterHeader: string | null): DriveError => {
  let refusal: Refusal = {
    code: "unexpected_answer",
    error: `The server answered ${status}.`,
    // What may pass.
    retryable: status === 408 || status === 429 || status >= 500
  }
  try {
    const body = JSON.parse(text)
    // Nothing else of it: an answer may have anything, `__proto__` too.
    if (body.code) refusal = { ...refusal, ...JSON.parse(JSON.stringify(body, told)) }
  } catch {
    // A proxy's page, or an error of storage.
  }
  return new DriveError(refusal, status, retryAfter(retryAfterHeader))
}
