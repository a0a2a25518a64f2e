/** When a photo was taken, by the times in a file: cameras write the time of their clock, often without its zone. */
import { isDay } from "../isDay.ts"
import { nearestZone, offsetMinutes as minutesOf } from "../Zone.ts"

/** The time of a clock, and its zone where that is known. */
export interface Reading {
  /** As if it were UTC, in milliseconds since 1970. */
  readonly millis: number
  readonly offsetMinutes: number | null
}

export interface Clocks {
  /** EXIF: when the picture was taken, and when it was digitised, each with its zone. */
  readonly original: string | undefined
  readonly originalOffset: string | undefined
  /** Digits of its second behind the point. */
  readonly originalFraction: string | undefined
  readonly digitized: string | undefined
  readonly digitizedOffset: string | undefined
  readonly digitizedFraction: string | undefined
  /** The satellites' time, in UTC. */
  readonly gps: string | undefined
  /** XMP and IPTC, the most reliable first. */
  readonly others: ReadonlyArray<string>
}

const pattern =
  /^\s*(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(Z|[+-]\d\d:?\d\d)?\s*$/

/** Whole milliseconds of a second's digits behind the point. */
const millisOf = (digits: string | undefined): number => {
  const [, fraction] = /^\s*(\d+)\s*$/.exec(digits ?? "") ?? []
  return fraction === undefined ? 0 : Math.floor(Number(`0.${fraction.slice(0, 9)}`) * 1_000 + 1e-6)
}

/** Null when it is not a time, like the zeros of a clock that was never set. */
export const reading = (written: string | undefined, fraction?: string): Reading | null => {
  const found = pattern.exec(written ?? "")
  if (found === null) return null
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  return isDay(year, month, day) && hour < 24 && minute < 60 && second < 61
    ? {
      millis: Date.UTC(year, month - 1, day, hour, minute, second) + millisOf(found[7] ?? fraction),
      offsetMinutes: minutesOf(found[8])
    }
    : null
}

const minute = 60_000
const utc = ({ millis, offsetMinutes }: Reading): number => millis - (offsetMinutes ?? 0) * minute

/** The zone in which a clock shows `local` at the satellites' time `gps`; null when there is none, as when the fix is old. */
const zoneBetween = (local: Reading, gps: Reading): number | null => nearestZone((local.millis - gps.millis) / minute)

/** Two writers of the same moment may differ in its seconds. */
const sameClock = (a: Reading, b: Reading): boolean => Math.abs(a.millis - b.millis) < minute

/**
 * Milliseconds since 1970: the time taken in its own zone; in the zone that follows from the satellites' time; in that of another field with
 * the same time; otherwise its clock read as UTC. Null when no time is written.
 */
export const takenTime = (clocks: Clocks): number | null => {
  const { digitized, digitizedFraction, digitizedOffset, gps, original, originalFraction, originalOffset, others } =
    clocks
  const otherReadings = others.map((one) => reading(one)).filter((one) => one !== null)
  const local = reading(original, originalFraction)
  if (local === null) {
    const [other] = otherReadings
    if (other !== undefined) return utc(other)
    const scanned = reading(digitized, digitizedFraction)
    const offsetMinutes = scanned?.offsetMinutes ?? minutesOf(digitizedOffset)
    return scanned === null ? null : utc({ ...scanned, offsetMinutes })
  }
  const own = local.offsetMinutes ?? minutesOf(originalOffset)
  if (own !== null) return utc({ ...local, offsetMinutes: own })
  const satellites = reading(gps)
  const zone = satellites === null ? null : zoneBetween(local, satellites)
  const other = otherReadings.find((one) => one.offsetMinutes !== null && sameClock(one, local))
  return utc({ ...local, offsetMinutes: zone ?? other?.offsetMinutes ?? null })
}
