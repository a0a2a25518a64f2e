/** Whether a file is one of those that a query means, by its record. */
import type { Period } from "../Dates.ts"
import type { FileRecord } from "../drive/Records.ts"
import { plainName } from "../grammar/Spelling.ts"
import { fold } from "../grammar/Token.ts"
import { boxOf, isWithin } from "../Places.ts"
import type { FileQuery, Range } from "./FileQuery.ts"
import { type Closeness, isIn, wordsOf } from "./WordForms.ts"

const isInPeriod = (time: string | null | undefined, { after, before }: Period): boolean =>
  typeof time === "string" && (after === undefined || time >= after) && (before === undefined || time < before)

const isInRange = (value: number | null | undefined, { max, min }: Range): boolean =>
  typeof value === "number" && (min === undefined || value >= min) && (max === undefined || value <= max)

export const takenTime = ({ media }: FileRecord): string | null => media?.takenTime ?? media?.recordedTime ?? null

const extensionOf = (name: string): string =>
  name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : ""

/** All texts in which people look for words, cut into words. */
export const textWords = (
  { description, fileName, folder, media, tags }: FileRecord,
  isWithFolder: boolean
): ReadonlyArray<string> =>
  wordsOf([
    fileName,
    description ?? "",
    ...tags.map(({ text }) => text),
    media?.title ?? "",
    ...media?.artists ?? [],
    media?.album ?? "",
    media?.genre ?? "",
    isWithFolder ? folder?.path ?? "" : ""
  ].join(" "))

const withoutExtension = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,5}$/, "")

export const hasName = ({ fileName }: FileRecord, said: string): boolean =>
  fold(fileName) === fold(said) || fold(fileName).endsWith(` ${fold(said)}`) ||
  (!/\.[a-z0-9]{1,5}$/i.test(said) && plainName(withoutExtension(fileName)) === plainName(said))

const hasNamePart = (
  { description, fileName, media, tags }: FileRecord,
  { at, text }: FileQuery["nameParts"][number]
): boolean => {
  const [name, part] = [fold(fileName), fold(text)]
  if (at === "start") return name.startsWith(part)
  // ".bak" is the end of the whole name: "bak.txt" and "plan.bak.txt" end otherwise.
  if (at === "end") {
    return name.endsWith(part) || !part.startsWith(".") && fold(withoutExtension(fileName)).endsWith(part)
  }
  return [
    fileName,
    description ?? "",
    media?.title ?? "",
    media?.album ?? "",
    ...media?.artists ?? [],
    ...tags.map((tag) => tag.text)
  ]
    .some((one) => fold(one).includes(part) || plainName(one).includes(plainName(text)))
}

const keyNames = (key: string): string =>
  fold(key).replace(" major", "").replace(" minor", "m").replace("♭", "b").replace("♯", "#")

const isInFolder = ({ folder }: FileRecord, said: string): boolean => {
  if (said === "") return folder === null
  const [path, wanted] = [fold(folder?.path ?? ""), fold(said)]
  return path === wanted || path.startsWith(`${wanted}/`)
}

/** What the search itself can't tell apart. */
export const matchesRest = (file: FileRecord, query: FileQuery): boolean =>
  (query.names.length === 0 || query.names.some((name) => hasName(file, name))) &&
  (query.extensions.length === 0 || query.extensions.includes(extensionOf(file.fileName)) ||
    (query.extensions.includes("pdf") && file.mimeType === "application/pdf") ||
    (query.types.length > 0 && query.types.includes(file.type))) &&
  query.nameParts.every((part) => hasNamePart(file, part)) &&
  (!query.isUntagged || file.tags.length === 0) &&
  (!query.isUndescribed || file.description === null || file.description === "") &&
  (query.folder !== "" || file.folder === null)

/** All filters of a query on a file that was not searched for, like one in trash or one of a playlist. */
export const matches = (file: FileRecord, query: FileQuery, closeness: Closeness = "near"): boolean => {
  const { media } = file
  return (query.types.length === 0 || query.types.includes(file.type) ||
    (query.extensions.length > 0 && query.extensions.includes(extensionOf(file.fileName)))) &&
    matchesRest(file, query) &&
    query.words.every((word) => isIn(word, textWords(file, true), closeness)) &&
    query.tags.every((tag) => file.tags.some(({ text }) => plainName(text) === plainName(tag))) &&
    (query.folder === null || isInFolder(file, query.folder)) &&
    (query.uploaded === null || isInPeriod(file.insertTime, query.uploaded)) &&
    (query.taken === null || isInPeriod(takenTime(file), query.taken)) &&
    (query.dated === null || isInPeriod(takenTime(file) ?? file.insertTime, query.dated)) &&
    (query.size === null || isInRange(file.fileSize, query.size)) &&
    (query.duration === null || isInRange(media?.duration, query.duration)) &&
    (query.tempo === null || isInRange(media?.tempo, query.tempo)) &&
    (query.key === null ||
      keyNames(media?.key ?? "").replace(/m$/, query.key.endsWith("m") ? "m" : "") === keyNames(query.key)) &&
    (query.isPublic === null || file.isPublic === query.isPublic) &&
    (query.somewhere === null || isSomewhere(file, query.somewhere))
}

/** In a folder or a place of that name, or with these words. */
export const isSomewhere = (file: FileRecord, name: string): boolean => {
  const box = boxOf(fold(name))
  const at = file.media?.location ?? null
  return (box !== null && at !== null && isWithin(box, at)) || isIn(name, textWords(file, true), "form")
}
