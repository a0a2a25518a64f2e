/** Waiting for something that happens on the drive. The agent keeps the task until then; here it is a call like any other. */
import type { Plan } from "../Plan.ts"
import { attempt, type PlanContext } from "../PlanContext.ts"
import type { ToolFailure } from "../Transcript.ts"
import type { FileRecord } from "./Records.ts"

export type WaitKind = "request_files" | "review_note" | "file_opened" | "folder_files" | "image" | "import" | "archive"

/** What a wait is for. */
export interface WaitFor {
  readonly kind: WaitKind
  /** None for folders, and for files at any request. */
  readonly id?: string
  readonly folder?: string
  /** What the task says while it waits. */
  readonly text: string
}

/** What is told of the event; a part of it by its kind. */
export interface WokenEvent {
  readonly sender?: { readonly name: string }
  readonly request?: { readonly title: string }
  readonly note?: string | null
  readonly files?: ReadonlyArray<Pick<FileRecord, "id" | "fileName">>
  readonly file?: Pick<FileRecord, "id" | "fileName">
  readonly reviewer?: { readonly name: string }
  readonly text?: string
  readonly seconds?: number | null
  readonly viewer?: { readonly handle: string | null; readonly displayName: string | null } | null
  readonly noteId?: string
  readonly id?: string
}

export interface Woken {
  readonly woken: boolean
  /** Why it ended when nothing happened: `closed`, `expired`, `deleted`, `time`. */
  readonly reason: string
  readonly event: WokenEvent | null
}

/** How waiting ended; a failure where it could not begin. */
export function* waitFor(
  it: PlanContext,
  wait: WaitFor
): Plan<{ readonly result?: Woken; readonly failure?: ToolFailure | undefined }> {
  return yield* attempt<Woken>(it, "wait_for", { ...wait })
}

/** Waits where the connection can; goes on at once where it can't. */
export function* waitIfPossible(it: PlanContext, wait: WaitFor): Plan<void> {
  if (it.tools.has("wait_for")) yield* waitFor(it, wait)
}
