/** Keeps the last room on the embedded database's disk for the writes that may use it ({@link WritePurpose}). */
import { WritePurpose } from "@filedrive/core"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import type { RoomLeft } from "../DiskReserve.ts"
import type { Admission } from "./WatchedConnection.ts"

interface Room {
  readonly room: () => RoomLeft
  readonly lookAtRoom: () => Promise<RoomLeft>
}

/**
 * Statements that insert or update rows. Locks are taken in place, and deletions need no new room. Only the drive's
 * own statements come here, which put values in parameters.
 */
export const isWrite = (sql: string): boolean => /\bINSERT\b|(?<!\b(?:FOR|KEY)\s+)\bUPDATE\b/i.test(sql)

const mayUse = (purpose: WritePurpose.Purpose, left: RoomLeft): boolean =>
  left === "ample" || purpose === "frees" || (purpose === "serves" && left === "low")

/** Fails as PostgreSQL does where the disk is full. */
const diskFull = Effect.fail(
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: Object.assign(new Error("What is left on the disk is kept for deletions."), { code: "53100" }),
      message: "What is left on the disk of the embedded database is kept for deletions.",
      operation: "execute"
    })
  })
)

/** Checks the disk before it refuses a statement, so that none is refused once there is room again. */
export const roomAdmission = ({ lookAtRoom, room }: Room): Admission => ({
  isOpen: () => room() === "ample",
  check: (sql) =>
    Effect.withFiber((fiber) => {
      const purpose = fiber.getRef(WritePurpose.WritePurpose)
      if (purpose === "frees" || !isWrite(sql)) return Effect.void
      return Effect.flatMap(Effect.promise(lookAtRoom), (left) => mayUse(purpose, left) ? Effect.void : diskFull)
    })
})
