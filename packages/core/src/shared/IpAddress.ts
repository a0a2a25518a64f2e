/** Addresses of the Internet as texts have them, parsed to numbers. Zones, ports and brackets are not part of an address. */

const decimal = /^(?:0|[1-9]\d{0,2})$/
const hexadecimal = /^[\da-f]{1,4}$/i

/** The four bytes of an IPv4 address, in the one spelling that sockets and resolvers use; undefined for anything else. */
export const parseV4 = (text: string): ReadonlyArray<number> | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => decimal.test(part))) return undefined
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte < 256) ? bytes : undefined
}

/** Groups of one side of `::`; an IPv4 address may be the last two. */
const parseGroups = (text: string): ReadonlyArray<number> | undefined => {
  if (text === "") return []
  const parts = text.split(":")
  const last = parseV4(parts.at(-1)!)
  const plain = last === undefined ? parts : parts.slice(0, -1)
  if (!plain.every((part) => hexadecimal.test(part))) return undefined
  const groups = plain.map((part) => Number.parseInt(part, 16))
  return last === undefined ? groups : [...groups, last[0]! << 8 | last[1]!, last[2]! << 8 | last[3]!]
}

/** The eight groups of an IPv6 address; undefined for anything else. */
export const parseV6 = (text: string): ReadonlyArray<number> | undefined => {
  const sides = text.split("::")
  if (sides.length > 2) return undefined
  // An IPv4 address is the end of the whole.
  if (sides.length === 2 && sides[0]!.includes(".")) return undefined
  const before = parseGroups(sides[0]!)
  const after = parseGroups(sides[1] ?? "")
  if (before === undefined || after === undefined) return undefined
  const missing = 8 - before.length - after.length
  if (sides.length === 1 ? missing !== 0 : missing < 1) return undefined
  return [...before, ...Array.from({ length: missing }, () => 0), ...after]
}
