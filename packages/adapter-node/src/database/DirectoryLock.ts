/**
 * One process at a time on a data directory. PGlite itself lets a second one in, and
 * then one of the two loses acknowledged writes.
 *
 * The lock is the operating system's, through SQLite: it ends with the process,
 * also when that is killed.
 */
import { Effect, Schema } from "effect"
import * as path from "node:path"
import process from "node:process"
import type * as Sqlite from "node:sqlite"

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

/** The lock could not be taken, although no process has it: the disk is full, read-only or failing. */
export class DirectoryNotLocked extends Schema.TaggedError<DirectoryNotLocked>()("DirectoryNotLocked", {
  directory: Schema.String,
  cause: Schema.Defect()
}) {
  override get message() {
    return `The lock in ${this.directory} could not be taken: ${
      this.cause instanceof Error ? this.cause.message : String(this.cause)
    }`
  }
}

const lockFile = "in-use.lock"

/** SQLite's code for a lock that another has. */
const busy = 5

const isBusy = (cause: unknown): boolean => (cause as { readonly errcode?: number } | null)?.errcode === busy

/**
 * Node's SQLite. Node 22 warns that it is experimental, on the standard error of the host, who can do nothing about it: that
 * warning is left out. Loading is synchronous, so no other code's warnings come meanwhile.
 */
export const loadSqlite = (): typeof Sqlite => {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: ReadonlyArray<unknown>) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) {
      Reflect.apply(emitWarning, process, [warning, ...rest])
    }
  }
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Locks `directory`, which must exist, until the scope closes. Fails with the reason when it can't be locked although no process has it. */
export const lockDirectory = (directory: string) =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      // Loaded here: only the embedded database needs it.
      const { DatabaseSync } = yield* Effect.sync(loadSqlite)
      return yield* Effect.try({
        try: () => {
          const lock = new DatabaseSync(path.join(directory, lockFile), { timeout: 0 })
          try {
            // Nothing is written, so it works on a full disk.
            lock.exec("PRAGMA journal_mode = MEMORY")
            lock.exec("BEGIN EXCLUSIVE")
            return lock
          } catch (cause) {
            lock.close()
            throw cause
          }
        },
        catch: (cause) =>
          isBusy(cause) ? new DirectoryInUse({ directory, cause }) : new DirectoryNotLocked({ directory, cause })
      })
    }),
    (lock) => Effect.sync(() => lock.close())
  )
