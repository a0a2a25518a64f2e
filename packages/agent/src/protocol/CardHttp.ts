/** The agent's card over HTTP, which clients and caches may keep for an hour. RFC 9110, "Conditional Requests". */
import { DateTime, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Where A2A looks for cards, at the root of an origin. */
export const cardPath = "/.well-known/agent-card.json"

const maxAgeSeconds = 3_600

/** The entity tags of `If-None-Match`, compared weakly. */
const names = (header: string, etag: string): boolean =>
  header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag)

/** Whether the caller has this card already. `If-None-Match` is what counts where both headers are sent. */
const isKnown = ({ headers }: HttpServerRequest.HttpServerRequest, etag: string, since: DateTime.Utc): boolean => {
  const match = headers["if-none-match"]
  if (match !== undefined) return names(match, etag)
  const sent = Date.parse(headers["if-modified-since"] ?? "")
  return !Number.isNaN(sent) && sent >= DateTime.toEpochMillis(since)
}

/** Answers a card. `since`: when this process began to answer it, which whole seconds tell. */
export const make = Effect.fnUntraced(function*(card: object) {
  const digest = yield* Digest.Digest
  const body = new TextEncoder().encode(JSON.stringify(card))
  const hash = yield* Effect.orDie(digest.digest(Digest.sha256, body))
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const since = DateTime.makeUnsafe(now - now % 1_000)
  const etag = `"${Hex.encode(hash).slice(0, 32)}"`
  const headers = {
    "cache-control": `public, max-age=${maxAgeSeconds}`,
    etag,
    "last-modified": DateTime.toDateUtc(since).toUTCString(),
    "x-content-type-options": "nosniff",
    // Clients in browsers read it before they know whether this drive answers them.
    "access-control-allow-origin": "*"
  }
  const whole = HttpServerResponse.uint8Array(body, { contentType: "application/json", headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  return (request: HttpServerRequest.HttpServerRequest) => isKnown(request, etag, since) ? unchanged : whole
})
