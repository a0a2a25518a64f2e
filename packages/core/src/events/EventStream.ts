/** A feed as server-sent events. HTML: "Server-sent events". */
import { Duration, Stream } from "effect"
import { Sse } from "effect/encoding"
import type { EventPage, FeedEvent } from "./EventQuery.ts"

/** What a client waits before it connects anew. */
const retry = new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined })

const block = ({ cursor, event }: FeedEvent): string =>
  Sse.encoder.write({ _tag: "Event", id: cursor, event: event.kind, data: JSON.stringify(event) })

/** A page's events; with none, a comment that says where the reader is, which no client hands on as an event. */
export const encodePage = ({ events, nextCursor }: EventPage): string =>
  events.length === 0 ? `: nothing new\nid: ${nextCursor}\n\n` : events.map(block).join("")

/** The pages as bytes. */
export const encode = (pages: Stream.Stream<EventPage>): Stream.Stream<Uint8Array> => {
  const encoder = new TextEncoder()
  return Stream.make(Sse.encoder.write(retry)).pipe(
    Stream.concat(Stream.map(pages, encodePage)),
    Stream.map((text) => encoder.encode(text))
  )
}
