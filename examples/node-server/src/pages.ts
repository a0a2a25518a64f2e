/** Pages of the server: each with its own style, and no script, frame or other resource. */
import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

/** The look of the drive's own pages. */
const style =
  `:root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--line:#d3d6db;--accent:#0b62c4;--alert:#b3261e;--soft:#5b6470}
@media(prefers-color-scheme:dark){:root{--page:#121316;--card:#1c1e22;--line:#3a3e45;--accent:#1f6fd0;--alert:#ff8a80;--soft:#a3abb6}}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;background:var(--page);margin:0;padding:1rem;overflow-wrap:anywhere}
main{max-width:28rem;margin:3vh auto;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{font-size:1.4rem;line-height:1.25;margin:0 0 1rem}p{margin:0 0 1rem}
[role=alert]{border-left:.25rem solid var(--alert);padding-left:.75rem}.soft{color:var(--soft);font-size:.9rem;margin:1rem 0 0}
label{display:block;font-weight:600}
input{display:block;width:100%;font:inherit;margin:.35rem 0 1rem;padding:.55rem .65rem;border:1px solid var(--line);border-radius:.4rem}
button{width:100%;font:inherit;font-weight:600;padding:.65rem 1rem;border:0;border-radius:.5rem;background:var(--accent);color:#fff;cursor:pointer}`

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** Text as HTML, also in attributes within quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

const guards = (formAction: string) => ({
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; ` +
    `base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  // With `no-referrer` browsers send forms from the origin `null`.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
})

export const send = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  body = ""
): void => {
  response.writeHead(status, { ...guards("'none'"), "content-length": Buffer.byteLength(body), ...headers })
  response.end(body)
}

/**
 * A page with a form that is sent back to its own address. What follows signing in may at once lead back to an app, on this machine by http;
 * browsers hold redirects after a form to the same policy.
 */
export const sendForm = (
  { method }: IncomingMessage,
  response: ServerResponse,
  { body, status, title }: { readonly title: string; readonly body: string; readonly status: number }
): void => {
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>filedrive</title>
<style>${style}</style>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</html>
`
  response.writeHead(status, {
    ...guards("'self' https: http:"),
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(text)
  })
  response.end(method === "HEAD" ? undefined : text)
}
