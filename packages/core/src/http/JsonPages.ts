/** A JSON array written page by page. */
import { Stream } from "effect"

/** `[…]` of all items of all pages, as UTF-8; each page is turned to bytes as the reader comes to it. */
export const encode = <E, R>(
  pages: Stream.Stream<ReadonlyArray<unknown>, E, R>
): Stream.Stream<Uint8Array, E, R> => {
  const encoder = new TextEncoder()
  const body = pages.pipe(
    Stream.filter((page) => page.length > 0),
    Stream.map((page) => JSON.stringify(page).slice(1, -1)),
    Stream.zipWithIndex,
    Stream.map(([text, index]) => index === 0 ? text : `,${text}`)
  )
  return Stream.make("[").pipe(
    Stream.concat(body),
    Stream.concat(Stream.make("]")),
    Stream.map((text) => encoder.encode(text))
  )
}
