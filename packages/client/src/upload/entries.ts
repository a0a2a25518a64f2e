/** What a queue is given, as files: directories are read as they are come to. */
import { invalid } from "../DriveError.ts"
import type { Platform, Walked } from "../Platform.ts"
import type { Directory, QueueEntry, QueueItem } from "./Queue.ts"
import type { UploadSource } from "./Upload.ts"

export interface Entry {
  readonly item: QueueItem
  /** Its path in the directory that it came with; the name alone without one. */
  readonly path: string
}

/** A handle's file is opened when its turn comes. */
const walkHandle = async function*(handle: FileSystemHandle, above = ""): AsyncGenerator<Walked> {
  const path = `${above}${handle.name}`
  if (handle.kind === "file") yield { source: await (handle as FileSystemFileHandle).getFile(), path }
  else for await (const inner of (handle as FileSystemDirectoryHandle).values()) yield* walkHandle(inner, `${path}/`)
}

const walkDropped = async function*(entry: FileSystemEntry, above = ""): AsyncGenerator<Walked> {
  const path = `${above}${entry.name}`
  if (entry.isFile) {
    yield { source: await new Promise<File>((...settle) => (entry as FileSystemFileEntry).file(...settle)), path }
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // It answers a hundred at a time.
  for (;;) {
    const some = await new Promise<ReadonlyArray<FileSystemEntry>>((...settle) => reader.readEntries(...settle))
    if (some.length === 0) return
    for (const inner of some) yield* walkDropped(inner, `${path}/`)
  }
}

const isHandle = (entry: object): entry is FileSystemHandle => "kind" in entry && "isSameEntry" in entry

const walk = ({ directory }: Directory, { walkPath }: Platform): AsyncIterable<Walked> =>
  typeof directory === "string"
    ? walkPath(directory)
    : isHandle(directory)
    ? walkHandle(directory)
    : walkDropped(directory as FileSystemDirectoryEntry)

const nameOf = (source: UploadSource): string =>
  typeof source === "string" || source instanceof URL
    ? (source instanceof URL ? decodeURIComponent(source.pathname) : source).split(/[/\\]/).at(-1)!
    : (source as Partial<File>).name ?? ""

const entryOf = (source: UploadSource, path: string, options: object = {}): Entry => ({
  item: { ...options, source },
  path
})

/** The files of an entry. */
const filesOf = async function*(entry: QueueEntry | FileSystemEntry | null, platform: Platform): AsyncGenerator<Entry> {
  if (entry === null) return
  if (typeof entry === "string" || entry instanceof URL || entry instanceof Blob) {
    // A browser tells the path of a file that came with a directory.
    const { webkitRelativePath = "" } = entry as Partial<File>
    return yield entryOf(entry, webkitRelativePath || nameOf(entry))
  }
  if (typeof entry !== "object") throw invalid("list", "must be files, directories, or objects with a source")
  if ("source" in entry) return yield entryOf(entry.source, entry.fileName ?? nameOf(entry.source), entry)
  const walked = "directory" in entry
    ? walk(entry, platform)
    : isHandle(entry)
    ? walkHandle(entry)
    : "isDirectory" in entry
    ? walkDropped(entry)
    : undefined
  if (walked === undefined) return yield entryOf(entry as UploadSource, nameOf(entry as UploadSource))
  for await (const { path, source } of walked) yield entryOf(source, path)
}

/** What was dropped has to be asked for before the event of dropping ends. */
const ofTransfer = ({ items }: DataTransfer): ReadonlyArray<FileSystemEntry | File | null> =>
  Array.from(items).filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile())

const isTransfer = (list: object): list is DataTransfer => "items" in list && "dropEffect" in list

/** The files of a list, one after the other. */
export const entriesOf = (
  list: Iterable<QueueEntry> | AsyncIterable<QueueEntry> | FileList | DataTransfer,
  platform: Platform
): AsyncGenerator<Entry> => {
  const entries = isTransfer(list)
    ? ofTransfer(list)
    : Symbol.iterator in list || Symbol.asyncIterator in list
    ? list as AsyncIterable<QueueEntry>
    : Array.from(list)
  return (async function*() {
    for await (const entry of entries) {
      yield* filesOf(
        typeof DataTransferItem !== "undefined" && entry instanceof DataTransferItem
          ? entry.webkitGetAsEntry()
          : entry as QueueEntry,
        platform
      )
    }
  })()
}
