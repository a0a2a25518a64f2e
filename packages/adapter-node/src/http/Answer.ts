/** Answers that are given before the drive itself is called: errors in its own form. */
import type { IncomingMessage, ServerResponse } from "node:http"

interface ErrorResponse {
  readonly status: number
  readonly body: { readonly error: string; readonly code: string; readonly retryable: boolean }
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

/** Answers, in the form of the drive's own errors, a request whose body a parser before the drive could not read. */
export const sendUnreadableBody = (response: ServerResponse, error: string): void =>
  send(response, unreadableBody(error))

export const toWeb = ({ body, status }: ErrorResponse): Response =>
  new Response(JSON.stringify(body), { status, headers })
