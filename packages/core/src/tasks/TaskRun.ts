/** What a run of a task works with: what the brain reads, and what it answers. */
import { Data } from "effect"
import type { Wait } from "../waits/Wait.ts"
import type { StoredTask, TaskCall, TaskEntry } from "./StoredTask.ts"

/** The task has ended, or another run of it has begun. */
export class Outdated extends Data.TaggedError("Outdated") {}

/** What a brain reads of a task. */
export interface Transcript {
  readonly task: StoredTask
  readonly entries: ReadonlyArray<TaskEntry>
  readonly calls: ReadonlyArray<TaskCall>
}

/** A task at work, with the conversation before it, oldest first. What `task` counts includes what is not recorded yet. */
export interface TaskRun extends Transcript {
  /** The task as it is recorded: entries from its count of them on, and their calls, are not. */
  readonly recorded: StoredTask
  readonly earlier: ReadonlyArray<Transcript>
  /** It goes on waiting for this, unless a message ends that. */
  readonly wait: Wait | null
}

/** A run that began in the transaction that made the task, or chose it: handed in memory to the job that continues it. */
export interface ReadyRun {
  readonly task: StoredTask
  /** What the brain reads; null when it is to be read. */
  readonly transcript: Pick<TaskRun, "entries" | "calls" | "earlier"> | null
}

/** What is to be done about a task now. */
export type RunStart =
  | { readonly _tag: "Nothing" }
  /** It waits, and what it waits for may have ended in another way than it waits for. */
  | { readonly _tag: "CheckWait"; readonly task: StoredTask; readonly wait: Wait }
  | { readonly _tag: "Run"; readonly run: TaskRun }

/** How a call of a tool ended: with the tool's answer, or with why it was refused. */
export interface ToolResult {
  readonly isFailure: boolean
  readonly result: unknown
}

/** An answer of the brain's that calls tools. */
export interface Answer {
  /** Of the assistant's message, encoded. */
  readonly content: ReadonlyArray<unknown>
  readonly calls: ReadonlyArray<Pick<TaskCall, "callId" | "name" | "args"> & { readonly outcome?: ToolResult }>
  readonly tokens: number
}

const done = (call: TaskCall, { isFailure, result }: ToolResult): TaskCall => ({
  ...call,
  state: "done",
  isFailure,
  result
})

/** The run with an answer of the brain's, numbered after what it has. Pure: nothing is recorded. */
export const withAnswer = (run: TaskRun, { calls, content, tokens }: Answer): TaskRun => {
  const entry: TaskEntry = { no: run.task.entries, role: "assistant", content }
  const made = calls.map(({ outcome, ...call }, no): TaskCall => {
    const pending: TaskCall = {
      ...call,
      entryNo: entry.no,
      no,
      state: "pending",
      before: null,
      isFailure: null,
      result: null
    }
    return outcome === undefined ? pending : done(pending, outcome)
  })
  const { steps, tokens: used } = run.task
  return {
    ...run,
    task: {
      ...run.task,
      entries: entry.no + 1,
      steps: steps + 1 + made.filter(({ state }) => state === "done").length,
      tokens: used + tokens
    },
    entries: [...run.entries, entry],
    calls: [...run.calls, ...made]
  }
}

/** What of a run is not recorded yet, as it is to be recorded after `now`, the task as it is in the database. */
export const unrecorded = ({ calls, entries, recorded, task }: TaskRun, now: StoredTask) => {
  const shift = now.entries - recorded.entries
  return {
    entries: entries.filter(({ no }) => no >= recorded.entries).map((entry) => ({ ...entry, no: entry.no + shift })),
    calls: calls.filter(({ entryNo }) => entryNo >= recorded.entries).map((call) => ({
      ...call,
      entryNo: call.entryNo + shift
    })),
    task: {
      ...now,
      entries: task.entries + shift,
      steps: now.steps + task.steps - recorded.steps,
      tokens: now.tokens + task.tokens - recorded.tokens
    }
  }
}

export { done as withOutcome }
