/** Answers that are given before the drive itself is called: errors in its own form. */
import type { IncomingMessage, ServerResponse } from "node:http"

interface ErrorResponse {
  readonly status: number
  readonly body:
    | { readonly error: string; readonly code: string; readonly retryable: boolean }
    | { readonly error: string; readonly error_description: string }
}

export const closing: ErrorResponse = {
  status: 503,
  body: { error: "The drive is shutting down; try again.", code: "unavailable", retryable: true }
}

/** The drive did not start; its host has been told why. */
export const notStarted: ErrorResponse = {
  status: 503,
  body: { error: "The drive cannot be reached right now; try again.", code: "unavailable", retryable: true }
}

export const unknownRoute: ErrorResponse = {
  status: 404,
  body: { error: "There is no such route.", code: "unknown_route", retryable: false }
}

/** The answer when a body parser before the drive could not read the body. */
export const unreadableBody = (error: string): ErrorResponse => ({
  status: 400,
  body: { error, code: "invalid_body", retryable: false }
})

/** The endpoints of OAuth, below the drive's mount. */
const isOauth = (url: string): boolean => /\/oauth\/(?:authorize|token|register|revoke|introspect)\/?(?:\?|$)/.test(url)

/** The answer in the form that the route at `url` has: OAuth's (RFC 6749, section 5.2), or the file service's. */
export const at = (url: string, { body, status }: ErrorResponse): ErrorResponse =>
  "code" in body && isOauth(url)
    ? {
      status,
      body: {
        error: status === 503 ? "temporarily_unavailable" : "invalid_request",
        error_description: body.error
      }
    }
    : { body, status }

const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

export const send = (response: ServerResponse, { body, status }: ErrorResponse): void => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { ...headers, connection: "close" })
  response.end(JSON.stringify(body))
}

const starting = { error: "Not ready: the drive is starting.", code: "unavailable", retryable: true, away: [] }

/**
 * Answers `/healthz` and `/readyz` for a drive that is starting, which may take a while: a supervisor must not
 * take the process for dead. False for any other path.
 */
export const sendHealth = ({ method, url = "" }: IncomingMessage, response: ServerResponse): boolean => {
  const [, path] = /(\/(?:healthz|readyz))(?:$|\?)/.exec(url) ?? []
  if (path === undefined || (method !== "GET" && method !== "HEAD")) return false
  response.writeHead(path === "/healthz" ? 200 : 503, headers)
  response.end(JSON.stringify(path === "/healthz" ? { status: "ok" } : starting))
  return true
}

/**
 * Answers, in the form of the drive's own errors, a request whose body a parser before the drive could not read. `url`: the request's, since
 * routes of OAuth have another form.
 */
export const sendUnreadableBody = (response: ServerResponse, error: string, url = "/"): void =>
  send(response, at(url, unreadableBody(error)))

export const toWeb = ({ body, status }: ErrorResponse): Response =>
  new Response(JSON.stringify(body), { status, headers })
