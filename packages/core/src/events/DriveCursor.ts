/**
 * Where a reader of the whole drive's feed is: after one event of one account. Opaque to callers.
 *
 * Events are read by `order_no`: the number of the transaction that appended the event, or that of an earlier event of the
 * account where that is higher. Those of one number are read by account, in the order of its feed.
 */
import { Option, Schema } from "effect"
import { AccountId } from "../shared/Ids.ts"

/** What a reader has read: everything up to this. */
export interface DrivePosition {
  /** No transaction that is numbered from here on has an event with a lower number. */
  readonly orderNo: number
  readonly accountId: AccountId
  /** The event's number in its account's feed. */
  readonly seq: number
}

/** Before every event. Events of a release that did not number them have the number 0. */
export const beginning: DrivePosition = {
  orderNo: -1,
  accountId: AccountId.make("00000000-0000-0000-0000-000000000000"),
  seq: 0
}

/** After all events with lower numbers. */
export const before = (orderNo: number): DrivePosition => ({
  orderNo: orderNo - 1,
  accountId: AccountId.make("ffffffff-ffff-ffff-ffff-ffffffffffff"),
  seq: Number.MAX_SAFE_INTEGER
})

export const format = ({ accountId, seq, orderNo }: DrivePosition): string => `d${orderNo}_${accountId}_${seq}`

const pattern = /^d(0|[1-9]\d{0,14})_([0-9a-f-]{36})_([1-9]\d{0,14})$/

const readAccountId = Schema.decodeOption(AccountId)

/** Undefined for anything but a cursor. */
export const parse = (cursor: string): DrivePosition | undefined => {
  const [, orderNo, account, seq] = pattern.exec(cursor) ?? []
  if (orderNo === undefined || account === undefined || seq === undefined) return undefined
  // Anybody can forge a cursor, so the digits may not be a valid id.
  return Option.getOrUndefined(
    Option.map(readAccountId(account), (accountId) => ({ orderNo: Number(orderNo), accountId, seq: Number(seq) }))
  )
}
