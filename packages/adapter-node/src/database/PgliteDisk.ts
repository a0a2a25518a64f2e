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
import { checkDirectory, noRoom, whyNotOpened } from "./PgliteDirectory.ts"
import { openEngine, type PgliteEngine } from "./PgliteEngine.ts"
import type { WireBackend } from "./PgliteWire.ts"
import { SyncAhead } from "./SyncAhead.ts"
import { isSegment, keepRoom, segmentsBetweenCheckpoints } from "./WriteAheadLog.ts"

/** What Emscripten gives a file system of Node's: an open file has `nfd`, an open directory only its node. */
interface NodeFsModule {
  readonly NODEFS: {
    readonly realPath: (node: unknown) => string
    readonly stream_ops: {
      fsync?: (stream: NodeFsStream) => number
      write: (stream: NodeFsStream, ...rest: ReadonlyArray<unknown>) => number
    }
  }
}

interface NodeFsNode {
  readonly name: string
  readonly parent: { readonly name: string }
}

interface NodeFsStream {
  readonly nfd?: number
  readonly node: NodeFsNode
}

export interface DiskOptions {
  readonly directory: string
  /** The disk has no room for the log any more; the database may never answer again. Called from within a statement. */
  readonly onLogFull: () => void
  /** It has stopped working for good. */
  readonly onFail: (cause: unknown) => void
}

/** A checkpoint that is not urgent waits until nobody has asked for anything for so long. */
const idleMillis = 500

/** Tables and indexes lie in directories that are called by the number of their database. */
const isTable = ({ parent }: NodeFsNode): boolean => parent.name === "global" || /^\d+$/.test(parent.name)

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

const openDirectory = async ({ directory, onFail, onLogFull }: DiskOptions): Promise<PgliteEngine> => {
  /** Of the log, since the last checkpoint. */
  const used = new Set<string>()
  let pathOf: (node: unknown) => string = () => ""
  const syncAhead = new SyncAhead<NodeFsNode>((node) => pathOf(node), onFail)
  let isCheckpoint = false
  const { NodeFS } = await import("@electric-sql/pglite/nodefs")
  class SyncingNodeFs extends NodeFS {
    override async init(...[pglite, options]: Parameters<typeof NodeFS.prototype.init>) {
      const { emscriptenOpts } = await super.init(pglite, options)
      const addSync = ({ NODEFS }: NodeFsModule) => {
        pathOf = NODEFS.realPath
        NODEFS.stream_ops.fsync = ({ nfd, node }) => {
          // By now it has written all it will write of them.
          if (isCheckpoint && isTable(node)) syncAhead.hurry()
          if (nfd === undefined) {
            syncPath(NODEFS.realPath(node))
          } else {
            fdatasyncSync(nfd)
          }
          return 0
        }
      }
      const watchLog = ({ NODEFS }: NodeFsModule) => {
        const { write } = NODEFS.stream_ops
        NODEFS.stream_ops.write = (stream, ...rest) => {
          if (stream.node.parent.name !== "pg_wal") {
            if (isTable(stream.node)) syncAhead.wrote(stream.node)
            return write(stream, ...rest)
          }
          if (isSegment(stream.node.name) && !used.has(stream.node.name)) {
            used.add(stream.node.name)
            syncAhead.begin()
          }
          try {
            return write(stream, ...rest)
          } catch (error) {
            if (noRoom.has((error as { readonly errno?: number }).errno ?? 0)) onLogFull()
            throw error
          }
        }
      }
      const preRun = [...emscriptenOpts.preRun ?? [], (module: unknown) => {
        addSync(module as NodeFsModule)
        watchLog(module as NodeFsModule)
      }]
      return { emscriptenOpts: { ...emscriptenOpts, preRun } } as Awaited<ReturnType<typeof NodeFS.prototype.init>>
    }
  }
  const checkpoint = (run: (sql: string) => boolean) => {
    isCheckpoint = true
    if (run("CHECKPOINT")) used.clear()
    isCheckpoint = false
  }
  let idle: NodeJS.Timeout | undefined
  const afterBatch: WireBackend["afterBatch"] = (run, isFree) => {
    // One that is in the middle of something is let through to its end, if that comes soon.
    if (used.size > segmentsBetweenCheckpoints + (isFree ? 0 : 1)) checkpoint(run)
    else if (idle !== undefined) idle.refresh()
    else if (used.size > 1) {
      idle = setTimeout(() => {
        idle = undefined
        if (used.size > 1 && !engine.pglite.closed) checkpoint(run)
      }, idleMillis).unref()
    }
  }
  // wal_sync_method: the default goes to Emscripten's fdatasync, which does nothing.
  const engine = await openEngine(
    { fs: new SyncingNodeFs(directory) },
    {
      parameters: (given) => [...given.filter((parameter) => parameter !== "-F"), "-c", "wal_sync_method=fsync"],
      afterBatch,
      onFail
    }
  )
  return engine
}

/**
 * Opens the database in `directory`, making it when there is none. A new one is
 * made aside and renamed when it is whole and synced, so a crash leaves none or all.
 */
export const openOnDisk = async ({ directory, ...events }: DiskOptions): Promise<PgliteEngine> => {
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
  checkDirectory(data)
  keepRoom(data, path.join(directory, "log.reserve"))
  try {
    return await openDirectory({ directory: data, ...events })
  } catch (cause) {
    throw whyNotOpened(data, cause)
  }
}
