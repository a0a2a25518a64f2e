/** The messages to and from the processes that send and receive small files. */
import type { DriveAccount } from "./DriveServerOptions.ts"

/** Files that are begun by one call and recorded by one, and sent one after the other between. */
export const filesInList = 32

export interface Sending {
  /** Whose requests: the drive's three for a file, its calls for lists of {@link filesInList}, a sender's three, the same three of the server written by hand, or its one. */
  readonly to: "drive" | "drive in lists" | "drop" | "hand in three" | "hand in one"
  readonly origin: string
  readonly accounts: ReadonlyArray<DriveAccount>
  /** The file request that a sender sends to. */
  readonly requestId?: string
  readonly fileBytes: number
  /** How many files are sent at the same time, each on a connection of its own. */
  readonly atOnce: number
  readonly warmupSeconds: number
  readonly seconds: number
}

export interface SentFiles {
  /** All files that were sent, with those of the warm-up. */
  readonly files: number
  readonly perSecond: number
  /** Median milliseconds of each request that a file takes. */
  readonly requestMillis: ReadonlyArray<number>
}

export interface HandOptions {
  readonly directory: string
  /** PostgreSQL by `pg`; else PGlite in the server's process, with its commits synced or, as it comes, not. */
  readonly database: { readonly kind: "postgres"; readonly url: string } | { readonly kind: "synced" | "unsynced" }
}
