/** Whether the day exists: `Date.UTC` continues past a month's end, and takes years below 100 for those of the 1900s. */
export const isDay = (year: number, month: number, day: number): boolean =>
  year >= 100 && month >= 1 && month <= 12 && day >= 1 && Date.UTC(year, month - 1, day) < Date.UTC(year, month)
