/** The CPU that one file may take, in all the processes that open it: one object for each file, passed from operation to operation. */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect } from "effect"

/** What a file may take in all, for all operations on it. */
const maxSeconds = 60

export interface CpuBudget {
  /** What is left of it. `Unreadable` when nothing is. */
  readonly left: Effect.Effect<number, DriveError.Unreadable>
  /** Records what was used. */
  readonly spend: (seconds: number) => void
}

export const make = (seconds: number = maxSeconds): CpuBudget => {
  let left = seconds
  return {
    left: Effect.suspend(() =>
      left > 0
        ? Effect.succeed(left)
        : Effect.fail(new DriveError.Unreadable({ because: "This file could not be opened: it takes too much time." }))
    ),
    spend: (seconds) => {
      left -= seconds
    }
  }
}

const budgets = new WeakMap<MediaTools.MediaSource["read"], CpuBudget>()

/** The budget of a file, by its blocks: successive operations on it share the budget. */
export const of = ({ read }: Pick<MediaTools.MediaSource, "read">): CpuBudget => {
  const known = budgets.get(read)
  if (known !== undefined) return known
  const made = make()
  budgets.set(read, made)
  return made
}

/** Counts operations on `part`, which was found in a file, to that file. */
export const include = (
  file: Pick<MediaTools.MediaSource, "read">,
  part: Pick<MediaTools.MediaSource, "read">
): void => void budgets.set(part.read, of(file))
