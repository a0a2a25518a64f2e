/** A queue: files of its lists are read ahead, and sent a few at a time. */
import type { Store } from "../Options.ts"
import { entriesOf, type Entry } from "./entries.ts"
import { Ledger } from "./Ledger.ts"
import type { QueueOptions, QueueProgress, QueueResult, QueueSummary, UploadQueue } from "./Queue.ts"
import { digest } from "./Record.ts"
import { openSource } from "./Source.ts"
import { Speed } from "./Speed.ts"
import type { UploadedFile } from "./Upload.ts"
import { type Uploading, UploadRun } from "./UploadRun.ts"

/** Files that are known ahead of those being sent: their sum is told, and they take memory. */
const aheadFiles = 20_000
const mostFailures = 1_000

/** Bytes of a source, where it takes no opening to know them. */
const sizeOf = (entry: Entry): number => {
  const { size, byteLength } = entry.item.source as { readonly size?: number; readonly byteLength?: number }
  return size ?? byteLength ?? 0
}

interface Deferred {
  readonly promise: Promise<QueueSummary>
  readonly resolve: (summary: QueueSummary) => void
  readonly reject: (error: unknown) => void
}

const deferred = (): Deferred => {
  let settle: Omit<Deferred, "promise">
  const promise = new Promise<QueueSummary>((resolve, reject) => settle = { resolve, reject })
  promise.catch(() => {})
  return { promise, ...settle! }
}

export class QueueRun implements UploadQueue {
  readonly #with: Uploading
  readonly #options: QueueOptions
  readonly #ledger: Ledger | undefined
  readonly #speed = new Speed()
  readonly #lists: Array<AsyncGenerator<Entry>> = []
  readonly #ahead: Array<Entry> = []
  readonly #running = new Map<UploadRun, number>()
  readonly #failures: Array<QueueResult> = []
  #reading: Promise<void> | undefined
  #wakeReader: (() => void) | undefined
  #done = deferred()
  #isPaused = false
  #lanes = 0
  #doneFiles = 0
  #failedFiles = 0
  #totalFiles = 0
  #doneBytes = 0
  #totalBytes = 0
  #isDone = false

  constructor(uploading: Uploading, store: Store | undefined, options: QueueOptions) {
    this.#with = uploading
    this.#options = options
    if (options.name !== undefined && store !== undefined) this.#ledger = new Ledger(store, options.name)
  }

  get done(): Promise<QueueSummary> {
    return this.#done.promise
  }

  get progress(): QueueProgress {
    let sentBytes = this.#doneBytes
    for (const run of this.#running.keys()) sentBytes += run.progress.sentBytes
    return {
      ...this.#speed.of(sentBytes, Math.max(this.#totalBytes, sentBytes)),
      doneFiles: this.#doneFiles,
      failedFiles: this.#failedFiles,
      totalFiles: this.#totalFiles,
      isComplete: this.#reading === undefined
    }
  }

  add: UploadQueue["add"] = (list) => {
    if (this.#isDone) this.#done = deferred()
    this.#isDone = false
    this.#lists.push(entriesOf(list, this.#with.platform))
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.#fill()
    })
  }

