/**
 * The life of a pending deletion, as a function of (state, event). Pure.
 *
 * ```text
 *   Absent ──scheduled │ reserved──▶ Listed ──taken, when due──▶ Taken ──confirmed──▶ Absent
 *     ▲                                │ ▲                         │ │
 *     └──────── cancelled ─────────────┘ └── confirmed, once more ─┘ └─▶ Taken: released, taken again
 * ```
 *
 * | state  | Scheduled       | Reserved        | Cancelled | Expedited | Taken            | Confirmed | Released       |
 * |--------|-----------------|-----------------|-----------|-----------|------------------|-----------|----------------|
 * | Absent | Listed          | Listed          | refused   | Absent    | refused          | Absent    | Absent         |
 * | Listed | Listed, earlier | Listed, later   | Absent    | Listed    | Taken, if due    | Absent *  | Listed         |
 * | Taken  | Taken, earlier  | refused         | refused   | Taken     | Taken, if free   | Absent *  | Taken, of none |
 *
 * \* Listed once more where an object may have been made under its key late.
 *
 * Many servers do this to the same rows at once, so `PendingDeletionsRepo` has each event as one statement, and a test runs
 * both. Nothing else decides about an object's bytes.
 */
import { Data, DateTime, Duration, Option } from "effect"
import type { FileId } from "../shared/Ids.ts"

/** How long one call or job has the removal of a reused key alone; longer than storage is waited for. */
export const removalLifetime = Duration.minutes(1)

/** A removal that is reserved for longer than this from now was reserved while a clock was ahead: the reservation is void. */
export const removalLongest = Duration.times(removalLifetime, 2)

/** How long after its removal a reused key is removed once more: as long as a copy may take that was begun before. */
export const lateCopyLifetime = Duration.hours(1)

interface Pending {
  readonly dueTime: DateTime.Utc
  /** An object may be made under its key again. */
  readonly isReused: boolean
  /** When it is removed once more after that was confirmed; null: not again. */
  readonly againTime: DateTime.Utc | null
  /** The file whose former object it is. */
  readonly fileId: FileId | null
}

export type DeletionState = Data.TaggedEnum<{
  Absent: {}
  Listed: Pending
  /** Its removal has begun: nothing can adopt it any longer. Until `takenUntil` one call or job has it alone. */
  Taken: Pending & { readonly takenUntil: DateTime.Utc | null }
}>
export const DeletionState = Data.taggedEnum<DeletionState>()

export type DeletionEvent = Data.TaggedEnum<{
  Scheduled: Omit<Pending, "againTime">
  /** An object is about to be made there. */
  Reserved: Pick<Pending, "dueTime" | "isReused">
  /** A file adopts the object. */
  Cancelled: {}
  /** The file whose former object it is is deleted. */
  Expedited: { readonly dueTime: DateTime.Utc }
  /** A call or job begins to remove what is due. */
  Taken: { readonly now: DateTime.Utc }
  /** Storage has removed the object. */
  Confirmed: {}
  /** Storage has not. */
  Released: {}
}>
export const DeletionEvent = Data.taggedEnum<DeletionEvent>()

/** The next state; none when the event is refused, and then nothing changes. */
export const next = (state: DeletionState, event: DeletionEvent): Option.Option<DeletionState> => {
  switch (event._tag) {
    case "Scheduled":
      return Option.some(scheduled(state, event))
    case "Reserved":
      return reserved(state, event)
    case "Cancelled":
      return state._tag === "Listed" ? Option.some(DeletionState.Absent()) : Option.none()
    case "Expedited":
      return Option.some(
        state._tag === "Absent" || state.fileId === null
          ? state
          : { ...state, dueTime: DateTime.min(state.dueTime, event.dueTime) }
      )
    case "Taken":
      return taken(state, event.now)
    case "Confirmed":
      return Option.some(
        state._tag === "Absent" || state.againTime === null
          ? DeletionState.Absent()
          // By then it is no longer a file's former object.
          : DeletionState.Listed({ isReused: state.isReused, dueTime: state.againTime, againTime: null, fileId: null })
      )
    case "Released":
      return Option.some(state._tag === "Taken" ? { ...state, takenUntil: null } : state)
  }
}

/** Whether a call or job has it for itself at `now`. */
export const isBeingRemoved = (state: DeletionState, now: DateTime.Utc): boolean =>
  state._tag === "Taken" && state.takenUntil !== null && DateTime.isGreaterThan(state.takenUntil, now)
  && DateTime.isLessThanOrEqualTo(state.takenUntil, DateTime.addDuration(now, removalLongest))

/** It keeps the earlier of two times; a reused key is removed once more after the later. */
const scheduled = (
  state: DeletionState,
  { dueTime, fileId, isReused }: Omit<Pending, "againTime">
): DeletionState => {
  const againTime = isReused ? DateTime.addDuration(dueTime, lateCopyLifetime) : null
  if (state._tag === "Absent") return DeletionState.Listed({ dueTime, fileId, isReused, againTime })
  return {
    ...state,
    dueTime: DateTime.min(state.dueTime, dueTime),
    isReused: state.isReused || isReused,
    againTime: state.againTime === null || againTime === null
      ? state.againTime ?? againTime
      : DateTime.max(state.againTime, againTime)
  }
}

const reserved = (
  state: DeletionState,
  { dueTime, isReused }: Pick<Pending, "dueTime" | "isReused">
): Option.Option<DeletionState> => {
  switch (state._tag) {
    case "Absent":
      return Option.some(DeletionState.Listed({ dueTime, isReused, againTime: null, fileId: null }))
    case "Listed":
      return Option.some({
        ...state,
        dueTime: DateTime.max(state.dueTime, dueTime),
        isReused: state.isReused || isReused
      })
    case "Taken":
      return Option.none()
  }
}

const taken = (state: DeletionState, now: DateTime.Utc): Option.Option<DeletionState> => {
  if (state._tag === "Absent" || DateTime.isGreaterThan(state.dueTime, now) || isBeingRemoved(state, now)) {
    return Option.none()
  }
  const takenUntil = state.isReused ? DateTime.addDuration(now, removalLifetime) : null
  return Option.some(DeletionState.Taken({ ...state, takenUntil }))
}
