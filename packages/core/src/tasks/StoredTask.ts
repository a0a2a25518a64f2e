/** A task, what was said in it and what was called, as they are stored. */
import { DateTime } from "effect"
import type { Permission } from "../accounts/CurrentAccount.ts"
import type { AccountId, ApiTokenId, TaskId } from "../shared/Ids.ts"
import type { Artifact, JsonObject, Part, TaskMessage, TaskView } from "./Task.ts"
import { type Phase, stateOf } from "./TaskState.ts"

/** A message as JSON. */
export interface StoredMessage {
  readonly messageId: string
  readonly role: "user" | "agent"
  readonly parts: ReadonlyArray<Part>
  readonly metadata: JsonObject | null
  /** ISO 8601. */
  readonly time: string
}

export interface StoredTask {
  readonly id: TaskId
  readonly accountId: AccountId
  readonly credentialId: ApiTokenId
  readonly credentialName: string
  /** What the tokens of its messages might do, all of them; null: whatever their credential may. */
  readonly permissions: ReadonlyArray<Permission> | null
  readonly contextId: string
  readonly phase: Phase
  readonly statusTime: Date
  readonly statusMessage: StoredMessage | null
  readonly artifacts: ReadonlyArray<Artifact>
  readonly metadata: JsonObject | null
  readonly queueTime: Date
  readonly insertTime: Date
  /** Counts runs of the job: of two, only the later one may change the task. */
  readonly run: number
  /** Calls of the brain and of tools. */
  readonly steps: number
  readonly tokens: number
  /** How many messages its history has, entries its transcript, and how often its changes were told. */
  readonly messages: number
  readonly entries: number
  readonly reports: number
  /** How many addresses its changes are reported to. */
  readonly webhooks: number
  readonly happenedNo: number
}

/** A task that may start now. */
export interface Startable {
  readonly id: TaskId
  /** It begins for the first time, and nobody is told of that. */
  readonly isPlain: boolean
}

/** What the brain reads of a task: the content of one message of a prompt, encoded. */
export interface TaskEntry {
  readonly no: number
  readonly role: "user" | "assistant"
  readonly content: ReadonlyArray<unknown>
}

/** A call of a tool that the answer with the number `entryNo` asks for. */
export interface TaskCall {
  readonly entryNo: number
  readonly no: number
  readonly callId: string
  readonly name: string
  readonly args: unknown
  readonly state: "pending" | "asking" | "done"
  readonly before: unknown
  readonly isFailure: boolean | null
  readonly result: unknown
}

const messageOf =
  (task: Pick<StoredTask, "id" | "contextId">) => ({ time, ...message }: StoredMessage): TaskMessage => ({
    ...message,
    contextId: task.contextId,
    taskId: task.id,
    time: DateTime.makeUnsafe(time)
  })

/** The task as its credential sees it. `history`: its messages, oldest first. */
export const viewOf = (task: Omit<StoredTask, "happenedNo">, history: ReadonlyArray<StoredMessage>): TaskView => ({
  id: task.id,
  contextId: task.contextId,
  state: stateOf(task.phase),
  statusTime: DateTime.fromDateUnsafe(task.statusTime),
  statusMessage: task.statusMessage === null ? null : messageOf(task)(task.statusMessage),
  history: history.map(messageOf(task)),
  artifacts: task.artifacts,
  metadata: task.metadata,
  waits: task.phase === "waiting"
})
