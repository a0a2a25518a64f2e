/**
 * The wire form of a failure: `{ error, code, field?, retryable }`.
 *
 * Spec: "Errors", ApiError. One class per status, because HttpApi reads the
 * status from the schema. Each carries its status as a type-level brand, so an
 * endpoint that declares the wrong one does not compile.
 */
import { Schema } from "effect"
import type { DriveError } from "../shared/DriveError.ts"

const body = <const Codes extends ReadonlyArray<string>>(codes: Codes) => ({
  /** A sentence for people. */
  error: Schema.String,
  /** What went wrong, for programs. */
  code: Schema.Literals(codes),
  /** Whether the same call could work later: true for 429, 500, 502 and 503, false for all others. */
  retryable: Schema.Boolean
})

interface Status<Code extends number> {
  readonly "~status": Code
}

/** Something in the request is missing or wrong; `field` names it. */
export class BadRequest extends Schema.Error<BadRequest, Status<400>>("ApiError400")({
  ...body([
    "missing_field",
    "invalid_field",
    "unknown_field",
    "invalid_body",
    "size_mismatch",
    "object_not_found",
    "storage_limit_reached",
    "object_key_taken",
    "image_too_large",
    "request_full"
  ]),
  /** Path of the offending field, like `within.south` or `fileIds[3]`. Absent when the body as a whole is wrong. */
  field: Schema.optionalKey(Schema.String)
}, { httpApiStatus: 400, description: "Something in the request is missing or wrong; `field` names it." }) {}

/** No session, or it has ended: exchange the API token again. */
export class Unauthorized extends Schema.Error<Unauthorized, Status<401>>("ApiError401")(
  body(["no_session", "session_expired", "invalid_token"]),
  { httpApiStatus: 401, description: "No session, or it has ended: exchange the API token again." }
) {}

/** Signed in, but not allowed. */
export class Forbidden extends Schema.Error<Forbidden, Status<403>>("ApiError403")(
  body([
    "not_allowed",
    "no_plan",
    "not_owner",
    "wrong_app",
    "file_not_found",
    "token_limit",
    "no_images_left",
    "storage_full",
    "pro_only",
    "no_subscription",
    "too_many_forms",
    "archives_full",
    "request_closed",
    "review_closed",
    "password_needed"
  ]),
  { httpApiStatus: 403, description: "Signed in, but not allowed, or the account has no plan." }
) {}

/** Nothing of the caller's has that id. */
export class NotFound extends Schema.Error<NotFound, Status<404>>("ApiError404")(
  body(["not_found", "upload_not_found", "unknown_route"]),
  { httpApiStatus: 404, description: "Nothing of the caller's has that id." }
) {}

/** Every route is a POST. */
export class MethodNotAllowed extends Schema.Error<MethodNotAllowed, Status<405>>("ApiError405")(
  body(["method_not_allowed"]),
  { httpApiStatus: 405, description: "The route takes another method; `Allow` names it." }
) {}

/** The stored parts do not match the plan; `parts` names those to send. */
export class Conflict extends Schema.Error<Conflict, Status<409>>("ApiError409")({
  ...body(["parts_missing", "parts_invalid"]),
  parts: Schema.Array(Schema.Int)
}, { httpApiStatus: 409, description: "The stored parts do not match the plan; `parts` names those to send." }) {}

/** The file could not be opened or is too big to read, its stored bytes are lost or damaged, or its frame rate is not known. */
export class Unprocessable extends Schema.Error<Unprocessable, Status<422>>("ApiError422")(
  body(["unreadable", "rate_unknown"]),
  {
    httpApiStatus: 422,
    description:
      "The file could not be opened or is too big to read, its stored bytes are lost or damaged, or its frame rate is not known."
  }
) {}

/** Too many calls; `Retry-After` says when to call again. */
export class TooManyRequests extends Schema.Error<TooManyRequests, Status<429>>("ApiError429")(
  body(["rate_limited"]),
  { httpApiStatus: 429, description: "Too many calls; `Retry-After` says when to call again." }
) {
  #retryAfterSeconds: number | undefined

  /** What the header says; no part of the body. */
  get retryAfterSeconds(): number | undefined {
    return this.#retryAfterSeconds
  }

  static after(seconds: number, error: string) {
    const made = new TooManyRequests({ error, code: "rate_limited", retryable: true })
    made.#retryAfterSeconds = seconds
    return made
  }
}

/** A fault of the server. `reference` finds it in the server's log. */
export class ServerFault extends Schema.Error<ServerFault, Status<500>>("ApiError500")({
  ...body(["internal"]),
  reference: Schema.String
}, { httpApiStatus: 500, description: "A fault of the server; `reference` finds it in the server's log." }) {}

