/** One upload, from its announcement to the file in the drive. */
import { backoffMillis, sleep } from "../Backoff.ts"
import { DriveError, failure, invalid } from "../DriveError.ts"
import type { Platform, Send, Source } from "../Platform.ts"
import { isOffline, onNetwork } from "./network.ts"
import type { Claim, Records } from "./Record.ts"
import { digest } from "./Record.ts"
import { sendForm, unending } from "./sendForm.ts"
import { sendParts } from "./sendParts.ts"
import { openSource } from "./Source.ts"
import { Speed } from "./Speed.ts"
import type { Announced, Target } from "./Target.ts"
import { isTaken } from "./targets.ts"
import type { Progress, Upload, UploadedFile, UploadOptions, UploadSource, UploadState } from "./Upload.ts"

/** Files above this go in parts. */
const formMaxBytes = 64 * 1024 ** 2

/** How long the network may be away while the platform says that it is there. */
const awayMillis = 600_000

/** What uploads of one client share. */
export interface Uploading {
  readonly target: Target
  readonly send: Send
  readonly platform: Platform
  readonly records: Records
  readonly retries: number
  /** Whether a file's key is made of the file alone, so that no record is needed to go on with it. */
  readonly hasOwnKeys: boolean
}

const kinds: ReadonlyArray<readonly [pattern: RegExp, type: Announced["type"]]> = [
  [/^image\//, "Image"],
  [/^video\//, "Video"],
  [/^audio\//, "Audio"],
  [/^text\//, "Text"],
  [/pdf|document|msword|sheet|presentation/, "Document"],
  [/zip|compressed|x-tar/, "Archive"]
]

/** An upload may have been aborted for idleness, and its token may have lapsed: it begins again, with the parts that are still there. */
const isGone = (error: unknown): boolean =>
  error instanceof DriveError &&
  (error.code === "upload_not_found" || error.status === 403 && error.code === "not_allowed")

const mostRestarts = 3
const again = Symbol("again")

const typeOf = (mimeType: string): Announced["type"] =>
  kinds.find(([pattern]) => pattern.test(mimeType))?.[1] ?? "Other"

export class UploadRun implements Upload {
  readonly #with: Uploading
  readonly #options: UploadOptions
  readonly #done: Promise<UploadedFile>
  readonly #speed = new Speed()
  #state: UploadState = "waiting"
  #size = 0
  #sent = 0
  /** Ends what is being sent now. */
  #running = new AbortController()
  #isPaused = false
  #resumed: (() => void) | undefined
  #cancelled: { readonly reason: unknown } | undefined
  /** Gives the bytes back of what has been begun. */
  #giveBack: (() => Promise<unknown>) | undefined

  constructor(uploading: Uploading, source: UploadSource, options: UploadOptions) {
    this.#with = uploading
    this.#options = options
    this.#done = this.#run(source)
    // Whoever waits for it is told; nobody has to.
    this.#done.catch(() => {})
  }

  get state(): UploadState {
    return this.#state
  }

  get progress(): Progress {
    return this.#speed.of(this.#sent, this.#size)
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then: Upload["then"] = (resolved, rejected) => this.#done.then(resolved, rejected)
  catch: Upload["catch"] = (rejected) => this.#done.catch(rejected)
  finally: Upload["finally"] = (then) => this.#done.finally(then)

  pause(): void {
    if (this.#isPaused || this.#isOver) return
    this.#isPaused = true
    this.#become("paused")
    this.#running.abort(failure("paused", "The upload is paused."))
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#resumed?.()
  }

  async cancel(): Promise<void> {
    this.#cancel(new DOMException("The upload was cancelled.", "AbortError"))
    await this.#done.catch(() => {})
  }

  get #isOver(): boolean {
    return this.#state === "done" || this.#state === "failed" || this.#state === "cancelled"
  }

  #cancel(reason: unknown): void {
    if (this.#cancelled !== undefined || this.#isOver) return
    this.#cancelled = { reason }
    this.#running.abort(reason)
    this.#resumed?.()
  }

  #become(state: UploadState): void {
    if (this.#state === state) return
    this.#state = state
    this.#options.onState?.(state)
  }

  #tell(sentBytes: number, isForced = false): void {
    this.#sent = sentBytes
    if (this.#speed.add(sentBytes, isForced)) this.#options.onProgress?.(this.progress)
  }

  async #run(given: UploadSource): Promise<UploadedFile> {
    const { signal } = this.#options
    const cancel = () => this.#cancel(signal!.reason)
    let source: Source | undefined
    let claim: Claim | undefined
    try {
      // Whoever has begun this gets hold of it first.
      await undefined
      signal?.addEventListener("abort", cancel)
      if (signal?.aborted) cancel()
      source = await openSource(given, this.#with.platform)
      this.#size = source.size
      const file = await this.#announced(source, (made) => claim = made)
      const id = await this.#send(source, file, claim?.isResumed === true)
      await this.#whileRunning((signal) => this.#persist(() => this.#with.target.place(id, this.#options), signal))
      if (this.#cancelled !== undefined) throw this.#cancelled.reason
      await claim?.end()
      this.#tell(this.#size, true)
      this.#become("done")
      return { id, fileName: file.fileName, fileSize: file.fileSize }
    } catch (error) {
      if (this.#cancelled !== undefined) {
        await this.#giveBack?.().catch(() => {})
        await claim?.end()
        this.#become("cancelled")
        throw this.#cancelled.reason
      }
      this.#become("failed")
      throw error
    } finally {
      claim?.leave()
      signal?.removeEventListener("abort", cancel)
      await source?.close().catch(() => {})
    }
  }

  async #announced(source: Source, claimed: (claim: Claim) => void): Promise<Announced> {
    const { fileName = source.name, key, mimeType = source.type, type = typeOf(mimeType) } = this.#options
    if (fileName === "") throw invalid("fileName", "must be given for bytes")
    const { hasOwnKeys, records, target } = this.#with
    const described = { type, fileName, fileSize: source.size, ...mimeType !== "" && { mimeType } }
    if (key !== undefined) return { ...described, key }
    const print = hasOwnKeys || records.isKept ? await source.print() : undefined
    const name = print === undefined
      ? undefined
      : `${await this.#whileRunning((signal) => this.#persist(() => target.name(signal), signal))} ${fileName} ${print}`
    const own = hasOwnKeys && name !== undefined ? `${digest(name)} ${source.size}` : undefined
    const claim = await records.claim(name, own)
    claimed(claim)
    return { ...described, key: claim.key }
  }

  /** Runs, and again after each pause, until there is a result. */
  async #whileRunning<A>(run: (signal: AbortSignal) => Promise<A | typeof again>): Promise<A> {
    for (;;) {
      if (this.#cancelled !== undefined) throw this.#cancelled.reason
      if (this.#isPaused) {
        await new Promise<void>((resolve) => this.#resumed = resolve)
        continue
      }
      this.#become("sending")
      const { signal } = this.#running = new AbortController()
      try {
        const result = await run(signal)
        if (result !== again) return result
      } catch (error) {
        // It may have been resumed since.
        if (!signal.aborted || this.#cancelled !== undefined) throw error
      }
    }
  }

  /** Repeats what may pass, and waits for the network. */
  async #persist<A>(run: () => Promise<A>, signal: AbortSignal): Promise<A> {
    let since: number | undefined
    for (let attempt = 0, sent = this.#sent;; attempt++) {
      try {
        return await run()
      } catch (error) {
        if (signal.aborted || !(error instanceof DriveError) || !error.retryable) throw error
        if (this.#sent > sent) {
          // It goes forward, however often it is interrupted.
          attempt = 0
          since = undefined
        }
        sent = this.#sent
        since ??= Date.now()
        const isAway = error.status === 0
        if (isAway ? !isOffline() && Date.now() - since > awayMillis : attempt >= this.#with.retries) throw error
        if (isAway) this.#become("offline")
        await sleep(backoffMillis(attempt, error.retryAfterSeconds), signal, isAway ? onNetwork : undefined)
        this.#become("sending")
      }
    }
  }

  async #send(source: Source, file: Announced, isResumed: boolean): Promise<string> {
    const { send, target } = this.#with
    let wasSent = isResumed
    let restarts = 0
    if (isResumed) {
      this.#giveBack = async () =>
        source.size > formMaxBytes
          ? target.abort((await target.open(file, unending)).token)
          : target.cancelForm(file)
    }
    return this.#whileRunning(async (signal) => {
      const sending = {
        file,
        send,
        signal,
        source,
        target,
        parallel: this.#options.parallel ?? 4,
        onSent: (bytes: number) => this.#tell(bytes),
        onBegun: (giveBack: () => Promise<unknown>) => this.#giveBack = giveBack,
        persist: <A>(run: () => Promise<A>, ended = signal) => this.#persist(run, ended)
      }
      try {
        if (source.size > formMaxBytes) await sendParts(sending)
        else if (!wasSent || !await this.#isStored(file, signal)) await sendForm(sending)
        wasSent = true
      } catch (error) {
        if (isGone(error) && restarts++ < mostRestarts) return again
        if (!isTaken(error)) throw error
      }
      await source.check()
      // Not interrupted: what became of it would not be known.
      const { id } = await this.#persist(() => target.insert(file), signal)
      this.#giveBack = () => target.remove(id)
      signal.throwIfAborted()
      return id
    })
  }

  /** Whether bytes of an earlier run are there already: then inserting makes, or tells, the file. */
  async #isStored(file: Announced, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#persist(() => this.#with.target.insert(file), signal)
      return true
    } catch (error) {
      if (error instanceof DriveError && error.code === "object_not_found") return false
      throw error
    }
  }
}
