/**
 * Where a call comes from: the peer of its connection, or what the proxies in
 * front say of it, as far as the host trusts them.
 */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as IpAddress from "../shared/IpAddress.ts"

/** The proxies between callers and the drive. */
export interface TrustedProxies {
  /** How many there are, one behind the other; each adds the address it was called from to the header. 0: the header is ignored. */
  readonly count: number
  /**
   * Where they say it. Only the one they write is read: the other would come
   * from the caller, with whatever address it likes.
   */
  readonly header: "x-forwarded-for" | "forwarded"
}

export const noProxies: TrustedProxies = { count: 0, header: "x-forwarded-for" }

/** What stands for an address nobody knows: a web `Request` has none, and a proxy may hide it. */
export const unknown = "unknown"

type Request = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">

/**
 * The caller's address in one spelling (IPv4 that is written as IPv6 as
 * IPv4, IPv6 in full), or {@link unknown}.
 *
 * With `count` proxies it is the entry that many places before the peer: what
 * stands further left the caller itself may have sent.
 */
export const of = (request: Request, { count, header }: TrustedProxies): string => {
  const peer = Option.getOrElse(request.remoteAddress, () => unknown)
  if (count === 0) return ofPeer(peer)
  const sent = request.headers[header]
  if (sent === undefined) return canonical(peer)
  const hops = header === "forwarded" ? forwardedFor(sent) : sent.split(",")
  hops.push(peer)
  return canonical(hops[Math.max(0, hops.length - 1 - count)]!)
}

/** The same of a connection's other end, as its socket names it. */
export const ofPeer = (peer: string | undefined): string => canonical(peer ?? unknown)

/** What is limited as one caller: an IPv4 address, or the /64 of an IPv6 address, which is one customer's. */
export const network = (address: string): string =>
  address.includes(":") ? `${address.split(":", 4).join(":")}::/64` : address

/** The `for` of each element of a `Forwarded` header (RFC 7239). */
const forwardedFor = (header: string): Array<string> =>
  Array.from(
    header.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g),
    ([element]) => /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(element)?.slice(1).find(Boolean) ?? unknown
  )

const canonical = (text: string): string => {
  const bare = withoutPort(text.trim())
  return canonicalV4(bare) ?? canonicalV6(bare) ?? unknown
}

/** Proxies may add a port (`192.0.2.1:80`, `[2001:db8::1]:80`), systems a zone (`fe80::1%eth0`). */
const withoutPort = (text: string): string => {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  if (bracketed !== undefined) return bracketed.split("%", 1)[0]!
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text.split("%", 1)[0]!
}

/** Some proxies pad numbers with zeros: in an address that they saw these mean nothing. */
const canonicalV4 = (text: string): string | undefined =>
  /^[\d.]{7,15}$/.test(text) ? IpAddress.parseV4(text.replace(/\b0+(?=\d)/g, ""))?.join(".") : undefined

const canonicalV6 = (text: string): string | undefined => {
  const groups = IpAddress.parseV6(text)
  if (groups === undefined) return undefined
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return mapped
    ? groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]).join(".")
    : groups.map((group) => group.toString(16)).join(":")
}
