/** Dates that are written out: "2024-05-01", "3 March", "May 3rd, 2025", "March 2024". */
import * as Calendar from "./Calendar.ts"
import { indexIn, months } from "./CalendarNames.ts"
import { isFiller, type Sentence } from "./grammar/Sentence.ts"

/** Days from `first` to `last`, both included. */
export interface Days {
  readonly first: Calendar.Day
  readonly last: Calendar.Day
  /** How many tokens name them. */
  readonly length: number
}

export const yearAt = ({ tokens }: Sentence, at: number, end: number): number | null => {
  const token = at < end ? tokens[at] : undefined
  return token?.kind === "number" && /^(?:19|20)\d\d$/.test(token.raw) ? Number(token.raw) : null
}

const fullYear = (text: string): number => text.length === 2 ? 2000 + Number(text) : Number(text)

/** A date in digits: 2024-05-01, 1.5.2024, 5/1/2024 (the day first where only that is possible). */
export const writtenDate = (raw: string, today: Calendar.Day): Calendar.Day => {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(raw)
  if (iso !== null) return Calendar.dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const [one, two, year] = raw.split(/[./]\s?/).filter((part) => part !== "")
  const { year: thisYear } = Calendar.civilOf(today)
  const y = year === undefined ? thisYear : fullYear(year)
  const american = raw.includes("/") && Number(two) > 12 || (raw.includes("/") && Number(one) <= 12)
  return american ? Calendar.dayOf(y, Number(one), Number(two)) : Calendar.dayOf(y, Number(two), Number(one))
}

const dayNumber = (
  { tokens }: Sentence,
  at: number,
  end: number
): { readonly value: number; readonly length: number } | null => {
  const token = at < end ? tokens[at] : undefined
  const ordinal = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(token?.norm ?? "")
  if (ordinal !== null) return { value: Number(ordinal[1]), length: 1 }
  if (token?.kind !== "number" || !/^\d{1,2}$/.test(token.raw) || Number(token.raw) > 31) return null
  return { value: Number(token.raw), length: tokens[at + 1]?.raw === "." && at + 1 < end ? 2 : 1 }
}

/** Where the first token from `at` on is that is neither one of `words` nor a filler. */
export const skipped = (sentence: Sentence, at: number, end: number, words: RegExp): number => {
  let from = at
  while (
    from < end &&
    (words.test(sentence.tokens[from]!.norm) ||
      (isFiller(sentence, from) && sentence.tokens[from]!.kind === "word" &&
        !/^(?:an|now|new|noch|this|these)$/.test(sentence.tokens[from]!.norm)))
  ) from++
  return from
}

/** A month with a day or a year or neither: "March", "March 2024", "3 March", "May 3rd, 2025", "the 3rd of May". */
export const monthAt = (
  sentence: Sentence,
  at: number,
  end: number,
  today: Calendar.Day,
  future: boolean
): Days | null => {
  const { tokens } = sentence
  const before = dayNumber(sentence, at, end)
  const monthFrom = before === null ? at : skipped(sentence, at + before.length, end, /^of$/)
  const month = monthFrom < end ? indexIn(months, tokens[monthFrom]!.norm) : -1
  if (month < 0) return null
  // "may" is more often a verb: it has to be written like a month, or to have a day or a year.
  let next = monthFrom + 1
  const after = before ?? (yearAt(sentence, next, end) === null ? dayNumber(sentence, next, end) : null)
  if (before === null && after !== null) next += after.length
  const comma = tokens[next]?.raw === "," ? next + 1 : next
  const year = yearAt(sentence, comma, end)
  if (year !== null) next = comma + 1
  if (
    /^(?:may|mar|march|sun|jan)$/.test(tokens[monthFrom]!.norm) && after === null && year === null &&
    tokens[monthFrom]!.raw[0] === "m"
  ) return null
  const { year: thisYear } = Calendar.civilOf(today)
  const guess = (y: number) => Calendar.dayOf(y, month + 1, after?.value ?? 1)
  const y = year ?? (future
    ? (guess(thisYear) < today && after !== null ? thisYear + 1 : thisYear)
    : guess(thisYear) > today
    ? thisYear - 1
    : thisYear)
  const first = guess(y)
  return { first, last: after === null ? Calendar.dayOf(y, month + 2, 1) - 1 : first, length: next - at }
}
