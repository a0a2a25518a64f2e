/** PGlite on a directory, so that what it acknowledged survives a power cut. */
import { existsSync, statSync } from "node:fs"
import * as path from "node:path"
import { DiskReserve, type RoomLeft } from "../DiskReserve.ts"
import { beginEngine, type BegunEngine, type Place } from "./DiskEngine.ts"
import { checkDirectory, DirectoryGone, foundNoRoom, identityOf, whyNotOpened } from "./PgliteDirectory.ts"
import type { PgliteEngine } from "./PgliteEngine.ts"
import { makeDatabase } from "./PgliteMaking.ts"
import { keepRoom, keepRoomOfNew } from "./WriteAheadLog.ts"

export interface DiskOptions extends Pick<Place, "onDiskFull" | "onFail"> {
  readonly directory: string
  /** The database existed a moment ago: a new one would lack what was acknowledged. */
  readonly mustExist?: boolean
  /** Where the drive's tables will be, when the database is made. */
  readonly schema?: string | undefined
  /** Some of the reserve was given up, for a statement or between two. */
  readonly onReserveGiven: (left: RoomLeft) => void
}

export interface OnDisk extends PgliteEngine {
  /** Returns how much room is left, after refilling the reserve as far as possible. Throws when the directory is gone. */
  readonly refill: () => RoomLeft
}

/** Kept for deletions: to delete a row PostgreSQL writes first. */
const reserveBytes = 32 * 1_024 * 1_024

/** What statements may add until it is noticed that only the reserve is left. */
const marginBytes = 16 * 1_024 * 1_024

/** Begins to open a database, and returns what opens the one in a `directory`; that makes it when it is missing. */
export const beginOnDisk = (): (options: DiskOptions) => Promise<OnDisk> => {
  const engine = beginEngine()
  return (options) => openOnDisk(engine, options)
}

const openOnDisk = async (
  begun: BegunEngine,
  { directory, mustExist = false, onReserveGiven, schema, ...events }: DiskOptions
): Promise<OnDisk> => {
  const data = path.join(directory, "data")
  if (mustExist && identityOf(data) === undefined) throw new DirectoryGone(data)
  const isNew = !existsSync(data)
  if (isNew) await makeDatabase(directory, data, { schema })
  checkDirectory(data)
  const place = path.join(directory, "deletions.reserve")
  const logReserve = path.join(directory, "log.reserve")
  const roomKept = isNew ? keepRoomOfNew(data, logReserve) : undefined
  // That opening has failed is told first.
  roomKept?.catch(() => undefined)
  if (!isNew) keepRoom(data, logReserve, statSync(place, { throwIfNoEntry: false })?.size ?? 0)
  const reserve = new DiskReserve(place, {
    bytes: reserveBytes,
    marginBytes,
    isFull: foundNoRoom,
    onGiven: onReserveGiven
  })
  try {
    const engine = await begun.openIn({ directory: data, reserve, ...events })
    await roomKept
    const identity = identityOf(data)
    const refill = () => {
      // Its open files would still work, but what is written to them would be lost.
      if (identityOf(data) !== identity) throw new DirectoryGone(data)
      return reserve.refill()
    }
    return { ...engine, refill }
  } catch (cause) {
    throw whyNotOpened(data, cause)
  }
}
