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
  /** By drop: what those that were started from one address have in common. Those of no known address are missing. */
  networks: ReadonlyMap<DropId, string> = new Map()
): Room => {
  const counts = new Map(open.map(({ dropId, forms, uploads }) => [dropId, { form: forms, upload: uploads }]))
  const all = { form: sum(open, "forms"), upload: sum(open, "uploads") }
  let heldBytes = sum(open, "heldBytes")
  /** What the drops from the address of this one have open. */
  const fromAddressOf = (drop: DropId, kind: "form" | "upload"): number => {
    const network = networks.get(drop)
    if (network === undefined) return 0
    return [...counts].reduce((total, [id, own]) => networks.get(id) === network ? total + own[kind] : total, 0)
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
      const own = counts.get(drop.id) ?? { form: 0, upload: 0 }
      if (opens !== null) {
        if (drop.fileCount + own.form + own.upload >= Limits.filesPerDrop) return Result.fail(dropFull)
        if (own[opens] >= Limits.openPerDrop || all[opens] >= Limits.openPerRequest) return Result.fail(tooManyOpen)
        if (mayFillAddress(all[opens]) && fromAddressOf(drop.id, opens) >= Limits.openFromAddress) {
          return Result.fail(tooManyFromAddress)
        }
        counts.set(drop.id, { ...own, [opens]: own[opens] + 1 })
        all[opens]++
      }
      heldBytes += moreBytes
      return Result.void
    }
  }
}

/** Whether one address may have all it may when all together have so many forms, or uploads, open. */
const mayFillAddress = (count: number): boolean => count >= Limits.openFromAddress

/** Whether {@link room} has to know which drops are from the same address; `reserving` are the drops that ask. */
export const needsNetworks = (open: ReadonlyArray<OpenDelivery>, reserving: number): boolean =>
  mayFillAddress(sum(open, "forms") + reserving) || mayFillAddress(sum(open, "uploads") + reserving)

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

const tooManyOpen = new Refused({
  code: "too_many_forms",
  because: "Too many files are being sent at the same time; finish some of them first."
})
