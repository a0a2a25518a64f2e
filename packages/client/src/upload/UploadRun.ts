/** One upload, from its announcement to the file in the drive. */
import { backoffMillis, sleep, until } from "../Backoff.ts"
import { DriveError, hasCode, invalid } from "../DriveError.ts"
import type { Source } from "../Platform.ts"
import { loaded } from "./loaded.ts"
import { isOffline, onNetwork } from "./network.ts"
import type { Claim } from "./Record.ts"
import { digest } from "./Record.ts"
import { type Begun, sendForm, unending } from "./sendForm.ts"
import { sendParts } from "./sendParts.ts"
import { openSource } from "./Source.ts"
import { Speed } from "./Speed.ts"
import type { Announced, Target } from "./Target.ts"
import { isTaken } from "./targets.ts"
import { countOf, type InTurn, tell } from "./Turns.ts"
import type { Progress, Upload, UploadedFile, UploadOptions, UploadSource, UploadState } from "./Upload.ts"
import type { Recall, Uploading } from "./Uploading.ts"

/** Files above this go in parts. */
const formMaxBytes = 64 * 1024 ** 2

/** How long the network, or the server, may be away while the platform says that there is a network. */
const awayMillis = 600_000

/** A server may ask to come back in an hour, and be there in a minute. */
const askedMaxSeconds = 60

/** An upload may have been aborted for idleness, and its token may have lapsed: it begins again, with the parts that are still there. */
const isGone = (error: unknown): boolean => hasCode(error, "upload_not_found") || hasCode(error, "not_allowed")

const again = Symbol("again")

const typeOf = (mimeType: string): Announced["type"] => {
  const kind = /^(?:image|video|audio|text)(?=\/)/.exec(mimeType)?.[0] ??
    (/pdf|docum|word|sheet|presen/.test(mimeType) ? "document" : /zip|compr|x-tar/.test(mimeType) ? "archive" : "other")
  return kind[0]!.toUpperCase() + kind.slice(1) as Announced["type"]
}

/** Why something fails that was cancelled. */
export const cancelled = (): DOMException => new DOMException("It was cancelled.", "AbortError")

export const isOver = (state: UploadState): boolean => "done failed cancelled".includes(state)

export class UploadRun implements Upload {
  readonly #with: Uploading
  readonly #options: UploadOptions
  readonly #source: UploadSource
  #done!: Promise<UploadedFile>
  readonly #speed = new Speed()
  #state: UploadState = "waiting"
  #size = 0
  #sent = 0
  /** Parts, and answers of the drive: what is sent may be refused, again and again. */
  #arrived = 0
  /** Ends what is being sent now. */
  #running = new AbortController()
  #isPaused = false
  #resumed: (() => void) | undefined
  #cancelled: { readonly reason: unknown } | undefined
  #claim: Claim | undefined
  /** Set once the drive may hold bytes for it. */
  #file: Announced | undefined
  #begun: Promise<Begun | undefined> | undefined
  /** Whether a file of its key is this upload's: the key was free when it began. Another one was there before, and stays. */
  #isOwn = false
  #id: string | undefined

  readonly #recall: Recall | undefined

  constructor(uploading: Uploading, source: UploadSource, options: UploadOptions, recall?: Recall) {
    this.#with = uploading
    this.#options = options
    this.#recall = recall
    this.#source = source
    this.#start()
  }

