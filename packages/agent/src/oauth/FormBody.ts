/** The body of a form, of at most 16 KiB. */
import { RequestBody } from "@filedrive/core"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"

export const maxBytes = 16_384

/** Its text; null when it is too long or can't be read. */
export const text = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string | null> =>
  Effect.match(RequestBody.readText(request, maxBytes), { onFailure: () => null, onSuccess: (text) => text })

/** Its fields; null when it is no form, or can't be read. */
export const fields = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<URLSearchParams | null> =>
  /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")
    ? Effect.map(text(request), (text) => text === null || text.includes("%00") ? null : new URLSearchParams(text))
    : Effect.succeed(null)
