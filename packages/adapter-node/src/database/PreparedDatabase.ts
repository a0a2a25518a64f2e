/**
 * Makes a new embedded database as a copy of one that was prepared for the release: initdb and migrations take seconds of processor
 * time in WebAssembly, and writing the files, which are the same every time, takes a fraction of a second.
 *
 * The copy is what initdb and the release's migrations would have made.
 */
import { closeSync, fsync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { brotliDecompressSync } from "node:zlib"

/** It is beside this module in the sources and in the built package. `scripts/prepareDatabase.ts` makes it. */
export const preparedFile = new URL("./PreparedDatabase.br", import.meta.url)

/** The schema of the prepared drive's tables. In a schema of another name migrations make them. */
export const preparedSchema = "filedrive"

/** A file of the database. Files with equal bytes share them. */
export interface PreparedEntry {
  readonly path: string
  /** Where its bytes begin in the bytes of all files, and how many there are. */
  readonly offset: number
  readonly length: number
  /** The length of the file: after its bytes it is filled with zeros. */
  readonly size: number
}

/** The description of the bytes that follow it. It is JSON, after its own length in four bytes. */
export interface PreparedIndex {
  /** The version of PGlite that made it. */
  readonly pglite: string
  readonly directories: ReadonlyArray<string>
  readonly files: ReadonlyArray<PreparedEntry>
}

export interface Prepared extends PreparedIndex {
  readonly bytes: Buffer<ArrayBuffer>
}

/** Reads the file; undefined when it is cut off or missing, as in a host's bundle of the drive. */
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
      // Zeros are written, so that the log has its room on the disk: a sparse file would not reserve it.
      for (let at = length; at < size;) at += write(descriptor, zeros, 0, Math.min(zeros.length, size - at))
    }
    // In parallel: a file system syncs many files in about the time of one.
    await Promise.all(opened.map((descriptor) => sync(descriptor)))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
