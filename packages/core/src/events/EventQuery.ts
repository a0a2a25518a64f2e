/** What a reader of a feed asks for. Spec: "Library", `/select-drive-events`. */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { Path } from "../shared/FolderPath.ts"
import { FileId, type FolderId, GenerationId, RequestId, ReviewId } from "../shared/Ids.ts"
import { type DriveEvent, type EventKind, eventKinds } from "./DriveEvent.ts"

/** Every field narrows what is answered. */
export const FollowQuery = Schema.Struct({
  /** A cursor as it was answered, or an ISO 8601 time, of which events are included. Default: 24 hours ago. */
  since: Schema.optionalKey(Schema.String),
  kinds: Schema.optionalKey(Schema.Array(Schema.Literals(eventKinds)).check(Schema.isMinLength(1))),
  /** Only what happened in this folder or inside it. Where a file is now makes no difference. */
  folder: Schema.optionalKey(Path),
  /** Only drops to this request. */
  requestId: Schema.optionalKey(RequestId),
  /** Only notes on this review. */
  reviewId: Schema.optionalKey(ReviewId),
  /** Only views of this file. */
  fileId: Schema.optionalKey(FileId),
  /** Only this generation. */
  generationId: Schema.optionalKey(GenerationId)
})
export type FollowQuery = typeof FollowQuery.Type

/** The same in code, where a reader may go on by the name that the whole drive's feed has for it. */
export interface FollowFrom extends FollowQuery {
  /** Instead of `since`: a cursor as it was answered, or `"now"` for none of the events that are there. */
  readonly after?: string | undefined
}

const { max, min } = Limits.eventsPage

/** How many events a page has at most. */
const EventsLimit = Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })).pipe(
  Schema.brand("EventsLimit")
)

export const EventQuery = Schema.Struct({ ...FollowQuery.fields, limit: Schema.optionalKey(EventsLimit) })
export type EventQuery = typeof EventQuery.Type

/** An event with the cursor that a reader who has had it continues from. */
export interface FeedEvent {
  readonly cursor: string
  readonly event: DriveEvent
}

export interface EventPage {
  /** Oldest first; may be empty although `more` is true. */
  readonly events: ReadonlyArray<FeedEvent>
  /** The cursor to continue with, after everything that was read. */
  readonly nextCursor: string
  /** Whether there was more when it was read. */
  readonly more: boolean
}

/** Which events a reader asks for. */
export interface EventFilter {
  readonly kinds?: ReadonlyArray<EventKind> | undefined
  /** Only drops to this request. */
  readonly requestId?: RequestId | undefined
  /** Only notes on this review. */
  readonly reviewId?: ReviewId | undefined
  /** Only views of this file. */
  readonly fileId?: FileId | undefined
  readonly generationId?: GenerationId | undefined
  /** Only what happened in this folder or inside it; null: anywhere. */
  readonly foldedPath: string | null
  /** The same, by the folder the call is limited to. */
  readonly withinFolder: FolderId | null
}

/** A part of a feed: what lies after one event, up to another. */
export interface EventRange {
  readonly after: number
  readonly until: number
}
