/** How answers are worded: names, numbers, sizes and times, in the language of the request. */
import { DateTime } from "effect"
import * as Calendar from "./Calendar.ts"
import type { Link } from "./Decision.ts"
import type { FileRecord, ReviewItem } from "./drive/Records.ts"
import type { FileQuery } from "./files/FileQuery.ts"
import { namesShown } from "./namesShown.ts"
import { type PlanContext, say } from "./PlanContext.ts"

/** A name of the drive in an answer. */
export const quoted = (name: string): string => `“${name}”`

/** "a, b and c", and how many more there are. */
export const enumerate = (it: PlanContext, names: ReadonlyArray<string>, shown = namesShown): string => {
  const and = say(it, " and ", " und ")
  if (names.length > shown) {
    const more = names.length - shown
    return `${names.slice(0, shown).join(", ")}${and}${say(it, `${more} more`, `${more} weitere`)}`
  }
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${and}${names.at(-1)}`
}

export const fileNames = (it: PlanContext, files: ReadonlyArray<Pick<FileRecord, "fileName">>): string =>
  enumerate(it, files.map(({ fileName }) => fileName))

export const counted = (
  it: PlanContext,
  count: number,
  en: readonly [string, string],
  de: readonly [string, string]
): string => `${count} ${say(it, en[count === 1 ? 0 : 1], de[count === 1 ? 0 : 1])}`

const nouns: Readonly<Record<string, readonly [en: readonly [string, string], de: readonly [string, string]]>> = {
  Image: [["photo", "photos"], ["Bild", "Bilder"]],
  Video: [["video", "videos"], ["Video", "Videos"]],
  Audio: [["track", "tracks"], ["Track", "Tracks"]]
}

/** "3 photos": files are called by their kind where all are of one. */
export const filesCounted = (it: PlanContext, count: number, kind: Pick<FileQuery, "types"> | null = null): string => {
  const [en, de] = nouns[kind?.types.length === 1 ? kind.types[0]! : ""] ?? [["file", "files"], ["Datei", "Dateien"]]
  return counted(it, count, en, de)
}

/** "3 files (a, b and c)", or the name alone of one. */
export const theFiles = (it: PlanContext, files: ReadonlyArray<Pick<FileRecord, "fileName">>): string =>
  files.length === 1 ? quoted(files[0]!.fileName) : `${filesCounted(it, files.length)} (${fileNames(it, files)})`

export const bytes = (it: PlanContext, count: number): string => {
  const steps = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "KB"]] as const
  const [unit, name] = steps.find(([unit]) => count >= unit) ?? [1, "B"]
  const text = (count / unit).toFixed(unit === 1 || count / unit >= 100 ? 0 : 1).replace(/\.0$/, "")
  return `${it.language === "de" ? text.replace(".", ",") : text} ${name}`
}

/** 215 seconds are 3:35. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, "0")
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** The day of an instant where the user is: 2026-03-01. */
export const day = ({ moment: { zone } }: PlanContext, iso: string): string =>
  Calendar.isoDay(Calendar.todayOf({ now: DateTime.makeUnsafe(iso), zone }))

/** The last day on which something that ends then is open. */
export const lastDay = ({ moment: { zone } }: PlanContext, iso: string): string =>
  Calendar.isoDay(Calendar.todayOf({ now: DateTime.subtract(DateTime.makeUnsafe(iso), { seconds: 1 }), zone }))

export const fileLink = (
  { downloadUrl, fileName, id, isPublic }: Pick<FileRecord, "id" | "fileName"> & Partial<FileRecord>
): Link => ({
  kind: "file",
  id,
  name: fileName,
  url: isPublic === true ? downloadUrl ?? null : null
})

/** A page of the drive that people open: a request or a review. */
export const pageUrl = ({ siteUrl }: PlanContext, page: "requests" | "reviews", id: string): string =>
  siteUrl === null ? `/${page}/${id}` : `${siteUrl.replace(/\/$/, "")}/${page}/${id}`

export const reviewLink = (it: PlanContext, { file, id }: Pick<ReviewItem, "id" | "file">): Link => ({
  kind: "review",
  id,
  name: file.fileName,
  url: pageUrl(it, "reviews", id)
})
