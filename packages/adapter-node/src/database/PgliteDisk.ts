/**
 * PGlite on a directory, so that what it acknowledged survives a power cut.
 *
 * Out of the box nothing is ever synced: PGlite is started with `-F`, and its
 * file system on Node has no `fsync` at all, so PostgreSQL's calls succeed
 * without effect.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync
} from "node:fs"
import * as path from "node:path"
import { openEngine, type PgliteEngine } from "./PgliteEngine.ts"

/** What Emscripten gives a file system of Node's: an open file has `nfd`, an open directory only its node. */
interface NodeFsModule {
  readonly NODEFS: {
    readonly realPath: (node: unknown) => string
    readonly stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: unknown }) => number }
  }
}

const syncPath = (place: string) => {
  const descriptor = openSync(place, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const syncTree = (directory: string): void => {
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) {
      syncPath(path.join(entry.parentPath, entry.name))
    }
  }
  syncPath(directory)
}

const openDirectory = async (directory: string): Promise<PgliteEngine> => {
  const { NodeFS } = await import("@electric-sql/pglite/nodefs")
  class SyncingNodeFs extends NodeFS {
    override async init(...[pglite, options]: Parameters<typeof NodeFS.prototype.init>) {
      const { emscriptenOpts } = await super.init(pglite, options)
      const addSync = ({ NODEFS }: NodeFsModule) => {
        NODEFS.stream_ops.fsync = ({ nfd, node }) => {
          if (nfd === undefined) {
            syncPath(NODEFS.realPath(node))
          } else {
            fdatasyncSync(nfd)
          }
          return 0
        }
      }
      const preRun = [...emscriptenOpts.preRun ?? [], (module: unknown) => addSync(module as NodeFsModule)]
      return { emscriptenOpts: { ...emscriptenOpts, preRun } } as Awaited<ReturnType<typeof NodeFS.prototype.init>>
    }
  }
  // wal_sync_method: the default goes to Emscripten's fdatasync, which does nothing.
  return openEngine(
    { fs: new SyncingNodeFs(directory) },
    (parameters) => [...parameters.filter((parameter) => parameter !== "-F"), "-c", "wal_sync_method=fsync"]
  )
}

/**
 * Opens the database in `directory`, making it when there is none. A new one is
 * made aside and renamed when it is whole and synced, so a crash leaves none or all.
 */
export const openOnDisk = async (directory: string): Promise<PgliteEngine> => {
  const data = path.join(directory, "data")
  if (!existsSync(data)) {
    const unfinished = path.join(directory, "data.unfinished")
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    // Unsynced while it is being made, which takes thousands of writes, and synced once as a whole.
    const { NodeFS } = await import("@electric-sql/pglite/nodefs")
    const { pglite } = await openEngine({ fs: new NodeFS(unfinished) })
    await pglite.close()
    syncTree(unfinished)
    renameSync(unfinished, data)
    syncPath(directory)
  }
  return openDirectory(data)
}
