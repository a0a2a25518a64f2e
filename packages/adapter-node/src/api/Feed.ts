/** What happens on one user's drive, and who opens its files, as plain async functions. */
import { DatabaseFault, type DriveEvent, type EventKind, Events, type FileViewsItem, Views } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { type Call, object, type Perform, wrong } from "./Call.ts"

/** What of a feed is asked for; every field narrows it. */
export interface EventFilters {
  /** A cursor as it was answered, or an ISO 8601 time. Default: 24 hours ago. */
  readonly since?: string
  readonly kinds?: ReadonlyArray<EventKind>
  readonly folder?: string
  readonly requestId?: string
  readonly reviewId?: string
  readonly fileId?: string
  readonly generationId?: string
}

/** An event with the cursor that a reader who has had it goes on from. */
export type FollowedEvent = DriveEvent & { readonly cursor: string }

export interface FollowOptions extends EventFilters {
  /** Ends the reading, also while it waits. */
  readonly signal?: AbortSignal
}

/**
 * Events as they happen, after those since `since`. It ends when the reader stops, with `signal`, with the
 * drive, or within 5 seconds of the user being suspended or gone; a slow reader holds nothing back.
 */
export type FollowEvents = (options?: FollowOptions) => AsyncIterable<FollowedEvent>

export interface FeedApi {
  /** `/drive-events` */
  readonly events: FollowEvents
  /** `/select-drive-events` */
  readonly selectEvents: (query?: EventFilters & { readonly limit?: number }) => Promise<{
    readonly events: ReadonlyArray<FollowedEvent>
    readonly nextCursor: string
    readonly more: boolean
  }>
  /** `/select-file-views` */
  readonly views: (query?: {
    readonly fileIds?: ReadonlyArray<string>
    /** A day like `2026-09-28`. Default: 30 days ago. */
    readonly since?: string
    readonly limit?: number
    readonly folder?: string
  }) => Promise<{ readonly since: string; readonly files: ReadonlyArray<FileViewsItem> }>
}

const aborted = (signal: AbortSignal) =>
  Effect.callback<void>((resume) => {
    const stop = () => resume(Effect.void)
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", stop))
  })

/** By what is used of it: a host may have one of another library's. */
const isSignal = (given: unknown): boolean =>
  typeof (given as Partial<AbortSignal> | null)?.addEventListener === "function"

export const feedApi = (call: Call, perform: Perform): FeedApi => {
  async function* events(options: FollowOptions = {}): AsyncIterable<FollowedEvent> {
    const { signal, ...filters } = object(options)
    if (signal !== undefined && !isSignal(signal)) throw wrong("signal", "must be an AbortSignal")
    const pages = await perform(
      "selectDriveEvents",
      filters,
      (query) => Effect.flatMap(Events, (events) => events.follow(query))
    )
    const context = await call(Effect.context<never>())
    const until = signal === undefined ? pages : Stream.interruptWhen(pages, aborted(signal))
    for await (const page of Stream.toAsyncIterableWith(DatabaseFault.toldByStream(until), context)) {
      for (const { cursor, event } of page.events) yield { ...event, cursor }
    }
  }
  return {
    events,
    selectEvents: async (query = {}) => {
      const page = await perform(
        "selectDriveEvents",
        query,
        (payload) => Effect.flatMap(Events, (events) => events.select(payload))
      )
      return { ...page, events: page.events.map(({ cursor, event }) => ({ ...event, cursor })) }
    },
    views: async (query = {}) =>
      perform("selectFileViews", query, (payload) => Effect.flatMap(Views, (views) => views.select(payload)))
  }
}
