/** What `createClient` makes. */
import type { Calls } from "./createCalls.ts"
import type { DriveEvent, PublicCalls, PublicJson } from "./generated/DriveCalls.ts"
import type { CallOptions, PublicCallOptions } from "./Options.ts"
import type { QueueOptions, UploadQueue } from "./upload/Queue.ts"
import type { Progress, Upload, UploadOptions, UploadSource } from "./upload/Upload.ts"

/** An event, and the cursor that a reader who has had it goes on from. */
export type FollowedEvent = DriveEvent & { readonly cursor: string }

/** Filters of a feed; each narrows it. */
export interface EventsOptions {
  /** The `cursor` of the last event that was handled, or an ISO 8601 time. Default: 24 hours ago. */
  readonly since?: string | undefined
  readonly kinds?: ReadonlyArray<DriveEvent["kind"]> | undefined
  readonly folder?: string | undefined
  readonly requestId?: string | undefined
  readonly reviewId?: string | undefined
  readonly fileId?: string | undefined
  readonly generationId?: string | undefined
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal | undefined
}

export interface DownloadOptions extends CallOptions {
  /** Bytes of the file, from the first to the last one; both are included. */
  readonly range?: { readonly start: number; readonly end: number }
}

export interface DownloadToOptions extends CallOptions {
  /** Ranges that are fetched at once. Default 4. */
  readonly parallel?: number
  readonly onProgress?: (progress: Progress) => void
}

/** Uploads, one by one and in queues. */
export interface Uploader {
  readonly upload: (source: UploadSource, options?: UploadOptions) => Upload
  readonly uploads: { readonly queue: (options?: QueueOptions) => UploadQueue }
}

export interface Client extends Calls, Uploader {
  /** A file, or a range of it, as storage answers it. */
  readonly download: (id: string, options?: DownloadOptions) => Promise<Response>
  /** In Node, Deno and Bun: writes a file to a path, in parallel, going on where an earlier attempt ended. */
  readonly downloadTo: (id: string, path: string | URL, options?: DownloadToOptions) => Promise<void>
  /** What happens on the drive, as it happens. It connects again by itself, and misses and repeats nothing. */
  readonly events: (options?: EventsOptions) => AsyncGenerator<FollowedEvent, void, undefined>
}

type Note = PublicJson["selectReviewNotes"]["answer"]["notes"][number]

/** A note of a review that was left or changed, with its replies, or one that was deleted. */
export type FollowedNote =
  | { readonly kind: "note"; readonly cursor: string; readonly note: Note }
  | { readonly kind: "deleted"; readonly cursor: string; readonly noteId: string }

/** A delivery to a file request. `dropToken` is all that it takes to go on with it. */
export interface Delivery extends Uploader {
  readonly dropToken: string
  /** What it has, and what is under way. */
  readonly select: (options?: CallOptions) => Promise<PublicJson["selectDrop"]["answer"]>
  readonly remove: (fileId: string, options?: CallOptions) => Promise<PublicJson["removeDropFile"]["answer"]>
  readonly finish: (options?: CallOptions) => Promise<PublicJson["finishDrop"]["answer"]>
}

/** A drive as people without an account use it, through a link. */
export interface PublicClient extends PublicCalls {
  /** The delivery that `startDrop` answered the token of. The client's `store` keeps what its uploads need to go on. */
  readonly delivery: (dropToken: string) => Delivery
  /** The notes of a review as they come, after `after` (`followAfter` of the opened review). */
  readonly followFileReview: (
    request: { readonly reviewId: string; readonly after?: string | null },
    options?: PublicCallOptions
  ) => AsyncGenerator<FollowedNote, void, undefined>
}
