/** Days told from today: "this week", "last summer", "the last 3 days". */
import * as Calendar from "./Calendar.ts"
import { indexIn, months, seasons, weekdays } from "./CalendarNames.ts"
import { classAt, type Sentence } from "./grammar/Sentence.ts"
import { numberAt } from "./Quantities.ts"
import type { Days } from "./WrittenDates.ts"

/** The n-th unit before (negative) or after the present one. */
export const unitDays = (unit: string, offset: number, today: Calendar.Day, count = 1): Omit<Days, "length"> => {
  const { month, year } = Calendar.civilOf(today)
  if (unit === "day") return { first: today + offset, last: today + offset + count - 1 }
  if (unit === "week") {
    const monday = today - Calendar.weekdayOf(today) + offset * 7
    return { first: monday, last: monday + 7 * count - 1 }
  }
  if (unit === "weekend") {
    const saturday = today - Calendar.weekdayOf(today) + 5 + offset * 7
    return { first: saturday, last: saturday + 1 }
  }
  const months = unit === "year" ? 12 : unit === "quarter" ? 3 : 1
  const start = unit === "year" ? 1 : unit === "quarter" ? month - (month - 1) % 3 : month
  return {
    first: Calendar.dayOf(year, start + offset * months, 1),
    last: Calendar.dayOf(year, start + (offset + count) * months, 1) - 1
  }
}

const units = ["day", "week", "month", "quarter", "year", "weekend"] as const
/** The unit of time that is named at `at`. */
export const unitAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly unit: string; readonly length: number } | null => {
  for (const unit of units) {
    const length = classAt(sentence, at, unit, end)
    if (length > 0) return { unit, length }
  }
  return null
}

export const daysOfUnit: Readonly<Record<string, number>> = {
  day: 1,
  week: 7,
  month: 30,
  quarter: 91,
  year: 365,
  weekend: 7
}

/** "this week", "last month", "next Friday", "the last 3 days", "last summer". */
export const relativeAt = (sentence: Sentence, at: number, end: number, today: Calendar.Day): Days | null => {
  for (const [className, offset] of [["this", 0], ["last", -1], ["next", 1]] as const) {
    const length = classAt(sentence, at, className, end)
    if (length === 0) continue
    const next = at + length
    const few = /^(?:few|couple|paar)$/.test(sentence.tokens[next]?.norm ?? "")
      ? { value: 3, length: sentence.tokens[next + 1]?.norm === "of" ? 2 : 1 }
      : null
    const number = few ?? numberAt(sentence, next, end)
    const unit = unitAt(sentence, next + (number?.length ?? 0), end)
    if (unit !== null) {
      const total = next + (number?.length ?? 0) + unit.length - at
      if (number === null) return { ...unitDays(unit.unit, offset, today), length: total }
      const { day, month, year } = Calendar.civilOf(today)
      const step = number.value * offset
      const far = unit.unit === "month" ? Calendar.dayOf(year, month + step, day) : unit.unit === "year"
        ? Calendar.dayOf(year + step, month, day)
        : today + step * daysOfUnit[unit.unit]!
      return offset < 0 ? { first: far, last: today, length: total } : { first: today, last: far, length: total }
    }
    const weekday = indexIn(weekdays, sentence.tokens[next]?.norm)
    if (weekday >= 0 && next < end) {
      const ahead = (weekday - Calendar.weekdayOf(today) + 7) % 7
      const first = offset > 0
        ? today + (ahead === 0 ? 7 : ahead)
        : offset < 0
        ? today + (ahead === 0 ? -7 : ahead - 7)
        : today - Calendar.weekdayOf(today) + weekday
      return { first, last: first, length: length + 1 }
    }
    const month = indexIn(months, sentence.tokens[next]?.norm)
    const { month: thisMonth, year } = Calendar.civilOf(today)
    if (month >= 0 && next < end) {
      const y = offset < 0 && month + 1 >= thisMonth ? year - 1 : offset > 0 && month + 1 <= thisMonth ? year + 1 : year
      return { first: Calendar.dayOf(y, month + 1, 1), last: Calendar.dayOf(y, month + 2, 1) - 1, length: length + 1 }
    }
    const season = next < end ? seasons[sentence.tokens[next]!.norm] : undefined
    if (season !== undefined) {
      const begins = (y: number) => Calendar.dayOf(y, season, 1)
      const latest = begins(year) <= today ? year : year - 1
      const isOver = Calendar.dayOf(latest, season + 3, 1) <= today
      const y = offset > 0 ? latest + 1 : offset === 0 || isOver ? latest : latest - 1
      return { first: begins(y), last: Calendar.dayOf(y, season + 3, 1) - 1, length: length + 1 }
    }
  }
  return null
}
