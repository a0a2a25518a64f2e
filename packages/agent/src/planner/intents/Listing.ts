/** Lists of files in answers, a line for each. */
import type { FileRecord } from "../drive/Records.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { bytes, day, duration } from "../Speech.ts"

/** Ways to ask which things of a kind there are, and how many. */
export const listed = (noun: string): ReadonlyArray<string> => [
  `@find [@all] ${noun}`,
  `@find [@all] ${noun} @havewe`,
  `(what|which|welche|was fur|what kind of|@howmany) ${noun} @havewe [@havewe]`,
  `(what|which|welche|@howmany) ${noun} @is @there`,
  `(what|which|welche|@howmany) ${noun} (do|have|are|habe|gibt) (i|there|we|ich|es) [have|used|got|made]`,
  `(do|have) (i|we) [have|got] [any] ${noun}`,
  `@is @there [any|schon] ${noun}`,
  `${noun} @find`,
  `(what|was) @is [@all|meine] ${noun} [called]`,
  `(a|the) list of [@all] ${noun}`,
  `@find (a|the|eine|die) (list|liste) (of|mit|aller|meiner|der) [@all] ${noun}`
]

/** Files that an answer lists; the rest is counted. */
export const filesListed = 20

/** What is known of a file, in a few words. */
export const facts = (it: PlanContext, { fileSize, folder, insertTime, media }: FileRecord): string =>
  [
    bytes(it, fileSize),
    ...(typeof media?.duration === "number" ? [duration(media.duration)] : []),
    ...(typeof media?.tempo === "number" ? [`${Math.round(media.tempo)} bpm`] : []),
    ...(typeof media?.key === "string" ? [media.key] : []),
    folder?.path ?? "/",
    day(it, media?.takenTime ?? insertTime)
  ].join(", ")

/** A line for each file, and how many more there are. */
export const listing = (it: PlanContext, files: ReadonlyArray<FileRecord>): string => {
  const lines = files.slice(0, filesListed).map((file, at) => `${at + 1}. ${file.fileName} (${facts(it, file)})`)
  const more = files.length - lines.length
  return [...lines, ...(more > 0 ? [say(it, `… and ${more} more`, `… und ${more} weitere`)] : [])].join("\n")
}
