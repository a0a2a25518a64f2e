/** Years in which something was made: others are parts of longer numbers, and of clocks that were never set. */
const yearMin = 1_000
const yearMax = 2_100

/** Whether something can have been made on the day, which must exist: `Date.UTC` continues past a month's end. */
export const isDay = (year: number, month: number, day: number): boolean =>
  year >= yearMin && year <= yearMax && month >= 1 && month <= 12 && day >= 1 &&
  Date.UTC(year, month - 1, day) < Date.UTC(year, month)
