/** The server's own routes: the way in at `/`, and metrics where they are switched on. */
import { type Drive, DriveError } from "@filedrive/adapter-node"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import type { Settings } from "./Environment.ts"
import { send } from "./pages.ts"
import { userOf } from "./signIn/SignIn.ts"

/** These answers need no other resource. */
const guards = {
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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

/** Answers a request that is for a page of its own; false for another. */
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
    if (reads && path === "/") {
      const user = await userOf(drive, request.headers.cookie ?? null)
      return send(response, 303, { location: user === null ? "/sign-in" : "/connections", "cache-control": "no-store" })
    }
    if (reads && path === "/metrics" && metrics) {
      return answer(request, response, { type: "text/plain; version=0.0.4", body: await drive.metrics() })
    }
    answer(request, response, { status: 404, type: "text/plain", body: "There is nothing here.\n" })
  }
  return (request, response) =>
    void respond(request, response).catch((error: unknown) => answerFailure(request, response, error))
}
