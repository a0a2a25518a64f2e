/**
 * PGlite on a directory, so that what it acknowledged survives a power cut.
 *
 * Out of the box nothing is ever synced: PGlite is started with `-F`, and its
 * file system on Node has no `fsync` at all, so PostgreSQL's calls succeed
 * without effect.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, statSync } from "node:fs"
import * as path from "node:path"
import { DiskReserve, type RoomLeft } from "../DiskReserve.ts"
import { checkDirectory, DirectoryGone, foundNoRoom, identityOf, whyNotOpened } from "./PgliteDirectory.ts"
import { openEngine, type PgliteEngine } from "./PgliteEngine.ts"
import { makeDatabase, syncPath } from "./PgliteMaking.ts"
import type { WireBackend } from "./PgliteWire.ts"
import { SyncAhead } from "./SyncAhead.ts"
import { freeBytes, isSegment, keepRoom, segmentsBetweenCheckpoints, startBytes } from "./WriteAheadLog.ts"

/** What Emscripten gives a file system of Node's: an open file has `nfd`, an open directory only its node. */
interface NodeFsModule {
  readonly NODEFS: {
    readonly realPath: (node: unknown) => string
    readonly node_ops: {
      mknod: (parent: unknown, name: string, mode: number, ...rest: ReadonlyArray<unknown>) => unknown
    }
    readonly stream_ops: {
      fsync?: (stream: NodeFsStream) => number
      write: (stream: NodeFsStream, ...rest: WriteArguments) => number
    }
  }
}

/** The buffer, where in it the bytes begin, how many they are, and where in the file they go. */
type WriteArguments = [buffer: unknown, offset: number, length: number, position: number]

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
  /** The database existed a moment ago: a new one would lack what was acknowledged. */
  readonly mustExist?: boolean
  /** Where the drive's tables will be, when the database is made. */
  readonly schema?: string | undefined
  /** The disk is full, and the database could not write what it must. It may never answer again. Called during a statement. */
  readonly onDiskFull: () => void
  /** It has stopped working permanently. */
  readonly onFail: (cause: unknown) => void
  /** Some of the reserve was given up, for a statement or between two. */
  readonly onReserveGiven: (left: RoomLeft) => void
}

export interface OnDisk extends PgliteEngine {
  /** Returns how much room is left, after refilling the reserve as far as possible. Throws when the directory is gone. */
  readonly refill: () => RoomLeft
}

/** Kept for deletions: to delete a row PostgreSQL writes first. */
const reserveBytes = 32 * 1_024 * 1_024

/** What statements may add until it is noticed that only the reserve is left. */
const marginBytes = 16 * 1_024 * 1_024

/** A checkpoint that is not urgent waits until no statement has come for so long. */
const idleMillis = 500

/** What a file system may take for a new file's name and itself. */
const newFileBytes = 32 * 1_024

/** Of a file's mode, the bits that tell its kind, and those of one that holds bytes. */
const [kindBits, isBytes] = [0o170000, 0o100000]

/** Temporary files of sorts: they may have any size, and are deleted with their statement. */
const isTemporary = ({ parent }: NodeFsNode): boolean => parent.name === "pgsql_tmp"

/** Tables and indexes lie in directories that are called by the number of their database. */
const isTable = ({ parent }: NodeFsNode): boolean => parent.name === "global" || /^\d+$/.test(parent.name)

