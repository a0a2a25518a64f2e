/** Has a page show what happens elsewhere: the drive's feed, the owner's other tabs, and a look when somebody comes back. */
import type { Client, EventsOptions } from "@filedrive/client"
import { settings } from "../foundation/settings.ts"
import { paced } from "./paced.ts"

/** Behind all events: reading begins with those that happen from now on. */
const end = "9999-12-31T23:59:59Z"

/** After a refusal that did not pass by itself. */
const againMillis = 30_000

const channelName = `filedrive:owner:${settings.mount}`

export interface Live {
  /** Tells the owner's other tabs that something was changed here. */
  readonly changed: () => void
}

export interface LiveOptions {
  readonly client: Client
  readonly kind: "requests" | "reviews"
  readonly events: NonNullable<EventsOptions["kinds"]>
  /** Loads what is shown. */
  readonly onChange: () => Promise<void>
}

export const live = ({ client, events: kinds, kind, onChange }: LiveOptions): Live => {
  const soon = paced(onChange)

  const isSeen = (): boolean => document.visibilityState === "visible"

  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(channelName)
  channel?.addEventListener("message", ({ data }) => {
    if (data === kind) void onChange()
  })

  const follow = async (signal: AbortSignal): Promise<void> => {
    const { nextCursor } = await client.selectDriveEvents({ kinds, since: end, limit: 1 })
    // What came between the first look and this place in the feed.
    soon()
    for await (const _event of client.events({ kinds, since: nextCursor, signal })) soon()
  }

  let waiting: ReturnType<typeof setTimeout> | undefined
  let following: AbortController | undefined
  const start = (): void => {
    if (following !== undefined) return
    clearTimeout(waiting)
    const mine = following = new AbortController()
    const onEnd = () => {
      if (following !== mine) return
      following = undefined
      // While the feed is refused or can't be begun, looking now and then shows what is new, or why it can't be shown.
      waiting = setTimeout(() => {
        void onChange()
        start()
      }, againMillis)
    }
    follow(mine.signal).then(onEnd, onEnd)
  }

  /** A browser has six connections to a host: tabs that nobody sees must not keep them from the one that somebody looks at. */
  const leave = (): void => {
    clearTimeout(waiting)
    following?.abort()
    following = undefined
  }

  const look = () => {
    if (!isSeen()) return leave()
    start()
    void onChange()
  }
  if (isSeen()) start()
  document.addEventListener("visibilitychange", look)
  addEventListener("online", look)
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) look()
  })

  return { changed: () => channel?.postMessage(kind) }
}
