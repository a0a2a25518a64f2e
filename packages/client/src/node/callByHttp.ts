/** Calls by node:http: `fetch` takes more processor time for each, and some 16 MiB from its first use on. */
import * as http from "node:http"
import * as https from "node:https"
import { until } from "../Backoff.ts"
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

/** No drive answers more than this. */
const textMaxBytes = 64 * 1024 ** 2

/** The text of an answer; none of one that is too long, since what has no text is no drive's answer. Leaving the loop ends the connection. */
const textOf = async (response: AsyncIterable<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  for await (const chunk of response) {
    size += chunk.byteLength
    if (size > textMaxBytes) return ""
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** How often a call is sent elsewhere. */
const redirectsMax = 5

/**
 * Where a call is sent whose answer says that the API has moved: within its own origin, and to https. What a call has in its body and headers is
 * nobody else's.
 */
const movedTo = (url: string, { headers: { location }, statusCode }: http.IncomingMessage): string | undefined => {
  if (statusCode !== 307 && statusCode !== 308 || location === undefined || !URL.canParse(location, url)) {
    return undefined
  }
  const [from, to] = [new URL(url), new URL(location, url)]
  const isSecured = from.protocol === "http:" && to.protocol === "https:" && from.hostname === to.hostname
  return to.origin === from.origin || isSecured ? to.href : undefined
}

/** As `fetch`, for calls alone: see {@link CallInit} and {@link CallAnswer}. */
export const callByHttp: Fetch = (url, init) => call(url, init as CallInit, redirectsMax)

/** The request's own signal tells nothing while it has no connection, for example behind a proxy that does not answer. */
const call = async (url: string, init: CallInit, redirects: number): Promise<Response> => {
  init.signal.throwIfAborted()
  return until(request(url, init, redirects), init.signal)
}

const request = (url: string, init: CallInit, redirects: number): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { body = "", headers, method, signal } = init
    const { protocol } = new URL(url)
    const answered = (response: http.IncomingMessage) => {
      const status = response.statusCode!
      const moved = redirects > 0 ? movedTo(url, response) : undefined
      if (moved !== undefined) {
        response.destroy()
        return resolve(call(moved, init, redirects - 1))
      }
      const answer: CallAnswer = {
        status,
        ok: status >= 200 && status < 300,
        headers: { get: (name) => response.headers[name]?.toString() ?? null },
        text: () => textOf(response)
      }
      resolve(answer as Response)
    }
    const asked = (protocol === "https:" ? https : http).request(url, {
      method,
      agent: agents[protocol as keyof typeof agents],
      signal,
      headers: { ...headers, "content-length": Buffer.byteLength(body) }
    }, answered)
    asked.on("error", reject)
    // Of what the server makes of the connection, `Upgrade` say, nothing else is told.
    asked.on("close", () => reject(new Error("The connection ended.")))
    asked.end(body)
  })
