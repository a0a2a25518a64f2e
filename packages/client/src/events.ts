/** Live feeds: server-sent events that go on after every break. HTML: "Server-sent events". */
import { backoffMillis, sleep } from "./Backoff.ts"
import { DriveError, refusalOf, strange, timeout, unreachable } from "./DriveError.ts"
import { onNetwork } from "./upload/network.ts"
import type { Wanted, Wire } from "./Wire.ts"

/** The drive says every 15 seconds that it is there. */
const silenceMillis = 45_000

/** Of an event: longer than any of the drive. */
const mostLength = 8_000_000

type Query = Record<string, string | ReadonlyArray<string> | null | undefined>

export interface Feed extends Pick<Wanted, "path" | "access" | "isPublic" | "signal"> {
  readonly query: Query
  /** The parameter that a reader goes on by. */
  readonly cursor: "since" | "after"
}

export interface Message {
  readonly id: string
  readonly event: string
  readonly data: string
}

const search = (query: Query): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]))
  )

/** The messages of a stream of text; those without data only say where the reader is. */
const messages = async function*(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop()!
      if (text.length > mostLength) throw strange("too long an event")
      for (const block of blocks) {
        const all = (name: string) =>
          [...block.matchAll(new RegExp(`^${name}: ?(.*)$`, "gm"))].map(([, value]) => value).join("\n")
        yield { id: all("id"), event: all("event"), data: all("data") }
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Follows a feed until its reader stops, the signal, or a refusal that does not pass. */
export const follow = async function*(
  wire: Wire,
  feed: Feed
): AsyncGenerator<Message> {
  const { cursor, path, signal } = feed
  const query = { ...feed.query }
  for (let attempt = 0;;) {
    const ending = new AbortController()
    const end = () => ending.abort(signal!.reason)
    signal?.addEventListener("abort", end)
    let timer: ReturnType<typeof setTimeout> | undefined
    const alive = () => {
      clearTimeout(timer)
      timer = setTimeout(() => ending.abort(timeout()), silenceMillis)
    }
    let retryAfterSeconds: number | undefined
    try {
      signal?.throwIfAborted()
      const { body } = await wire.authorized(feed, async (headers) => {
        alive()
        const response = await wire.respond(`${wire.api}${path}?${search(query)}`, {
          headers: { ...headers, accept: "text/event-stream" },
          signal: ending.signal
        })
        if (response.ok && response.body) return response
        throw refusalOf(response.status, await response.text(), response.headers.get("retry-after"))
      })
      for await (const message of messages(body!, alive)) {
        attempt = 0
        if (message.id) query[cursor] = message.id
        // A slow reader is no silence.
        clearTimeout(timer)
        if (message.data) yield message
        alive()
      }
      // It ended in good order: the server stops, or the session.
    } catch (error) {
      signal?.throwIfAborted()
      const cause = ending.signal.aborted ? ending.signal.reason : error
      const failed = cause instanceof DriveError ? cause : unreachable(wire.api, cause)
      if (!failed.retryable) throw failed
      retryAfterSeconds = failed.retryAfterSeconds
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      ending.abort()
    }
    await sleep(backoffMillis(attempt++, retryAfterSeconds), signal, onNetwork)
  }
}
