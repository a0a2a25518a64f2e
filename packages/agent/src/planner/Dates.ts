/** Periods and dates in a request: "yesterday", "last week", "in March 2024", "since Monday", "between … and …", "in two weeks". */
import * as Calendar from "./Calendar.ts"
import { indexIn, seasons, weekdays } from "./CalendarNames.ts"
import { classAt, type Sentence } from "./grammar/Sentence.ts"
import { numberAt } from "./Quantities.ts"
import { daysOfUnit, relativeAt, unitAt, unitDays } from "./RelativeDates.ts"
import { type Days, monthAt, skipped, writtenDate, yearAt } from "./WrittenDates.ts"

/** A period as searches take it: from `after`, which is in it, to `before`, which is not. ISO 8601. */
export interface Period {
  readonly after?: string
  readonly before?: string
}

/** The days that are named at `at`, or null. `future`: a weekday or month without more is the next one, not the last. */
export const daysAt = (sentence: Sentence, start: number, end: number, future = false): Days | null => {
  const today = Calendar.todayOf(sentence.moment)
  const at = skipped(sentence, start, end, /^(?:the|on|am|vom|dem|den|der|im|of)$/)
  const token = at < end ? sentence.tokens[at] : undefined
  if (token === undefined || token.kind === "quoted") return null
  const found = ((): Days | null => {
    const simple = (className: string, offset: number): Days | null => {
      const length = classAt(sentence, at, className, end)
      return length === 0 ? null : { first: today + offset, last: today + offset, length }
    }
    if (/^(?:vorgestern)$/.test(token.norm)) return { first: today - 2, last: today - 2, length: 1 }
    if (/^(?:ubermorgen|uebermorgen)$/.test(token.norm)) return { first: today + 2, last: today + 2, length: 1 }
    const near = simple("today", 0) ?? simple("yesterday", -1) ?? (future ? simple("tomorrow", 1) : null)
    if (near !== null) return near
    const recent = classAt(sentence, at, "lately", end)
    if (recent > 0) return { first: today - 14, last: today, length: recent }
    const ending = classAt(sentence, at, "endof", end)
    if (ending > 0) {
      const of = daysAt(sentence, at + ending, end, future) ??
        ((unit) => unit === null ? null : { ...unitDays(unit.unit, 0, today), length: unit.length })(
          unitAt(sentence, skipped(sentence, at + ending, end, /^(?:the|des|der)$/), end)
        )
      if (of === null) return null
      const gap = skipped(sentence, at + ending, end, /^(?:the|des|der)$/) - at - ending
      return {
        first: of.last,
        last: of.last,
        length: ending + of.length + (daysAt(sentence, at + ending, end, future) === null ? gap : 0)
      }
    }
    if (token.kind === "date") {
      const day = writtenDate(token.raw, today)
      return { first: day, last: day, length: 1 }
    }
    const relative = relativeAt(sentence, at, end, today) ?? monthAt(sentence, at, end, today, future)
    if (relative !== null) return relative
    const weekday = indexIn(weekdays, token.norm)
    if (weekday >= 0) {
      const ahead = (weekday - Calendar.weekdayOf(today) + 7) % 7
      const day = future ? today + (ahead === 0 ? 7 : ahead) : today + (ahead === 0 ? 0 : ahead - 7)
      return { first: day, last: day, length: 1 }
    }
    const year = yearAt(sentence, at, end)
    if (year !== null) return { first: Calendar.dayOf(year, 1, 1), last: Calendar.dayOf(year, 12, 31), length: 1 }
    const season = seasons[token.norm]
    const seasonYear = season === undefined ? null : yearAt(sentence, at + 1, end)
    if (season !== undefined && seasonYear !== null) {
      return {
        first: Calendar.dayOf(seasonYear, season, 1),
        last: Calendar.dayOf(seasonYear, season + 3, 1) - 1,
        length: 2
      }
    }
    return agoAt(sentence, at, end, today)
  })()
  return found === null ? null : { ...found, length: found.length + at - start }
}

/** "three days ago", "a week ago"; German "vor drei Tagen". */
const agoAt = (sentence: Sentence, at: number, end: number, today: Calendar.Day): Days | null => {
  const german = sentence.tokens[at]!.norm === "vor" ? 1 : 0
  const amount = amountAt(sentence, at + german, end)
  if (amount === null) return null
  const next = at + german + amount.length
  const ago = classAt(sentence, next, "ago", end)
  if (german === 0 && ago === 0) return null
  const day = today - amount.days
  return { first: day, last: day, length: next + ago - at }
}

