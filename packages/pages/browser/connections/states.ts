/** How it is with tasks of the agent's. Pure. */
import { isQuestion } from "./question.ts"

export interface TaskState {
  readonly state: "submitted" | "working" | "completed" | "failed" | "canceled"
  readonly waits: boolean
  readonly reply: string | null
}

export const isOpen = ({ state }: Pick<TaskState, "state">): boolean => state === "submitted" || state === "working"

/** One that waits for something is not at work, and one that ended with a question is not done. */
export const stateOf = ({ reply, state, waits }: TaskState): TaskState["state"] | "waiting" | "asks" =>
  waits ? "waiting" : state === "completed" && reply !== null && isQuestion(reply) ? "asks" : state

interface Task extends TaskState {
  readonly id: string
}

/** Those that are in another state than before. One that was given here may have ended before it was seen: that is told, too. */
export const changedOf = <T extends Task>(
  before: ReadonlyArray<T>,
  after: ReadonlyArray<T>,
  given: ReadonlySet<string>
): ReadonlyArray<T> => {
  const were = new Map(before.map((task) => [task.id, task]))
  return after.filter((task) => {
    const was = were.get(task.id)
    return was === undefined ? given.has(task.id) && !isOpen(task) : stateOf(was) !== stateOf(task)
  })
}
