/** Numbers and times as the reader writes them. */
import { locale } from "../foundation/texts.ts"

const numbers = new Intl.NumberFormat(locale)

export const numberOf = (value: number): string => numbers.format(value)

const today = new Intl.DateTimeFormat(locale, { timeStyle: "short" })
const before = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })

/** When something was written: of today the time alone. */
export const timeOf = (iso: string): string => {
  const time = new Date(iso)
  return (time.toDateString() === new Date().toDateString() ? today : before).format(time)
}
