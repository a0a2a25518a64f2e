/** What a page does with the client: a host's own page on its own origin, whose server hands sessions out. */
import {
  createClient,
  DriveError,
  localStorageStore,
  type QueueSummary,
  type Upload,
  type UploadedFile,
  type UploadState
} from "@filedrive/client"
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
  store: localStorageStore(),
  retries: 0
})

let upload: Upload | undefined
const states: Array<UploadState> = []
const sentBytes: Array<number> = []
const online: Array<boolean> = []

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
