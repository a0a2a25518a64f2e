/**
 * `fetch` for the calls of pages. A connection that says nothing is given up long before browsers do so. What is not known to have arrived is
 * sent under the same key when it is sent again, by a browser itself or by a second press, so that the drive does it once.
 */
import { randomText } from "./randomText.ts"

const answerMillis = 30_000

/** What a server asks to wait for longer is told the reader instead. */
const waitMaxSeconds = 5

/** Most calls of which the key is kept. */
const keysMax = 50

/** Of calls without an answer, by their address and body. */
const keys = new Map<string, string>()

const keyOf = (call: string): string => {
  const key = keys.get(call) ?? randomText()
  keys.set(call, key)
  for (const oldest of keys.keys()) {
    if (keys.size <= keysMax) break
    keys.delete(oldest)
  }
  return key
}

/** What a proxy answers says nothing of what has become of the call. */
const isAnswer = ({ status }: Response): boolean => status < 500 && status !== 408 && status !== 429

const withoutLongWait = (response: Response): Response => {
  const asked = response.headers.get("retry-after")
  if (response.ok || asked === null || Number(asked) <= waitMaxSeconds) return response
  const headers = new Headers(response.headers)
  headers.delete("retry-after")
  return new Response(response.body, { status: response.status, headers })
}

/** An answer that has come whole. What is followed, or downloaded, is asked for by GET, and goes on as it comes. */
const whole = async (response: Response): Promise<Response> =>
  // A status without a body allows none.
  new Response(response.body === null ? null : await response.arrayBuffer(), response)

/** The answer has to begin in time; how long the whole of it takes is not limited. */
export const answered = async (url: string, { headers, signal, ...init }: RequestInit = {}): Promise<Response> => {
  const call = `${url} ${String(init.body ?? "")}`
  const ending = new AbortController()
  const end = (): void => ending.abort(signal?.reason)
  if (signal?.aborted === true) end()
  else signal?.addEventListener("abort", end)
  const timer = setTimeout(end, answerMillis)
  try {
    const response = await fetch(url, {
      ...init,
      headers: {
        ...headers as Record<string, string>,
        ...init.method === "POST" && { "idempotency-key": keyOf(call) }
      },
      signal: ending.signal
    })
    clearTimeout(timer)
    if (init.method !== "POST" || !isAnswer(response)) return withoutLongWait(response)
    const answer = await whole(response)
    // Not before: what ended in the middle has told nothing yet, and is sent again.
    keys.delete(call)
    return withoutLongWait(answer)
  } finally {
    clearTimeout(timer)
  }
}