/** A length of time in days: "two weeks", "a year". */
export const amountAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly days: number; readonly length: number } | null => {
  const article = /^(?:a|an|ein|eine|einem|einer|einen)$/.test(sentence.tokens[at]?.norm ?? "")
  const number = article ? { value: 1, length: 1 } : numberAt(sentence, at, end)
  if (number === null) return null
  const unit = unitAt(sentence, at + number.length, end)
  return unit === null
    ? null
    : { days: Math.round(number.value * daysOfUnit[unit.unit]!), length: number.length + unit.length }
}

/** A period with what says how it is meant: "since Monday", "before June", "between May and July", "older than a year", "last week". */
export const periodAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly period: Period; readonly length: number } | null => {
  const { moment, tokens } = sentence
  const startsOn = (day: Calendar.Day) => Calendar.startOfDay(day, moment)
  const today = Calendar.todayOf(moment)
  const between = classAt(sentence, at, "between", end)
  const fromTo = /^(?:from|von|vom)$/.test(tokens[at]?.norm ?? "") ? 1 : 0
  if (between + fromTo > 0) {
    const one = daysAt(sentence, at + between + fromTo, end)
    const middle = at + between + fromTo + (one?.length ?? 0)
    if (one !== null && /^(?:and|to|until|till|through|und|bis)$/.test(tokens[middle]?.norm ?? "")) {
      const other = daysAt(sentence, middle + 1, end)
      if (other !== null) {
        // "between May and July" of one year: the first is before the second.
        const first = one.first > other.last ? one.first - 365 : one.first
        return {
          period: { after: startsOn(first), before: startsOn(other.last + 1) },
          length: middle + 1 + other.length - at
        }
      }
    }
  }
  for (const className of ["before", "since"] as const) {
    const length = classAt(sentence, at, className, end)
    if (length === 0) continue
    const phrase = tokens.slice(at, at + length).map(({ norm }) => norm).join(" ")
    const amount = amountAt(sentence, at + length, end)
    const after = at + length + (amount?.length ?? 0)
    const ago = amount === null ? 0 : classAt(sentence, after, "ago", end)
    if (amount !== null && /(?:than|als)$/.test(phrase)) {
      const edge = startsOn(today - amount.days)
      return { period: className === "before" ? { before: edge } : { after: edge }, length: after + ago - at }
    }
    if (phrase === "more than" || phrase === "mehr als" || phrase === "from" || phrase === "von") continue
    const days = daysAt(sentence, at + length, end)
    if (days === null) continue
    const total = length + days.length
    if (className === "before") {
      const isInclusive = /^(?:until|till|up to|by|bis)/.test(phrase)
      return { period: { before: startsOn(isInclusive ? days.last + 1 : days.first) }, length: total }
    }
    const isAfter = /^(?:after|newer|later|nach|neuer)/.test(phrase) && days.first === days.last
    return { period: { after: startsOn(isAfter ? days.last + 1 : days.first) }, length: total }
  }
  const days = daysAt(sentence, at, end)
  return days === null
    ? null
    : { period: { after: startsOn(days.first), before: startsOn(days.last + 1) }, length: days.length }
}

/** When something is to end: "until Friday", "in two weeks", "for 3 days", "tomorrow". The end of that day, where the user is. */
export const endAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly time: string; readonly length: number } | null => {
  const start = skipped(
    sentence,
    at,
    end,
    /^(?:the|in|for|within|fur|fuer|innerhalb|von|um|am|by|until|till|on|bis|zum|zu|after|nach)$/
  )
  const amount = amountAt(sentence, start, end)
  const today = Calendar.todayOf(sentence.moment)
  if (amount !== null) {
    return { time: Calendar.startOfDay(today + amount.days + 1, sentence.moment), length: start + amount.length - at }
  }
  const hours = numberAt(sentence, start, end)
  const hour = hours === null ? 0 : classAt(sentence, start + hours.length, "hour", end)
  if (hours !== null && hour > 0) {
    return {
      time: Calendar.secondsFromNow(hours.value * 3600, sentence.moment),
      length: start + hours.length + hour - at
    }
  }
  const days = daysAt(sentence, start, end, true)
  return days === null
    ? null
    : { time: Calendar.startOfDay(days.last + 1, sentence.moment), length: start + days.length - at }
}
