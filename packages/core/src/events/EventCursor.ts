/** Where a reader of a feed is: opaque to callers, the number of the last event it has passed. */
import { DateTime, Option } from "effect"
import * as Time from "../shared/Time.ts"

/** Where reading begins: after an event, or at a time. */
export type EventStart =
  | { readonly after: number }
  | { readonly time: Date }

export const format = (seq: number): string => `e${seq}`

/** What a caller's `since` means; undefined when it is neither a cursor nor an ISO 8601 time. */
export const parse = (since: string): EventStart | undefined => {
  const [, digits] = /^e(0|[1-9]\d{0,14})$/.exec(since) ?? []
  if (digits !== undefined) return { after: Number(digits) }
  return Option.getOrUndefined(Option.map(Time.parse(since), (time) => ({ time: DateTime.toDateUtc(time) })))
}
