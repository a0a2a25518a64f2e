/**
 * PGlite in memory, in this thread: for tests and tools.
 *
 * A long query blocks the whole thread, so a serving process uses
 * {@link file://./Pglite.ts} instead.
 */
import { PgClient } from "@effect/sql-pg"
import { StatementTime } from "@filedrive/core"
import { Context, Effect, Layer } from "effect"
import { loadPglite, openEngine } from "./PgliteEngine.ts"
import { backgroundName, type PgliteWire } from "./PgliteWire.ts"
import { readPrepared } from "./PreparedDatabase.ts"
import * as WatchedClient from "./WatchedClient.ts"
import type { Admission } from "./WatchedConnection.ts"

/** Connections cost nothing, so they are never closed for being idle. */
const wireConfig = (stream: PgliteWire["connect"]): PgClient.PgPoolConfig => (
  { stream, ssl: false, username: "postgres", maxConnections: 8, connectTimeout: "1 minute" }
)

/** A client on a PGlite's wire. */
export const wireClient = (stream: PgliteWire["connect"]) => PgClient.layer(wireConfig(stream))

/** The same; `watch` is told how long its statements may take. */
export const watchedWireClient = (
  stream: PgliteWire["connect"],
  watch: WatchedClient.StatementWatch,
  admission?: Admission
) =>
  WatchedClient.layer({
    ...wireConfig(stream),
    // Statements of a transaction are sent ahead; others have a connection each.
    multiplex: true,
    multiplexConcurrency: 1,
    statementTimeout: StatementTime.ordinary,
    watch,
    boundsWaits: false,
    backgroundName,
    ...(admission && { admission })
  })

export interface MemoryOptions {
  /** The `dump` of another database of the same version of PGlite. */
  readonly dump?: Blob
  /** The file of a prepared database to begin with. It is ignored when it can't be read or opened. */
  readonly prepared?: URL
}

/** Where PGlite looks for its files. */
const dataPath = "/pglite/data"

/** A file system in memory that contains the prepared database; undefined when the file can't be read. */
const preparedFiles = async (file: URL) => {
  const prepared = readPrepared(file)
  if (prepared === undefined) return undefined
  const { MemoryFS } = await loadPglite()
  const { bytes, directories, files } = prepared
  class PreparedFiles extends MemoryFS {
    /** Called before PGlite looks whether there is a database. */
    override initialSyncFs(): Promise<void> {
      const { FS } = this.pg!.Module
      for (const directory of ["", ...directories]) FS.mkdirTree(`${dataPath}/${directory}`, 0o700)
      for (const { length, offset, path, size } of files) {
        const whole = new Uint8Array(size)
        whole.set(bytes.subarray(offset, offset + length))
        FS.writeFile(`${dataPath}/${path}`, whole, { canOwn: true })
      }
      return Promise.resolve()
    }
  }
  return new PreparedFiles()
}

const open = async ({ dump, prepared }: MemoryOptions) => {
  if (dump !== undefined) return openEngine({ loadDataDir: dump })
  const fs = prepared === undefined ? undefined : await preparedFiles(prepared)
  // It may be refused by another version of PGlite than the one that made it.
  return fs === undefined ? openEngine({}) : openEngine({ fs }).catch(() => openEngine({}))
}

/** One PGlite and the wire that many clients may connect to. */
export class PgliteMemory extends Context.Service<PgliteMemory, {
  readonly wire: PgliteWire
  /** The whole database as a tar archive, for the `dump` of a later one. */
  readonly dump: Effect.Effect<Blob>
}>()("@filedrive/adapter-node/database/PgliteMemory") {
  /** Making a database takes a second or two; a `dump` or a prepared one saves most of it. */
  static readonly layer = (options: MemoryOptions = {}) =>
    Layer.effect(
      PgliteMemory,
      Effect.gen(function*() {
        const { pglite, wire } = yield* Effect.acquireRelease(
          Effect.promise(() => open(options)),
          ({ pglite }) => Effect.promise(() => pglite.close())
        )
        return PgliteMemory.of({ wire, dump: Effect.promise(() => pglite.dumpDataDir("none")) })
      })
    )

  /** A client on the PGlite in context. */
  static readonly client = Layer.unwrap(Effect.map(PgliteMemory, ({ wire }) => wireClient(wire.connect)))
}

/** A database of its own in memory. */
export const layerMemory = PgliteMemory.client.pipe(Layer.provide(PgliteMemory.layer()))
