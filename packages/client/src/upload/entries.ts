/** What a queue is given, as files: directories are read as they are come to. */
import { sleep } from "../Backoff.ts"
import { invalid } from "../DriveError.ts"
import { knownOnly } from "../knownOnly.ts"
import type { Platform } from "../Platform.ts"
import { loaded } from "./loaded.ts"
import { directoryNames, itemNames } from "./names.ts"
import type { QueueEntry, QueueFile, QueueItem, QueueList, QueueOptions } from "./Queue.ts"
import { has, isSource, sources, unreadable } from "./Source.ts"
import type { Upload, UploadedFile, UploadSource } from "./Upload.ts"
import type { Tree, WalkedTree } from "./walkTree.ts"

/** Entries after which whatever else the page or the process does has its turn. */
const restAfter = 2_000

/** A file of a queue, as the queue changes it. */
export interface Entry extends QueueFile {
  readonly item: QueueItem
  /** Bytes of its source, as far as it takes no opening to know them. */
  size: number
  /** What its list was added with, in place of the queue's options. */
  options?: QueueOptions
  upload?: Upload | undefined
  /** Of one that is retried, while it waits for room: lets it begin. */
  start?: (() => void) | undefined
  file?: UploadedFile | undefined
  error?: unknown
}

const entryOf = (item: QueueItem, name: string, error?: unknown): Entry => ({
  item,
  source: item.source,
  name,
  size: 0,
  error
})

const isTree = (given: unknown): given is Tree => has(given, "isSameEntry", "isDirectory")

const isItem = (given: unknown): given is DataTransferItem => has(given, "getAsFile")

const isEntry = (given: unknown): given is QueueEntry => {
  const { directory, source } = Object(given)
  return isTree(directory) || typeof directory === "string" ||
    [source, given].some(isSource) || isTree(given) || isItem(given)
}

const nameOf = (source: UploadSource): string =>
  typeof source === "string" || source instanceof URL
    ? (source instanceof URL ? decodeURIComponent(source.pathname) : source).split(/[/\\]/).at(-1)!
    : (source as Partial<File>).name ?? ""

/** The files of an entry. */
const filesOf = async function*(entry: QueueEntry, { walkPath }: Platform, at: string): AsyncGenerator<Entry> {
  if (isSource(entry)) {
    // A browser tells the path of a file that came with a directory.
    return yield entryOf({ source: entry }, (entry as Partial<File>).webkitRelativePath || nameOf(entry))
  }
  if ("source" in entry) {
    knownOnly(entry, itemNames, at)
    return yield entryOf(entry, entry.fileName ?? nameOf(entry.source))
  }
  if ("directory" in entry) knownOnly(entry, directoryNames, at)
  const tree = "directory" in entry ? entry.directory : entry as FileSystemHandle
  const walked: AsyncIterable<WalkedTree> = typeof tree === "string"
    ? walkPath(tree)
    : (await loaded(import("./walkTree.ts"))).walkTree(tree)
  for await (const { cause, path, source } of walked) {
    yield entryOf({ source }, path, cause && unreadable(path, cause))
  }
}

/** What was dropped has to be asked for before the event of dropping ends. Texts are dropped too, and are no files. */
const taken = (given: unknown): ReadonlyArray<unknown> =>
  isItem(given) ? given.kind === "file" ? [given.webkitGetAsEntry?.() ?? given.getAsFile()] : [] : [given]

const must = `must be ${sources}, { source } or { directory }`

/** The files of what is given, one after the other. Fails at once when that is neither an entry nor a list. */
export const entriesOf = (list: QueueList, platform: Platform): AsyncGenerator<Entry> => {
  const given: unknown = isEntry(list) ? [list] : (list as Partial<DataTransfer> | null)?.items ?? list
  if (!has(given, "length", Symbol.iterator, Symbol.asyncIterator)) {
    throw invalid("list", `${must}, or a list`)
  }
  const entries = has(given, "length")
    ? Array.from(given as ArrayLike<unknown>).flatMap(taken)
    : given as AsyncIterable<unknown>
  return (async function*() {
    let place = 0
    const broken = (error: unknown, source = "") => entryOf({ source }, `list[${place}]`, error)
    try {
      for await (const one of entries) {
        for (const entry of taken(one)) {
          try {
            const at = `list[${place}]`
            if (!isEntry(entry)) throw invalid(at, must)
            for await (const file of filesOf(entry, platform, `${at}.`)) {
              const { byteLength, size } = Object(file.source)
              const bytes = size ?? byteLength ?? await platform.sizeOf?.(file.source)
              // What is no size is refused when the source is opened.
              if (Number.isSafeInteger(bytes) && bytes > 0) file.size = bytes
              yield file
            }
          } catch (error) {
            yield broken(error, entry as string)
          }
        }
        // A list that has all of its entries at once, even without an end, lets others run.
        if (++place % restAfter === 0) await sleep(0)
      }
    } catch (error) {
      // The list itself: what is behind is not known.
      yield broken(error)
    }
  })()
}
