/** A queue: files of its lists are read ahead, and sent a few at a time. */
import type { Store } from "../Options.ts"
import { entriesOf, type Entry } from "./entries.ts"
import type { Ledger } from "./Ledger.ts"
import { loaded } from "./loaded.ts"
import type { QueueFile, QueueList, QueueOptions, QueueProgress, QueueSummary, UploadQueue } from "./Queue.ts"
import { digest } from "./Record.ts"
import { hash } from "./Source.ts"
import { Speed } from "./Speed.ts"
import { timely } from "./timely.ts"
import { countOf, tell, turns } from "./Turns.ts"
import type { Upload, UploadState } from "./Upload.ts"
import type { Uploading } from "./Uploading.ts"
import { cancelled, isOver, UploadRun } from "./UploadRun.ts"

/** Files that are known ahead of those being sent: their sum is told, and they take memory. */
const aheadFiles = 20_000

/** Files that are announced or recorded while others send their bytes: one call does it for many of them. */
const besides = 32
const mostFailures = 1_000

export class QueueRun implements UploadQueue {
  readonly #with: Uploading
  readonly #options: QueueOptions
  readonly #store: Store | undefined
  readonly #speed = new Speed()
  readonly #ahead: Array<Entry> = []
  readonly #begun = new Set<Entry>()
  readonly #failures: Array<Entry> = []
  /** Lists that are not at their end: one is read after the other. */
  #lists = 0
  #reading = Promise.resolve()
  #wakeReader: (() => void) | undefined
  readonly #counts = { doneFiles: 0, failedFiles: 0 }
  #doneBytes = 0
  /** Of files that have not failed, as are the bytes. */
  #totalFiles = 0
  #totalBytes = 0
  #isPaused = false
  /** At first nothing was added: there is nothing to wait for. */
  #done: Promise<QueueSummary>
  #settle: { readonly resolve: (summary: QueueSummary) => void; readonly reject: (error: unknown) => void } | undefined

  constructor(uploading: Uploading, store: Store | undefined, options: QueueOptions) {
    this.#with = { ...uploading, inTurn: turns(countOf("files", options.files)) }
    this.#options = options
    this.#store = store
    this.#done = Promise.resolve(this.#summary)
  }

  get done(): Promise<QueueSummary> {
    return this.#done
  }

  get #summary(): QueueSummary {
    return { ...this.#counts, sentBytes: this.#doneBytes, failures: [...this.#failures] }
  }

  get progress(): QueueProgress {
    const sentBytes = this.#sentBytes
    return {
      ...this.#speed.of(sentBytes, Math.max(this.#totalBytes, sentBytes)),
      ...this.#counts,
      totalFiles: this.#totalFiles + this.#counts.failedFiles,
      isComplete: this.#lists === 0
    }
  }

