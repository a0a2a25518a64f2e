/**
 * A task of the agent's: something asked for in words, and what became of it. Pure: shapes and checked values.
 *
 * Spec: "Agent interface", "Agent task". Contract: "The agent".
 */
import { Data, type DateTime } from "effect"
import * as Limits from "../limits/Limits.ts"
import type { FileId, TaskId } from "../shared/Ids.ts"

/** Spec: "Agent task (`state`)". */
export const taskStates = ["submitted", "working", "completed", "failed", "canceled"] as const
export type TaskState = typeof taskStates[number]

export type JsonObject = { readonly [key: string]: unknown }

interface PartDetails {
  readonly filename?: string | undefined
  readonly mediaType?: string | undefined
  readonly metadata?: JsonObject | undefined
}

/** One part of a message as it is sent: exactly one of text, bytes, a link and data. */
export type NewPart =
  & PartDetails
  & (
    | { readonly text: string }
    /** The bytes of a file. */
    | { readonly raw: Uint8Array }
    | { readonly url: string }
    /** Any JSON value. */
    | { readonly data: unknown }
  )

/** What became of the bytes of a part: a file of the drive, or null with the reason why they were not kept. */
export interface SavedBytes {
  readonly fileId: FileId | null
  readonly fileName: string
  readonly mimeType: string
  readonly sizeBytes: number
  /** Why there is no file, as a sentence; null when there is one. */
  readonly because: string | null
}

/** One part of a message as it is kept. Bytes are files of the drive, never rows. */
export type Part =
  & PartDetails
  & (
    | { readonly text: string }
    | { readonly raw: SavedBytes }
    | { readonly url: string }
    | { readonly data: unknown }
  )

export interface NewMessage {
  /** The caller's own name of the message, 1 to 256 characters: the same again is the same message. */
  readonly messageId: string
  readonly parts: readonly [NewPart, ...ReadonlyArray<NewPart>]
  /** The conversation, 1 to 256 characters of the caller's choice. Default: a new one. */
  readonly contextId?: string | undefined
  /** An unfinished task that the message is for. Default: a new one. */
  readonly taskId?: string | undefined
  readonly metadata?: JsonObject | undefined
}

export interface TaskMessage {
  readonly messageId: string
  readonly role: "user" | "agent"
  readonly parts: ReadonlyArray<Part>
  readonly contextId: string
  readonly taskId: TaskId
  readonly metadata: JsonObject | null
  readonly time: DateTime.Utc
}

export interface Artifact {
  readonly artifactId: string
  /** `Reply` is what the agent says; others are files. */
  readonly name: string
  readonly description: string | null
  readonly parts: ReadonlyArray<Part>
}

/** A task as its credential sees it. */
export interface TaskView {
  readonly id: TaskId
  readonly contextId: string
  readonly state: TaskState
  /** When the state or its message last changed. */
  readonly statusTime: DateTime.Utc
  readonly statusMessage: TaskMessage | null
  /** Oldest first; the last ones of as many as were asked for. */
  readonly history: ReadonlyArray<TaskMessage>
  readonly artifacts: ReadonlyArray<Artifact>
  /** As it was sent with the first message. */
  readonly metadata: JsonObject | null
  /** Whether it waits for something to happen on the drive. */
  readonly waits: boolean
}

/** Which of a credential's tasks are listed. */
export interface TaskFilter {
  readonly contextId?: string | undefined
  readonly state?: TaskState | undefined
  /** From this time on, inclusive. */
  readonly statusTimeAfter?: DateTime.Utc | undefined
}

export interface TaskListing extends TaskFilter {
  /** 1 to 100; default 50. */
  readonly pageSize?: number | undefined
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined
  /** How many messages of each task; default all. */
  readonly historyLength?: number | undefined
  /** Default false: then `artifacts` of each is empty. */
  readonly includeArtifacts?: boolean | undefined
}

export interface TaskPage {
  readonly tasks: ReadonlyArray<TaskView>
  /** Empty on the last page. */
  readonly nextPageToken: string
  readonly pageSize: number
  /** How many tasks the filter admits, on all pages; 100,000 also when there are more. */
  readonly totalSize: number
}

/** Where a task's changes are reported, as a caller names it. Spec: "Task push notifications". */
export interface NewWebhook {
  /** Default: made. The same again replaces it. */
  readonly id?: string | undefined
  readonly url: string
  readonly token?: string | undefined
  readonly authentication?: { readonly scheme: string; readonly credentials?: string | undefined } | undefined
}

/** The same as it is shown: without its secrets. */
export interface Webhook {
  readonly taskId: TaskId
  readonly id: string
  readonly url: string
  readonly authentication: { readonly scheme: string } | null
}

/** No task of the credential's has that id, or no webhook of the task. */
export class TaskNotFound extends Data.TaggedError("TaskNotFound")<{
  readonly resource: "task" | "webhook"
  readonly id: string
}> {
  override get message(): string {
    return `No ${this.resource} of yours has the id ${this.id}.`
  }
}

/** The account has as many tasks at work or waiting for their turn as it may have. */
export class TooManyTasks extends Data.TaggedError("TooManyTasks") {
  override get message(): string {
    const most = Limits.tasksOpen.toLocaleString("en")
    return `${most} tasks of this account wait for their turn, which is as many as may. Send this one again when some are done.`
  }
}

/** The task has ended: it can be neither cancelled nor continued. */
export class TaskEnded extends Data.TaggedError("TaskEnded")<{ readonly id: string; readonly state: TaskState }> {
  override get message(): string {
    return `The task ${this.id} is already ${this.state}. Send a new message with its context id instead.`
  }
}
