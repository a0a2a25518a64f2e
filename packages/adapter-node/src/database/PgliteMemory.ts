/**
 * PGlite in memory, in this thread: for tests and tools.
 *
 * A long query blocks the whole thread, so a serving process uses
 * {@link file://./Pglite.ts} instead.
 */
import { PgClient } from "@effect/sql-pg"
import { StatementTime } from "@filedrive/core"
import { Context, Effect, Layer } from "effect"
import { openEngine } from "./PgliteEngine.ts"
import { backgroundName, type PgliteWire } from "./PgliteWire.ts"
import * as WatchedClient from "./WatchedClient.ts"

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
  admission?: WatchedClient.Admission
) =>
  WatchedClient.layer({
    ...wireConfig(stream),
    statementTimeout: StatementTime.ordinary,
    watch,
    boundsWaits: false,
    backgroundName,
    ...(admission && { admission })
  })

/** One PGlite and the wire that many clients may connect to. */
export class PgliteMemory extends Context.Service<PgliteMemory, {
  readonly wire: PgliteWire
  /** The whole database as a tar archive, for the `dump` of a later one. */
  readonly dump: Effect.Effect<Blob>
}>()("@filedrive/adapter-node/database/PgliteMemory") {
  /** `dump`, of the same version of PGlite, saves the second or two that making a database takes. */
  static readonly layer = (options: { readonly dump?: Blob } = {}) =>
    Layer.effect(
      PgliteMemory,
      Effect.gen(function*() {
        const { pglite, wire } = yield* Effect.acquireRelease(
          Effect.promise(() => openEngine(options.dump === undefined ? {} : { loadDataDir: options.dump })),
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
