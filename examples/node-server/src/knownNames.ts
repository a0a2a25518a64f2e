/** The variables that the server knows. An unknown `FILEDRIVE_` variable is probably misspelt, so it is refused. */
import { type Variables, WrongVariable } from "./Variables.ts"

/** Those that begin with `FILEDRIVE_`; docs/operating.md lists them. */
export const knownNames = [
  "FILEDRIVE_ACCOUNTS",
  "FILEDRIVE_ALLOWED_ORIGINS",
  "FILEDRIVE_ALLOW_PRIVATE_ADDRESSES",
  "FILEDRIVE_APP_ID",
  "FILEDRIVE_CALLS_PER_MINUTE",
  "FILEDRIVE_DATA",
  "FILEDRIVE_DISK_RESERVE",
  "FILEDRIVE_INTROSPECTION_SECRETS",
  "FILEDRIVE_LOG",
  "FILEDRIVE_MAX_CONNECTIONS",
  "FILEDRIVE_MAX_CONNECTIONS_PER_ADDRESS",
  "FILEDRIVE_METRICS",
  "FILEDRIVE_MODEL",
  "FILEDRIVE_ORIGIN",
  "FILEDRIVE_SAMPLE_IMAGES",
  "FILEDRIVE_SCHEMA",
  "FILEDRIVE_SECRET_KEY",
  "FILEDRIVE_TRUSTED_PROXIES"
] as const

/** Variables that Kubernetes, and Docker's links, set for a service named `filedrive…`. */
const isOfService = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value))

/** The Levenshtein distance of two texts. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, character] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 0; to < other.length; to++) {
      next.push(Math.min(row[to]! + (character === other[to] ? 0 : 1), row[to + 1]! + 1, next[to]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

const nearest = (name: string): string => {
  const upper = name.toUpperCase()
  return knownNames.toSorted((one, other) => distance(upper, one) - distance(upper, other))[0]!
}

/** Throws `WrongVariable` for a set variable that is not known, and names the nearest known one. The message has no values. */
export const checkNames = (variables: Variables): void => {
  const known: ReadonlySet<string> = new Set(knownNames)
  for (const [name, value] of Object.entries(variables)) {
    if (!value || !/^filedrive_/i.test(name) || isOfService(name, value)) continue
    // Where the system ignores case, it is still read under its name.
    if (known.has(name) || (known.has(name.toUpperCase()) && variables[name.toUpperCase()] === value)) continue
    throw new WrongVariable(name, `is no variable of this server; did you mean ${nearest(name)}?`)
  }
}
