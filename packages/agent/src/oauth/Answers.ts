/** Answers of OAuth's endpoints to programs: JSON that no cache may keep. Which pages may read one is up to its mount. */
import { ErrorAnswer, statusOfError } from "@filedrive/core"
import { Option } from "effect"
import { Headers, HttpServerResponse } from "effect/http"

type Answer = HttpServerResponse.HttpServerResponse

const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

export const json = (body: object, status = 200): Answer => HttpServerResponse.jsonUnsafe(body, { status, headers })

/** RFC 6749, section 5.2. */
export const refused = (error: string, because: string, status = 400, more: Headers.Input = {}): Answer =>
  HttpServerResponse.setHeaders(json({ error, error_description: printable(because) }, status), more)

/** A description has printable ASCII without quotes and backslashes, as RFC 6749 wants. */
const printable = (text: string): string =>
  text.replaceAll(/["\u201c\u201d]/g, "'").replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?")

/**
 * The codes of refusals before an endpoint itself decides, and of its faults. Where RFC 6749 has no code, it is the one that the SDKs of MCP
 * know. `malformed`: the code of a request that can't be read.
 */
export const errorAnswer = (malformed: string): ErrorAnswer.ErrorAnswer => (error, headers = Headers.empty) => {
  const status = statusOfError(error) ?? 500
  const seconds = ErrorAnswer.retryAfterOf(error)
  return refused(codeOf(status, malformed), error.error, status, {
    ...Option.match(Headers.get(headers, "allow"), { onNone: () => ({}), onSome: (allow) => ({ allow }) }),
    ...seconds !== undefined && { "retry-after": String(seconds) }
  })
}

/** `malformed`: of 400. */
export const codeOf = (status: number, malformed: string): string =>
  status === 503
    ? "temporarily_unavailable"
    : status >= 500
    ? "server_error"
    : { 401: "invalid_client", 403: "access_denied", 405: "method_not_allowed", 429: "too_many_requests" }[status] ??
      malformed

/** A document that may be kept for a while. */
export const document = (body: object): Answer =>
  HttpServerResponse.jsonUnsafe(body, { headers: { ...headers, "cache-control": "public, max-age=300" } })

export const empty: Answer = HttpServerResponse.empty({ status: 200, headers })
