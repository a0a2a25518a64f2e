/** Starts and closes a drive. */
import { Events } from "@filedrive/core"
import { Effect, ManagedRuntime, Scope } from "effect"
import { closed } from "./DriveError.ts"
import { driveLayer, type DriveServices } from "./DriveLayer.ts"
import type { DriveOptions } from "./DriveOptions.ts"
import { pathsOf } from "./DrivePaths.ts"
import { bind, type Binding } from "./http/Binding.ts"
import { InFlight } from "./http/InFlight.ts"
import { KeepAlive } from "./KeepAlive.ts"
import * as Observability from "./Observability.ts"

export interface Running {
  readonly runtime: ManagedRuntime.ManagedRuntime<DriveServices, unknown>
  readonly binding: Binding
}

const defaultSite = "http://127.0.0.1:4500"

export class Lifecycle {
  readonly alive = new KeepAlive()
  readonly inFlight = new InFlight(this.alive)
  readonly #options: DriveOptions
  #site: string
  /** Whether its URL was given, or a warning was logged that none was. */
  #isPlaced: boolean
  #starting: Promise<Running> | undefined
  #running: Running | undefined
  #closed: Promise<void> | undefined
  #isClosed = false

  constructor(options: DriveOptions) {
    this.#options = options
    this.#isPlaced = options.url !== undefined
    this.#site = (options.url ?? defaultSite).replace(/\/+$/, "")
  }

  /** Where people reach the drive, without a trailing slash. */
  get site(): string {
    return this.#site
  }

  /** Undefined until it has started. */
  get running(): Running | undefined {
    return this.#running
  }

  /** Whether what it ran on is gone, or is just being taken down. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Starts it once; a start that failed may be tried again. */
  start(): Promise<Running> {
    if (this.inFlight.closing) return Promise.reject(closed())
    return this.#starting ??= this.alive.during(this.#build()).then(
      (running) => this.#running = running,
      (error: unknown) => {
        this.#starting = undefined
        throw error
      }
    )
  }

  async #build(): Promise<Running> {
    const runtime = ManagedRuntime.make(driveLayer(this.#options, this.#site))
    try {
      const scope = runtime.scope
      const binding = await runtime.runPromise(
        Effect.provideService(bind(pathsOf(this.#options).storage), Scope.Scope, scope)
      )
      return { runtime, binding }
    } catch (error) {
      await runtime.dispose()
      throw error
    }
  }

  /** Called by the server of the drive; a `url` that the host gave has precedence. */
  listensAt(origin: string): void {
    this.#isPlaced = true
    if (this.#options.url !== undefined || origin === this.#site) return
    if (this.#starting === undefined) {
      this.#site = origin
      return
    }
    this.say(
      `The drive was used before it was served, so its links begin with ${this.#site}, not with ${origin}. ` +
        "Give createDrive its `url`."
    )
  }

  /**
   * A request came to this address of a host's own server. Without a `url` the drive doesn't know its public address, and a request's own
   * headers can't be trusted: so it only warns, once, that its links lead elsewhere.
   */
  askedAt(origin: string): void {
    if (this.#isPlaced) return
    this.#isPlaced = true
    if (origin === this.#site) return
    this.say(
      `A request came to ${origin}, but this drive's links begin with ${this.#site}: give createDrive its \`url\`, where people reach it.`
    )
  }

  /** Logs a warning in the way the host has chosen. */
  say(sentence: string, cause?: unknown): void {
    Observability.say(this.#options.log ?? "quiet", sentence, cause)
  }

  /** Ends answers and streams that follow a feed: they would never end by themselves. */
  async endStreams(): Promise<void> {
    await this.#running?.runtime.runPromise(Effect.flatMap(Events, (events) => events.hangUp))
  }

  /** Waits for requests in flight, then closes everything. Repeating returns the same promise. */
  close(): Promise<void> {
    return this.#closed ??= this.alive.during((async () => {
      const starting = this.#starting
      const idle = this.inFlight.close(this.#options.closeGraceMillis ?? 30_000)
      await this.endStreams()
      await idle
      // Those that running calls have opened meanwhile.
      await this.endStreams()
      // Calls from now on find a closed drive.
      this.#isClosed = true
      this.#running = undefined
      await starting?.then(({ runtime }) => runtime.dispose(), () => undefined)
    })())
  }
}
