/** Asks the drive for files, page by page, as far as its search can tell them apart. */
import type { Period } from "../Dates.ts"
import { tagCalled } from "../drive/Collections.ts"
import type { Collections, FilePage, FileRecord } from "../drive/Records.ts"
import { fold } from "../grammar/Token.ts"
import { makeCalls, type Plan, ToolFailed } from "../Plan.ts"
import { call, type PlanContext } from "../PlanContext.ts"
import type { FileQuery, Sort } from "./FileQuery.ts"
import { matchesRest, takenTime } from "./matchFile.ts"
import { stem, wordsOf } from "./WordForms.ts"

/** Files that one request reads at most. */
export const mostFiles = 10_000
const pageSize = 200
/** Pages that are asked for at once when there are more. */
const pagesAtOnce = 5

type SearchArgs = Readonly<Record<string, unknown>>

export interface Found {
  readonly files: ReadonlyArray<FileRecord>
  /** Whether there are more than were read. */
  readonly isCut: boolean
}

/** All pages of a search, or the first `limit` files. */
export function* searchPages(it: PlanContext, args: SearchArgs, limit = mostFiles): Plan<Found> {
  const size = Math.min(pageSize, limit)
  const first = yield* call<FilePage>(it, "search_files", { ...args, limit: size })
  const files = [...first.files]
  let next = first.nextOffset
  while (next !== null && files.length < limit) {
    const from: number = next
    // Offsets are known ahead where pages are full; a drive that answers with smaller ones is asked one at a time.
    const isFull = first.files.length === size
    const offsets = Array.from({ length: isFull && files.length > size ? pagesAtOnce : 1 }, (_, at) => from + at * size)
    const made = yield* makeCalls(
      offsets.map((offset) => ({ name: "search_files", args: { ...args, limit: size, offset } }))
    )
    next = null
    for (const { failure, result } of made) {
      if (failure !== undefined) throw new ToolFailed("search_files", failure)
      const page = result as FilePage
      files.push(...page.files)
      next = page.nextOffset
    }
  }
  return { files: files.slice(0, limit), isCut: next !== null || files.length > limit }
}

const period = (name: "uploaded" | "taken", given: Period | null): SearchArgs => ({
  ...(given?.after === undefined ? {} : { [`${name}After`]: given.after }),
  ...(given?.before === undefined ? {} : { [`${name}Before`]: given.before })
})

const range = (
  name: string,
  given: { readonly min?: number; readonly max?: number } | null,
  isWhole = false
): SearchArgs => ({
  ...(given?.min === undefined ? {} : { [`min${name}`]: isWhole ? Math.ceil(given.min) : given.min }),
  ...(given?.max === undefined ? {} : { [`max${name}`]: isWhole ? Math.floor(given.max) : given.max })
})

const ownSorts: ReadonlySet<Sort> = new Set(["newest", "oldest", "largest", "smallest", "name"])

/** The search for a query without alternatives; `words` replaces its words. */
export const searchArgs = (query: FileQuery, known: Collections | null): SearchArgs => {
  const { duration, folder, isPublic, key, names, sort, tags, taken, tempo, types, uploaded, words } = query
  const nameWords = names.length === 1 ? wordsOf(names[0]!) : []
  const partWords = query.nameParts.flatMap(({ at, text }) =>
    at === "end" ? [] : at === "start" ? wordsOf(text).slice(0, 1) : []
  )
  const text = [...words.flatMap(wordsOf).map(stem), ...nameWords, ...partWords].join(" ")
  // Extensions are no filter of the search: a kind beside them narrows nothing.
  const isTyped = types.length > 0 && query.extensions.length === 0
  return {
    ...(text === "" ? {} : { text }),
    ...(isTyped ? { types } : {}),
    ...(tags.length === 0
      ? {}
      : { tags: tags.map((tag) => known === null ? tag : tagCalled(known, tag)?.text ?? tag) }),
    ...(folder === null || folder === "" || folder === "/" ? {} : { folder }),
    ...(isPublic === null ? {} : { isPublic }),
    ...period("uploaded", uploaded),
    ...period("taken", taken),
    ...range("Duration", duration),
    ...range("Tempo", tempo),
    ...range("Size", query.size, true),
    ...(key === null ? {} : { key }),
    ...(sort !== null && ownSorts.has(sort) ? { sort } : {})
  }
}

const mayBeTaken = ({ types }: FileQuery): boolean =>
  types.length > 0 && types.every((type) => type === "Image" || type === "Video")

/** Whether the search alone gives exactly what is meant. */
const isExact = (query: FileQuery): boolean =>
  query.names.length + query.extensions.length + query.nameParts.length === 0 && !query.isUntagged &&
  !query.isUndescribed &&
  query.folder !== "" && query.except === null && (query.sort === null || ownSorts.has(query.sort))

/** The files of a query without alternatives, order and references. */
export function* searchFor(
  it: PlanContext,
  query: FileQuery,
  known: Collections | null,
  args = searchArgs(query, known)
): Plan<Found> {
  if (query.names.length > 1) {
    const found: Array<FileRecord> = []
    for (const name of query.names) found.push(...(yield* searchFor(it, { ...query, names: [name] }, known)).files)
    return { files: found, isCut: false }
  }
  const wanted = query.count !== null && query.position === null && isExact(query) && query.dated === null
    ? query.count
    : mostFiles
  if (query.dated !== null && mayBeTaken(query)) {
    // Photos are from when they were taken; those that don't say it, from when they came.
    const taken = yield* searchPages(it, { ...args, ...period("taken", query.dated) })
    const uploaded = yield* searchPages(it, { ...args, ...period("uploaded", query.dated) })
    const ids = new Set(taken.files.map(({ id }) => id))
    const untaken = uploaded.files.filter((file) => takenTime(file) === null && !ids.has(file.id))
    return {
      files: [...taken.files, ...untaken].filter((file) => matchesRest(file, query)),
      isCut: taken.isCut || uploaded.isCut
    }
  }
  const { files, isCut } = yield* searchPages(it, { ...args, ...period("uploaded", query.dated) }, wanted)
  const fitting = files.filter((file) => matchesRest(file, query))
  // "logo.png" is not "old logo.png", where both are there.
  const [name] = query.words.length === 0 ? query.names : []
  const exact = name === undefined ? [] : fitting.filter(({ fileName }) => fold(fileName) === fold(name))
  return { files: exact.length > 0 ? exact : fitting, isCut: isCut && wanted === mostFiles }
}
