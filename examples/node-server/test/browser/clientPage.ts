/** What a page does with the client: a host's own page on its own origin, whose server hands sessions out. */
import {
  createClient,
  DriveError,
  indexedDbStore,
  localStorageStore,
  type QueueSummary,
  type Upload,
  type UploadedFile,
  type UploadState
} from "@filedrive/client"
import type { WorkerDone, WorkerTask } from "./clientWorker.ts"
import { headOf, rest } from "./largeFile.ts"

/** What a page has seen of an upload. */
export interface Seen {
  readonly states: ReadonlyArray<UploadState>
  readonly sentBytes: ReadonlyArray<number>
  /** Whether the platform said that there is a network, whenever the state changed. */
  readonly online: ReadonlyArray<boolean>
}

const client = createClient({
  url: new URLSearchParams(location.search).get("drive")!,
  session: async () => (await fetch("/session")).text(),
  store: location.hash === "#indexedDb" ? indexedDbStore() : localStorageStore(),
  retries: 0
})

let upload: Upload | undefined
const states: Array<UploadState> = []
const sentBytes: Array<number> = []
const online: Array<boolean> = []

let dropped!: (summary: Promise<QueueSummary>) => void
const drop = new Promise<QueueSummary>((resolve) => dropped = resolve)

const page = {
  /** Begins to send a file of so many slices, which is made of the same blob again and again. */
  send: (name: string, slices: number, parallel: number): void => {
    const same = new Blob([rest()])
    const pieces = Array.from({ length: slices }, (_, slice) => [headOf(slice), same]).flat()
    upload = client.upload(new File(pieces, name, { lastModified: 1_700_000_000_000 }), {
      parallel,
      onProgress: (progress) => sentBytes.push(progress.sentBytes),
      onState: (state) => {
        states.push(state)
        online.push(navigator.onLine)
      }
    })
    // Those who wait for it are told; a page that is left has nobody.
    upload.catch(() => {})
  },
  seen: (): Seen => ({ states, sentBytes, online }),
  sent: async (): Promise<UploadedFile> => upload!,
  sendMany: async (folder: string, count: number): Promise<QueueSummary> => {
    const queue = client.uploads.queue({ folder })
    queue.add(Array.from({ length: count }, (_, at) => new File([`file ${at}`], `${at}.txt`)))
    return queue.done
  },
  pause: () => upload!.pause(),
  resume: () => upload!.resume(),
  /** Sends a directory of the origin's private file system, by its handle: the same kind that a person's choice gives. */
  sendHandle: async (folder: string): Promise<QueueSummary> => {
    const root = await navigator.storage.getDirectory()
    const trip = await root.getDirectoryHandle("trip", { create: true })
    const day = await trip.getDirectoryHandle("day", { create: true })
    for (
      const [directory, name, text] of [[trip, "a.txt", "a"], [day, "b.txt", "bb"], [day, "empty.txt", ""]] as const
    ) {
      const writable = await (await directory.getFileHandle(name, { create: true })).createWritable()
      await writable.write(text)
      await writable.close()
    }
    const queue = client.uploads.queue({ folder })
    queue.add([trip])
    return queue.done
  },
  /** Sends what is dropped on the page next. */
  sendDropped: (folder: string): void => {
    document.documentElement.style.height = "100%"
    addEventListener("dragover", (event) => event.preventDefault())
    addEventListener("drop", (event) => {
      event.preventDefault()
      const queue = client.uploads.queue({ folder })
      queue.add(event.dataTransfer!)
      dropped(queue.done)
    })
  },
  dropped: (): Promise<QueueSummary> => drop,
  /** Has a worker do its task. */
  inWorker: async (kind: "dedicated" | "service", task: Omit<WorkerTask, "drive">): Promise<WorkerDone | string> => {
    const given: WorkerTask = { ...task, drive: new URLSearchParams(location.search).get("drive")! }
    const { port1, port2 } = new MessageChannel()
    const answer = new Promise<WorkerDone | string>((resolve) => {
      port1.addEventListener("message", ({ data }) => resolve(data), { once: true })
      port1.start()
    })
    if (kind === "dedicated") new Worker("/worker.js").postMessage(given, [port2])
    else {
      await navigator.serviceWorker.register("/worker.js")
      ;(await navigator.serviceWorker.ready).active!.postMessage(given, [port2])
    }
    return answer
  },
  /** How many files the drive has, or the code that the call failed with. */
  search: (): Promise<number | string> =>
    client.searchFiles({}).then(
      ({ files }) => files.length,
      (error: unknown) => error instanceof DriveError ? error.code : String(error)
    )
}

/** Called by tests. */
export type ClientPage = typeof page

Object.assign(globalThis, { page })
