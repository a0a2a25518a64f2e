/** Calls by node:http: `fetch` takes more processor time for each, and some 16 MiB from its first use on. */
import * as http from "node:http"
import * as https from "node:https"
import { text } from "node:stream/consumers"
import type { Fetch } from "../Options.ts"
import { agents } from "./agents.ts"

/** What is given of a call. */
interface CallInit {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** What is read of its answer. */
interface CallAnswer extends Pick<Response, "ok" | "status" | "text"> {
  readonly headers: Pick<Headers, "get">
}

/** As `fetch`, for calls alone: see {@link CallInit} and {@link CallAnswer}. */
export const callByHttp: Fetch = (url, init) =>
  new Promise((resolve, reject) => {
    const { body = "", headers, method, signal } = init as CallInit
    const { protocol } = new URL(url)
    const answered = (response: http.IncomingMessage) => {
      const status = response.statusCode!
      // Where the API has moved to, and what of a call may go there, `fetch` knows.
      if (status >= 300 && status < 400) {
        response.destroy()
        return resolve(fetch(url, init))
      }
      const answer: CallAnswer = {
        status,
        ok: status >= 200 && status < 300,
        headers: { get: (name) => response.headers[name]?.toString() ?? null },
        text: () => text(response)
      }
      resolve(answer as Response)
    }
    const request = (protocol === "https:" ? https : http).request(url, {
      method,
      agent: agents[protocol as keyof typeof agents],
      signal,
      headers: { ...headers, "content-length": Buffer.byteLength(body) }
    }, answered)
    request.on("error", reject)
    // Of what the server makes of the connection, `Upgrade` say, nothing else is told.
    request.on("close", () => reject(new Error("The connection ended.")))
    request.end(body)
  })
