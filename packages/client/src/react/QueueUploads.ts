/** A queue as components show it. */
import type { Uploader } from "../Client.ts"
import type { QueueFile, QueueList, QueueOptions, QueueProgress, QueueResult, UploadQueue } from "../upload/Queue.ts"
import type { Progress, UploadState } from "../upload/Upload.ts"
import { Observed } from "./Observed.ts"

/** A file of a queue as it was when it was shown. */
export interface ShownFile {
  /** The same as long as the file is shown: a `key` for React. */
  readonly id: number
  /** Whatever its sender called it, with its path in the directory that it came with. */
  readonly name: string
  readonly state: UploadState
  readonly progress: Progress
  /** Why it failed; undefined when it did not. */
  readonly error: unknown
}

export interface UploadsState {
  readonly state: "idle" | "sending" | "paused" | "done"
  readonly progress: QueueProgress
  /** Those under way, then those that failed, then the last that are done: a hundred at most. */
  readonly files: ReadonlyArray<ShownFile>
  /** What became of the last files, the newest first: a hundred at most. */
  readonly results: ReadonlyArray<QueueResult>
  /** The first hundred files that failed. */
  readonly failures: ReadonlyArray<QueueResult>
}

/** One of the shown files, or all of them: a React event counts as no file, so `onClick={pause}` pauses all. */
export type Chosen = ShownFile | { readonly nativeEvent: unknown }

export interface UploadsActions extends Pick<UploadQueue, "add"> {
  /** Pauses one file, or all. */
  readonly pause: (file?: Chosen) => void
  readonly resume: (file?: Chosen) => void
  /** Takes one file out, also after it has failed, or all; what is sent of it is given back. */
  readonly cancel: (file?: Chosen) => Promise<void>
  /** Tries a file again that has failed. */
  readonly retry: (file: ShownFile) => void
}

/** Uploads that no component owns: they go on when none shows them. */
export interface Uploads extends UploadsActions {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => UploadsState
}

export type UploadsOptions = Omit<QueueOptions, "signal">

const mostShown = 100

/** Changes of files are shown together: a component is not drawn for each of many small ones. */
const gatherMillis = 100

const nothing: Progress = { sentBytes: 0, totalBytes: 0, bytesPerSecond: 0, secondsLeft: null }

const idle: UploadsState = {
  state: "idle",
  progress: { ...nothing, doneFiles: 0, failedFiles: 0, totalFiles: 0, isComplete: true },
  files: [],
  results: [],
  failures: []
}

export class QueueUploads extends Observed<UploadsState> implements Uploads {
  readonly #uploader: Uploader
  options: UploadsOptions
  /** Made by the first file, and again by the first one after `cancel`. */
  #queue: UploadQueue | undefined
  #waited: Promise<unknown> | undefined
  #results: ReadonlyArray<QueueFile> = []
  readonly #ids = new WeakMap<QueueFile, number>()
  #lastId = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(uploader: Uploader, options: UploadsOptions) {
    super(idle)
    this.#uploader = uploader
    this.options = options
  }

  readonly add: UploadsActions["add"] = (list) => {
    const queue = this.#queue ?? this.#open() // The queue has the options of its first file; these are of the page that is shown now.
    ;(queue.add as (list: QueueList | null, options: QueueOptions) => void)(list, this.options)
    this.#queue = queue
    this.#follow(queue)
  }

  readonly pause: UploadsActions["pause"] = (file) => {
    if (isShown(file)) return this.#find(file)?.upload?.pause()
    if (this.#queue === undefined || this.read().state !== "sending") return
    this.#queue.pause()
    this.#show(this.#queue, "paused")
  }

  readonly resume: UploadsActions["resume"] = (file) => {
    if (isShown(file)) return this.#find(file)?.upload?.resume()
    if (this.#queue === undefined || this.read().state !== "paused") return
    // First: resumed with nothing left, it is done at once.
    this.#show(this.#queue, "sending")
    this.#queue.resume()
  }

  readonly retry: UploadsActions["retry"] = (file) => {
    const { error, upload } = this.#find(file) ?? {}
    if (this.#queue === undefined || error === undefined || upload === undefined) return
    upload.retry()
    this.#follow(this.#queue)
  }

  readonly cancel: UploadsActions["cancel"] = async (file) => {
    if (isShown(file)) return this.#find(file)?.upload?.cancel()
    const queue = this.#queue
    this.#queue = undefined
    this.#waited = undefined
    this.#results = []
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.read() !== idle) this.set(idle)
    await queue?.cancel()
  }

  #open(): UploadQueue {
    const queue: UploadQueue = this.#uploader.uploads.queue({
      ...this.options,
      // Ten times a second at most.
      onProgress: (progress) => {
        if (queue !== this.#queue) return
        this.#show(queue, this.read().state, progress)
        this.options.onProgress?.(progress)
      },
      onFile: (file) => {
        if (queue !== this.#queue) return
        // It may be there already: failed, and tried again.
        this.#results = [file, ...this.#results.filter((other) => other !== file)].slice(0, mostShown)
        this.options.onFile?.(file)
      },
      onChange: (file) => {
        if (queue !== this.#queue) return
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined
          this.#show(queue, this.read().state)
        }, gatherMillis)
        this.options.onChange?.(file)
      }
    })
    return queue
  }

  /** Something is to be sent: shows that, and when all of it is done. */
  #follow(queue: UploadQueue): void {
    if (this.read().state !== "paused") this.#show(queue, "sending")
    const { done } = queue
    if (done === this.#waited) return
    this.#waited = done
    const end = () => {
      if (queue === this.#queue && queue.done === done) this.#show(queue, "done")
    }
    // It is rejected by `cancel` alone, which tells it itself.
    void done.then(end, () => {})
  }

  #idOf(file: QueueFile): number {
    const id = this.#ids.get(file) ?? ++this.#lastId
    this.#ids.set(file, id)
    return id
  }

  #find({ id }: ShownFile): QueueFile | undefined {
    return this.#queue?.files.find((file) => this.#ids.get(file) === id)
  }

  #show(queue: UploadQueue, state: UploadsState["state"], progress = queue.progress): void {
    const { files } = queue
    const failures = files.filter(({ error }) => error !== undefined).slice(0, mostShown)
    // One that is tried again, or was given up, has no result any more.
    this.#results = this.#results.filter(({ error, file }) => error !== undefined || file !== undefined)
    const done = this.#results.filter(({ file }) => file !== undefined)
    this.set({
      state,
      progress,
      failures,
      files: [...files, ...done].slice(0, mostShown).map((file) => ({
        id: this.#idOf(file),
        name: file.name,
        state: file.error === undefined ? file.file ? "done" : file.upload?.state ?? "waiting" : "failed",
        progress: file.upload?.progress ?? nothing,
        error: file.error
      })),
      results: this.#results
    })
  }
}

const isShown = (file: Chosen | undefined): file is ShownFile => file !== undefined && "id" in file && "state" in file
