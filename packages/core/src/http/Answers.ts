/** Answers as they leave: JSON that no cache may keep. */
import { Headers, HttpServerResponse } from "effect/http"
import * as ApiError from "./ApiError.ts"

/** Browsers must not guess the type of an answer. */
export const guards = { "x-content-type-options": "nosniff" } as const

export const uncached = Headers.fromInput({ "cache-control": "no-store", ...guards })

/** `headers` besides the {@link guards}. */
export const json = (status: number, body: unknown, headers = uncached): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, {
    status,
    headers: headers === uncached ? headers : Headers.setAll(headers, guards)
  })

export type WireError = InstanceType<typeof ApiError.statuses[number][0]>

const statusOf = new Map<unknown, number>(ApiError.statuses)

export const isWireError = (error: unknown): error is WireError => statusOfError(error) !== undefined

/** The HTTP status of a wire error; undefined for anything else. */
export const statusOfError = (error: unknown): number | undefined =>
  statusOf.get((error as object | undefined)?.constructor)

/** The answer of a wire error, or undefined for anything else. */
export const ofError = (
  error: unknown,
  headers = uncached
): HttpServerResponse.HttpServerResponse | undefined => {
  const status = statusOfError(error)
  if (status === undefined) return undefined
  const seconds = error instanceof ApiError.ServiceUnavailable || error instanceof ApiError.TooManyRequests
    ? error.retryAfterSeconds
    : undefined
  return json(
    status,
    { ...(error as WireError) },
    seconds === undefined ? headers : Headers.set(headers, "retry-after", String(seconds))
  )
}

export const unknownRoute = ofError(
  new ApiError.NotFound({ error: "There is no such route.", code: "unknown_route", retryable: false })
)!

/** The error at a known path with another method. */
export const wrongMethod = (allow: string): WireError =>
  new ApiError.MethodNotAllowed({
    error: `This route takes ${allow} only.`,
    code: "method_not_allowed",
    retryable: false
  })

/** Names the methods of a path. */
export const allowing = (allow: string): Headers.Headers => Headers.set(uncached, "allow", allow)
