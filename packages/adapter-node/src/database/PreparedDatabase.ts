/**
 * A new embedded database from one that was prepared with the release: initdb takes seconds of processor time in
 * WebAssembly, writing files that are the same every time takes a fraction of one.
 *
 * It begins as initdb would have left it. From then on it is a database like any other.
 */
import { closeSync, fsync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { brotliDecompressSync } from "node:zlib"

/** Beside this module, in the sources as in what is built of them. `scripts/prepareDatabase.ts` makes it. */
export const preparedFile = new URL("./PreparedDatabase.br", import.meta.url)

/** A file. Files of equal bytes share them. */
export interface PreparedEntry {
  readonly path: string
  /** Where its bytes begin among those of all files, and how many they are. */
  readonly offset: number
  readonly length: number
  /** Of the file: what is longer than its bytes is filled with zeros. */
  readonly size: number
}

/** The first bytes, after their own length as four bytes, tell as JSON what follows. */
export interface PreparedIndex {
  /** The version of PGlite that made it. */
  readonly pglite: string
  readonly directories: ReadonlyArray<string>
  readonly files: ReadonlyArray<PreparedEntry>
}

export interface Prepared extends PreparedIndex {
  readonly bytes: Buffer
}

/** Undefined where the file is missing, as in a bundle that a host made of the drive, or cut off. */
export const readPrepared = (file: URL = preparedFile): Prepared | undefined => {
  try {
    const all = brotliDecompressSync(readFileSync(file))
    const begin = 4 + all.readUInt32LE(0)
    const index = JSON.parse(all.toString("utf8", 4, begin)) as PreparedIndex
    return { ...index, bytes: all.subarray(begin) }
  } catch {
    return undefined
  }
}

const zeros = Buffer.alloc(1_024 * 1_024)

const sync = promisify(fsync)

/** As `node:fs` has it: returns how many bytes it has written, which may be fewer, as on a disk that becomes full. */
type Write = (descriptor: number, bytes: Buffer, offset: number, length: number) => number

/** Writes the database to `target`, which must not exist, and syncs it. */
export const unpack = async (
  { bytes, directories, files }: Prepared,
  target: string,
  write: Write = writeSync
): Promise<void> => {
  const opened: Array<number> = []
  const open = (place: string, flags: string) => {
    const descriptor = openSync(place, flags, 0o600)
    opened.push(descriptor)
    return descriptor
  }
  try {
    for (const directory of ["", ...directories]) {
      mkdirSync(path.join(target, directory), { mode: 0o700 })
      open(path.join(target, directory), "r")
    }
    for (const { length, offset, path: name, size } of files) {
      const descriptor = open(path.join(target, name), "wx")
      for (let at = 0; at < length;) at += write(descriptor, bytes, offset + at, length - at)
      // Written, not only claimed: the log must have its room on the disk.
      for (let at = length; at < size;) at += write(descriptor, zeros, 0, Math.min(zeros.length, size - at))
    }
    // Together, since a file system syncs many in about the time of one.
    await Promise.all(opened.map((descriptor) => sync(descriptor)))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
