/** Why the storage routes refuse a request, with S3's codes. */

const statuses = {
  AccessDenied: 403,
  BadDigest: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InternalError: 500,
  MalformedPOSTRequest: 400,
  MaxPostPreDataLengthExceeded: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  // S3 has no name for it; the drive's API has this one.
  no_space: 503,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  PreconditionFailed: 412,
  RequestTimeout: 400,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400
} as const

export type StorageErrorCode = keyof typeof statuses

/** The disk is full, or nearly. */
export const noSpace = () =>
  new StorageError("no_space", "The drive's disk is full; try again when there is room.", { "retry-after": "60" })

/** The upload was completed or aborted, or never existed. */
export const notOpen = () => new StorageError("NoSuchUpload", "The upload is not open.")

export class StorageError extends Error {
  readonly code: StorageErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: StorageErrorCode, because: string, headers: Readonly<Record<string, string>> = {}) {
    super(because)
    this.code = code
    this.status = statuses[code]
    this.headers = headers
  }

  /** The answer's body. `because` is ours and needs no escaping: it never repeats what a client sent. */
  get xml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>`
  }
}
