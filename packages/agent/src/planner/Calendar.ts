/** Days of the calendar where the user is, and the instants at which they begin. */
import { DateTime } from "effect"
import type { Moment } from "./grammar/Sentence.ts"

/** A day as a number: days since 1970-01-01. */
export type Day = number

export interface Civil {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** The day of a date; months and days past their end go on into the next. */
export const dayOf = (year: number, month: number, day: number): Day => {
  const months = year * 12 + month - 1
  const y = Math.floor(months / 12)
  const m = months - y * 12 + 1
  const shifted = m <= 2 ? y - 1 : y
  const era = Math.floor(shifted / 400)
  const ofEra = shifted - era * 400
  const ofYear = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5)
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468 + day - 1
}

export const civilOf = (day: Day): Civil => {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153)
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  }
}

/** Monday is 0. */
export const weekdayOf = (day: Day): number => (((day + 3) % 7) + 7) % 7

const todays = new WeakMap<Moment, Day>()

export const todayOf = (moment: Moment): Day => {
  const known = todays.get(moment)
  if (known !== undefined) return known
  const { day, month, year } = DateTime.toParts(DateTime.setZone(moment.now, moment.zone))
  const today = dayOf(year, month, day)
  todays.set(moment, today)
  return today
}

/** The instant at which a day begins there, as ISO 8601. */
export const startOfDay = (day: Day, { zone }: Moment): string =>
  DateTime.formatIso(DateTime.toUtc(
    DateTime.makeZonedUnsafe({ ...civilOf(day), hour: 0, minute: 0, second: 0, millisecond: 0 }, {
      timeZone: zone,
      adjustForTimeZone: true
    })
  ))

/** The instant so many seconds after now (before, when negative). */
export const secondsFromNow = (seconds: number, { now }: Moment): string =>
  DateTime.formatIso(DateTime.add(now, { seconds }))

/** As people write it: 2026-03-01. */
export const isoDay = (day: Day): string => {
  const { day: ofMonth, month, year } = civilOf(day)
  return `${year}-${String(month).padStart(2, "0")}-${String(ofMonth).padStart(2, "0")}`
}
