/**
 * Whether a file request takes files, and what opening and closing do to it. Spec: "States and transitions", File request.
 *
 * Pure: no services, no clock; `now` is always an argument.
 */
import { DateTime } from "effect"

/** What decides whether a request takes files. */
export interface RequestState {
  /** When its owner closed it; null while it is not closed. */
  readonly closeTime: DateTime.Utc | null
  /** From this instant it takes no files, closed or not. */
  readonly expireTime: DateTime.Utc | null
}

/** How much of a request's room is taken, in bytes. */
export interface RequestRoom {
  /** Of all files that senders may send together; null: as much as the owner's quota has room for. */
  readonly maxBytes: number | null
  /** Of the files that senders have sent and not taken back. One that the owner deletes still counts. */
  readonly receivedBytes: number
  /** Held by forms and uploads of senders that are open, which are rows of their own. */
  readonly heldBytes: number
}

/** Why a request takes no file. */
export type ClosedBecause = "closed" | "expired" | "full"

export const isExpired = ({ expireTime }: RequestState, now: DateTime.Utc): boolean =>
  expireTime !== null && DateTime.isLessThanOrEqualTo(expireTime, now)

/** Whether it is open: not closed, and not past its `expireTime`. It may be full nevertheless. */
export const isOpen = (request: RequestState, now: DateTime.Utc): boolean =>
  request.closeTime === null && !isExpired(request, now)

/** The bytes that it still takes: null for any number. What is held is taken already. */
export const remainingBytes = ({ heldBytes, maxBytes, receivedBytes }: RequestRoom): number | null =>
  maxBytes === null ? null : Math.max(0, maxBytes - receivedBytes - heldBytes)

/** Why it takes no file now; null when it takes some. */
export const closedBecause = (request: RequestState & RequestRoom, now: DateTime.Utc): ClosedBecause | null =>
  request.closeTime !== null
    ? "closed"
    : isExpired(request, now)
    ? "expired"
    : remainingBytes(request) === 0
    ? "full"
    : null

/**
 * The request once its owner has opened or closed it. Closing a closed one keeps the time of the first; opening one that is past its
 * `expireTime` takes the closing back, and it takes no files until that time is changed.
 */
export const setOpen = <S extends RequestState>(request: S, open: boolean, now: DateTime.Utc): S => ({
  ...request,
  closeTime: open ? null : request.closeTime ?? now
})
