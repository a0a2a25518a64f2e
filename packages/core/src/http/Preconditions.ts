/**
 * Conditional requests, for answers to GET and HEAD: RFC 9110, section 13. A condition that can't be read as its grammar says is
 * treated as there described: dates are ignored, a list of entity tags matches nothing.
 */
import { DateTime } from "effect"

/** The content that an answer would have. */
export interface Selected {
  /** As it is sent, like `"a"` or `W/"a"`. */
  readonly etag: string
  /** Null when it is not sent. */
  readonly lastModifiedMillis: number | null
}

/** The value of a request's header, by its lower-case name. */
type HeaderOf = (name: string) => string | undefined

/** `proceed` as without conditions, 304 or 412. */
export type Outcome = "proceed" | "notModified" | "failed"

const month = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
const time = "(\\d\\d):(\\d\\d):(\\d\\d)"
const day = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
const fixed = new RegExp(`^${day}, (\\d\\d) ${month} (\\d{4}) ${time} GMT$`)
const rfc850 = new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d\\d)-${month}-(\\d\\d) ${time} GMT$`)
const asctime = new RegExp(`^${day} ${month} ([ \\d]\\d) ${time} (\\d{4})$`)
const months = month.slice(1, -1).split("|")

const fields = (
  text: string
): readonly [year: string, month: string, day: string, ...time: Array<string>] | undefined => {
  const [, dayOfFixed, monthOfFixed, yearOfFixed, ...timeOfFixed] = fixed.exec(text) ?? rfc850.exec(text) ?? []
  if (yearOfFixed !== undefined) return [yearOfFixed, monthOfFixed!, dayOfFixed!, ...timeOfFixed]
  const [, monthName, dayNumber, hours, minutes, seconds, year] = asctime.exec(text) ?? []
  return year === undefined ? undefined : [year, monthName!, dayNumber!, hours!, minutes!, seconds!]
}

/** A year of two digits is the latest that is at most 50 years ahead: section 5.6.7. */
const fullYear = (year: string, nowMillis: number): number => {
  if (year.length > 2) return Number(year)
  const latest = DateTime.getPartUtc(DateTime.makeUnsafe(nowMillis), "year") + 50
  return latest - (latest - Number(year)) % 100
}

/** The time of an HTTP date in any of its three forms; undefined for what is no date. */
export const parseDate = (text: string, nowMillis: number): number | undefined => {
  const [year, monthName, ...rest] = fields(text.trim()) ?? []
  if (year === undefined) return undefined
  const [date = 0, hours = 0, minutes = 0, seconds = 0] = rest.map(Number)
  // `Date.UTC` takes the years 0 to 99 for others, and the calendar repeats after 400 years.
  const time = Date.UTC(fullYear(year, nowMillis) + 400, months.indexOf(monthName!), date, hours, minutes, seconds)
  const midnight = DateTime.makeUnsafe(time - ((hours * 60 + minutes) * 60 + seconds) * 1000)
  // Second 60 is a leap second.
  if (DateTime.getPartUtc(midnight, "day") !== date || hours > 23 || minutes > 59 || seconds > 60) return undefined
  return time - 146_097 * 86_400_000
}

const opaque = (etag: string): string => etag.replace(/^W\//, "")

const isWeak = (etag: string): boolean => etag.startsWith("W/")

/** The entity tags of a list, whose elements may be empty (section 5.6.1.2); none when it is malformed anywhere. */
const tagsOf = (header: string): ReadonlyArray<string> => {
  // oxlint-disable-next-line no-control-regex
  const element = /[ \t]*(?:((?:W\/)?"[\u0021\u0023-\u007e\u0080-\u00ff]*")[ \t]*)?(,|$)/y
  const tags: Array<string> = []
  for (;;) {
    const found = element.exec(header)
    if (found === null) return []
    const [, tag, end] = found
    if (tag !== undefined) tags.push(tag)
    if (end === "") return tags
  }
}

const names = (header: string, { etag }: Selected, isStrong: boolean): boolean => {
  if (header.trim() === "*") return true
  if (isStrong && isWeak(etag)) return false
  return tagsOf(header).some((one) => isStrong ? one === etag : opaque(one) === opaque(etag))
}

/** Dates have whole seconds. */
const seconds = (millis: number): number => Math.floor(millis / 1000)

/** Whether the content was modified after the date of a header. Undefined when there is nothing to compare. */
const modifiedAfter = (date: string | undefined, { lastModifiedMillis }: Selected, nowMillis: number) => {
  const millis = date === undefined ? undefined : parseDate(date, nowMillis)
  return millis === undefined || lastModifiedMillis === null
    ? undefined
    : seconds(lastModifiedMillis) > seconds(millis)
}

/** What the conditions of a GET or HEAD say, in the order of section 13.2.2. */
export const evaluate = (header: HeaderOf, selected: Selected, nowMillis: number): Outcome => {
  const ifMatch = header("if-match")
  if (ifMatch !== undefined) {
    if (!names(ifMatch, selected, true)) return "failed"
  } else if (modifiedAfter(header("if-unmodified-since"), selected, nowMillis) === true) return "failed"
  const ifNoneMatch = header("if-none-match")
  if (ifNoneMatch !== undefined) return names(ifNoneMatch, selected, false) ? "notModified" : "proceed"
  return modifiedAfter(header("if-modified-since"), selected, nowMillis) === false ? "notModified" : "proceed"
}

/** Whether a GET's `Range` counts: not when `If-Range` names other content. */
export const allowsRange = (header: HeaderOf, { etag, lastModifiedMillis }: Selected, nowMillis: number): boolean => {
  const ifRange = header("if-range")?.trim()
  if (ifRange === undefined) return true
  if (/^(?:W\/)?"/.test(ifRange)) return ifRange === etag && !isWeak(etag)
  const millis = parseDate(ifRange, nowMillis)
  return millis !== undefined && lastModifiedMillis !== null && seconds(millis) === seconds(lastModifiedMillis)
}
