/** The messages to and from the processes that send files as a program's client does. */
import type { DriveAccount } from "./DriveServerOptions.ts"

/** `client`: ours. `loop`: requests by hand, as few as can be. `uppy`: `@uppy/aws-s3`, whose parts and forms the drive signs. */
export type SentBy = "client" | "loop" | "uppy"

export interface ClientSending {
  readonly by: SentBy
  readonly origin: string
  readonly account: DriveAccount
  /** What this round's files are called. */
  readonly name: string
  /** One file in parts from this path; else many files, from memory; else a stream that is made while it is read. */
  readonly what:
    | { readonly path: string; readonly bytes: number }
    | { readonly files: number; readonly bytes: number }
    | { readonly stream: true; readonly bytes: number }
  /** Parts, or files, that are sent at once. */
  readonly atOnce: number
}

/** What it took the process that sent. */
export interface ClientSent {
  readonly ids: ReadonlyArray<string>
  readonly seconds: number
  readonly cpuSeconds: number
  /** Its memory before, and every tenth of a second. */
  readonly idleBytes: number
  readonly residentBytes: ReadonlyArray<number>
}

export interface ClientCalling {
  readonly origin: string
  readonly account: DriveAccount
  readonly fileId: string
  readonly rounds: number
  readonly callsInRound: number
}

/** Microseconds of a call. */
export interface ClientCall {
  readonly wall: number
  /** Of the caller's processor. */
  readonly cpu: number
}

/** One for each round. */
export interface ClientCalled {
  readonly client: ReadonlyArray<ClientCall>
  readonly fetch: ReadonlyArray<ClientCall>
}
