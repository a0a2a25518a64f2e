/**
 * The one error vocabulary of the core. An error names what went wrong in the
 * drive's words (`code`), never a transport's: HTTP statuses live in
 * `http/ApiError.ts`, JSON-RPC codes in the agent package.
 */
import { Schema } from "effect"
import * as FieldIssue from "./FieldIssue.ts"

/** A field of the request is missing or wrong. Not retryable as sent. */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  code: Schema.Literals([
    "missing_field",
    "invalid_field",
    "unknown_field",
    "size_mismatch",
    "object_not_found",
    "storage_limit_reached",
    "object_key_taken",
    "image_too_large",
    "request_full"
  ]),
  /** Path of the offending field, like `within.south` or `fileIds[3]`. */
  field: Schema.String,
  because: Schema.String
}) {
  override get message() {
    return FieldIssue.sentence(this)
  }
}

/** Nobody is signed in, or no longer. Sign in again, then retry. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  code: Schema.Literals(["no_session", "session_expired", "invalid_token"])
}) {
  override get message() {
    return {
      no_session: "Send a session token as a bearer token.",
      session_expired: "This session has ended; exchange the API token again.",
      invalid_token: "This token is unknown, expired or revoked, or was issued for another address."
    }[this.code]
  }
}

/** Signed in, but not allowed to do this. Not retryable. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  code: Schema.Literals([
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
  because: Schema.String
}) {
  override get message() {
    return this.because
  }
}

/** Nothing of the caller's has that id. Not retryable. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  resource: Schema.Literals([
    "file",
    "folder",
    "token",
    "tag",
    "playlist",
    "gallery",
    "import",
    "archive",
    "file request",
    "drop",
    /** Of a sender, a secret as well. */
    "drop token",
    "file review",
    "review note",
    /** A public link, whose id is a secret: the sentence does not repeat it. */
    "link"
  ]),
  id: Schema.String
}) {
  readonly code = "not_found"
  override get message() {
    if (this.resource === "link") return "This link does not exist, or the password is wrong."
    if (this.resource === "drop token") return "This dropToken does not exist or has expired: start another delivery."
    return `No ${this.resource} of yours has the id ${this.id}.`
  }
}

/** The upload is no longer open and made no object. Not retryable: start a new one. */
export class UploadNotFound extends Schema.TaggedError<UploadNotFound>()("UploadNotFound", {}) {
  readonly code = "upload_not_found"
  override get message() {
    return "This upload is no longer open; start it again."
  }
}

/** The stored parts do not match the plan. Send the named parts, then complete again. */
export class PartsMismatch extends Schema.TaggedError<PartsMismatch>()("PartsMismatch", {
  code: Schema.Literals(["parts_missing", "parts_invalid"]),
  partNumbers: Schema.Array(Schema.Int)
}) {
  override get message() {
    const named = this.partNumbers.slice(0, 20).join(", ") + (this.partNumbers.length > 20 ? ", …" : "")
    return this.code === "parts_missing"
      ? `Parts ${named} are not stored yet.`
      : `Parts ${named} do not match the plan.`
  }
}

/** The file could not be opened, or is too big to read. Not retryable. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  because: Schema.String,
  /** The tool that this host lacks, when that is the reason: the file itself may be sound. */
  missingTool: Schema.optionalKey(Schema.String)
}) {
  readonly code = "unreadable"
  override get message() {
    return this.because
  }
}

/** A review's notes can't be written as frames: nobody knows how many its film has a second. Not retryable. */
export class RateUnknown extends Schema.TaggedError<RateUnknown>()("RateUnknown", {}) {
  readonly code = "rate_unknown"
  override get message() {
    return "The frame rate of this video is not known; name it as `rate`, like 25 or 30000/1001."
  }
}

const tooManyWait = (seconds: number): string =>
  `Too many calls wait for their turn; call again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`

/** A service the drive depends on did not answer, has no room (`no_space`), or too many wait for it. Retryable, unless bytes are lost. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  code: Schema.Literals([
    "storage_unavailable",
    "fetching_file_failed",
    "generator_unavailable",
    "unavailable",
    "no_space"
  ]),
  cause: Schema.Defect(),
  /** When to retry. The reason is that too many calls wait, unless `because` names another. */
  retryAfterSeconds: Schema.optionalKey(Schema.Int),
  /** The sentence that callers are told, where it is not the one of `code`. */
  because: Schema.optionalKey(Schema.String),
  /** Whether the requested object is lost or damaged: then it is not retryable, and callers are told `unreadable`. */
  isLost: Schema.optionalKey(Schema.Boolean),
  /** For a lost object: whether a part of it still exists. */
  isDamaged: Schema.optionalKey(Schema.Boolean)
}) {
  override get message() {
    if (this.because !== undefined) return this.because
    if (this.retryAfterSeconds !== undefined) return tooManyWait(this.retryAfterSeconds)
    if (this.isLost === true) return "The stored bytes of this file are lost or damaged."
    return {
      storage_unavailable: "The object storage did not answer; try again.",
      fetching_file_failed: "The object storage did not hand over the file; try again.",
      generator_unavailable: "This model cannot generate images right now; try again later, or choose another.",
      unavailable: "The drive cannot be reached right now; try again.",
      no_space: "The drive's disk is full; try again when there is room."
    }[this.code]
  }
}

/** Too many calls, or too many wrong passwords. Retryable after so many seconds. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfterSeconds: Schema.Int
}) {
  readonly code = "rate_limited"
  override get message() {
    const seconds = this.retryAfterSeconds
    return `Too many calls; call again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`
  }
}

export type DriveError =
  | InvalidField
  | Unauthenticated
  | Refused
  | NotFound
  | UploadNotFound
  | PartsMismatch
  | Unreadable
  | RateUnknown
  | Unavailable
  | RateLimited

const classes = [
  InvalidField,
  Unauthenticated,
  Refused,
  NotFound,
  UploadNotFound,
  PartsMismatch,
  Unreadable,
  RateUnknown,
  Unavailable,
  RateLimited
] as const

export const isDriveError = (error: unknown): error is DriveError => classes.some((kind) => error instanceof kind)
