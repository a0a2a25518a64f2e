/**
 * What a task of the agent's waits for, and what can happen to that. Pure.
 *
 * Spec: "Agent interface", rules. Contract: "The agent".
 */
import type { DateTime } from "effect"
import type { EventFile } from "../events/DriveEvent.ts"
import * as Job from "../jobs/Job.ts"
import type * as FolderPath from "../shared/FolderPath.ts"
import { AccountId, type FolderId, TaskId, type WaitId } from "../shared/Ids.ts"

export const waitKinds = [
  /** A sender finishes a delivery to a file request; without a target to any of them. */
  "request_files",
  /** A reviewer leaves a note, or a reply, on a review. */
  "review_note",
  /** Somebody else opens a file. */
  "file_opened",
  /** Files are recorded in a folder or inside it, or moved there. */
  "folder_files",
  /** The generation of an image ends. */
  "image",
  /** An import from a link ends. */
  "import",
  /** An archive is built, or fails. */
  "archive"
] as const
export type WaitKind = typeof waitKinds[number]

/** What is waited for: by its id (none for files at any request), or of a folder, which may not exist yet, by its path. */
export interface WaitTarget {
  readonly kind: WaitKind
  /** Null for `folder_files`, and for files at any request. */
  readonly targetId: string | null
  /** Null for all others. A path like `/A/B`; `/` is the whole drive. */
  readonly folderPath: FolderPath.Path | null
}

export interface NewWait extends WaitTarget {
  readonly taskId: TaskId
  /** As people call it, like the title of a request. */
  readonly targetName: string | null
  /** The folder that the task's credential is limited to: what happens outside it wakes nothing. */
  readonly withinFolder: FolderId | null
  /** What it waits for, as a sentence for people. */
  readonly text: string
  readonly untilTime: DateTime.Utc
}

export interface Wait extends NewWait {
  readonly id: WaitId
  readonly sinceTime: DateTime.Utc
  /** What happened; null while nothing has. */
  readonly woken: Happened | null
}

/** What happened, as the task is told. */
export interface Happened {
  /** For people and brains. With `ended` it is no event: what was waited for is gone, for that reason. */
  readonly event: { readonly [key: string]: unknown }
  /** Its number among what happened on the account. */
  readonly no: number
}

/** Something that waits may be for. */
export interface Happening extends Pick<Happened, "event"> {
  readonly kind: WaitKind
  readonly targetId: string | null
  /** Where it happened; null at the top of the drive. */
  readonly folderId: FolderId | null
}

/** A file that came to a folder. */
export interface ArrivedFile extends EventFile {
  readonly folderId: FolderId | null
}

/**
 * Continues a task: its next steps, or the end of its wait. The tasks of an account take turns by themselves; here is only how many a
 * process works on, with those that have handed their place to the next and are being settled.
 */
export const taskStepJob = Job.define("agent.step", {
  description: "Does the next steps of a task of the agent's.",
  when: "when the task begins, when what it waits for happens, and when its wait ends",
  key: Job.key({ accountId: AccountId, taskId: TaskId }),
  concurrency: 32,
  concurrencyOfAccount: 16
})
