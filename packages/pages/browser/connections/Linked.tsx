import type { ComponentChild } from "preact"
import { shown } from "../foundation/format.ts"

/** Addresses of this site alone: a reply may repeat what somebody else wrote. */
const address = /https?:\/\/[^\s<>"'()[\]{}]+[^\s<>"'()[\]{}.,;:!?]/g

const isOwn = (text: string): boolean => URL.canParse(text) && new URL(text).origin === location.origin

/** Text in which addresses of this site are links. */
export const Linked = ({ text }: { readonly text: string }) => {
  const safe = shown(text)
  const parts: Array<ComponentChild> = []
  let at = 0
  for (const { 0: found, index } of safe.matchAll(address)) {
    if (!isOwn(found)) continue
    parts.push(safe.slice(at, index), <a href={found}>{found}</a>)
    at = index + found.length
  }
  return <>{[...parts, safe.slice(at)]}</>
}
