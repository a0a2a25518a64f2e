/** What happens on a drive, told to a component. */
import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from "react"
import type { Client, EventsOptions, FollowedEvent } from "../Client.ts"
import { Observed } from "./Observed.ts"

export interface Followed {
  /** Why no events are told any more: a refusal, or what `onEvent` has thrown. */
  readonly error: unknown
  /** Goes on after an error, behind the last event that was told. */
  readonly restart: () => void
}

type Following = Pick<Client, "events">
type Told = (event: FollowedEvent) => unknown

class Feed extends Observed<{ readonly error: unknown }> {
  #client: Following | undefined
  #filter: string | undefined
  #cursor: string | undefined

  constructor() {
    super({ error: undefined })
  }

  /** Follows until the returned function is called. The same again goes on behind the last event that was told. */
  follow(client: Following, filter: string, tell: Told): () => void {
    if (client !== this.#client || filter !== this.#filter) this.#cursor = undefined
    this.#client = client
    this.#filter = filter
    if (this.read().error !== undefined) this.set(this.initial)
    const ending = new AbortController()
    void this.#run(client, JSON.parse(filter) as EventsOptions, tell, ending.signal)
    return () => ending.abort()
  }

  async #run(client: Following, options: EventsOptions, tell: Told, signal: AbortSignal): Promise<void> {
    const since = this.#cursor ?? options.since
    try {
      for await (const event of client.events({ ...options, ...since !== undefined && { since }, signal })) {
        if (signal.aborted) return
        this.#cursor = event.cursor
        await tell(event)
        if (signal.aborted) return
      }
    } catch (error) {
      if (!signal.aborted) this.set({ error })
    }
  }
}

/**
 * Tells `onEvent` each event once and in order, the next after it has returned or its promise is fulfilled, from `since` (default: 24 hours
 * ago) until the component is gone.
 */
export const useEvents = (client: Following, onEvent: Told, options: Omit<EventsOptions, "signal"> = {}): Followed => {
  const [feed] = useState(() => new Feed())
  const [restarts, restart] = useReducer((count: number) => count + 1, 0)
  const { error } = useSyncExternalStore(feed.subscribe, feed.read, feed.readInitial)
  const latest = useRef(onEvent)
  const filter = JSON.stringify(options)
  useEffect(() => {
    latest.current = onEvent
  })
  useEffect(
    () => feed.follow(client, filter, (event) => latest.current(event)),
    [feed, client, filter, restarts]
  )
  return { error, restart }
}
