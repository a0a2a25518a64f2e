/** Who may call on tasks, and which of them. */
import { Effect, Schema } from "effect"
import { CurrentCredential } from "../accounts/Credential.ts"
import { InvalidField, Refused } from "../shared/DriveError.ts"
import { TaskId } from "../shared/Ids.ts"
import type { StoredTask } from "./StoredTask.ts"
import { TaskEnded } from "./Task.ts"
import * as TaskState from "./TaskState.ts"

export const isTaskId = Schema.is(TaskId)

export const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0

export const invalid = (field: string, because: string): InvalidField =>
  new InvalidField({ code: "invalid_field", field, because })

export const badLength = invalid("historyLength", "must be a whole number from 0 on")

/** The calling credential, when it may give the agent tasks. */
export const caller = Effect.filterOrFail(
  CurrentCredential,
  ({ limits }) => limits.permissions === null || limits.permissions.includes("agent"),
  () => new Refused({ code: "token_limit", because: "This token may not give tasks to the agent." })
)

/** The task, unless it has ended. */
export const open = (task: StoredTask) =>
  TaskState.hasEnded(task.phase)
    ? Effect.fail(new TaskEnded({ id: task.id, state: TaskState.stateOf(task.phase) }))
    : Effect.succeed(task)