/** A service the drive depends on did not answer. */
export class BadGateway extends Schema.Error<BadGateway, Status<502>>("ApiError502")(
  body(["storage_unavailable", "fetching_file_failed", "generator_unavailable"]),
  { httpApiStatus: 502, description: "Storage or a generator did not answer; try again." }
) {}

/** What an operation on stored bytes may fail with: storage did not answer, or has lost them. */
export const ofStorage = [Unprocessable, BadGateway] as const

/** When to call again while the disk is full: somebody has to make room. */
export const fullRetryAfterSeconds = 60

/** The database is away, the disk is full, or too many wait. */
export class ServiceUnavailable extends Schema.Error<ServiceUnavailable, Status<503>>("ApiError503")(
  body(["unavailable", "no_space"]),
  {
    httpApiStatus: 503,
    description: "The drive cannot be reached right now, or too many calls wait; `Retry-After` says when to call again."
  }
) {
  #retryAfterSeconds: number | undefined

  /** What the header says, where it is known; no part of the body. */
  get retryAfterSeconds(): number | undefined {
    return this.#retryAfterSeconds ?? (this.code === "no_space" ? fullRetryAfterSeconds : undefined)
  }

  static after(seconds: number | undefined, error: ConstructorParameters<typeof ServiceUnavailable>[0]) {
    const made = new ServiceUnavailable(error)
    made.#retryAfterSeconds = seconds
    return made
  }
}

/** Every error class with its status, ascending. */
export const statuses = [
  [BadRequest, 400],
  [Unauthorized, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [MethodNotAllowed, 405],
  [Conflict, 409],
  [Unprocessable, 422],
  [TooManyRequests, 429],
  [ServerFault, 500],
  [BadGateway, 502],
  [ServiceUnavailable, 503]
] as const

/** The values of `code`. */
export type ErrorCode = InstanceType<typeof statuses[number][0]>["code"]

/** A status, its meaning and its codes. */
export interface ErrorStatus {
  readonly status: number
  readonly description: string
  readonly codes: ReadonlyArray<ErrorCode>
}

export const errors: ReadonlyArray<ErrorStatus> = statuses.map(([{ ast, fields }, status]) => ({
  status,
  description: String(ast.annotations?.["description"] ?? ""),
  codes: fields.code.literals
}))

type ByTag = { [E in DriveError as E["_tag"]]: E }

const render = {
  InvalidField: (e: ByTag["InvalidField"]) =>
    new BadRequest({ error: e.message, code: e.code, ...e.field !== "" && { field: e.field }, retryable: false }),
  Unauthenticated: (e: ByTag["Unauthenticated"]) =>
    new Unauthorized({ error: e.message, code: e.code, retryable: false }),
  Refused: (e: ByTag["Refused"]) => new Forbidden({ error: e.message, code: e.code, retryable: false }),
  NotFound: (e: ByTag["NotFound"]) => new NotFound({ error: e.message, code: e.code, retryable: false }),
  UploadNotFound: (e: ByTag["UploadNotFound"]) => new NotFound({ error: e.message, code: e.code, retryable: false }),
  PartsMismatch: (e: ByTag["PartsMismatch"]) =>
    new Conflict({ error: e.message, code: e.code, parts: e.partNumbers, retryable: false }),
  Unreadable: (e: ByTag["Unreadable"]) => new Unprocessable({ error: e.message, code: e.code, retryable: false }),
  RateUnknown: (e: ByTag["RateUnknown"]) => new Unprocessable({ error: e.message, code: e.code, retryable: false }),
  Unavailable: (e: ByTag["Unavailable"]) =>
    e.code === "unavailable" || e.code === "no_space"
      ? ServiceUnavailable.after(e.retryAfterSeconds, { error: e.message, code: e.code, retryable: true })
      : e.isLost === true
      // No other call brings the bytes back, so it has not the status of what may pass.
      ? new Unprocessable({ error: e.message, code: "unreadable", retryable: false })
      : new BadGateway({ error: e.message, code: e.code, retryable: true }),
  RateLimited: (e: ByTag["RateLimited"]) => TooManyRequests.after(e.retryAfterSeconds, e.message)
} satisfies { [Tag in keyof ByTag]: (e: ByTag[Tag]) => unknown }

type Rendered = { [Tag in keyof typeof render]: ReturnType<(typeof render)[Tag]> }

/**
 * Renders a core error. A new {@link DriveError} does not compile until it has
 * a row above, and a handler does not compile until its endpoint declares
 * every status its errors render to.
 */
export const fromDriveError = <E extends DriveError>(error: E): Rendered[E["_tag"]] => {
  const rendered = render[error._tag](error as never) as Rendered[E["_tag"]]
  // For a host's code; no part of the body.
  if (error.cause !== undefined) Reflect.defineProperty(rendered, "cause", { value: error.cause })
  return rendered
}
