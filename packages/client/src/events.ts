/** Live feeds: server-sent events that go on after every break. HTML: "Server-sent events". */
import { backoffMillis, sleep } from "./Backoff.ts"
import { DriveError, refusalOf, strange, timeout, unreachable } from "./DriveError.ts"
import type { Message } from "./messages.ts"
import { loaded } from "./upload/loaded.ts"
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

const search = (query: Query): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]))
  )

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
      const { messages } = await loaded(import("./messages.ts"))
      const { body } = await wire.authorized(feed, (headers) =>
        wire.located("api", signal, async (api) => {
          alive()
          const response = await wire.respond(`${api}${path}?${search(query)}`, {
            // Strict: a misspelt filter is refused and not ignored.
            headers: { ...headers, accept: "text/event-stream", prefer: "handling=strict" },
            signal: ending.signal
          })
          // A page of something else is no feed, however well it is answered.
          if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream")) return response
          throw refusalOf(response.status, await response.text(), response.headers.get("retry-after"))
        }))
      const heard = (length: number) => {
        if (length > mostLength) throw strange("a broken event")
        alive()
      }
      for await (const message of messages(body!, heard)) {
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
    // Whoever asks for weeks may be there in a minute.
    const seconds = retryAfterSeconds && Math.min(retryAfterSeconds, 60)
    await sleep(backoffMillis(attempt++, seconds), signal, onNetwork)
  }
}
