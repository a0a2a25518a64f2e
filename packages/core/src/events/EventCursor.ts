/** Where a reader of a feed is: opaque to callers, the number of the last event it has passed. */
import { DateTime, Option } from "effect"
import * as Time from "../shared/Time.ts"

/** Where reading begins: after an event, or at a time. */
export type EventStart =
  | { readonly after: number }
  | { readonly time: Date }

export const format = (seq: number): string => `e${seq}`

/** Before the first event of a feed. */
export const beginning: EventStart = { after: 0 }

/** What a cursor means; undefined for anything else. */
export const parseCursor = (cursor: string): { readonly after: number } | undefined => {
  const [, digits] = /^e(0|[1-9]\d{0,14})$/.exec(cursor) ?? []
  return digits === undefined ? undefined : { after: Number(digits) }
}

/** What a caller's `since` means; undefined when it is neither a cursor nor an ISO 8601 time. */
export const parse = (since: string): EventStart | undefined => {
  const cursor = parseCursor(since)
  if (cursor !== undefined) return cursor
  return Option.getOrUndefined(Option.map(Time.parse(since), (time) => ({ time: DateTime.toDateUtc(time) })))
}