const openDirectory = async (
  { directory, onDiskFull, onFail }: Omit<DiskOptions, "onReserveGiven" | "schema">,
  reserve: DiskReserve
): Promise<PgliteEngine> => {
  /** Of the log, since the last checkpoint. */
  const used = new Set<string>()
  let pathOf: (node: unknown) => string = () => ""
  const syncAhead = new SyncAhead<NodeFsNode>((node) => pathOf(node), onFail)
  let isCheckpoint = false
  /** The last PANIC of PostgreSQL's, which is its last line. */
  let panic = "PostgreSQL was aborted."
  let hasAborted = false
  let isOpen = false
  /** PGlite passes over it and would give the next message to what is left of PostgreSQL. Opening fails by itself. */
  const onAbort = () => {
    if (!isOpen) return
    hasAborted = true
    if (freeBytes(directory) < startBytes) onDiskFull()
    else onFail(new Error(panic))
  }
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
        /** Writes everything: where there is room for a part only, that part is written, and PostgreSQL would take it for a full disk. */
        const writeWhole = (stream: NodeFsStream, ...[buffer, offset, length, position]: WriteArguments): number => {
          let done = 0
          while (done < length) {
            const left = length - done
            done += reserve.lend(left, () => write(stream, buffer, offset + done, left, position + done))
          }
          return length
        }
        NODEFS.stream_ops.write = (stream, ...rest) => {
          if (hasAborted) throw new Error(panic)
          if (isTemporary(stream.node)) return write(stream, ...rest)
          if (stream.node.parent.name !== "pg_wal") {
            if (isTable(stream.node)) syncAhead.wrote(stream.node)
            return writeWhole(stream, ...rest)
          }
          if (isSegment(stream.node.name) && !used.has(stream.node.name)) {
            used.add(stream.node.name)
            syncAhead.begin()
          }
          try {
            return writeWhole(stream, ...rest)
          } catch (error) {
            if (foundNoRoom(error)) onDiskFull()
            throw error
          }
        }
      }
      /** A new file takes room too, on most disks: it is there before PGlite makes it. */
      const lendToFiles = ({ NODEFS }: NodeFsModule) => {
        const { mknod } = NODEFS.node_ops
        NODEFS.node_ops.mknod = (parent, name, mode, ...rest) => {
          if ((mode & kindBits) === isBytes) {
            reserve.lend(newFileBytes, () => closeSync(openSync(path.join(NODEFS.realPath(parent), name), "a", 0o600)))
          }
          return mknod(parent, name, mode, ...rest)
        }
      }
      const preRun = [...emscriptenOpts.preRun ?? [], (module: unknown) => {
        addSync(module as NodeFsModule)
        watchLog(module as NodeFsModule)
        lendToFiles(module as NodeFsModule)
      }]
      return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort } } as Awaited<
        ReturnType<typeof NodeFS.prototype.init>
      >
    }
  }
  const checkpoint = (run: (sql: string) => boolean) => {
    isCheckpoint = true
    if (run("CHECKPOINT")) used.clear()
    isCheckpoint = false
  }
  let idle: NodeJS.Timeout | undefined
  const onStderr = (line: string): boolean => {
    const found = /PANIC: .*/.exec(line)
    if (found !== null) panic = found[0]
    return false
  }
  const afterBatch: WireBackend["afterBatch"] = (run, isFree) => {
    if (hasAborted) return
    // A statement that is running may finish, if it does so soon.
    if (used.size > segmentsBetweenCheckpoints + (isFree ? 0 : 1)) checkpoint(run)
    else if (idle !== undefined) idle.refresh()
    else if (used.size > 1) {
      idle = setTimeout(() => {
        idle = undefined
        if (used.size > 1 && !engine.pglite.closed && !hasAborted) checkpoint(run)
      }, idleMillis).unref()
    }
  }
  // wal_sync_method: the default goes to Emscripten's fdatasync, which does nothing.
  const engine = await openEngine(
    { fs: new SyncingNodeFs(directory), onStderr },
    {
      parameters: (given) => [...given.filter((parameter) => parameter !== "-F"), "-c", "wal_sync_method=fsync"],
      afterBatch,
      onFail
    }
  )
  isOpen = true
  return engine
}

/**
 * Opens the database in `directory`, and makes it when it is missing.
 */
export const openOnDisk = async (
  { directory, mustExist = false, onReserveGiven, schema, ...events }: DiskOptions
): Promise<OnDisk> => {
  const data = path.join(directory, "data")
  if (mustExist && identityOf(data) === undefined) throw new DirectoryGone(data)
  if (!existsSync(data)) await makeDatabase(directory, data, { schema })
  checkDirectory(data)
  const place = path.join(directory, "deletions.reserve")
  keepRoom(data, path.join(directory, "log.reserve"), statSync(place, { throwIfNoEntry: false })?.size ?? 0)
  const reserve = new DiskReserve(place, {
    bytes: reserveBytes,
    marginBytes,
    isFull: foundNoRoom,
    onGiven: onReserveGiven
  })
  try {
    const engine = await openDirectory({ directory: data, ...events }, reserve)
    const identity = identityOf(data)
    const refill = () => {
      // Its open files would still work, but what is written to them would be lost.
      if (identityOf(data) !== identity) throw new DirectoryGone(data)
      return reserve.refill()
    }
    return { ...engine, refill }
  } catch (cause) {
    throw whyNotOpened(data, cause)
  }
}
