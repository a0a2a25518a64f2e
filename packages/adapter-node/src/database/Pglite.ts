/**
 * The embedded database of a serving process: PGlite in a worker thread, on a
 * directory that this process alone may use.
 */
import { DatabaseSchema, SoleProcess, WritePurpose } from "@filedrive/core"
import { Config, Effect, Layer, Schema } from "effect"
import { makeDirectories } from "../makeDirectories.ts"
import * as Autovacuum from "./Autovacuum.ts"
import { lockDirectory } from "./DirectoryLock.ts"
import { loadPglite } from "./PgliteEngine.ts"
import { watchedWireClient } from "./PgliteMemory.ts"
import { PgliteThread } from "./PgliteThread.ts"
import { roomAdmission } from "./RoomAdmission.ts"

export interface PgliteOptions {
  /** Made when it is missing. Contains the database and the lock that excludes other processes. */
  readonly directory: string
}

/** The embedded database could not be opened; `cause` says why. */
export class DatabaseNotOpened extends Schema.TaggedError<DatabaseNotOpened>()("DatabaseNotOpened", {
  directory: Schema.String,
  cause: Schema.Defect()
}) {
  override get message() {
    return `The database in ${this.directory} could not be opened: ${
      this.cause instanceof Error ? this.cause.message : String(this.cause)
    }`
  }
}

const thread = Effect.fnUntraced(function*({ directory }: PgliteOptions) {
  const attempt = <A>(work: () => Promise<A>) =>
    Effect.tryPromise({ try: work, catch: (cause) => new DatabaseNotOpened({ directory, cause }) })
  yield* attempt(loadPglite)
  yield* attempt(() => makeDirectories(directory))
  yield* Effect.catchTag(
    lockDirectory(directory),
    "DirectoryNotLocked",
    (cause) => new DatabaseNotOpened({ directory, cause })
  )
  const schema = yield* DatabaseSchema
  const running = yield* Effect.acquireRelease(
    Effect.sync(() => new PgliteThread({ directory, schema })),
    (running) => Effect.promise(() => running.close())
  )
  yield* attempt(() => running.open())
  return running
})

/**
 * Every acknowledged write is on the disk. Statements wait for each other, since
 * there is one session; when the thread dies or gives no answer for 30 seconds they fail
 * with a connection error and the next opens the database again. Its tables are analysed and vacuumed as they change.
 *
 * Fails with `DirectoryInUse` while another process has the directory, and with
 * `DatabaseNotOpened`.
 */
export const layer = (options: PgliteOptions) =>
  Layer.unwrap(
    Effect.map(
      thread(options),
      (running) =>
        Autovacuum.layerNoDeps({ asked: running.asked, isFull: () => running.room() !== "ample" }).pipe(
          Layer.provideMerge(watchedWireClient(running.connect, running.watch, roomAdmission(running))),
          Layer.merge(Layer.succeed(SoleProcess, true)),
          Layer.merge(Layer.succeed(
            WritePurpose.TakesMore,
            Effect.map(Effect.promise(running.lookAtRoom), (left) => left === "ample")
          ))
        )
    )
  )

/** {@link layer} with its options read by `Config`. */
export const layerConfig = (config: Config.Wrap<PgliteOptions>) =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))
