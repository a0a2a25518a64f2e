/** Pages of OAuth that people see: they need no script, are in no frame, and no cache keeps them. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { type Html, html } from "./Html.ts"

const style = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem;line-height:1.25}fieldset{border:1px solid #8888;border-radius:.5rem;margin:1rem 0;padding:.5rem 1rem}
label{display:block;padding:.35rem 0}select{font:inherit;max-width:100%;width:100%;padding:.4rem}
.note{border-left:.25rem solid #c60;padding-left:.75rem}
button{font:inherit;padding:.6rem 1.4rem;border-radius:.5rem;border:1px solid #8888;margin:.5rem .5rem 0 0;cursor:pointer}
button[value=allow]{background:#06c;color:#fff;border-color:#06c}`

/** A page; `formAction`: where its form may be sent, and led on from there. */
export interface PageOptions {
  readonly title: string
  readonly body: Html
  readonly status?: number
  readonly formAction?: string
}

/** Makes pages. The style is named by its hash, so that no other applies. */
export const make = Effect.gen(function*() {
  const digest = yield* Digest.Digest
  const hash = Base64.encode(
    yield* Effect.orDie(digest.digest(Digest.sha256, new TextEncoder().encode(style)))
  )
  return ({ body, formAction = "'none'", status = 200, title }: PageOptions) =>
    HttpServerResponse.text(
      `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
${html`<title>${title}</title>`.text}
<style>${style}</style>
<h1>${html`${title}`.text}</h1>
${body.text}
</html>
`,
      {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          "cache-control": "no-store",
          "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; form-action ${formAction}; ` +
            "frame-ancestors 'none'; base-uri 'none'",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-resource-policy": "same-origin",
          // Not `no-referrer`: with it browsers send `Origin: null` with the page's own form.
          "referrer-policy": "same-origin",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY"
        }
      }
    )
})
