/** A client whose answers the test gives, one by one. */
import type {
  EventsOptions,
  FollowedEvent,
  QueueFile,
  QueueOptions,
  QueueProgress,
  QueueSummary,
  Upload,
  UploadQueue,
  UploadState
} from "@filedrive/client"

const fileNamed = (fileName: string) => ({ id: fileName, fileName })

class FakeSearch {
  readonly request: Record<string, unknown>
  readonly signal: AbortSignal
  readonly promise: Promise<unknown>
  fail!: (error: unknown) => void
  #resolve!: (answer: unknown) => void

  constructor(request: Record<string, unknown>, signal: AbortSignal) {
    this.request = request
    this.signal = signal
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.fail = reject
    })
  }

  /** It heeds no signal: an answer may be on its way. */
  answer(names: ReadonlyArray<string>, nextOffset: number | null = null): void {
    this.#resolve({ files: names.map(fileNamed), nextOffset })
  }
}

class FakeFeed {
  readonly options: EventsOptions
  isEnded = false
  #told: Array<string> = []
  #error: unknown
  #wake = () => {}

  constructor(options: EventsOptions) {
    this.options = options
    options.signal!.addEventListener("abort", () => this.#wake())
  }

  tell(cursor: string): void {
    this.#told.push(cursor)
    this.#wake()
  }

  fail(error: unknown): void {
    this.#error = error
    this.#wake()
  }

  async *events(): AsyncGenerator<FollowedEvent, void, undefined> {
    const { signal } = this.options
    try {
      for (;;) {
        signal!.throwIfAborted()
        if (this.#error !== undefined) throw this.#error
        const cursor = this.#told.shift()
        if (cursor === undefined) await new Promise<void>((resolve) => this.#wake = resolve)
        else yield { kind: "file", id: cursor, cursor } as unknown as FollowedEvent
      }
    } finally {
      this.isEnded = true
    }
  }
}

/** An upload of a queue, which notes what is asked of it. */
class FakeUpload {
  state: UploadState = "sending"
  readonly asked: Array<string> = []
  readonly #tell: () => void
  readonly progress = { sentBytes: 1, totalBytes: 2, bytesPerSecond: 0, secondsLeft: null }

  constructor(tell: () => void) {
    this.#tell = tell
  }

  become(state: UploadState): void {
    this.state = state
    this.#tell()
  }

  pause = (): void => void this.asked.push("pause")
  resume = (): void => void this.asked.push("resume")
  retry = (): void => void this.asked.push("retry")
  cancel = async (): Promise<void> => void this.asked.push("cancel")
}

type FakeFile = { -readonly [Key in keyof QueueFile]: QueueFile[Key] }

class FakeQueue implements UploadQueue {
  readonly files: Array<FakeFile> = []
  readonly options: QueueOptions
  isPaused = false
  isCancelled = false
  done: Promise<QueueSummary> = new Promise(() => {})
  #finish: ((summary: QueueSummary) => void) | undefined
  #reject: ((error: unknown) => void) | undefined
  #doneFiles = 0
  #failedFiles = 0
  #totalFiles = 0

  constructor(options: QueueOptions) {
    this.options = options
  }

  get progress(): QueueProgress {
    return {
      sentBytes: this.#doneFiles,
      totalBytes: this.#totalFiles,
      bytesPerSecond: 0,
      secondsLeft: null,
      doneFiles: this.#doneFiles,
      failedFiles: this.#failedFiles,
      totalFiles: this.#totalFiles,
      isComplete: true
    }
  }

  add: UploadQueue["add"] = (list) => {
    this.#totalFiles += [...list as Iterable<unknown>].length
    if (this.#finish !== undefined) return
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#reject = reject
    })
  }

  /** One of its files is under way. */
  begin(name: string): FakeUpload {
    const file: FakeFile = { source: "", name }
    const upload = new FakeUpload(() => this.options.onChange?.(file))
    file.upload = upload as unknown as Upload
    this.files.push(file)
    this.options.onChange?.(file)
    return upload
  }

  /** One of its files is done, or has failed. */
  settle(name: string, error?: unknown): void {
    if (error === undefined) this.#doneFiles++
    else this.#failedFiles++
    const at = this.files.findIndex((file) => file.name === name)
    const [file = { source: "", name } as FakeFile] = at >= 0 ? this.files.splice(at, 1) : []
    if (error === undefined) file.file = { id: name, fileName: name, fileSize: 1 }
    else {
      file.error = error
      this.files.push(file)
    }
    this.options.onFile?.(file)
    this.options.onProgress?.(this.progress)
    if (this.#doneFiles + this.#failedFiles < this.#totalFiles) return
    this.#finish?.({ doneFiles: this.#doneFiles, failedFiles: this.#failedFiles, sentBytes: 0, failures: [] })
    this.#finish = undefined
  }

  pause = (): void => void (this.isPaused = true)
  resume = (): void => void (this.isPaused = false)
  forget = async (): Promise<void> => {}
  cancel = async (): Promise<void> => {
    this.isCancelled = true
    this.#reject?.(new DOMException("The queue was cancelled.", "AbortError"))
  }
}

export class FakeDrive {
  readonly searches: Array<FakeSearch> = []
  readonly feeds: Array<FakeFeed> = []
  readonly queues: Array<FakeQueue> = []

  readonly searchFiles = (request: Record<string, unknown>, { signal }: { signal: AbortSignal }) => {
    const search = new FakeSearch(request, signal)
    this.searches.push(search)
    return search.promise
  }

  readonly events = (options: EventsOptions) => {
    const feed = new FakeFeed(options)
    this.feeds.push(feed)
    return feed.events()
  }

  readonly uploads = {
    queue: (options: QueueOptions) => {
      const queue = new FakeQueue(options)
      this.queues.push(queue)
      return queue
    }
  }
}
