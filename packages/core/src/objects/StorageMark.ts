/**
 * The mark by which a drive notices that its database and its storage are of different times, as after one of them was
 * restored from a backup. Pure.
 *
 * The database is written first, then storage; so while both go on, storage is never ahead:
 *
 * ```text
 *   time := now ──▶ put it into storage ──▶ stored time := it
 * ```
 *
 * | storage has…                                                      | then |
 * |-------------------------------------------------------------------|------|
 * | a later time than the database                                    | the database was restored |
 * | an earlier time than the stored time                              | storage was restored |
 * | no mark although one was stored, or a mark of another epoch       | they don't belong together |
 */
import { DateTime, Duration, Option, Schema } from "effect"
import type { ObjectAddress } from "../ports/ObjectStore.ts"
import * as StoreKey from "./StoreKey.ts"

/** The place of the mark in storage. It is below no prefix of files, so nothing takes the mark for a file. */
export const address: ObjectAddress = StoreKey.inPrivate("filedrive-mark")

export const headers = { contentType: "application/json", contentDisposition: "attachment", cacheControl: "no-store" }

export interface StorageMark {
  /** Names the database. */
  readonly epoch: string
  readonly time: DateTime.Utc
}

/** The mark as the database has it. */
export interface DatabaseMark extends StorageMark {
  /** The last time that storage has confirmed; null: none yet. */
  readonly storedTime: DateTime.Utc | null
  /** Since when nothing is removed; null: removals go on. */
  readonly heldTime: DateTime.Utc | null
}

/** How storage differs from the database. `foreign`: they don't belong together. */
export type Disagreement = "newer" | "older" | "foreign"

/** The difference between the marks; null when they agree, or when neither exists yet. */
export const disagreementOf = (database: DatabaseMark | null, storage: StorageMark | null): Disagreement | null => {
  if (database === null) return storage === null ? null : "foreign"
  const { epoch, storedTime, time } = database
  if (storage === null) return storedTime === null ? null : "foreign"
  if (storage.epoch !== epoch) return "foreign"
  if (DateTime.isGreaterThan(storage.time, time)) return "newer"
  return storedTime !== null && DateTime.isLessThan(storage.time, storedTime) ? "older" : null
}

/** The contract has these words up to the parenthesis; the steps in it come first, and can be undone. */
const advice = (restoreFirst: string) =>
  `nothing is removed until \`filedrive doctor --accept-storage\` (first look with \`filedrive doctor --storage\`, and ${restoreFirst}: `
  + "After a restore, in docs/operating.md)"

/** The explanations in the log, `/readyz` and the doctor. */
export const sentences: Readonly<Record<Disagreement, string>> = {
  newer: `storage is newer than the database, as after a restore; ${
    advice("restore a newer database if there is one")
  }`,
  older: `storage is older than the database, as after a restore; ${advice("restore a newer storage if there is one")}`,
  foreign: "storage and the database do not belong together, as after a restore of one of them; "
    + advice("restore the other of the same time if there is one")
}

const Body = Schema.fromJsonString(Schema.Struct({ epoch: Schema.String, time: Schema.String }))

export const encode = ({ epoch, time }: StorageMark): Uint8Array =>
  new TextEncoder().encode(Schema.encodeSync(Body)({ epoch, time: DateTime.formatIso(time) }))

/** An unreadable mark belongs to no database. */
export const decode = (bytes: Uint8Array): StorageMark =>
  Schema.decodeUnknownOption(Body)(new TextDecoder().decode(bytes)).pipe(
    Option.flatMap(({ epoch, time }) =>
      Option.map(DateTime.make(time), (time) => ({ epoch, time: DateTime.toUtc(time) }))
    ),
    Option.getOrElse(() => ({ epoch: "", time: DateTime.makeUnsafe(0) }))
  )

/** A period in which objects may have been stored that the database does not know, since it may have been restored to an earlier time. */
export interface Gap {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** A key is made a little before it is written to the database. */
const namingTime = Duration.minutes(10)

/** The gap between the last mark and a start, whichever way the clock has been set meanwhile. */
export const gapBetween = (marked: DateTime.Utc, start: DateTime.Utc): Gap => ({
  from: DateTime.subtractDuration(DateTime.min(marked, start), namingTime),
  to: DateTime.max(marked, start)
})

/**
 * Whether the database would know an object if a row needed it: the object was named neither in a gap nor in the future. If a name has no
 * time, the time at which the object was stored counts.
 */
export const isKnownTime = (
  { key, storedTime }: { readonly key: string; readonly storedTime: DateTime.Utc },
  gaps: ReadonlyArray<Gap>,
  now: DateTime.Utc
): boolean => {
  const time = StoreKey.timeOf(key) ?? storedTime
  return DateTime.isLessThanOrEqualTo(time, now) &&
    !gaps.some((gap) => DateTime.between(time, { minimum: gap.from, maximum: gap.to }))
}
