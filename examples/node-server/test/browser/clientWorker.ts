/** What a worker does with the client: one file by a form, one in parts, a queue, a search. It is asked once, through a port. */
import { createClient } from "@filedrive/client"
import { headOf, rest } from "./largeFile.ts"

export interface WorkerTask {
  readonly drive: string
  readonly folder: string
  /** Of the file in parts. */
  readonly slices: number
}

export interface WorkerDone {
  readonly sizes: ReadonlyArray<number>
  readonly queued: number
  readonly found: number
  /** How much of the large file was told at last. */
  readonly toldBytes: number
}

const work = async ({ drive, folder, slices }: WorkerTask): Promise<WorkerDone> => {
  const client = createClient({ url: drive, session: async () => (await fetch("/session")).text() })
  const small = await client.upload(new File(["small"], "small.txt"), { folder })
  const same = new Blob([rest()])
  const pieces = Array.from({ length: slices }, (_, slice) => [headOf(slice), same]).flat()
  let toldBytes = 0
  const large = await client.upload(new File(pieces, "large.mov"), {
    folder,
    onProgress: ({ sentBytes }) => toldBytes = sentBytes
  })
  const queue = client.uploads.queue({ folder })
  queue.add(Array.from({ length: 20 }, (_, at) => new File([`${at}`], `${at}.txt`)))
  const { doneFiles } = await queue.done
  const { files } = await client.searchFiles({ folder })
  return { sizes: [small.fileSize, large.fileSize], queued: doneFiles, found: files.length, toldBytes }
}

addEventListener("message", (event) => {
  const { data, ports } = event as MessageEvent<WorkerTask>
  const done = work(data).catch((error: unknown) => String(error)).then((said) => ports[0]!.postMessage(said))
  // A browser ends a service worker that does nothing else.
  if ("waitUntil" in event) (event as unknown as { waitUntil: (work: Promise<void>) => void }).waitUntil(done)
})
