/**
 * How the processes that open files are shared out: some for those who ask, others for what is looked into in the
 * background. Who shares them fairly between accounts is the core; here there is a process for everything it lets begin,
 * so that nothing waits a second time, in the order in which it came.
 */
import { slowExtractionsMax } from "@filedrive/core"
import { availableParallelism } from "node:os"

export interface Shares {
  /** Files that are opened at a time for who asks: half of them for one account. */
  readonly readings: number
  /** Files that are looked into at a time, beside those that take long. */
  readonly extractions: number
  /** All together. */
  readonly processes: number
}

/** Of as many readings as a host wants: by default two, four where there are as many cores. Requests have a core to themselves, where there are two. */
export const sharesOf = (chosen: number | undefined, cores = availableParallelism()): Shares => {
  const readings = chosen ?? (cores < 4 ? 2 : 4)
  const extractions = chosen === undefined ? Math.min(Math.max(cores - 1, 1), 4) : Math.max(Math.floor(chosen / 2), 1)
  const all = readings + extractions + slowExtractionsMax(extractions)
  // A host that chose few has little memory: twice as many is what one account can have at work, and another's next reading.
  return { readings, extractions, processes: chosen === undefined ? all : Math.min(all, 2 * chosen) }
}
