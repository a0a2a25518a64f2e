/** Times as people say them. */
import { locale } from "../foundation/texts.ts"
import { t } from "./texts.ts"

const units = [["minute", 60], ["hour", 3_600], ["day", 86_400]] as const

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" })
const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" })

/** Like `5 minutes ago`; a day where it is more than a week away. */
export const near = (iso: string, now = Date.now()): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  const away = Math.abs(seconds)
  if (away < 60) return t("connections.now")
  if (away > 7 * 86_400) return day.format(new Date(iso))
  const [unit, size] = units.findLast(([, size]) => away >= size)!
  return relative.format(Math.trunc(seconds / size), unit)
}

export const dayOf = (iso: string): string => day.format(new Date(iso))

export const clockTime = (millis: number): string => clock.format(new Date(millis))
