/** The server's own routes: a page at `/`, and metrics where they are switched on. */
import { type Drive, DriveError } from "@filedrive/adapter-node"
import { createHash } from "node:crypto"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { Settings } from "./Environment.ts"

const style =
  "body{font:1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem;color:#222}a{color:#06c}"

const page = ({ api, mcp, site }: Drive["urls"]) =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>filedrive</title>
<style>${style}</style>
<h1>filedrive</h1>
<p>A drive for files of any size, for programs: there is nothing to click here. It runs at <code>${site}</code>.</p>
<ul>
<li><a href="${api}/docs">How to use the API</a></li>
<li><a href="${api}/openapi.json">Its OpenAPI description</a></li>
<li><a href="${site}/sign-in">Sign in or out</a>, to connect apps; MCP clients connect to <code>${mcp}</code></li>
</ul>
<p>API tokens are shown where the server was started.</p>
</html>
`

/** What a link is for, by the first part of its path. The pages that do it are not here yet. */
const links: Readonly<Record<string, string>> = {
  requests: "Somebody asks you for files by this link.",
  reviews: "Somebody asks you to watch a film or listen to a recording, and to leave notes, by this link."
}

/** The same for every id: nobody learns here which ones exist. */
const linkPage = (purpose: string, { api }: Drive["urls"]) =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>filedrive</title>
<style>${style}</style>
<h1>filedrive</h1>
<p>${purpose}</p>
<p>This server has no page for it yet: programs use the link by <a href="${api}/docs">the API</a>.</p>
</html>
`

/** The page needs only its own style, and no other resource. */
const guards = {
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

const answer = (
  request: IncomingMessage,
  response: ServerResponse,
  { body, status = 200, type }: { readonly status?: number; readonly type: string; readonly body: string }
) => {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { ...guards, "content-type": `${type}; charset=utf-8`, "content-length": length })
  response.end(request.method === "HEAD" ? undefined : body)
}

/** Answers a request that is about signing in; false for another. */
type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** A failure is the answer to its own request: a promise that is rejected would end the server. */
const answerFailure = (request: IncomingMessage, response: ServerResponse, error: unknown) => {
  // Whoever has gone gets no answer.
  if (response.destroyed || response.headersSent) return void response.destroy()
  const known = error instanceof DriveError ? error : null
  if (known === null) console.error("A page failed:", error)
  answer(request, response, {
    status: known?.status ?? 500,
    type: "text/plain",
    body: `${known?.message ?? "Something went wrong on our side; try again."}\n`
  })
}

export const site = (drive: Drive, { metrics }: Settings, pages: Pages): RequestListener => {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (await pages(request, response)) return
    const [path] = (request.url ?? "/").split("?")
    const reads = request.method === "GET" || request.method === "HEAD"
    if (reads && path === "/") return answer(request, response, { type: "text/html", body: page(drive.urls) })
    const [, kind = ""] = /^\/(requests|reviews)\/[^/]+$/.exec(path!) ?? []
    const purpose = links[kind]
    if (reads && purpose !== undefined) {
      return answer(request, response, { type: "text/html", body: linkPage(purpose, drive.urls) })
    }
    if (reads && path === "/metrics" && metrics) {
      return answer(request, response, { type: "text/plain; version=0.0.4", body: await drive.metrics() })
    }
    answer(request, response, { status: 404, type: "text/plain", body: "There is nothing here.\n" })
  }
  return (request, response) =>
    void respond(request, response).catch((error: unknown) => answerFailure(request, response, error))
}
