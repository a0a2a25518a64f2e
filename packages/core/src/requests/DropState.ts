/**
 * What a sender may still do in a drop, and how much a request and its drops have room for. Pure: no services, no clock.
 *
 * ```text
 *   (none) ──/start-drop──▶ under way ──/finish-drop │ a day without a sign of life──▶ finished
 * ```
 *
 * | drop      | request        | opens or inserts a file      | removes a file | finishes                              |
 * |-----------|----------------|------------------------------|----------------|---------------------------------------|
 * | under way | takes files    | yes, as far as there is room | yes            | finished; one event if it has files   |
 * | under way | closed or gone | `request_closed`             | yes            | finished; one event if it has files   |
 * | finished  | any            | `not_allowed`                | `not_allowed`  | finished, as before                   |
 *
 * Contract: "File requests and reviews: the public side".
 */
import { DateTime, Duration, Result } from "effect"
import type { Balance } from "../accounts/Balance.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, Refused } from "../shared/DriveError.ts"
import type { DropId } from "../shared/Ids.ts"
import type { DeliveryIds, OpenDelivery, Room } from "../uploads/Delivery.ts"
import type { Drop } from "./Drop.ts"
import * as RequestState from "./RequestState.ts"

/** The request of a drop, as far as the drop depends on it; null when it is gone. */
export type RequestOfDrop =
  | RequestState.RequestState & Pick<RequestState.RequestRoom, "maxBytes" | "receivedBytes">
  | null

export const isFinished = ({ finishTime }: Pick<Drop, "finishTime">): boolean => finishTime !== null

/** Whether nothing has been heard of it for so long that the drive finishes it. */
export const isIdle = ({ activeTime }: Pick<Drop, "activeTime">, now: DateTime.Utc): boolean =>
  Duration.isGreaterThanOrEqualTo(DateTime.distance(activeTime, now), Limits.idleDropLifetime)

/** What a sender may do in a drop that is not finished. */
export const changeable = (drop: Pick<Drop, "finishTime">): Result.Result<void, Refused> =>
  isFinished(drop) ? Result.fail(dropFinished) : Result.void

/** Whether the drop takes another file now. */
export const takesFiles = (
  drop: Pick<Drop, "finishTime">,
  request: RequestOfDrop,
  now: DateTime.Utc
): Result.Result<void, Refused> =>
  Result.flatMap(
    changeable(drop),
    () => request !== null && RequestState.isOpen(request, now) ? Result.void : Result.fail(requestClosed())
  )

/** Room that senders share, so that nobody takes all of it. */
export interface Shares {
  /** The storage of the owner that is free for this request, {@link freeBytes}. */
  readonly freeBytes?: number | null
  /** The address from which each drop was started, as a hash. Drops of unknown addresses are missing. */
  readonly networks?: ReadonlyMap<DropId, string> | undefined
}

/** What is open. */
interface OpenCounts {
  readonly form: number
  readonly upload: number
  readonly heldBytes: number
}

const nothing: OpenCounts = { form: 0, upload: 0, heldBytes: 0 }

const plus = (one: OpenCounts, other: OpenCounts): OpenCounts => ({
  form: one.form + other.form,
  upload: one.upload + other.upload,
  heldBytes: one.heldBytes + other.heldBytes
})

/** The drop as the rules need it. */
export type CountedDrop = Pick<Drop, "id" | "finishTime" | "fileCount">

/**
 * What a request has room for, under its account's lock: `open` is what its drops have open, `drops` those that ask. Bytes that are
 * reserved count like those received.
 */
