import { ownerText } from "./texts.ts"

/** What makes a link open or not, as requests and reviews say it. */
export interface LinkState {
  readonly open: boolean
  readonly expireTime: string | null
}

export type LinkStatus = "open" | "closed" | "expired"

export const statusOf = ({ expireTime, open }: LinkState): LinkStatus => {
  if (open) return "open"
  return expireTime !== null && Date.parse(expireTime) <= Date.now() ? "expired" : "closed"
}

export const Status = ({ of }: { readonly of: LinkState }) => {
  const status = statusOf(of)
  return <span class={`status status-${status}`}>{ownerText(`owner.${status}`)}</span>
}
