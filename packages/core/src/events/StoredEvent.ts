/** An event as it is stored. */
import type { EventId } from "../shared/Ids.ts"
import type { DrivePosition } from "./DriveCursor.ts"
import type { DriveEvent, EventKind } from "./DriveEvent.ts"

export interface StoredEvent {
  readonly seq: number
  readonly id: EventId
  readonly kind: EventKind
  readonly time: Date
  readonly payload: Omit<DriveEvent, "id" | "kind" | "time">
}

/** An event of any account, with its place among all. */
export interface DriveStoredEvent extends StoredEvent, DrivePosition {}
