import { ownerText } from "./texts.ts"

/** What makes a link open or not, as requests and reviews say it. */
export interface LinkState {
  readonly open: boolean
  readonly expireTime: string | null
  /** Of a request: the bytes that it takes, and those that it has. */
  readonly maxBytes?: number | null
  readonly receivedBytes?: number
}

export type LinkStatus = "open" | "full" | "closed" | "expired"

export const statusOf = ({ expireTime, maxBytes = null, open, receivedBytes = 0 }: LinkState): LinkStatus => {
  if (open) return maxBytes !== null && receivedBytes >= maxBytes ? "full" : "open"
  return expireTime !== null && Date.parse(expireTime) <= Date.now() ? "expired" : "closed"
}

export const Status = ({ of }: { readonly of: LinkState }) => {
  const status = statusOf(of)
  return <span class={`status status-${status}`}>{ownerText(`owner.${status}`)}</span>
}
