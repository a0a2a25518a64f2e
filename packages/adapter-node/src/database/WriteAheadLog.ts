/**
 * Keeps room for the embedded database's log. Every write goes there first, in segments of 16 MB; when the disk is full
 * as the next segment is needed, PostgreSQL has nothing left to do, and as WebAssembly it does not even end.
 *
 * So segments are made ahead, and reused in time: as a server's checkpointer does, which PGlite lacks.
 * And a file beside the data is deleted when even that was not enough.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync
} from "node:fs"
import { open, rename } from "node:fs/promises"
import * as path from "node:path"

export const segmentBytes = 16 * 1_024 * 1_024

/** What PostgreSQL itself keeps once it has had that many (`min_wal_size`). */
const keptSegments = 5

/** A checkpoint runs this often; after it the segments before it can be reused. */
export const segmentsBetweenCheckpoints = 3

export const isSegment = (name: string): boolean => /^[0-9A-F]{24}$/.test(name)

/** Segments of 16 MB are numbered in two parts of 32 bits, of which the second only counts to 255. */
export const nextSegment = (name: string): string => {
  const number = (BigInt(`0x${name.slice(8, 16)}`) << 8n | BigInt(`0x${name.slice(16)}`)) + 1n
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, "0")
  return name.slice(0, 8) + hex(number >> 8n) + hex(number & 0xffn)
}

const zeros = Buffer.alloc(1_024 * 1_024)

/** A file of zeros that has its room on the disk, or none. */
const fill = (place: string, bytes: number) => {
  const unfinished = `${place}.unfinished`
  const descriptor = openSync(unfinished, "w", 0o600)
  try {
    for (let written = 0; written < bytes;) written += writeSync(descriptor, zeros)
    fdatasyncSync(descriptor)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
  renameSync(unfinished, place)
}

export const isFull = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return code === "ENOSPC" || code === "EDQUOT"
}

/** Whether `work` had the room it needs. */
const hasRoom = (work: () => void): boolean => {
  try {
    work()
    return true
  } catch (error) {
    if (isFull(error)) return false
    throw error
  }
}

/** The segments that are missing ahead of those that are there. */
const missingSegments = (log: string): ReadonlyArray<string> => {
  const names = readdirSync(log).filter(isSegment).sort()
  const missing: Array<string> = []
  for (let last = names.at(-1); last !== undefined && names.length + missing.length < keptSegments;) {
    last = nextSegment(last)
    missing.push(last)
  }
  return missing
}

const keepSegments = (log: string) => {
  for (const name of missingSegments(log)) fill(path.join(log, name), segmentBytes)
}

/** What starting may write: a few small files. With less room, the reserve is given up for it. */
export const startBytes = 8 * 1_024 * 1_024

export const freeBytes = (place: string): number => {
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize
}

/**
 * Keeps room for the log of the database in `data`, and beside it in `reserve`, as far as the disk has any. `lentBytes` are
 * lent to writes that find no room.
 */
export const keepRoom = (data: string, reserve: string, lentBytes: number): void => {
  const log = path.join(data, "pg_wal")
  if (!existsSync(log)) return
  if (hasRoom(() => keepSegments(log))) {
    if (!existsSync(reserve)) hasRoom(() => fill(reserve, 2 * segmentBytes))
  } else if (existsSync(reserve)) {
    rmSync(reserve)
    hasRoom(() => keepSegments(log))
  }
  if (existsSync(reserve) && freeBytes(data) + lentBytes < startBytes) rmSync(reserve)
}

/** {@link fill} by other threads, where there is room for it. */
const fillBeside = async (place: string, bytes: number): Promise<void> => {
  const unfinished = `${place}.unfinished`
  const file = await open(unfinished, "w", 0o600)
  try {
    for (let written = 0; written < bytes;) {
      const pieces = Array.from({ length: Math.ceil((bytes - written) / zeros.length) }, () => zeros)
      written += (await file.writev(pieces)).bytesWritten
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(unfinished, place)
}

/** With less room than that, what is reserved and what the database writes would be in each other's way. */
const ampleBytes = 64 * segmentBytes

/**
 * {@link keepRoom} for a new database while it is being opened, which takes as long as writing and syncing the files. Nothing of it is
 * used before the database has written a whole segment, and that is not before it is open. Where room is scarce it is kept at once.
 */
export const keepRoomOfNew = async (data: string, reserve: string): Promise<void> => {
  if (freeBytes(data) < ampleBytes) return keepRoom(data, reserve, 0)
  const log = path.join(data, "pg_wal")
  const filled = await Promise.allSettled([
    ...missingSegments(log).map((name) => fillBeside(path.join(log, name), segmentBytes)),
    fillBeside(reserve, 2 * segmentBytes)
  ])
  // Another program has filled the disk meanwhile, or it is failing, which this throws.
  if (filled.some(({ status }) => status === "rejected")) keepRoom(data, reserve, 0)
}
