/** The tags and folders that a query names, as the numbers that the index of docs has for them. */
import type { Position } from "../docindex/Ranking.ts"
import type { ParsedQuery } from "./ParsedQuery.ts"

export interface ResolvedNames {
  readonly accountNo: number
  readonly tagNos: ReadonlyArray<string>
  /** The folder of the query and all inside it; empty when the folder does not exist, or the query names none. */
  readonly folderNos: ReadonlyArray<number>
  /** The same for the one that the call is limited to. */
  readonly limitNos: ReadonlyArray<number>
  /** Where the page of this offset begins, when that is known. */
  readonly position: Position | null
}

/** Of the first page of a query that names nothing, from a call that is limited to no folder. */
export const none: Omit<ResolvedNames, "accountNo"> = { tagNos: [], folderNos: [], limitNos: [], position: null }

/** Whether everything that a query names exists; otherwise it finds no file. */
export const allExist = (
  { foldedPath, foldedTags, types }: ParsedQuery,
  { folderNos, limitNos, tagNos }: ResolvedNames,
  isLimited: boolean
): boolean =>
  tagNos.length === foldedTags.length && (foldedPath === null || folderNos.length > 0)
  && (!isLimited || limitNos.length > 0) && types?.length !== 0
