/** Answers that are given before the drive itself is asked: errors in its own form. */
import type { IncomingMessage, ServerResponse } from "node:http"

interface Refusal {
  readonly status: number
  readonly body: { readonly error: string; readonly code: string; readonly retryable: boolean }
}

export const closing: Refusal = {
  status: 503,
  body: { error: "The drive is shutting down; try again.", code: "unavailable", retryable: true }
}

/** The drive did not start; its host has been told why. */
export const notStarted: Refusal = {
  status: 503,
  body: { error: "The drive cannot be reached right now; try again.", code: "unavailable", retryable: true }
}

export const unknownRoute: Refusal = {
  status: 404,
  body: { error: "There is no such route.", code: "unknown_route", retryable: false }
}

/** What a body parser before the drive could not read. */
export const unreadableBody = (error: string): Refusal => ({
  status: 400,
  body: { error, code: "invalid_body", retryable: false }
})

const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
}

export const send = (response: ServerResponse, { body, status }: Refusal): void => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { ...headers, connection: "close" })
  response.end(JSON.stringify(body))
}

const starting = { error: "Not ready: the drive is starting.", code: "unavailable", retryable: true, away: [] }

/**
 * Answers `/healthz` and `/readyz` for a drive that is starting, which may take a while: whoever supervises the process is not to
 * take it for dead. False when something else is asked.
 */
export const sendHealth = ({ method, url = "" }: IncomingMessage, response: ServerResponse): boolean => {
  const [, path] = /(\/(?:healthz|readyz))(?:$|\?)/.exec(url) ?? []
  if (path === undefined || (method !== "GET" && method !== "HEAD")) return false
  response.writeHead(path === "/healthz" ? 200 : 503, headers)
  response.end(JSON.stringify(path === "/healthz" ? { status: "ok" } : starting))
  return true
}

/** Answers a body that something before the drive could not read, as the drive's own errors are. */
export const sendUnreadableBody = (response: ServerResponse, error: string): void =>
  send(response, unreadableBody(error))

export const toWeb = ({ body, status }: Refusal): Response => new Response(JSON.stringify(body), { status, headers })
