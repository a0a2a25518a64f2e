/** Pages of OAuth that people see: they need no script, are in no frame, and no cache keeps them. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import type { Html } from "./Html.ts"
import type { Looks } from "./Looks.ts"

/** A page; `formAction`: where its form may be sent, and led on from there. */
export interface PageOptions {
  readonly title: string
  readonly body: Html
  readonly language: string
  readonly status?: number
  readonly formAction?: string
}

/** Makes pages. The style is named by its hash, so that no other applies. */
export const make = Effect.fnUntraced(function*({ document, hasImages, style }: Looks) {
  const digest = yield* Digest.Digest
  const hash = Base64.encode(
    yield* Effect.orDie(digest.digest(Digest.sha256, new TextEncoder().encode(style)))
  )
  return ({ body, formAction = "'none'", language, status = 200, title }: PageOptions) =>
    HttpServerResponse.text(document({ title, body: body.text, language }), {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        "cache-control": "no-store",
        "content-language": language,
        "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; ` +
          `${hasImages ? "img-src 'self'; " : ""}form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        // With `no-referrer` browsers send forms from the origin `null`.
        "referrer-policy": "same-origin",
        vary: "accept-language, cookie",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY"
      }
    })
})
