/**
 * Addresses of names. Not by `dns.lookup`: that waits in the few threads that also read and write files, so a name server
 * of a stranger's that never answers would hold up the whole drive. It asks the machine's name servers directly, and knows
 * nothing of its hosts file.
 */
import { type LookupAddress, promises as dns } from "node:dns"
import type { Lookup } from "./PinnedRequest.ts"

/** For each of two tries. */
const timeoutMillis = 5_000

const failureOf = (settled: ReadonlyArray<PromiseSettledResult<unknown>>): unknown => {
  const errors = settled.flatMap((result) =>
    result.status === "rejected" ? [result.reason as NodeJS.ErrnoException] : []
  )
  // The name does not exist only if both queries say so.
  return errors.find(({ code }) => code !== "ENOTFOUND" && code !== "ENODATA") ?? errors[0]
}

/** All IPv4 and IPv6 addresses of a name, by these name servers or the machine's. Rejects when there is none. */
export const resolveBy = (servers: ReadonlyArray<string> = []): Lookup => async (host) => {
  const resolver = new dns.Resolver({ timeout: timeoutMillis, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const settled = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses: ReadonlyArray<LookupAddress> = settled.flatMap((result, at) =>
    result.status === "rejected" ? [] : result.value.map((address) => ({ address, family: at === 0 ? 4 : 6 }))
  )
  if (addresses.length === 0) throw failureOf(settled)
  return addresses
}

/** As every program of the machine resolves them, with its hosts file and its own network's names. */
export const lookupAll: Lookup = (host) => dns.lookup(host, { all: true })
