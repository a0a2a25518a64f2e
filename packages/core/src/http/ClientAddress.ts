/**
 * Where a call comes from: the peer of its connection, or what the proxies in
 * front say of it, as far as the host trusts them.
 */
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"

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

const canonicalV4 = (text: string): string | undefined => {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  return bytes?.every((byte) => byte < 256) === true ? bytes.join(".") : undefined
}

const canonicalV6 = (text: string): string | undefined => {
  const groups = groupsOf(text)
  if (groups === undefined) return undefined
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return mapped
    ? groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]).join(".")
    : groups.map((group) => group.toString(16)).join(":")
}

/** The eight groups of an IPv6 address. */
const groupsOf = (text: string): ReadonlyArray<number> | undefined => {
  const halves = withHexTail(text).split("::")
  if (halves.length > 2) return undefined
  const [left, right] = halves.map((half) => half === "" ? [] : half.split(":"))
  const missing = 8 - left!.length - (right?.length ?? 0)
  if (right === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...left!, ...Array<string>(missing).fill("0"), ...(right ?? [])]
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group)) ? groups.map((group) => parseInt(group, 16)) : undefined
}

/** An IPv4 tail (`::ffff:192.0.2.1`) as two groups. */
const withHexTail = (text: string): string => {
  const at = text.lastIndexOf(":") + 1
  const bytes = canonicalV4(text.slice(at))?.split(".").map(Number)
  if (bytes === undefined) return text
  const [a, b, c, d] = bytes as [number, number, number, number]
  return `${text.slice(0, at)}${(a << 8 | b).toString(16)}:${(c << 8 | d).toString(16)}`
}
