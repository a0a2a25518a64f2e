/**
 * Which addresses are public. Pure; an address that is not certainly public counts as not public.
 *
 * The ranges are those of IANA's special-purpose registries (RFC 6890 and its updates) that are not globally reachable,
 * with every way in which IPv6 carries an IPv4 address: a connection there may lead anywhere. And one address that
 * is public by these registries but not in fact.
 */
import { IpAddress } from "@filedrive/core"

/** Ranges of IPv4 that are not public, as first address and length of prefix. */
const privateV4: ReadonlyArray<readonly [first: string, prefix: number]> = [
  ["0.0.0.0", 8], // this network, the unspecified address
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // in no registry: Azure's own at every machine of its, where that fetches its secrets
  ["169.254.0.0", 16], // link-local, where clouds tell a machine its secrets
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays from 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4] // reserved, broadcast
]

/** The only range of IPv6 that is handed out for public use. */
const globalV6: readonly [first: string, prefix: number] = ["2000::", 3]

/**
 * Ranges within it that are not public. Outside it, and so refused with no line of their own: `::` and `::1`, mapped
 * (`::ffff:0:0/96`) and compatible IPv4, NAT64 (`64:ff9b::/96`, `64:ff9b:1::/48`), discard (`100::/64`), segment routing
 * (`5f00::/16`), unique local (`fc00::/7`), link-local (`fe80::/10`), site-local (`fec0::/10`), multicast (`ff00::/8`).
 */
const privateV6: ReadonlyArray<readonly [first: string, prefix: number]> = [
  ["2001::", 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4
  ["3fff::", 20] // documentation
]

const joined = (numbers: ReadonlyArray<number> | undefined, width: bigint): bigint | undefined =>
  numbers?.reduce((bits, number) => (bits << width) | BigInt(number), 0n)

/** The 32 bits of a dotted address, or undefined. */
const bitsOfV4 = (text: string): bigint | undefined => joined(IpAddress.parseV4(text), 8n)

/** The 128 bits of an IPv6 address without a zone, or undefined. */
const bitsOfV6 = (text: string): bigint | undefined => joined(IpAddress.parseV6(text), 16n)

const range = (bits: bigint | undefined, prefix: number, length: number) => {
  const shift = BigInt(length - prefix)
  return (address: bigint): boolean => address >> shift === bits! >> shift
}

const isPrivateV4 = privateV4.map(([first, prefix]) => range(bitsOfV4(first), prefix, 32))
const isPrivateV6 = privateV6.map(([first, prefix]) => range(bitsOfV6(first), prefix, 128))
const isGlobalV6 = range(bitsOfV6(globalV6[0]), globalV6[1], 128)

/**
 * Whether an address, as a socket or a resolver gives it, is public. One with a zone is not, and a text
 * that is not an address is not.
 */
export const isPublic = (address: string): boolean => {
  const v4 = bitsOfV4(address)
  if (v4 !== undefined) return !isPrivateV4.some((isIn) => isIn(v4))
  const v6 = bitsOfV6(address)
  return v6 !== undefined && isGlobalV6(v6) && !isPrivateV6.some((isIn) => isIn(v6))
}
