/** Calls over HTTP: sessions, refusals, and repeating what may be repeated. */
import * as Address from "./Address.ts"
import { backoffMillis, sleep, until, watched } from "./Backoff.ts"
import { type DriveError, invalid, refusalOf, unreachable } from "./DriveError.ts"
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
const isStrange = (error: unknown): boolean => {
  const { code, retryable } = Object(error) as DriveError
  return code === "unknown_route" || code === "unexpected_answer" && !retryable
}

/** Whether there is no session any more. */
const isEnded = (error: unknown): boolean => (Object(error) as DriveError).status === 401

export class Wire {
  readonly fetch: Fetch
  /** What calls are made by; of its answer the status, headers and text are read. */
  readonly #by: Fetch
  readonly retries: number
  readonly #options: ClientOptions
  /** The API's address as the client was given it, which is part of what a record is about. */
  readonly api: string
  readonly #address: { -readonly [At in keyof Address.Address]: string }
  /** The look-up of the API's place, which every call waits for that did not find it there. */
  #lookup: Promise<Address.Address | undefined> | undefined
  #session: Promise<Session> | undefined

  constructor(options: ClientOptions, ask?: Fetch) {
    const { fetch: own = (url, init) => fetch(url, init), retries = 5, url } = options
    if (!/^https?:/.test(url)) throw invalid("url", "must be an http(s) URL")
    this.fetch = own
    this.#by = ask ?? own
    this.retries = retries
    this.#options = options
    this.#address = Address.guess(url)
    this.api = this.#address.api
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
      () => this.#ask("auth", { path: "/exchange-token" }, { authorization: `Bearer ${apiToken}` })
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
      "x-service-app": this.#options.appId ?? "filedrive",
      ...!isPublic && { authorization: `Bearer ${(await this.session(signal)).token}` },
      ...access && { "x-link-access": access }
    }
  }

  /** Calls an operation and returns its answer. */
  call(wanted: Wanted): Promise<unknown> {
    return this.#repeated(
      wanted,
      () => this.authorized(wanted, (headers) => this.#ask("api", wanted, headers))
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
        const { retryable, retryAfterSeconds } = Object(error) as DriveError
        if (
          !isRepeatable || !retryable || attempt >= retries ||
          // Told in place of being waited for: uploads ask again sooner.
          retryAfterSeconds! > askedMaxSeconds
        ) throw error
        await sleep(backoffMillis(attempt, retryAfterSeconds), signal)
      }
    }
  }

  /** One request, at the API's place or at that of the exchange. */
  #ask(
    at: keyof Address.Address,
    { body, path, signal }: Pick<Wanted, "path" | "body" | "signal">,
    headers: Readonly<Record<string, string>>
  ): Promise<unknown> {
    return this.located(at, signal, (base) =>
      watched(
        answerMillis,
        signal,
        async (signal, alive) => {
          const url = base + path
          const response = await this.respond(url, {
            method: "POST",
            signal,
            // Strict: a misspelt field is refused and not ignored.
            headers: { ...headers, "content-type": "application/json", prefer: "handling=strict" },
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
      ))
  }

  /** Runs with the place, and once more with another one when it turns out to be there. */
  async located<A>(
    at: keyof Address.Address,
    signal: AbortSignal | undefined,
    run: (base: string) => Promise<A>
  ): Promise<A> {
    const used = this.#address[at]
    try {
      return await run(used)
    } catch (error) {
      if (!isStrange(error)) throw error
      const found = await until(this.#lookup ??= this.#locate(), signal)
      // What the call did at the right place is not done twice.
      if (!found || found[at] === used) throw error
      // The API is where its document is. The exchange stays where it is until it answers strangely, too: a proxy may show it elsewhere.
      this.#address.api = found.api
      return run(this.#address[at] = found[at])
    }
  }

  /** Asks where the API is. Without the signal of a call: others wait as well. What was not found is asked for again by the next one. */
  async #locate(): Promise<Address.Address | undefined> {
    let found: Address.Address | undefined
    try {
      const { locate } = await import("./locate.ts")
      return found = await watched(
        answerMillis,
        undefined,
        (signal) => locate([this.api, this.#options.url], (url) => this.respond(url, { signal }))
      )
    } finally {
      if (!found) this.#lookup = undefined
    }
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
