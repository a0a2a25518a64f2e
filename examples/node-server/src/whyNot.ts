/** Why the server can't start, as a sentence for the operator. Never with a stack, a password or a token. */

interface Failure {
  readonly _tag?: string
  readonly code?: string
  /** The system call that failed, like `listen` or `mkdir`. */
  readonly syscall?: string
  readonly message: string
  readonly cause?: unknown
  readonly reason?: unknown
  /** For a failure of the database: its operation, like `connect`. */
  readonly operation?: string
}

/** The failure and those that it was caused by, the innermost last. */
const chain = (failure: Failure): ReadonlyArray<Failure> => {
  const inner = failure.cause ?? failure.reason
  return inner instanceof Error ? [failure, ...chain(inner)] : [failure]
}

/** The innermost message, which is the system's. */
const innermost = (failure: Failure): string => chain(failure).at(-1)!.message

/** Errors of a PostgreSQL server have a code of five characters. */
const isServers = ({ code }: Failure) => /^[0-9A-Z]{5}$/.test(code ?? "")

/** Host and port of the database, without name and password. */
const addressOf = (databaseUrl: string | undefined): string => {
  if (databaseUrl === undefined || !URL.canParse(databaseUrl)) return "its address"
  const { hostname, port, searchParams } = new URL(databaseUrl)
  const host = searchParams.get("host") ?? hostname
  return host.startsWith("/") ? host : `${host || "localhost"}:${port || 5_432}`
}

const noDatabase = (failure: Failure, databaseUrl: string | undefined): string => {
  const failures = chain(failure)
  if (failures.some(isServers) || !failures.some(({ operation }) => operation === "connect")) {
    return `DATABASE_URL leads to no database that can be used (${innermost(failure)}).`
  }
  // When the server speaks another protocol, the driver's message is about misread bytes.
  const said = innermost(failure)
  const because = failures.some(({ syscall }) => syscall !== undefined) || /timed out/i.test(said)
    ? said
    : "what is there speaks another protocol, or hung up"
  return `DATABASE_URL: no PostgreSQL server answers at ${addressOf(databaseUrl)} (${because}).`
}

const sentences: Readonly<Record<string, (failure: Failure, databaseUrl: string | undefined) => string>> = {
  EADDRINUSE: () => "PORT is taken by another program; stop it or choose another.",
  EADDRNOTAVAIL: () => "HOST is no address of this machine.",
  EAFNOSUPPORT: () => "HOST is an address of a kind that this machine doesn't have.",
  SqlError: noDatabase,
  DatabaseUnfit: ({ message }) => `DATABASE_URL: ${message}`,
  DirectoryInUse: ({ message }) => `FILEDRIVE_DATA: ${message}`,
  DatabaseNotOpened: ({ message }) => `FILEDRIVE_DATA: ${message}`,
  StorageNotOpened: ({ message }) => `FILEDRIVE_DATA: ${message}`,
  Unavailable: (failure) => `FILEDRIVE_DATA can't be used (${innermost(failure)}).`,
  MigrationError: (failure, databaseUrl) =>
    chain(failure).some(({ code }) => code === "53100")
      ? `${databaseUrl === undefined ? "FILEDRIVE_DATA" : "DATABASE_URL"}: The disk of the database is full.`
      : `${failure.message} (${innermost(failure)}).`,
  S3SetupError: ({ message }) => `S3_ENDPOINT or the buckets: ${message}`
}

export const whyNot = (error: unknown, databaseUrl?: string): string => {
  if (!(error instanceof Error)) return String(error)
  const failure: Failure = error
  const sentence = sentences[failure._tag ?? ""] ?? sentences[failure.code ?? ""]
  if (sentence !== undefined) return sentence(failure, databaseUrl)
  // Names of databases and of storage are looked up under their own failures.
  if (failure.syscall === "getaddrinfo") return `HOST leads to no address (${failure.message}).`
  if (failure.syscall === "listen" && failure.code === "EINVAL") return `HOST can't be used (${failure.message}).`
  if (failure.syscall === "listen") return `PORT can't be used (${failure.message}).`
  return failure.syscall === undefined ? failure.message : `FILEDRIVE_DATA can't be used (${failure.message}).`
}
