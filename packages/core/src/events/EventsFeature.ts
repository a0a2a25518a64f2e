/** What happened in the drive, in order, and who listens to it, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import { Events } from "./Events.ts"
import { EventsApi } from "./EventsApi.ts"
import { EventsHandlers } from "./EventsHandlers.ts"

const tables = ["events", "event_numbering"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const EventsFeature = {
  name: "events",
  layer: Events.layer,
  api: [EventsApi],
  handlers: EventsHandlers,
  tables
} as const satisfies Feature
