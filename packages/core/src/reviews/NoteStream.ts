/** News of a review's notes as server-sent events. HTML: "Server-sent events". */
import { Duration, Stream } from "effect"
import { Sse } from "effect/encoding"
import type { NoteEvent, NoteNews } from "./LiveNotes.ts"

/** What a client waits before it connects anew. */
const retry = new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined })

const block = ({ cursor, kind, ...data }: NoteEvent): string =>
  Sse.encoder.write({ _tag: "Event", id: cursor, event: kind, data: JSON.stringify(data) })

/** Without events, a comment that says where the reader is, which no client hands on as an event. */
export const encodeNews = ({ cursor, events }: NoteNews): string =>
  events.length === 0 ? `: nothing new\nid: ${cursor}\n\n` : events.map(block).join("")

/** The news as bytes. */
export const encode = (news: Stream.Stream<NoteNews>): Stream.Stream<Uint8Array> => {
  const encoder = new TextEncoder()
  return Stream.make(Sse.encoder.write(retry)).pipe(
    Stream.concat(Stream.map(news, encodeNews)),
    Stream.map((text) => encoder.encode(text))
  )
}
