/** What a reader of a feed asks for. Spec: "Library", `/select-drive-events`. */
import type { FileId, GenerationId, RequestId, ReviewId } from "../shared/Ids.ts"
import type { DriveEvent, EventKind } from "./DriveEvent.ts"

/** Every field narrows what is answered. */
export interface FollowQuery {
  /** A cursor as it was answered, or an ISO 8601 time, of which events are included. Default: 24 hours ago. */
  readonly since?: string | undefined
  readonly kinds?: ReadonlyArray<EventKind> | undefined
  /** Only what happened in this folder or inside it. Where a file is now makes no difference. */
  readonly folder?: string | undefined
  /** Only drops to this request. */
  readonly requestId?: RequestId | undefined
  /** Only notes on this review. */
  readonly reviewId?: ReviewId | undefined
  /** Only views of this file. */
  readonly fileId?: FileId | undefined
  /** Only this generation. */
  readonly generationId?: GenerationId | undefined
}

export interface EventQuery extends FollowQuery {
  readonly limit?: number | undefined
}

/** An event with the cursor that a reader who has had it goes on from. */
export interface FeedEvent {
  readonly cursor: string
  readonly event: DriveEvent
}

export interface EventPage {
  /** Oldest first; there may be none although there is more to look at. */
  readonly events: ReadonlyArray<FeedEvent>
  /** To go on after everything that was looked at. */
  readonly nextCursor: string
  /** Whether there was more when it was read. */
  readonly more: boolean
}
