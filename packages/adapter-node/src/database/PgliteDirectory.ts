/**
 * Checks whether a directory is a database of PGlite's. PostgreSQL in WebAssembly says little about one it can't open,
 * and may not even end; so its files are checked before.
 */
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import * as path from "node:path"
import { freeBytes, isFull, isSegment, segmentBytes, startBytes } from "./WriteAheadLog.ts"

/** Of PGlite's PostgreSQL. */
const majorVersion = "18"

const controlFile = "global/pg_control"

/** The size that `pg_control` always has. */
const controlBytes = 8_192

/** What an operator can do about a database that is damaged. */
export const whatToDo = "Restore the directory from a backup; a damaged database can't be mended by starting it."

/** The database's files are damaged. */
export class DamagedDatabase extends Error {
  constructor(file: string, what: string) {
    super(`${file} ${what}. ${whatToDo}`)
  }
}

/** Throws `DamagedDatabase`, which names the file, when the database in `data` can't be opened. */
export const checkDirectory = (data: string): void => {
  const damaged = (file: string, what: string) => new DamagedDatabase(path.join(data, file), what)
  for (const name of ["PG_VERSION", controlFile, "base", "pg_wal", "pg_xact", "postgresql.conf"]) {
    if (!existsSync(path.join(data, name))) throw damaged(name, "is missing")
  }
  const version = readFileSync(path.join(data, "PG_VERSION"), "utf8").trim()
  if (!/^\d+$/.test(version)) throw damaged("PG_VERSION", "is damaged")
  if (version !== majorVersion) {
    throw new Error(
      `${data} was made by PostgreSQL ${version}, and this release of the drive brings ${majorVersion}.`
        + " Start the release that made it, or restore a backup made for this one."
    )
  }
  const control = statSync(path.join(data, controlFile)).size
  if (control !== controlBytes) throw damaged(controlFile, `has ${control} bytes instead of ${controlBytes}`)
  if (readFileSync(path.join(data, controlFile)).every((byte) => byte === 0)) {
    throw damaged(controlFile, "is empty")
  }
  const log = readdirSync(path.join(data, "pg_wal")).filter(isSegment)
  if (log.length === 0) throw damaged("pg_wal", "holds none of the log")
  for (const name of log) {
    const { size } = statSync(path.join(data, "pg_wal", name))
    if (size !== segmentBytes) throw damaged(path.join("pg_wal", name), `has ${size} bytes instead of ${segmentBytes}`)
  }
}

/** The database's directory was removed, or replaced by another. */
export class DirectoryGone extends Error {
  constructor(data: string) {
    super(
      `The directory ${data} of the database was removed, moved or replaced while the drive ran.`
        + " Put it back, or stop the drive and restore a backup."
    )
  }
}

/** Identifies a directory, also when another replaces it; undefined when it, or a file that a database needs, is missing. */
export const identityOf = (data: string): string | undefined => {
  const state = statSync(data, { bigint: true, throwIfNoEntry: false })
  if (state === undefined || !existsSync(path.join(data, controlFile))) return undefined
  return `${state.dev}.${state.ino}`
}

/** "No space left" and "quota exceeded" as Emscripten numbers them. */
const noRoom: ReadonlySet<number> = new Set([51, 19])

/** Whether something failed for lack of room, by Emscripten's number or by the system's code. */
export const foundNoRoom = (error: unknown): boolean =>
  isFull(error) || noRoom.has((error as { readonly errno?: number } | null)?.errno ?? 0)

const diskFull = (data: string, cause: unknown): Error =>
  Object.assign(new Error(`The disk of ${data} is full.`, { cause }), { code: "ENOSPC" })

/** Why no database could be made in `directory`; a full disk may throw any error. */
export const whyNotMade = (directory: string, cause: unknown): unknown =>
  foundNoRoom(cause) || freeBytes(directory) < startBytes ? diskFull(directory, cause) : cause

/**
 * Why the database in `data` can't be opened although {@link checkDirectory} found no fault. PGlite gives the same error
 * for every cause, so other causes are checked before damage is reported.
 */
export const whyNotOpened = (data: string, cause: unknown): unknown => {
  // Emscripten's own errors have nothing but a number of its own.
  if (foundNoRoom(cause)) return diskFull(data, cause)
  const code = (cause as { readonly code?: unknown } | null)?.code
  // An error of the system, or no memory. An SQLSTATE of class XX is PostgreSQL's code for damage.
  if (cause instanceof RangeError || (code !== undefined && !/^XX\d{3}$/.test(String(code)))) return cause
  if (freeBytes(data) < startBytes) return diskFull(data, cause)
  try {
    for (const entry of readdirSync(data, { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) accessSync(path.join(entry.parentPath, entry.name), constants.R_OK | constants.W_OK)
    }
  } catch (error) {
    return error
  }
  const said = cause instanceof Error ? cause.message : String(cause)
  return new Error(`The files in ${data} are damaged, or some are missing (PGlite says: ${said}). ${whatToDo}`, {
    cause
  })
}
