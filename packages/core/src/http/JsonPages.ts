/** A JSON array written page by page. */
import { Array as Arr, Stream } from "effect"
import { JsonArray } from "effect/encoding"

/** `[…]` of all items of all pages, as UTF-8; each page is turned to bytes as the reader comes to it. */
export const encode = (pages: Stream.Stream<ReadonlyArray<unknown>, unknown>): Stream.Stream<Uint8Array, unknown> =>
  pages.pipe(
    Stream.filter(Arr.isReadonlyArrayNonEmpty),
    Stream.flattenArray,
    Stream.pipeThroughChannel(JsonArray.encode())
  )