  get files(): ReadonlyArray<QueueFile> {
    return [...this.#begun, ...this.#failures]
  }

  get #sentBytes(): number {
    let sentBytes = this.#doneBytes
    for (const { upload } of this.#begun) sentBytes += upload?.progress.sentBytes ?? 0
    return sentBytes
  }

  /** A list may have other options than the queue: the hooks know the latest. */
  add = (list: QueueList | null, options = this.#options): void => {
    const entries = entriesOf(list === null ? [] : list, this.#with.platform)
    this.#open()
    this.#lists++
    const settle = this.#settle
    this.#reading = this.#reading.then(async () => {
      for await (const entry of entries) {
        // It was cancelled meanwhile.
        if (this.#settle !== settle) return
        entry.options = options
        this.#count(entry)
        this.#ahead.push(entry)
        this.#fill()
        // As far ahead as memory allows.
        if (this.#ahead.length >= aheadFiles) await new Promise<void>((resolve) => this.#wakeReader = resolve)
      }
      if (this.#settle !== settle) return
      this.#lists--
      this.#fill()
    })
  }

  pause(): void {
    this.#isPaused = true
    for (const { upload } of this.#begun) upload?.pause()
  }

  resume(): void {
    for (const { upload } of this.#begun) upload?.resume()
    // Last: those that have begun go on before others begin.
    this.#isPaused = false
    this.#fill()
  }

  async cancel(): Promise<void> {
    this.#settle?.reject(cancelled())
    this.#settle = undefined
    for (const entry of this.#ahead.splice(0)) this.#count(entry, -1)
    // A list that waits for its next file holds up no other.
    this.#reading = Promise.resolve()
    this.#lists = 0
    this.#wakeReader?.()
    await Promise.all(this.files.map(({ upload }) => upload?.cancel()))
  }

  async forget(): Promise<void> {
    await (await this.#sent(this.#options))?.forget()
  }

  /** What queues of a name have sent. */
  async #sent({ name }: QueueOptions): Promise<Ledger | undefined> {
    if (name === undefined || !this.#store) return undefined
    const { Ledger } = await loaded(import("./Ledger.ts"))
    return new Ledger(this.#store, name, { ...this.#with, digest, hash, timely })
  }

  /** Counts a file, or one less. */
  #count(entry: Entry, by = 1): void {
    this.#totalFiles += by
    this.#totalBytes += by * entry.size
  }

  /** Begins files while there is room for them: one that is paused takes none. Those that are retried come first. */
  #fill(): void {
    if (!this.#isPaused) {
      const going = [...this.#begun].filter(({ upload }) => upload?.state !== "paused")
      let room = countOf("files", this.#options.files) + besides - going.filter(({ start }) => !start).length
      for (const entry of going) {
        if (entry.start && room-- > 0) {
          entry.start()
          entry.start = undefined
        }
      }
      while (this.#ahead.length > 0 && room-- > 0) void this.#one(this.#ahead.shift()!)
    }
    if (this.#ahead.length < aheadFiles / 2) this.#wakeReader?.()
    if (this.#begun.size + this.#ahead.length + this.#lists > 0 || !this.#settle) return
    this.#tell(true)
    this.#settle.resolve(this.#summary)
    this.#settle = undefined
  }

  /** Something is added: there is something to wait for. */
  #open(): void {
    if (this.#settle) return
    ;(this.#done = new Promise((resolve, reject) => this.#settle = { resolve, reject })).catch(() => {})
  }

  async #one(entry: Entry): Promise<void> {
    const { onChange, onFile, signal } = this.#options
    this.#begun.add(entry)
    try {
      if (entry.error) {
        // Thousands of them in a row would be as deep a recursion.
        await undefined
        throw entry.error
      }
      const { fileSize } = entry.file = await (entry.upload ?? this.#upload(entry))
      this.#counts.doneFiles++
      this.#doneBytes += fileSize
      this.#totalBytes += fileSize - entry.size
    } catch (error) {
      // Taken out of the queue by its own upload, it is no failure.
      if (entry.upload?.state !== "cancelled" || signal?.aborted) {
        if (this.#failures.length < mostFailures) this.#failures.push(entry)
        // Nobody could cancel it any more; with a record it goes on when it is added again.
        else if (!this.#store) {
          await entry.upload?.cancel()
          entry.upload = undefined
        }
        entry.error = error
        this.#counts.failedFiles++
      }
      this.#count(entry, -1)
    }
    this.#begun.delete(entry)
    tell(onChange, entry)
    if (entry.file || entry.error) tell(onFile, entry)
    this.#tell()
    this.#fill()
  }

  #upload(entry: Entry): Upload {
    const { onChange, signal } = this.#options
    const { item, name, options = this.#options } = entry
    const { folder = "" } = options
    const directory = name.replace(/\/?[^/]*$/, "")
    const uploading: Uploading = {
      ...this.#with,
      room: async () => entry.start && new Promise((resolve) => entry.start = resolve)
    }
    const upload = entry.upload = new UploadRun(uploading, item.source, {
      ...options,
      ...signal && { signal },
      ...item,
      folder: item.folder ?? `${folder.replace(/\/$/, "")}/${directory}`.replace(/\/$/, ""),
      onProgress: () => {
        tell(onChange, entry)
        this.#tell()
      },
      onState: (state) => {
        const hadFailed = entry.error !== undefined
        // By the queue's signal it stays a failure.
        if (hadFailed && !signal?.aborted) this.#recall(entry, state)
        // Of what has ended it is told when it is counted.
        if (hadFailed || !isOver(state)) tell(onChange, entry)
        this.#fill()
      }
    }, async (source) => (await this.#sent(options))?.find(source, name, item.fileName))
    if (this.#isPaused) upload.pause()
    return upload
  }

  /** A file that has failed is retried, or given up. */
  #recall(entry: Entry, state: UploadState): void {
    const at = this.#failures.indexOf(entry)
    if (at >= 0) this.#failures.splice(at, 1)
    this.#counts.failedFiles--
    entry.error = undefined
    if (state === "cancelled") return
    this.#open()
    this.#count(entry)
    entry.start = () => {}
    void this.#one(entry)
    if (this.#isPaused) entry.upload!.pause()
  }

  #tell(isForced = false): void {
    if (this.#speed.add(this.#sentBytes, isForced)) tell(this.#options.onProgress, this.progress)
  }
}
