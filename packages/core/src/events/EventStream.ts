/** A feed as server-sent events. HTML: "Server-sent events". */
import { Clock, Duration, Effect, Stream } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { EventPage, FeedEvent } from "./EventQuery.ts"

/** What a client waits before it connects anew. */
const retryMillis = 2_000

const block = ({ cursor, event }: FeedEvent): string =>
  `id: ${cursor}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`

/** A page's events; with none, a comment that says where the reader is, which no client hands on as an event. */
export const encodePage = ({ events, nextCursor }: EventPage): string =>
  events.length === 0 ? `: nothing new\nid: ${nextCursor}\n\n` : events.map(block).join("")

/**
 * The pages as bytes while `isAllowed`, which is asked before a page once the
 * last answer is older than a heartbeat.
 */
export const encode = (
  pages: Stream.Stream<EventPage>,
  isAllowed: Effect.Effect<boolean>
): Stream.Stream<Uint8Array> => {
  const encoder = new TextEncoder()
  const everyMillis = Duration.toMillis(Limits.eventsHeartbeat)
  return Stream.unwrap(Effect.map(Clock.currentTimeMillis, (begun) => {
    let asked = begun
    const goesOn = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (now - asked < everyMillis) return true
      asked = now
      return yield* isAllowed
    })
    return Stream.make(`retry: ${retryMillis}\n\n`).pipe(
      Stream.concat(pages.pipe(Stream.takeWhileEffect(() => goesOn), Stream.map(encodePage))),
      Stream.map((text) => encoder.encode(text))
    )
  }))
}
