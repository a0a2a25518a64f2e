/** Uploads that components show. */
import { useEffect, useState, useSyncExternalStore } from "react"
import type { Uploader } from "../Client.ts"
import type { QueueOptions, QueueProgress, QueueResult, UploadQueue } from "../upload/Queue.ts"
import { Observed } from "./Observed.ts"

export interface UploadsState {
  readonly state: "idle" | "sending" | "paused" | "done"
  readonly progress: QueueProgress
  /** What became of the last files, the newest first: a hundred at most. */
  readonly results: ReadonlyArray<QueueResult>
  /** The first hundred files that failed. */
  readonly failures: ReadonlyArray<QueueResult>
}

type Actions = Pick<UploadQueue, "add" | "pause" | "resume" | "cancel">

/** Uploads that no component owns: they go on when none shows them. */
export interface Uploads extends Actions {
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => UploadsState
}

export type UploadsOptions = Omit<QueueOptions, "signal">

const mostShown = 100

const idle: UploadsState = {
  state: "idle",
  progress: {
    sentBytes: 0,
    totalBytes: 0,
    bytesPerSecond: 0,
    secondsLeft: null,
    doneFiles: 0,
    failedFiles: 0,
    totalFiles: 0,
    isComplete: true
  },
  results: [],
  failures: []
}

class QueueUploads extends Observed<UploadsState> implements Uploads {
  readonly #uploader: Uploader
  options: UploadsOptions
  /** Made by the first file, and again by the first one after `cancel`. */
  #queue: UploadQueue | undefined
  #waited: Promise<unknown> | undefined
  #results: ReadonlyArray<QueueResult> = []
  #failures: ReadonlyArray<QueueResult> = []

  constructor(uploader: Uploader, options: UploadsOptions) {
    super(idle)
    this.#uploader = uploader
    this.options = options
  }

  readonly add: Actions["add"] = (list) => {
    const queue = this.#queue ??= this.#open()
    queue.add(list)
    const { done } = queue
    if (this.read().state !== "paused") this.#show(queue, "sending")
    if (done === this.#waited) return
    this.#waited = done
    const end = () => {
      if (queue === this.#queue && queue.done === done) this.#show(queue, "done")
    }
    // It is rejected by `cancel` alone, which tells it itself.
    void done.then(end, () => {})
  }

  readonly pause = (): void => {
    if (this.#queue === undefined || this.read().state !== "sending") return
    this.#queue.pause()
    this.#show(this.#queue, "paused")
  }

  readonly resume = (): void => {
    if (this.#queue === undefined || this.read().state !== "paused") return
    // First: resumed with nothing left, it is done at once.
    this.#show(this.#queue, "sending")
    this.#queue.resume()
  }

  readonly cancel = async (): Promise<void> => {
    const queue = this.#queue
    this.#queue = undefined
    this.#waited = undefined
    this.#results = []
    this.#failures = []
    if (this.read() !== idle) this.set(idle)
    await queue?.cancel()
  }

  #open(): UploadQueue {
    const queue: UploadQueue = this.#uploader.uploads.queue({
      ...this.options,
      // Ten times a second at most: a component is not drawn for each of many small files.
      onProgress: (progress) => {
        if (queue !== this.#queue) return
        this.#show(queue, this.read().state, progress)
        this.options.onProgress?.(progress)
      },
      onFile: (result) => {
        if (queue !== this.#queue) return
        this.#results = [result, ...this.#results.slice(0, mostShown - 1)]
        if (result.file === undefined && this.#failures.length < mostShown) this.#failures = [...this.#failures, result]
        this.options.onFile?.(result)
      }
    })
    return queue
  }

  #show(queue: UploadQueue, state: UploadsState["state"], progress = queue.progress): void {
    this.set({ state, progress, results: this.#results, failures: this.#failures })
  }
}

/** Uploads of a client, or of a delivery, that outlive the components that show them. */
export const createUploads = (uploader: Uploader, options: UploadsOptions = {}): Uploads =>
  new QueueUploads(uploader, options)

/**
 * Uploads with their progress. Given a client, or a delivery, they are the component's own, and are cancelled when it is gone; given what
 * `createUploads` made, they are shown.
 */
export const useUploads = (from: Uploader | Uploads, options: UploadsOptions = {}): UploadsState & Actions => {
  const [owned, setOwned] = useState(() => own(from, options))
  // Another client: its uploads are others.
  const current = owned.from === from ? owned : own(from, options)
  if (current !== owned) setOwned(current)
  const { isOwn, uploads } = current
  const state = useSyncExternalStore(uploads.subscribe, uploads.read, uploads.readInitial)
  useEffect(() => {
    if (isOwn) uploads.options = options
  })
  useEffect(() => {
    if (!isOwn) return
    return () => {
      // What can't be given back now the drive frees by itself.
      uploads.cancel().catch(() => {})
    }
  }, [uploads, isOwn])
  return { ...state, add: uploads.add, pause: uploads.pause, resume: uploads.resume, cancel: uploads.cancel }
}

const own = (from: Uploader | Uploads, options: UploadsOptions) => {
  const isShared = from instanceof QueueUploads
  return { from, isOwn: !isShared, uploads: isShared ? from : new QueueUploads(from as Uploader, options) }
}
