/** Calls over HTTP: sessions, refusals, and repeating what may be repeated. */
import * as Address from "./Address.ts"
import { backoffMillis, sleep, until, watched } from "./Backoff.ts"
import { DriveError, invalid, refusalOf, unreachable } from "./DriveError.ts"
import type { ClientOptions, Fetch, PublicCallOptions } from "./Options.ts"

/** How long a call may be without an answer, and an answer without its end. */
const answerMillis = 120_000
const bodyMillis = 600_000

/** A call that is asked to wait longer than this fails. */
const askedMaxSeconds = 120

/** A session is renewed this long before it ends. */
const renewMillis = 300_000

export interface Session {
  readonly token: string
  /** Null where the host hands sessions out. */
  readonly userId: string | null
  /** When to renew it. */
  readonly until: number
}

export interface Wanted extends PublicCallOptions {
  /** Below the API, like `/search-files`. */
  readonly path: string
  readonly body?: unknown
  /** Whether it needs no session. */
  readonly isPublic?: boolean
  /** Whether it may be sent again when it is not known what became of it. */
  readonly isRepeatable?: boolean
}

/** An answer that shows that no drive's API is there. */
const isStrange = ({ code, retryable }: DriveError) =>
  code === "unknown_route" || code === "unexpected_answer" && !retryable

const isDriveError = (error: unknown): error is DriveError => error instanceof DriveError

/** Whether there is no session any more. */
const isEnded = (error: unknown): boolean => (error as DriveError | null)?.status === 401

export class Wire {
  readonly fetch: Fetch
  /** What calls are made by; of its answer the status, headers and text are read. */
  readonly #by: Fetch
  readonly retries: number
  readonly #options: ClientOptions
  readonly #headers: Readonly<Record<string, string>>
  #address: Address.Address
  /** Whether its place was asked for. */
  #isLocated = false
  #session: Promise<Session> | undefined

  constructor(options: ClientOptions, ask?: Fetch) {
    const { appId = "filedrive", fetch: own = (url, init) => fetch(url, init), retries = 5, url } = options
    if (!/^https?:/.test(url)) throw invalid("url", "must be an http or https address")
    this.fetch = own
    this.#by = ask ?? own
    this.retries = retries
    this.#options = options
    this.#headers = { "x-service-app": appId }
    this.#address = Address.guess(url)
  }

  /** The API's address, which is part of what a record is about. */
  get api(): string {
    return this.#address.api
  }

  /** The session of all calls: one exchange, however many wait for it. */
  async session(signal?: AbortSignal): Promise<Session> {
    const current = this.#session
    if (current && (await until(current, signal)).until <= Date.now()) this.#forget(current)
    const next = this.#session ??= this.#begin()
    // The next call tries again.
    next.catch(() => this.#forget(next))
    return until(next, signal)
  }

  #forget(session: Promise<Session>): void {
    if (this.#session === session) this.#session = undefined
  }

  async #begin(): Promise<Session> {
    const { apiToken, session } = this.#options
    if (session) return { token: await session(), userId: null, until: Infinity }
    if (!apiToken) throw invalid("apiToken", "or session must be given")
    // An exchange whose answer was lost leaves a session that nobody has, and that ends by itself.
    const { expiresIn, gelToken, userId } = await this.#repeated(
      { isRepeatable: true },
      () => this.#asked("auth", { path: "/exchange-token" }, { authorization: `Bearer ${apiToken}` })
    ) as {
      readonly gelToken: string
      readonly userId: string
      readonly expiresIn: number
    }
    const lifeMillis = expiresIn * 1000
    return { token: gelToken, userId, until: Date.now() + lifeMillis - Math.min(renewMillis, lifeMillis / 10) }
  }

  /** The headers of a call; those of the session too, unless it needs none. */
  async headers({ access, isPublic, signal }: Wanted): Promise<Record<string, string>> {
    return {
      ...this.#headers,
      ...!isPublic && { authorization: `Bearer ${(await this.session(signal)).token}` },
      ...access && { "x-link-access": access }
    }
  }

  /** Calls an operation and returns its answer. */
  call(wanted: Wanted): Promise<unknown> {
    return this.#repeated(
      wanted,
      () => this.authorized(wanted, async (headers) => this.#asked("api", wanted, headers))
    )
  }

  /** Runs with the headers of a session, and once more with those of the next when it had ended. */
  async authorized<A>(wanted: Wanted, run: (headers: Record<string, string>) => Promise<A>): Promise<A> {
    const headers = await this.headers(wanted)
    const used = this.#session
    try {
      return await run(headers)
    } catch (error) {
      if (wanted.isPublic || !used || !isEnded(error)) throw error
      this.#forget(used)
      // Where there is no next session, what the call was told says more than what the exchange was.
      const renewed = await this.headers(wanted).catch((refused: unknown) => {
        throw isEnded(refused) ? error : refused
      })
      return run(renewed)
    }
  }

  async #repeated<A>(
    { isRepeatable, retries = this.retries, signal }: Pick<Wanted, "isRepeatable" | "retries" | "signal">,
    run: () => Promise<A>
  ): Promise<A> {
    for (let attempt = 0;; attempt++) {
      try {
        return await run()
      } catch (error) {
        if (
          !isRepeatable || !isDriveError(error) || !error.retryable || attempt >= retries ||
          // Told in place of being waited for: uploads ask again sooner.
          error.retryAfterSeconds! > askedMaxSeconds
        ) throw error
        await sleep(backoffMillis(attempt, error.retryAfterSeconds), signal)
      }
    }
  }

  /** One request, sent elsewhere when the API turns out to be elsewhere. */
  async #asked(
    at: keyof Address.Address,
    wanted: Pick<Wanted, "path" | "body" | "signal">,
    headers: Readonly<Record<string, string>>
  ): Promise<unknown> {
    const ask = () => this.#ask(this.#address[at] + wanted.path, wanted, headers)
    try {
      return await ask()
    } catch (error) {
      if (this.#isLocated || !isDriveError(error) || !isStrange(error)) throw error
      this.#isLocated = true
      const { locate } = await import("./locate.ts")
      const found = await locate(
        [this.api, this.#options.url],
        (url) => this.respond(url, { signal: wanted.signal ?? null })
      )
      if (found === undefined) throw error
      this.#address = found
      return ask()
    }
  }

  #ask(
    url: string,
    { body, signal }: Pick<Wanted, "body" | "signal">,
    headers: Readonly<Record<string, string>>
  ): Promise<unknown> {
    return watched(
      answerMillis,
      signal,
      async (signal, alive) => {
        const response = await this.respond(url, {
          method: "POST",
          signal,
          headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body)
        }, this.#by)
        alive(bodyMillis)
        const text = await response.text().catch((cause) => {
          throw unreachable(url, cause)
        })
        if (!response.ok) throw refusalOf(response.status, text, response.headers.get("retry-after"))
        try {
          return JSON.parse(text)
        } catch {
          throw refusalOf(response.status, "", null)
        }
      }
    )
  }

  /** `fetch`, failing with a {@link DriveError} where no answer comes. */
  async respond(url: string, init: RequestInit, by = this.fetch): Promise<Response> {
    try {
      return await by(url, init)
    } catch (cause) {
      throw init.signal?.aborted ? init.signal.reason : unreachable(url, cause)
    }
  }
}
