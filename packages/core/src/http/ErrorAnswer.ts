/** How a refusal or fault leaves, where a protocol has a form of its own for errors. */
import { Context } from "effect"
import type { Headers, HttpServerResponse } from "effect/http"
import { ofError, uncached, type WireError } from "./Answers.ts"
import { ServiceUnavailable, TooManyRequests } from "./ApiError.ts"

/** The answer of an error. `headers`: what the error's status asks for, like `Allow`. */
export type ErrorAnswer = (error: WireError, headers?: Headers.Headers) => HttpServerResponse.HttpServerResponse

/** The form of the file service's errors. */
export const plain: ErrorAnswer = (error, headers = uncached) => ofError(error, headers)!

/** Of the route that answers; {@link plain} unless its mount has another. */
export const ErrorAnswer = Context.Reference<ErrorAnswer>("@filedrive/core/http/ErrorAnswer", {
  defaultValue: () => plain
})

/** When to call again, in seconds, where the error says so. */
export const retryAfterOf = (error: WireError): number | undefined =>
  error instanceof ServiceUnavailable || error instanceof TooManyRequests ? error.retryAfterSeconds : undefined
