/** Why the server can't start, as a sentence for whoever starts it. Never with a stack, a password or a token. */

interface Failure {
  readonly _tag?: string
  readonly code?: string
  /** What the system was asked to do, like `listen` or `mkdir`. */
  readonly syscall?: string
  readonly message: string
  readonly cause?: unknown
  readonly reason?: unknown
}

/** The innermost message: what the system said. */
const innermost = (failure: Failure): string => {
  const inner = failure.cause ?? failure.reason
  return inner instanceof Error ? innermost(inner) : failure.message
}

const sentences: Readonly<Record<string, (failure: Failure) => string>> = {
  EADDRINUSE: () => "PORT is taken by another program; stop it or choose another.",
  EADDRNOTAVAIL: () => "HOST is no address of this machine.",
  EAFNOSUPPORT: () => "HOST is an address of a kind that this machine doesn't have.",
  SqlError: (failure) => `DATABASE_URL leads to no database that can be used (${innermost(failure)}).`,
  DirectoryInUse: ({ message }) => `FILEDRIVE_DATA: ${message}`,
  DatabaseNotOpened: ({ message }) => `FILEDRIVE_DATA: ${message}`,
  StorageNotOpened: ({ message }) => `FILEDRIVE_DATA: ${message}`,
  Unavailable: (failure) => `FILEDRIVE_DATA can't be used (${innermost(failure)}).`,
  MigrationError: (failure) => `${failure.message} (${innermost(failure)}).`,
  S3SetupError: ({ message }) => `S3_ENDPOINT or the buckets: ${message}`
}

export const whyNot = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const failure: Failure = error
  const sentence = sentences[failure._tag ?? ""] ?? sentences[failure.code ?? ""]
  if (sentence !== undefined) return sentence(failure)
  // Names of databases and of storage are looked up under their own failures.
  if (failure.syscall === "getaddrinfo") return `HOST leads to no address (${failure.message}).`
  if (failure.syscall === "listen" && failure.code === "EINVAL") return `HOST can't be used (${failure.message}).`
  if (failure.syscall === "listen") return `PORT can't be used (${failure.message}).`
  return failure.syscall === undefined ? failure.message : `FILEDRIVE_DATA can't be used (${failure.message}).`
}
