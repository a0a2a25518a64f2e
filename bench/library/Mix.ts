/** Runs the mix of searches in the service. */
import { Search, SearchQuery } from "@filedrive/core"
import { Effect } from "effect"
import { median, percentile } from "../Rounds.ts"
import { type MixedQuery, searchMix } from "../SearchMix.ts"
import { queries, searchRounds } from "../Settings.ts"
import { as, type LibraryDrive } from "./LibraryDrive.ts"
import type { SeededLibrary } from "./Seed.ts"
import { folderPaths } from "./Shape.ts"

export const mixOf = ({ files, folders }: SeededLibrary): ReadonlyArray<MixedQuery> =>
  searchMix({ files, folders: folderPaths(folders) })

/** Milliseconds of each query in each round, the warming one left out. */
export type Times = ReadonlyMap<string, ReadonlyArray<number>>

export const runMix = async (
  drive: LibraryDrive,
  library: SeededLibrary,
  before: (() => Promise<unknown>) | undefined = undefined
): Promise<Times> => {
  const mix = await Promise.all(
    mixOf(library).map(async ([name, request]) => [name, await Effect.runPromise(SearchQuery.decode(request))] as const)
  )
  const times = new Map<string, Array<number>>(mix.map(([name]) => [name, []]))
  for (let round = 0; round <= searchRounds; round++) {
    for (const [name, query] of mix) {
      await before?.()
      const start = performance.now()
      await drive.runPromise(Effect.flatMap(Search, ({ search }) => search(query)).pipe(as(library.userId)))
      if (round > 0) times.get(name)!.push(performance.now() - start)
    }
  }
  if (queries) show(times)
  return times
}

const show = (times: Times) => {
  const worst = [...times].toSorted(([, a], [, b]) => median(b) - median(a))
  for (const [name, of] of worst) {
    console.error(`${median(of).toFixed(1).padStart(8)} ms, at most ${Math.max(...of).toFixed(1).padStart(8)}  ${name}`)
  }
}

export const summary = (times: Times) => {
  const all = [...times.values()].flat()
  return { p50: percentile(all, 0.5), p99: percentile(all, 0.99), max: Math.max(...all), count: times.size }
}

export const described = ({ max, p50, p99 }: Omit<ReturnType<typeof summary>, "count">): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${max.toFixed(0)} ms`
