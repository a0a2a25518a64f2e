/** Files that were dropped, picked or pasted, with the folders they were in. */

export interface Chosen {
  readonly file: File
  /** Like `Trip/Day 1`; empty for none. */
  readonly folder: string
  readonly handle: FileSystemFileHandle | null
}

/** What systems put into folders for themselves. */
const isOfSystem = (name: string): boolean => /^(?:\.ds_store|thumbs\.db|desktop\.ini|\._.*)$/i.test(name)

type Handle = FileSystemFileHandle | FileSystemDirectoryHandle

interface HandleItem extends DataTransferItem {
  readonly getAsFileSystemHandle?: () => Promise<Handle | null>
}

const path = (folder: string, name: string): string => folder === "" ? name : `${folder}/${name}`

async function* ofHandle(handle: Handle, folder: string): AsyncGenerator<Chosen> {
  if (handle.kind === "file") return yield { file: await handle.getFile(), folder, handle }
  for await (const inside of handle.values()) {
    if (!isOfSystem(inside.name)) yield* ofHandle(inside as Handle, path(folder, handle.name))
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** A directory is read in pieces, until one is empty. */
async function* entriesIn(entry: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = entry.createReader()
  for (;;) {
    const some = await new Promise<Array<FileSystemEntry>>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return
    yield* some
  }
}

async function* ofEntry(entry: FileSystemEntry, folder: string): AsyncGenerator<Chosen> {
  if (entry.isFile) return yield { file: await fileOf(entry as FileSystemFileEntry), folder, handle: null }
  for await (const inside of entriesIn(entry as FileSystemDirectoryEntry)) {
    if (!isOfSystem(inside.name)) yield* ofEntry(inside, path(folder, entry.name))
  }
}

/** What was dropped. Everything is taken hold of at once: after the event the browser gives nothing any more. */
export const ofDrop = (transfer: DataTransfer): AsyncGenerator<Chosen> => {
  const taken = [...transfer.items].filter(({ kind }) => kind === "file").map((item: HandleItem) => ({
    file: item.getAsFile(),
    entry: item.webkitGetAsEntry?.() ?? null,
    // It fails where the page is not secure, and for what is no file of the system's.
    handle: item.getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null)
  }))
  return (async function*() {
    for (const { entry, file, handle } of taken) {
      const found = await handle
      if (found !== null) yield* ofHandle(found, "")
      else if (entry !== null) yield* ofEntry(entry, "")
      else if (file !== null) yield { file, folder: "", handle: null }
    }
  })()
}

/** What a field for files has; in a folder's field each file knows its path. */
export async function* ofList(files: Iterable<File>): AsyncGenerator<Chosen> {
  for (const file of files) {
    const folder = (file.webkitRelativePath ?? "").split("/").slice(0, -1).join("/")
    if (folder === "" || !isOfSystem(file.name)) yield { file, folder, handle: null }
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** What was pasted. A picture has no name of its own: browsers call every one of them `image.png`. */
export const pasted = (files: ReadonlyArray<File>, now: Date): ReadonlyArray<File> =>
  files.map((file, place) => {
    if (!/^image\.\w+$/.test(file.name)) return file
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join("-")
    const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join(".")
    const name = file.name.replace("image", `image ${day} ${time}${place === 0 ? "" : ` ${place + 1}`}`)
    return new File([file], name, { type: file.type, lastModified: now.getTime() })
  })
