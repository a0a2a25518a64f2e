/** Pages of the server: each with its own style, and no script, frame or other resource. */
import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

export const style =
  ":root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem}" +
  "input,button{font:inherit;padding:.4rem .8rem;max-width:100%}"

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
  // Not `no-referrer`: with it browsers send `Origin: null` with the page's own form.
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

/** A page with a form that is sent back to its own address, and leads on from there to any https address, or to this machine. */
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
<h1>${escaped(title)}</h1>
${body}
</html>
`
  response.writeHead(status, {
    ...guards("'self'"),
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(text)
  })
  response.end(method === "HEAD" ? undefined : text)
}
