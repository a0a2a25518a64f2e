/**
 * How the processes that open files are divided: some for requests, others for extraction in the
 * background. The core shares them fairly between accounts; here there is a process for everything that the core begins,
 * so that nothing waits a second time, in the order in which it came.
 */
import type { Places } from "@filedrive/core"
import { availableParallelism } from "node:os"

export interface Shares {
  /** Files that are opened at a time for requests; one account has half as many as are in their turn. */
  readonly readings: Places
  /** Files whose metadata is extracted at a time. */
  readonly extractions: Places
  /** Previews that are made at a time, each with a process of its own for as long as it takes. */
  readonly previews: Places
  /** All together, without those of previews and peaks. */
  readonly processes: number
}

/** The shares for as many requests as a host wants: by default two, four where there are as many cores. Requests have a core of their own, where there are two. */
export const sharesOf = (chosen: number | undefined, cores = availableParallelism()): Shares => {
  const { extractions, previews, readings } = chosen === undefined ? byCores(cores) : byChoice(chosen)
  const all = readings.inTurn + readings.aside + extractions.inTurn + extractions.aside
  return { readings, extractions, previews, processes: all }
}

const byCores = (cores: number) => {
  const extractions = Math.min(Math.max(cores - 1, 1), 4)
  return {
    readings: { inTurn: cores < 4 ? 2 : 4, aside: 2 },
    extractions: { inTurn: extractions, aside: Math.max(extractions, 2) },
    previews: { inTurn: 1, aside: cores < 4 ? 2 : 3 }
  }
}

/**
 * A host that chose few has little memory: twice as many processes at most. So there is no extra place for requests, of which
 * one that takes long is preempted when others wait.
 */
const byChoice = (chosen: number) => {
  const extractions = Math.max(Math.floor(chosen / 2), 1)
  return {
    readings: { inTurn: chosen, aside: 0 },
    extractions: { inTurn: extractions, aside: Math.min(Math.max(extractions, 2), chosen - extractions) },
    previews: { inTurn: 1, aside: Math.min(chosen - 1, 2) }
  }
}
