/** Makes the files of a new embedded database: a copy of the prepared one, or by initdb when that can't be used. */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import * as path from "node:path"
import { foundNoRoom, whyNotMade } from "./PgliteDirectory.ts"
import { openEngine } from "./PgliteEngine.ts"
import { type Prepared, preparedSchema, readPrepared, unpack } from "./PreparedDatabase.ts"

export const syncPath = (place: string) => {
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

/**
 * Opens and closes the database in `data`; PGlite makes it when it is missing. It is not synced yet, since it takes thousands of
 * writes. `statement` is run in between.
 */
const openOnce = async (data: string, statement?: string): Promise<void> => {
  const { NodeFS } = await import("@electric-sql/pglite/nodefs")
  const { pglite } = await openEngine({ fs: new NodeFS(data) })
  if (statement !== undefined) await pglite.exec(statement)
  await pglite.close()
}

/** The version of the installed PGlite; undefined when its files can't be found, as in a host's bundle. */
const installedVersion = (): string | undefined => {
  try {
    const manifest = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"))
    return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version
  } catch {
    return undefined
  }
}

/**
 * Copies the prepared database to `target`; false when it can't be used. When the installed PGlite has another version, it must first
 * open the copy. For a drive in another `schema` the prepared tables are dropped, since it would never use them.
 */
const makePrepared = async (prepared: Prepared, target: string, schema: string): Promise<boolean> => {
  try {
    await unpack(prepared, target)
    if (prepared.pglite === installedVersion() && schema === preparedSchema) return true
    await openOnce(target, schema === preparedSchema ? undefined : `DROP SCHEMA ${preparedSchema} CASCADE`)
    syncTree(target)
    return true
  } catch (cause) {
    if (foundNoRoom(cause)) throw cause
    rmSync(target, { recursive: true, force: true })
    return false
  }
}

export interface NewDatabase {
  /** Where the drive's tables will be. */
  readonly schema?: string | undefined
  /** What it begins with; without it initdb makes it. */
  readonly prepared?: () => Prepared | undefined
}

/**
 * Makes the database in `data`, a directory of `directory`. It is made under another name and renamed when it is complete and synced, so a
 * crash leaves either no database or a complete one.
 */
export const makeDatabase = async (
  directory: string,
  data: string,
  { prepared = readPrepared, schema = preparedSchema }: NewDatabase = {}
): Promise<void> => {
  const unfinished = `${data}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  try {
    const found = prepared()
    if (found === undefined || !await makePrepared(found, unfinished, schema)) {
      await openOnce(unfinished)
      syncTree(unfinished)
    }
    // Eleven megabytes that nobody else has, and the collector would leave for long.
    if (prepared === readPrepared) found?.bytes.buffer.transfer(0)
  } catch (cause) {
    const why = whyNotMade(directory, cause)
    // An unfinished database can't be used, and takes room.
    rmSync(unfinished, { recursive: true, force: true })
    throw why
  }
  renameSync(unfinished, data)
  syncPath(directory)
}
