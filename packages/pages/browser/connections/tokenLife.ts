/** How long a new token is good. Pure. */
export const lives = ["week", "month", "year", "never", "date"] as const
export type Life = typeof lives[number]

const days: Readonly<Record<"week" | "month" | "year", number>> = { week: 7, month: 30, year: 365 }

const dayMillis = 86_400_000

const padded = (value: number): string => String(value).padStart(2, "0")

/** As a field for days has it, in the reader's time. */
export const tomorrow = (now = new Date()): string => {
  const next = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
  return `${next.getFullYear()}-${padded(next.getMonth() + 1)}-${padded(next.getDate())}`
}

/** When the token ends; null for never, undefined for a day that is none or has begun. A day is good until its end. */
export const endOf = (life: Life, day: string, now = Date.now()): string | null | undefined => {
  if (life === "never") return null
  if (life !== "date") return new Date(now + days[life] * dayMillis).toISOString()
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []
  if (year === undefined) return undefined
  const end = new Date(Number(year), Number(month) - 1, Number(date) + 1)
  return Number.isNaN(end.getTime()) || end.getTime() - now < dayMillis / 24 ? undefined : end.toISOString()
}
