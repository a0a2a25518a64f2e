/**
 * How many wrong forms came from an address of late. The drive counts wrong tokens of its own routes; these pages are not its own.
 * What an address may try is what it may try there: 30 in a minute.
 */
import type { IncomingMessage } from "node:http"

const most = 30
const perMillis = 60_000

/** Addresses that are remembered: the ones that came last. */
const addressesMax = 10_000

/** The caller's address: the peer, or what as many proxies in front say of it. */
export const addressOf = (
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  proxies: number
): string => {
  const sent = proxies === 0 ? [] : String(headers["x-forwarded-for"] ?? "").split(",")
  const hops = [...sent, socket.remoteAddress ?? ""]
  return hops[Math.max(0, hops.length - 1 - proxies)]!.trim()
}

export interface WrongForms {
  /** The seconds to wait before another form of this address is read; 0 when it is now. */
  readonly waitSeconds: (address: string) => number
  readonly add: (address: string) => void
  /** The form was not wrong after all. */
  readonly remove: (address: string) => void
}

export const make = (now: () => number = Date.now): WrongForms => {
  const counted = new Map<string, { count: number; readonly untilMillis: number }>()
  return {
    waitSeconds: (address) => {
      const { count = 0, untilMillis = 0 } = counted.get(address) ?? {}
      return count < most ? 0 : Math.max(0, Math.ceil((untilMillis - now()) / 1_000))
    },
    add: (address) => {
      const known = counted.get(address)
      if (known !== undefined && known.untilMillis > now()) {
        known.count++
        return
      }
      counted.delete(address)
      counted.set(address, { count: 1, untilMillis: now() + perMillis })
      if (counted.size > addressesMax) counted.delete(counted.keys().next().value!)
    },
    remove: (address) => {
      const known = counted.get(address)
      if (known !== undefined && known.count > 0) known.count--
    }
  }
}
