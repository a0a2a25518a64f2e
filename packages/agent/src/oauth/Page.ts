/** Pages of OAuth that people see: they need no script, are in no frame, and no cache keeps them. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { type Html, html } from "./Html.ts"

const style =
  `:root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--line:#d3d6db;--accent:#0b62c4;--note:#b45309;--soft:#5b6470}
@media(prefers-color-scheme:dark){:root{--page:#121316;--card:#1c1e22;--line:#3a3e45;--accent:#1f6fd0;--note:#f0a54a;--soft:#a3abb6}}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;background:var(--page);margin:0;padding:1rem;overflow-wrap:anywhere}
main{max-width:32rem;margin:3vh auto;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 1rem}p{margin:0 0 1rem}
fieldset{border:0;border-top:1px solid var(--line);margin:0 0 .75rem;padding:.75rem 0 0;min-width:0}legend{float:left;width:100%;font-weight:600;padding:0}
label{clear:both;display:grid;grid-template-columns:auto 1fr;gap:.7rem;align-items:start;padding:.4rem 0}
input[type=checkbox]{width:1.15rem;height:1.15rem;margin:.18rem 0 0;accent-color:var(--accent)}
select{clear:both;font:inherit;width:100%;padding:.5rem;margin:.5rem 0 .25rem;border:1px solid var(--line);border-radius:.4rem}
.note{border-left:.25rem solid var(--note);padding-left:.75rem}.soft{color:var(--soft);font-size:.9rem;margin:0}
.answer{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0}
button{flex:1;min-width:8rem;font:inherit;font-weight:600;padding:.65rem 1rem;border:1px solid var(--line);border-radius:.5rem;cursor:pointer}
button[value=allow]{background:var(--accent);color:#fff;border-color:var(--accent)}`

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
<main>
<h1>${html`${title}`.text}</h1>
${body.text}
</main>
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
          // With `no-referrer` browsers send forms from the origin `null`.
          "referrer-policy": "same-origin",
          "x-content-type-options": "nosniff",
          "x-frame-options": "DENY"
        }
      }
    )
})
