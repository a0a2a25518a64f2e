/**
 * The errors of A2A over JSON-RPC. Each has a code, a sentence for people and one detail for programs: which error it is
 * (`ErrorInfo`), or which parameter is wrong (`BadRequest`). Nothing of a fault's cause is in them.
 *
 * Spec: "Errors", "Agent (JSON-RPC) error codes".
 */
import { FieldIssue } from "@filedrive/core"
import { Schema } from "effect"

/** What can go wrong, with the code of JSON-RPC or A2A. The name is the `reason` in `ErrorInfo`. */
export const codes = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  VERSION_NOT_SUPPORTED: -32009
} as const

export type Reason = keyof typeof codes

/** An error that the caller is told of. `violations` are those of `INVALID_PARAMS`, and empty for others. */
export class ProtocolError extends Schema.TaggedError<ProtocolError>()("ProtocolError", {
  reason: Schema.Literals(Object.keys(codes) as ReadonlyArray<Reason>),
  message: Schema.String,
  metadata: Schema.Record(Schema.String, Schema.String),
  violations: Schema.Array(Schema.Struct({ field: Schema.String, description: Schema.String }))
}) {}

const make = (reason: Reason, message: string, metadata: Readonly<Record<string, string>> = {}) =>
  new ProtocolError({ reason, message, metadata, violations: [] })

export const parseError = make("PARSE_ERROR", "The body is not valid JSON.")

export const invalidRequest = (because: string) => make("INVALID_REQUEST", because)

export const methodNotFound = (method: string) =>
  make("METHOD_NOT_FOUND", `There is no method ${method.slice(0, 100)}.`, { method: method.slice(0, 100) })

export const invalidParams = (field: string, because: string) => {
  const message = FieldIssue.sentence({ field, because }, "params")
  return new ProtocolError({
    reason: "INVALID_PARAMS",
    message,
    metadata: {},
    violations: [{ field: field === "" ? "params" : field, description: message }]
  })
}

/** Of a webhook too: A2A has no error of its own for one that is not there. */
export const taskNotFound = (resource: "task" | "webhook", id: string) =>
  make("TASK_NOT_FOUND", `No ${resource} of yours has the id ${id.slice(0, 100)}.`, {
    [`${resource}Id`]: id.slice(0, 100)
  })

export const taskNotCancelable = (taskId: string) =>
  make("TASK_NOT_CANCELABLE", "This task is already finished and can't be canceled.", { taskId })

export const unsupported = (because: string, metadata?: Readonly<Record<string, string>>) =>
  make("UNSUPPORTED_OPERATION", because, metadata)

export const wrongContentType = make(
  "CONTENT_TYPE_NOT_SUPPORTED",
  "Send the request as JSON, with the content type application/json."
)

export const supportedVersion = "1.0"

/** Whether a request has the supported version; a patch number is ignored. A2A 1.0, section 3.6. */
export const isSupported = (version: string): boolean => version.replace(/^(\d+\.\d+)\.\d+$/, "$1") === supportedVersion

export const versionNotSupported = (version: string) =>
  make(
    "VERSION_NOT_SUPPORTED",
    version === ""
      ? `The request has no A2A-Version, which means 0.3; this agent speaks ${supportedVersion}. Send the header A2A-Version: ${supportedVersion}.`
      : `This agent speaks A2A ${supportedVersion}, not ${
        version.slice(0, 20)
      }. Send the header A2A-Version: ${supportedVersion}.`,
    { supportedVersions: supportedVersion }
  )

/** A fault of ours, which the log has under `reference`. */
export const internalError = (message: string, metadata: Readonly<Record<string, string>>) =>
  make("INTERNAL_ERROR", message, metadata)

const typeUrl = "type.googleapis.com/google.rpc."

/** The `error` of an answer. */
export const toJson = ({ message, metadata, reason, violations }: ProtocolError) => ({
  code: codes[reason],
  message,
  data: [
    violations.length > 0
      ? { "@type": `${typeUrl}BadRequest`, fieldViolations: violations }
      : { "@type": `${typeUrl}ErrorInfo`, reason, domain: "a2a-protocol.org", metadata }
  ]
})
