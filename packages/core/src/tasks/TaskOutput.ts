/** What the agent says of a task. Pure. */
import type { TaskCall } from "./StoredTask.ts"
import type { Artifact, Part } from "./Task.ts"

/** What a change says. */
export interface TaskOutput {
  /** The message of the new status; none when left out. */
  readonly parts?: ReadonlyArray<Part>
  readonly artifacts?: ReadonlyArray<Artifact>
}

/** A text as the agent's answer: the message of the status, and the artifact `Reply`. */
export const reply = (text: string): Required<TaskOutput> => ({
  parts: [{ text }],
  artifacts: [{ artifactId: "reply", name: "Reply", description: null, parts: [{ text }] }]
})

/** What is said of a task that is cancelled. Calls that only look are not told of. */
export const canceledText = (calls: ReadonlyArray<TaskCall>): string => {
  const named = (some: ReadonlyArray<TaskCall>) => some.map(({ name }) => name).join(", ")
  const changing = calls.filter(({ name }) => !/^(select|search|read|get|export|generate_download|wait_for)/.test(name))
  const done = changing.filter(({ isFailure, state }) => state === "done" && isFailure === false)
  const open = changing.filter(({ state }) => state === "asking")
  return [
    "Canceled.",
    done.length === 0 ? "Nothing had been changed." : `Done before, and kept: ${named(done)}.`,
    ...open.length === 0 ? [] : [`Under way, and may still take effect: ${named(open)}.`]
  ].join(" ")
}
