/** The agent's card over HTTP, which clients and caches may keep for an hour. RFC 9110, "Conditional Requests". */
import { Preconditions } from "@filedrive/core"
import { DateTime, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

/** Where A2A looks for cards, at the root of an origin. */
export const cardPath = "/.well-known/agent-card.json"

const maxAgeSeconds = 3_600

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
  const other = HttpServerResponse.empty({ status: 412, headers: { ...headers, "cache-control": "no-store" } })
  const sinceMillis = DateTime.toEpochMillis(since)
  const selected = { etag, lastModifiedMillis: sinceMillis }
  return ({ headers }: HttpServerRequest.HttpServerRequest) => {
    const outcome = Preconditions.evaluate((name) => headers[name], selected, sinceMillis)
    return outcome === "notModified" ? unchanged : outcome === "failed" ? other : whole
  }
})
