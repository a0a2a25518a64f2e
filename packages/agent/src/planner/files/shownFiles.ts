/** The entries of the list that was shown last: "the first two", "the second one", "both photos". */
import type { FileRecord } from "../drive/Records.ts"
import type { PlanContext } from "../PlanContext.ts"
import { type FileQuery, isWholeDrive } from "./FileQuery.ts"
import { matches } from "./matchFile.ts"

/** Whether it can only be an entry of the list that was shown last: "the second one". */
export const isOfShown = ({ list, names, position, refer, sort }: FileQuery): boolean =>
  position !== null && sort === null && list === null && names.length === 0 && refer !== "rest"

/** Words that tell when a file came or was made: "the first photo I uploaded" is none of a list. */
const isOfTime = ({ dated, said, taken, uploaded }: FileQuery): boolean =>
  dated !== null || taken !== null || uploaded !== null ||
  /\b(?:upload|add|tak|took|record|sent|made|import|hochgeladen|gemacht|aufgenommen|geschickt)/i.test(said)

/** "the first two" behind a list, as its entries. */
export const endsOfShown = ({ focus }: PlanContext, query: FileQuery): ReadonlyArray<FileRecord> | null => {
  const { count, folder, list, names, number, place, refer, sent, somewhere } = query
  const most = count ?? (number === "one" ? 1 : null)
  if (place === null || most === null || names.length > 0 || isOfTime(query) || refer === "rest") return null
  if (folder !== null || list !== null || sent !== null || somewhere !== null || query.isTrashed) return null
  const { files, isWhole } = focus.shown
  const kept = files.filter((file) => matches(file, { ...query, refer: null, sort: null }))
  // "The first photo" without a list is the oldest; "the first two" are nothing then.
  const isBare = isWholeDrive({ ...query, refer: null, sort: null, count: null })
  if (kept.length < most) return refer === null && !isBare ? null : []
  return place === 1 ? kept.slice(0, most) : isWhole ? kept.slice(-most) : []
}

/** "The two photos" behind a list with two of them; null for files that are looked for. */
export const exactlyShown = ({ focus }: PlanContext, query: FileQuery): ReadonlyArray<FileRecord> | null => {
  const { exactly, except, folder, list, or, refer, sent, somewhere } = query
  if (exactly === null || refer !== null || except !== null || or.length > 0) return null
  if (folder !== null || list !== null || sent !== null || somewhere !== null || query.isTrashed) return null
  const kept = focus.shown.files.filter((file) => matches(file, query))
  return kept.length === exactly && focus.shown.isWhole ? kept : null
}