  #start(): void {
    // Whoever waits for it is told; nobody has to.
    ;(this.#done = this.#run()).catch(() => {})
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
    if (this.#isPaused || isOver(this.#state)) return
    this.#isPaused = true
    this.#become("paused")
    this.#running.abort()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#become("waiting")
    this.#resumed?.()
  }

  cancel(): Promise<void> {
    return this.#cancel(cancelled())
  }

  readonly #end = () => void this.#cancel(this.#options.signal!.reason)

  async #cancel(reason: unknown): Promise<void> {
    this.#cancelled ??= { reason }
    this.#running.abort(reason)
    this.#resumed?.()
    await this.#done.catch(() => {})
    if (this.#state === "failed") await this.#giveUp()
  }

  retry(): void {
    if (this.#state !== "failed" || this.#cancelled) return
    this.#start()
    this.#become("waiting")
  }

  /** Gives back what has been begun, unless another run goes on with it. */
  async #giveUp(): Promise<void> {
    if (await this.#claim?.take()) {
      let attempt = 0
      const giveBack = (): Promise<unknown> =>
        this.#giveBack().catch((error: DriveError | null) => {
          // Its token may have lapsed.
          this.#begun = undefined
          // A server that is begun anew is back within minutes.
          return attempt < (error?.retryable ? 2 * this.#with.retries : isGone(error) ? 1 : 0)
            ? sleep(backoffMillis(attempt++)).then(giveBack)
            : true
        })
      // With its record another run can go on with what could not be given back, or give it up.
      await (await giveBack() ? this.#claim!.leave() : this.#claim!.end())
    }
    this.#become("cancelled")
  }

  async #giveBack(): Promise<void> {
    const file = this.#file
    const { target } = this.#with
    if (!file) return
    if (!this.#id) {
      const begun = await this.#begun
      try {
        if (file.fileSize > formMaxBytes) {
          const { token } = begun ?? await target.open(file, unending)
          if ((await target.abort(token!)).aborted) return
          // It is complete: a file as soon as it is inserted.
          this.#isOwn = true
        } else if ((await target.cancelForm(file))?.cancelled) return
      } catch (error) {
        if (!isTaken(error)) throw error
      }
    }
    if (this.#isOwn) await target.remove(this.#id ?? (await target.insert(file)).id)
  }

  #become(state: UploadState): void {
    if (this.#state === state) return
    this.#state = state
    // One that has failed is still given up by it.
    if (state === "done" || state === "cancelled") this.#options.signal?.removeEventListener("abort", this.#end)
    tell(this.#options.onState, state)
  }

  #tell(sentBytes: number, isForced = false): void {
    this.#sent = sentBytes
    if (this.#speed.add(sentBytes, isForced)) tell(this.#options.onProgress, this.progress)
  }

  async #run(): Promise<UploadedFile> {
    const { signal } = this.#options
    let source: Source | undefined
    try {
      // Whoever has begun this gets hold of it first.
      await undefined
      signal?.addEventListener("abort", this.#end)
      if (signal?.aborted) this.#end()
      if (this.#with.room) await this.#whileRunning((signal) => until(this.#with.room!(), signal))
      const opened = source = await openSource(this.#source, this.#with.platform)
      this.#size = source.size
      const recall = this.#recall
      // While it is not known whether it was sent, nothing is.
      const sent = recall && await this.#steadily((signal) => until(recall(opened), signal))
      const file = sent?.file ?? await this.#made(opened)
      if (file !== sent?.file) await sent?.keep(file)
      await this.#claim?.end()
      this.#tell(this.#size, true)
      this.#become("done")
      return file
    } catch (error) {
      if (this.#cancelled) {
        await this.#giveUp()
        throw this.#cancelled.reason
      }
      this.#become("failed")
      throw error
    } finally {
      this.#with.holding.delete(this)
      this.#claim?.leave()
      await source?.close?.().catch(() => {})
    }
  }

  /** Makes a file of it. */
  async #made(source: Source): Promise<UploadedFile> {
    const { target } = this.#with
    await this.#steadily((signal) => until(target.check(this.#options), signal))
    const file = await this.#announced(source)
    const { fileName = file.fileName, id } = await this.#send(source, file)
    await this.#steadily(() => target.place(id, this.#options))
    if (this.#cancelled) throw this.#cancelled.reason
    return { id, fileName, fileSize: file.fileSize }
  }

  async #announced(source: Source): Promise<Announced> {
    const { fileName = source.name, key, mimeType = source.type, type = typeOf(mimeType) } = this.#options
    if (!fileName) throw invalid("fileName", "must be given for bytes")
    const { hasOwnKeys, records, target } = this.#with
    const described = { type, fileName, fileSize: source.size, ...mimeType !== "" && { mimeType } }
    if (!await this.#claim?.take()) {
      const print = key === undefined && (hasOwnKeys || records.isKept) ? await source.print() : undefined
      const name = print && `${await this.#steadily(target.name)} ${fileName} ${print}`
      const own = hasOwnKeys && name ? `${digest(name)} ${source.size}` : undefined
      this.#claim = await records.claim(name, own, key)
      // What it had begun is another run's.
      this.#file = this.#begun = this.#id = undefined
      this.#isOwn = this.#claim.isResumed
    }
    return { ...described, key: this.#claim!.key }
  }

  /** Runs, and again after each pause, until there is a result. */
  async #whileRunning<A>(run: (signal: AbortSignal) => Promise<A | typeof again>): Promise<A> {
    for (;;) {
      if (this.#cancelled) throw this.#cancelled.reason
      if (this.#isPaused) {
        await new Promise<void>((resolve) => this.#resumed = resolve)
        continue
      }
      const { signal } = this.#running = new AbortController()
      try {
        const result = await run(signal)
        if (result !== again) return result
      } catch (error) {
        // It may have been resumed since.
        if (!signal.aborted || this.#cancelled) throw error
      }
    }
  }

  #steadily<A>(run: (signal: AbortSignal) => Promise<A>): Promise<A> {
    return this.#whileRunning((signal) => this.#persist(() => run(signal), signal))
  }

  /** Repeats what may pass, and waits for the network. */
  async #persist<A>(run: () => Promise<A>, signal: AbortSignal): Promise<A> {
    let since: number | undefined
    for (let attempt = 0, arrived = this.#arrived;; attempt++) {
      try {
        const result = await run()
        this.#arrived++
        return result
      } catch (error) {
        if (signal.aborted || !(error instanceof DriveError) || !error.retryable) throw error
        if (this.#arrived > arrived) {
          // It goes forward, however often it is interrupted.
          attempt = 0
          since = undefined
        }
        arrived = this.#arrived
        since ??= Date.now()
        // No answer, or that of a proxy while what is behind it is away: restarting, for one. A full disk is no such thing.
        if (error.status && (error.status < 502 || error.code === "no_space")) {
          if (attempt >= this.#with.retries) throw error
        } else if (!isOffline() && Date.now() - since > awayMillis) throw error
        else this.#become("offline")
        await sleep(backoffMillis(attempt, Math.min(error.retryAfterSeconds!, askedMaxSeconds)), signal, onNetwork)
        this.#become("sending")
      }
    }
  }

  async #send(source: Source, file: Announced): Promise<Awaited<ReturnType<Target["insert"]>>> {
    const { holding, send, target } = this.#with
    const inTurn: InTurn = (signal, work) =>
      this.#with.inTurn(signal, () => {
        this.#become("sending")
        return work()
      })
    /** Whether bytes of an earlier run are there already: then inserting makes, or tells, the file. */
    const isStored = () =>
      target.insert(file).then(() => true, (error: unknown) => {
        if (hasCode(error, "object_not_found")) return false
        throw error
      })
    let wasSent = this.#isOwn || !!this.#file
    let restarts = 3
    let attempt = 0
    if (wasSent) this.#file = file
    return this.#whileRunning(async (signal) => {
      const sending = {
        file,
        send,
        signal,
        source,
        target,
        inTurn,
        parallel: countOf("parallel", this.#options.parallel),
        onSent: (bytes: number) => this.#tell(bytes),
        begun: <A extends object>(asked: Promise<A>) => {
          this.#file = file
          this.#begun = asked.then((begun: Begun) => {
            this.#isOwn = true
            holding.add(this)
            return begun
          }, () => undefined)
          return asked
        },
        persist: <A>(run: () => Promise<A>, ended = signal) => this.#persist(run, ended)
      }
      try {
        if (source.size > formMaxBytes) await inTurn(signal, () => sendParts(sending))
        else if (!wasSent || !await this.#persist(isStored, signal)) await sendForm(sending)
        wasSent = true
      } catch (error) {
        if (isGone(error) && restarts-- > 0) return again
        if (hasCode(error, "too_many_forms")) {
          // Without a turn, which those need for which it waits.
          holding.delete(this)
          this.#become("waiting")
          const { freed } = await loaded(import("./freed.ts"))
          attempt = await freed(
            this.#with,
            error,
            attempt,
            (after, wake) => sleep(backoffMillis(after), signal, wake)
          )
          return again
        }
        if (!isTaken(error)) throw error
      }
      await source.check?.()
      // Not interrupted: what became of it would not be known.
      const made = await this.#persist(() => target.insert(file), signal)
      this.#id = made.id
      signal.throwIfAborted()
      return made
    })
  }
}
