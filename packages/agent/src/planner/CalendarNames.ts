/** Names of months, weekdays and seasons, in English and German. */
export const months = [
  "january jan januar jaenner janner",
  "february feb februar",
  "march mar maerz marz",
  "april apr",
  "may mai",
  "june jun juni",
  "july jul juli",
  "august aug",
  "september sept sep",
  "october oct oktober okt",
  "november nov",
  "december dec dezember dez"
].map((names) => new Set(names.split(" ")))

export const weekdays = [
  "monday mon montag montags",
  "tuesday tue tues dienstag",
  "wednesday wed mittwoch",
  "thursday thu thurs donnerstag",
  "friday fri freitag",
  "saturday sat samstag sonnabend",
  "sunday sun sonntag"
].map((names) => new Set(names.split(" ")))

/** First month and number of months; winter begins in December. */
export const seasons: Readonly<Record<string, number>> = {
  spring: 3,
  fruhling: 3,
  fruehling: 3,
  fruhjahr: 3,
  summer: 6,
  sommer: 6,
  autumn: 9,
  fall: 9,
  herbst: 9,
  winter: 12
}

export const indexIn = (names: ReadonlyArray<ReadonlySet<string>>, word: string | undefined): number =>
  word === undefined ? -1 : names.findIndex((set) => set.has(word))

/** Whether a word is the name of a month. */
export const isMonth = (word: string): boolean => indexIn(months, word) >= 0
