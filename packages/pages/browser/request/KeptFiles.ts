/**
 * Files over a reload, in IndexedDB. Where the browser gives a handle of a file, the handle is kept, of whatever size the file is; else small
 * files are kept themselves, such as what was pasted. Others are asked for again.
 */

/** Most bytes of a file that is kept itself, and of all such files. */
const fileMaxBytes = 32 * 1024 ** 2
const allMaxBytes = 256 * 1024 ** 2

interface KeptFile {
  readonly request: string
  readonly file: File | FileSystemFileHandle
}

type Access = "granted" | "denied" | "prompt"

/** Not in the compiler's library yet. */
interface AskedHandle extends FileSystemFileHandle {
  readonly queryPermission?: (options: { readonly mode: "read" }) => Promise<Access>
  readonly requestPermission?: (options: { readonly mode: "read" }) => Promise<Access>
}

export interface FoundFile {
  readonly key: string
  readonly file: File | null
  /** To be asked for by {@link askAgain}, which needs a click. */
  readonly handle: FileSystemFileHandle | null
}

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error))
  })

let opened: Promise<IDBDatabase> | undefined

const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
  const database = await (opened ??= (() => {
    const request = indexedDB.open("filedrive:requests", 1)
    request.onupgradeneeded = () => request.result.createObjectStore("files").createIndex("request", "request")
    return settled(request)
  })())
  return database.transaction("files", mode).objectStore("files")
}

const keyOf = (request: string, key: string): string => `${request} ${key}`

const isHandle = (file: File | FileSystemFileHandle): file is FileSystemFileHandle => !(file instanceof Blob)

/** A browser in private mode may keep nothing: then files are asked for again. */
const orNothing = async <A>(work: () => Promise<A>, nothing: A): Promise<A> => {
  try {
    return await work()
  } catch {
    return nothing
  }
}

export const makeKeptFiles = (request: string) => {
  let keptBytes = 0
  return {
    keep: (key: string, file: File, handle: FileSystemFileHandle | null): Promise<void> =>
      orNothing(async () => {
        if (handle === null) {
          if (file.size > fileMaxBytes || keptBytes + file.size > allMaxBytes) return
          keptBytes += file.size
        }
        await settled((await store("readwrite")).put({ request, file: handle ?? file }, keyOf(request, key)))
      }, undefined),
    forget: (key: string): Promise<void> =>
      orNothing(async () => void await settled((await store("readwrite")).delete(keyOf(request, key))), undefined),
    forgetAll: (): Promise<void> =>
      orNothing(async () => {
        const files = await store("readwrite")
        const keys = await settled(files.index("request").getAllKeys(request))
        await Promise.all(keys.map((key) => settled(files.delete(key))))
        keptBytes = 0
      }, undefined),
    /** The file of a key, if it is kept. One whose handle asks first comes as its handle. */
    find: (key: string): Promise<FoundFile> =>
      orNothing<FoundFile>(async () => {
        const kept: KeptFile | undefined = await settled((await store("readonly")).get(keyOf(request, key)))
        if (kept === undefined) return { key, file: null, handle: null }
        if (!isHandle(kept.file)) return { key, file: kept.file, handle: null }
        const handle: AskedHandle = kept.file
        const access = await handle.queryPermission?.({ mode: "read" }) ?? "granted"
        return access === "granted" ? { key, file: await handle.getFile(), handle } : { key, file: null, handle }
      }, { key, file: null, handle: null })
  }
}

export type KeptFiles = ReturnType<typeof makeKeptFiles>

/** Keeps nothing: of a second tab, so that it takes nothing from the first. */
export const noKeptFiles: KeptFiles = {
  keep: async () => {},
  forget: async () => {},
  forgetAll: async () => {},
  find: async (key) => ({ key, file: null, handle: null })
}

/** Asks for a file whose handle was kept; null when the reader refuses, or the file is gone. Only in answer to a click. */
export const askAgain = (handle: FileSystemFileHandle): Promise<File | null> =>
  orNothing(async () => {
    const access = await (handle as AskedHandle).requestPermission?.({ mode: "read" })
    return access === "granted" ? await handle.getFile() : null
  }, null)
