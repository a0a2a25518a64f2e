/** What is chosen when a client is made, and at each call. */

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

type Awaitable<A> = A | Promise<A>

/** Where a client keeps its small records, so that uploads go on after a reload or a crash. A `Map` is one that forgets. */
export interface Store {
  readonly get: (key: string) => Awaitable<string | null | undefined>
  readonly set: (key: string, value: string) => Awaitable<unknown>
  readonly delete: (key: string) => Awaitable<unknown>
}

export interface PublicClientOptions {
  /** Absolute address of the API, or of the site that it is below. */
  readonly url: string
  /** Default: none is kept. `localStorageStore()`, `indexedDbStore()`, `fileStore(path)`, or the host's own. */
  readonly store?: Store | undefined
  /**
   * What everything goes by: calls, the bytes of files, downloads, events. Default: the platform's; in Node, Deno and Bun calls and what is
   * sent go by `node:http` instead, which takes half of the time.
   */
  readonly fetch?: Fetch | undefined
  /** How often a call that may be repeated is, after failures that may pass. Default 5. */
  readonly retries?: number | undefined
  /** What `X-Service-App` says. Default `filedrive`. */
  readonly appId?: string | undefined
}

/** With one of `apiToken` and `session`. */
export interface ClientOptions extends PublicClientOptions {
  /** Exchanged for sessions. Not for browsers: whoever has it has the drive. */
  readonly apiToken?: string | undefined
  /** Returns a session that the host's own server has exchanged; called at the first call, and when a session has ended. */
  readonly session?: (() => Promise<string>) | undefined
}

export interface CallOptions {
  /** Ends the call, also while it waits to be repeated. */
  readonly signal?: AbortSignal | undefined
  /** How often this call is repeated at most, if it may be. Default: the client's `retries`. */
  readonly retries?: number
}

export interface PublicCallOptions extends CallOptions {
  /** The access token of a link that has a password, as opening the link answered it. */
  readonly access?: string | null | undefined
}
