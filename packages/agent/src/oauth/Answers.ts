/** Answers of OAuth's endpoints to programs: JSON that no cache may keep, and that any page may read. */
import { HttpServerResponse } from "effect/http"

type Answer = HttpServerResponse.HttpServerResponse

/** No cookie is read there, so pages of any origin may call. */
const headers = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*"
}

export const json = (body: object, status = 200): Answer => HttpServerResponse.jsonUnsafe(body, { status, headers })

/** RFC 6749, section 5.2. */
export const refused = (error: string, because: string, status = 400): Answer =>
  json({ error, error_description: because }, status)

/** A document that may be kept for a while. */
export const document = (body: object): Answer =>
  HttpServerResponse.jsonUnsafe(body, { headers: { ...headers, "cache-control": "public, max-age=300" } })

export const empty: Answer = HttpServerResponse.empty({ status: 200, headers })
