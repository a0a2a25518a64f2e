/**
 * One process at a time on a data directory. PGlite itself lets a second one in, and
 * then one of the two loses what it was told is stored.
 *
 * The lock is the operating system's, through SQLite: it ends with the process,
 * also when that is killed.
 */
import { Effect, Schema } from "effect"
import * as path from "node:path"

/** The data directory is in use. End the other process, or give this one a directory of its own. */
export class DirectoryInUse extends Schema.TaggedError<DirectoryInUse>()("DirectoryInUse", {
  directory: Schema.String,
  cause: Schema.Defect()
}) {
  override get message() {
    return `Another process is using the database in ${this.directory}. Stop that process, give this one a data`
      + " directory of its own, or let both use a PostgreSQL server."
  }
}

const lockFile = "in-use.lock"

/** Holds `directory`, which must be there, until the scope closes. */
export const lockDirectory = (directory: string) =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      // Imported here: only the embedded database needs it, and older versions of Node announce it as experimental.
      const { DatabaseSync } = yield* Effect.promise(() => import("node:sqlite"))
      return yield* Effect.try({
        try: () => {
          const lock = new DatabaseSync(path.join(directory, lockFile), { timeout: 0 })
          try {
            lock.exec("BEGIN EXCLUSIVE")
            return lock
          } catch (cause) {
            lock.close()
            throw cause
          }
        },
        catch: (cause) => new DirectoryInUse({ directory, cause })
      })
    }),
    (lock) => Effect.sync(() => lock.close())
  )