  pause(): void {
    this.#isPaused = true
    for (const run of this.#running.keys()) run.pause()
  }

  resume(): void {
    this.#isPaused = false
    for (const run of this.#running.keys()) run.resume()
    this.#fill()
  }

  async cancel(): Promise<void> {
    this.#isDone = true
    this.#done.reject(new DOMException("The queue was cancelled.", "AbortError"))
    this.#ahead.length = 0
    for (const list of this.#lists.splice(0)) void list.return(undefined)
    this.#wakeReader?.()
    await Promise.all([...this.#running.keys()].map((run) => run.cancel()))
  }

  async forget(): Promise<void> {
    await this.#ledger?.forget()
  }

  /** Reads lists, as far ahead as memory allows. */
  async #read(): Promise<void> {
    for (let list = this.#lists[0]; list !== undefined; list = this.#lists[0]) {
      try {
        for await (const entry of list) {
          this.#totalFiles++
          this.#totalBytes += sizeOf(entry)
          this.#ahead.push(entry)
          this.#fill()
          if (this.#ahead.length >= aheadFiles) await new Promise<void>((resolve) => this.#wakeReader = resolve)
        }
      } catch (error) {
        // A directory that can't be read; what comes after it is.
        this.#fail({ source: "", name: "", error })
      }
      if (this.#lists[0] === list) this.#lists.shift()
    }
  }

  #fill(): void {
    const { files = 4 } = this.#options
    while (!this.#isPaused && this.#lanes < files && this.#ahead.length > 0) {
      this.#lanes++
      void this.#lane()
    }
    if (this.#lanes === 0 && this.#ahead.length === 0 && this.#reading === undefined) this.#finish()
  }

  async #lane(): Promise<void> {
    for (let entry; !this.#isPaused && (entry = this.#ahead.shift()) !== undefined;) {
      if (this.#ahead.length < aheadFiles / 2) this.#wakeReader?.()
      await this.#one(entry)
    }
    this.#lanes--
    this.#fill()
  }

  #finish(): void {
    if (this.#isDone) return
    this.#tell(true)
    this.#isDone = true
    this.#done.resolve({
      doneFiles: this.#doneFiles,
      failedFiles: this.#failedFiles,
      sentBytes: this.#doneBytes,
      failures: this.#failures
    })
  }

  async #one(entry: Entry): Promise<void> {
    const { name: _, files: __, onFile, onProgress: ___, folder: base = "", signal, ...shared } = this.#options
    const { source, ...own } = entry.item
    const known = sizeOf(entry)
    const directory = entry.path.includes("/") ? entry.path.slice(0, entry.path.lastIndexOf("/")) : ""
    const folder = own.folder ?? `${base.replace(/\/$/, "")}${directory === "" ? "" : `/${directory}`}`
    const result = { source, name: entry.path }
    let file: UploadedFile | undefined
    try {
      const sent = await this.#sentBefore(entry)
      file = sent.file
      if (file === undefined) {
        const run = new UploadRun(this.#with, source, {
          ...shared,
          ...own,
          ...folder !== "" && { folder },
          ...signal && { signal },
          onProgress: () => this.#tell()
        })
        this.#running.set(run, known)
        try {
          file = await run
        } finally {
          this.#running.delete(run)
        }
        await sent.keep(file)
      }
      this.#doneFiles++
      this.#doneBytes += file.fileSize
      this.#totalBytes += file.fileSize - known
      onFile?.({ ...result, file })
    } catch (error) {
      this.#totalBytes -= known
      this.#fail({ ...result, error })
    }
    this.#tell()
  }

  #fail(result: QueueResult): void {
    if (result.name === "") this.#totalFiles++
    this.#failedFiles++
    if (this.#failures.length < mostFailures) this.#failures.push(result)
    this.#options.onFile?.(result)
  }

  #tell(isForced = false): void {
    const { onProgress } = this.#options
    let sentBytes = this.#doneBytes
    for (const run of this.#running.keys()) sentBytes += run.progress.sentBytes
    if (this.#speed.add(sentBytes, isForced)) onProgress?.(this.progress)
  }

  /** The file that an earlier run of the same queue made of an entry; `keep` notes that this one did. */
  async #sentBefore({ item, path }: Entry) {
    const ledger = this.#ledger
    if (ledger === undefined) return { file: undefined, keep: async () => {} }
    const source = await openSource(item.source, this.#with.platform)
    const print = await source.print().finally(() => source.close())
    if (print === undefined) return { file: undefined, keep: async () => {} }
    const key = digest(`${path} ${print}`)
    const id = await ledger.get(key)
    return {
      file: id === undefined ? undefined : { id, fileName: item.fileName ?? source.name, fileSize: source.size },
      keep: ({ id }: UploadedFile) => ledger.set(key, id)
    }
  }
}