export const room = (
  request: RequestOfDrop,
  open: ReadonlyArray<OpenDelivery>,
  drops: ReadonlyArray<CountedDrop>,
  now: DateTime.Utc,
  /** Whether the drop has a file of this key. */
  isSent: (ids: DeliveryIds) => boolean = () => false,
  { freeBytes = null, networks = new Map() }: Shares = {}
): Room => {
  const counts = new Map(
    open.map(({ dropId, forms, heldBytes, uploads }) => [dropId, { form: forms, upload: uploads, heldBytes }])
  )
  const all = { form: sum(open, "forms"), upload: sum(open, "uploads") }
  let heldBytes = sum(open, "heldBytes")
  /** The bytes that all drops together may reserve; null: any number. */
  const maxHeldBytes = request === null
    ? null
    : request.maxBytes === null
    ? freeBytes && freeBytes * Limits.requestHolds.ofFree
    : Math.min(RequestState.remainingBytes({ ...request, heldBytes: 0 })!, freeBytes ?? Infinity)
  /** Counts of all drops from the address of this one; undefined if the address is unknown. */
  const fromAddressOf = (drop: DropId): OpenCounts | undefined => {
    const network = networks.get(drop)
    if (network === undefined) return undefined
    return [...counts].reduce((total, [id, own]) => networks.get(id) === network ? plus(total, own) : total, nothing)
  }
  return {
    take: (ids, { moreBytes, opens }) => {
      const drop = dropOf(ids, drops)
      if (drop === undefined) return Result.fail(requestClosed())
      const takes = takesFiles(drop, request, now)
      if (Result.isFailure(takes)) return takes
      if (isSent(ids!)) return Result.fail(clientKeyTaken())
      const left = RequestState.remainingBytes({ ...request!, heldBytes })
      if (moreBytes > 0 && left !== null && moreBytes > left) return Result.fail(requestFull())
      if (
        moreBytes > 0 && request!.maxBytes === null && maxHeldBytes !== null && heldBytes + moreBytes > maxHeldBytes
      ) {
        return Result.fail(noRoomNow())
      }
      const own = counts.get(drop.id) ?? nothing
      const fromAddress = fromAddressOf(drop.id)
      if (opens !== null) {
        if (drop.fileCount + own.form + own.upload >= Limits.filesPerDrop) return Result.fail(dropFull)
        if (own[opens] >= Limits.openPerDrop || all[opens] >= Limits.openPerRequest) return Result.fail(tooManyOpen)
        if (fromAddress !== undefined && fromAddress[opens] >= Limits.openFromAddress) {
          return Result.fail(tooManyFromAddress)
        }
      }
      if (fromAddress !== undefined && moreBytes > 0 && maxHeldBytes !== null) {
        const isAlone = opens === null
          ? fromAddress.form + fromAddress.upload <= 1
          : fromAddress.heldBytes === 0
        if (!isAlone && fromAddress.heldBytes + moreBytes > maxHeldBytes * Limits.requestHolds.ofAddress) {
          return Result.fail(tooMuchFromAddress)
        }
      }
      counts.set(drop.id, plus(own, { form: 0, upload: 0, heldBytes: moreBytes, ...opens !== null && { [opens]: 1 } }))
      if (opens !== null) all[opens]++
      heldBytes += moreBytes
      return Result.void
    }
  }
}

/** Whether {@link room} has to know which drops are from the same address; `reserving` are the drops that ask. */
export const needsNetworks = (open: ReadonlyArray<OpenDelivery>, reserving: number): boolean =>
  open.length > 0 || reserving > 1

/** The bytes of the account's quota that are free for senders of this request, with their own reservations; null: any number. */
export const freeBytes = (
  open: ReadonlyArray<OpenDelivery>,
  balance: Balance,
  quotaBytes: number | null
): number | null =>
  quotaBytes === null
    ? null
    : Math.max(0, quotaBytes - balance.usedBytes - balance.heldBytes + sum(open, "heldBytes"))

const dropOf = <D extends { readonly id: DropId }>(ids: DeliveryIds | null, drops: ReadonlyArray<D>): D | undefined =>
  drops.find(({ id }) => id === ids?.dropId)

const sum = (open: ReadonlyArray<OpenDelivery>, figure: "forms" | "uploads" | "heldBytes"): number =>
  open.reduce((total, one) => total + one[figure], 0)

/** The request takes no file: it was closed or deleted, has expired, or its owner may not store. Which of these, a sender is not told. */
export const requestClosed = () =>
  new Refused({ code: "request_closed", because: "This request no longer accepts files." })

export const requestFull = () =>
  new InvalidField({
    code: "request_full",
    field: "fileSize",
    because: "this request has no room for a file of this size"
  })

/** Senders have reserved all bytes that they may. The sentence contains no number, since that would reveal how much storage the owner has. */
const noRoomNow = () =>
  new InvalidField({
    code: "storage_limit_reached",
    field: "fileSize",
    because: "the storage behind this request has no room for a file of this size now"
  })

export const clientKeyTaken = () =>
  new InvalidField({
    code: "object_key_taken",
    field: "clientKey",
    because: "is taken by a file that this delivery has already"
  })

export const dropFinished = new Refused({
  code: "not_allowed",
  because: "This delivery is finished; start another one."
})

const dropFull = new Refused({
  code: "too_many_forms",
  because: `A delivery has at most ${Limits.filesPerDrop} files; finish this one and start another.`
})

const tooManyFromAddress = new Refused({
  code: "too_many_forms",
  because: "Too many files are being sent from your network at the same time; finish some of them first."
})

const tooMuchFromAddress = new Refused({
  code: "too_many_forms",
  because: "Too much is being sent from your network at the same time; finish some of it first."
})

const tooManyOpen = new Refused({
  code: "too_many_forms",
  because: "Too many files are being sent at the same time; finish some of them first."
})
