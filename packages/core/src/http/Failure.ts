/** A failure within an answer: of one of the things that a call does. Contract: "Errors". */
import { Schema } from "effect"
import type { DriveError } from "../shared/DriveError.ts"
import { errors, fromDriveError, statuses } from "./ApiError.ts"

/** The body of an error, with the status that it would have as an answer. */
export const Failure = Schema.Struct({
  status: Schema.Int,
  /** A sentence for people. */
  error: Schema.String,
  /** What went wrong, for programs. */
  code: Schema.Literals(errors.flatMap(({ codes }) => codes)),
  /** Path of the offending field within that part of the request. */
  field: Schema.optionalKey(Schema.String),
  /** Whether the same could work later. */
  retryable: Schema.Boolean
}).annotate({ identifier: "Failure" })

export const Failed = Schema.Struct({ failure: Failure })

export const of = (error: DriveError): typeof Failure.Type => {
  const rendered = fromDriveError(error)
  const status = statuses.find(([kind]) => rendered instanceof kind)![1]
  const { code, error: because, retryable } = rendered
  return { status, error: because, code, ..."field" in rendered && { field: rendered.field }, retryable }
}
