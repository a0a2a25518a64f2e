/**
 * Begins to open PGlite on a directory that is known later, and makes what it acknowledges survive a power cut.
 *
 * Out of the box nothing is ever synced: PGlite is started with `-F`, and its
 * file system on Node has no `fsync` at all, so PostgreSQL's calls succeed
 * without effect.
 */
import type * as Pglite from "@electric-sql/pglite"
import { closeSync, fdatasyncSync, openSync } from "node:fs"
import * as path from "node:path"
import type { DiskReserve } from "../DiskReserve.ts"
import { optimiseLater } from "./ParserTier.ts"
import { foundNoRoom } from "./PgliteDirectory.ts"
import { openEngine, type PgliteEngine } from "./PgliteEngine.ts"
import { syncPath } from "./PgliteMaking.ts"
import type { WireBackend } from "./PgliteWire.ts"
import { SyncAhead } from "./SyncAhead.ts"
import { freeBytes, isSegment, segmentsBetweenCheckpoints, startBytes } from "./WriteAheadLog.ts"

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

/** Where the database's files are, and what is called when something befalls them. */
export interface Place {
  readonly directory: string
  readonly reserve: DiskReserve
  /** The disk is full, and the database could not write what it must. It may never answer again. Called during a statement. */
  readonly onDiskFull: () => void
  /** It has stopped working permanently. */
  readonly onFail: (cause: unknown) => void
}

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

type Filesystem = NonNullable<Pglite.PGliteOptions["fs"]>

/** A PGlite that has done what it can do without its files. */
export interface BegunEngine {
  /** Opens the database in this place, whose files have been checked. */
  readonly openIn: (place: Place) => Promise<PgliteEngine>
}

/**
 * Begins to start PostgreSQL. To compile and link it takes longer than to open files, and can be done while nobody knows yet which.
 * What fails is thrown by `openIn`.
 */
export const beginEngine = (): BegunEngine => {
  const { promise: known, resolve: tell } = Promise.withResolvers<Place>()
  /** Files are written only when it is known. */
  let place: Place | undefined
  /** Of the log, since the last checkpoint. */
  const used = new Set<string>()
  let pathOf: (node: unknown) => string = () => ""
  const syncAhead = new SyncAhead<NodeFsNode>((node) => pathOf(node), (cause) => place?.onFail(cause))
  let isCheckpoint = false
  /** The last PANIC of PostgreSQL's, which is its last line. */
  let panic = "PostgreSQL was aborted."
  let hasAborted = false
  let isOpen = false
  /** PGlite passes over it and would give the next message to what is left of PostgreSQL. Opening fails by itself. */
  const onAbort = () => {
    if (!isOpen || place === undefined) return
    hasAborted = true
    if (freeBytes(place.directory) < startBytes) place.onDiskFull()
    else place.onFail(new Error(panic))
  }
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
        done += place!.reserve.lend(left, () => write(stream, buffer, offset + done, left, position + done))
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
        if (foundNoRoom(error)) place!.onDiskFull()
        throw error
      }
    }
  }
  /** A new file takes room too, on most disks: it is there before PGlite makes it. */
  const lendToFiles = ({ NODEFS }: NodeFsModule) => {
    const { mknod } = NODEFS.node_ops
    NODEFS.node_ops.mknod = (parent, name, mode, ...rest) => {
      if ((mode & kindBits) === isBytes) {
        place!.reserve.lend(
          newFileBytes,
          () => closeSync(openSync(path.join(NODEFS.realPath(parent), name), "a", 0o600))
        )
      }
      return mknod(parent, name, mode, ...rest)
    }
  }

  /** Node's files, whose place is known when the rest is ready. */
  class LateFiles implements Filesystem {
    #pglite: Pglite.PGlite | undefined
    #files: Filesystem | undefined

    init(...[pglite, options]: Parameters<Filesystem["init"]>): ReturnType<Filesystem["init"]> {
      this.#pglite = pglite
      const prepare = (module: unknown) => {
        addSync(module as NodeFsModule)
        watchLog(module as NodeFsModule)
        lendToFiles(module as NodeFsModule)
      }
      return Promise.resolve({ emscriptenOpts: { ...options, preRun: [...options.preRun ?? [], prepare], onAbort } })
    }

    async initialSyncFs(): Promise<void> {
      const { NodeFS } = await nodeFiles
      place = await known
      const pglite = this.#pglite!
      this.#files = new NodeFS(place.directory)
      const { emscriptenOpts } = await this.#files.init(pglite, {})
      for (const mount of emscriptenOpts.preRun ?? []) mount(pglite.Module)
    }

    syncToFs(): Promise<void> {
      return Promise.resolve()
    }

    async closeFs(): Promise<void> {
      await this.#files?.closeFs()
    }

    dumpTar(...given: Parameters<Filesystem["dumpTar"]>): ReturnType<Filesystem["dumpTar"]> {
      return this.#files!.dumpTar(...given)
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
        if (used.size > 1 && opened?.pglite.closed === false && !hasAborted) checkpoint(run)
      }, idleMillis).unref()
    }
  }
  let opened: PgliteEngine | undefined
  const nodeFiles = import("@electric-sql/pglite/nodefs")
  optimiseLater()
  // wal_sync_method: the default goes to Emscripten's fdatasync, which does nothing.
  const engine = openEngine(
    { fs: new LateFiles(), onStderr },
    {
      parameters: (given) => [...given.filter((parameter) => parameter !== "-F"), "-c", "wal_sync_method=fsync"],
      afterBatch,
      onFail: (cause) => place?.onFail(cause)
    }
  )
  // It may be that nobody asks for it.
  for (const begun of [nodeFiles, engine]) begun.catch(() => undefined)
  return {
    openIn: async (where) => {
      tell(where)
      opened = await engine
      isOpen = true
      return opened
    }
  }
}
