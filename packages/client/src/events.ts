/** Live feeds: server-sent events that go on after every break. HTML: "Server-sent events". */
import { backoffMillis, sleep, watched } from "./Backoff.ts"
import { DriveError, failure, refusalOf, unreachable } from "./DriveError.ts"
import { onNetwork } from "./upload/network.ts"
import type { Wanted, Wire } from "./Wire.ts"

/** The drive says every 15 seconds that it is there. */
const silenceMillis = 45_000

export interface Feed {
  readonly path: string
  readonly query: Readonly<Record<string, string | ReadonlyArray<string> | null | undefined>>
  /** The parameter that a reader goes on by. */
  readonly cursor: "since" | "after"
  readonly isPublic?: boolean
  readonly access?: string | null | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Message {
  readonly id: string
  readonly event: string
  readonly data: string
}

const search = (query: Feed["query"]): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === null || value === undefined ? [] : typeof value === "string" ? [value] : value) {
      parameters.append(name, one)
    }
  }
  const text = `${parameters}`
  return text && `?${text}`
}

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
      for (const block of blocks) {
        const fields = { id: "", event: "", data: [] as Array<string> }
        for (const line of block.split(/\r?\n/)) {
          const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
          if (name === "data") fields.data.push(value!)
          else if (name === "id" || name === "event") fields[name] = value!
        }
        yield { ...fields, data: fields.data.join("\n") }
      }
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** Follows a feed until its reader stops, the signal, or a refusal that does not pass. */
export const follow = async function*(
  wire: Wire,
  { access, cursor, isPublic, path, query, signal }: Feed
): AsyncGenerator<Message> {
  const wanted: Wanted = { path, access, isPublic: isPublic === true, signal }
  let position = query[cursor]
  for (let attempt = 0;;) {
    const ending = new AbortController()
    const end = () => ending.abort(signal!.reason)
    signal?.addEventListener("abort", end)
    try {
      signal?.throwIfAborted()
      const response = await wire.authorized(wanted, async (headers) => {
        const url = `${wire.api}${path}${search({ ...query, [cursor]: position })}`
        const response = await watched(
          silenceMillis,
          ending.signal,
          () => failure("timeout", "The feed did not begin in time.", true),
          (_signal) =>
            wire.respond(url, { headers: { ...headers, accept: "text/event-stream" }, signal: ending.signal })
        )
        if (response.ok && response.body !== null) return response
        throw refusalOf(response.status, await response.text(), response.headers.get("retry-after"))
      })
      let timer: ReturnType<typeof setTimeout> | undefined
      const alive = () => {
        clearTimeout(timer)
        timer = setTimeout(() => ending.abort(failure("timeout", "The feed is silent.", true)), silenceMillis)
      }
      alive()
      try {
        for await (const message of messages(response.body!, alive)) {
          attempt = 0
          if (message.id !== "") position = message.id
          // A slow reader is no silence.
          clearTimeout(timer)
          if (message.data !== "") yield message
          alive()
        }
      } finally {
        clearTimeout(timer)
      }
    } catch (error) {
      signal?.throwIfAborted()
      const cause = ending.signal.aborted ? ending.signal.reason : error
      const failed = cause instanceof DriveError ? cause : unreachable(wire.api, cause)
      if (!failed.retryable) throw failed
      await sleep(backoffMillis(attempt++, failed.retryAfterSeconds), signal, onNetwork)
      continue
    } finally {
      signal?.removeEventListener("abort", end)
      ending.abort()
    }
    // It ended in good order: the server stops, or the session.
    await sleep(backoffMillis(attempt++), signal, onNetwork)
  }
}
