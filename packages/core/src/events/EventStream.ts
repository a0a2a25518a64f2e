/** A feed as server-sent events. HTML: "Server-sent events". */
import { Stream } from "effect"
import type { EventPage, FeedEvent } from "./EventQuery.ts"

/** What a client waits before it connects anew. */
const retryMillis = 2_000

const block = ({ cursor, event }: FeedEvent): string =>
  `id: ${cursor}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`

/** A page's events; with none, a comment that says where the reader is, which no client hands on as an event. */
export const encodePage = ({ events, nextCursor }: EventPage): string =>
  events.length === 0 ? `: nothing new\nid: ${nextCursor}\n\n` : events.map(block).join("")

/** The pages as bytes. */
export const encode = (pages: Stream.Stream<EventPage>): Stream.Stream<Uint8Array> => {
  const encoder = new TextEncoder()
  return Stream.make(`retry: ${retryMillis}\n\n`).pipe(
    Stream.concat(Stream.map(pages, encodePage)),
    Stream.map((text) => encoder.encode(text))
  )
}
