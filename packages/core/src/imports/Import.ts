/**
 * The import of a file from a link: its shape and its life, as a function of (state, event, time). Pure.
 *
 * ```text
 *   (none) ──started──▶ working ──recorded──▶ done
 *                        │   ▲
 *                        └───┘ failed, and trying again may help: soon, then later
 *                        └──── failed for good │ too often │ not done after 7 days ──▶ failed
 * ```
 *
 * Contract: "Files", `/import-from-url`.
 */
import { DateTime, Duration, Schema } from "effect"
import type { Description, FileName } from "../files/FileDetail.ts"
import * as Limits from "../limits/Limits.ts"
import type { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId, ImportId } from "../shared/Ids.ts"
import { nameFlaw, Text } from "../shared/Text.ts"

/** A link that may be imported, as far as its text tells. The port decides whether it is fetched. */
export const ImportUrl = Text.check(
  Schema.isBetweenLength(1, Limits.importUrlMaxLength),
  Schema.makeFilter<string>(nameFlaw)
).pipe(Schema.brand("ImportUrl"))
export type ImportUrl = typeof ImportUrl.Type

/** The kind of the file, known when its first bytes have arrived. */
export interface DetectedFile {
  readonly fileName: string
  readonly type: FileType
  readonly mimeType: string
}

export interface Import {
  readonly id: ImportId
  readonly accountId: AccountId
  readonly url: string
  /** The name the caller wants; null: what the server or the link says. */
  readonly wantedName: FileName | null
  readonly folderId: FolderId | null
  readonly description: Description | null
  readonly state: ImportState
  /** Why it failed: for programs, and as a sentence. */
  readonly code: string | null
  readonly error: string | null
  readonly receivedBytes: number
  readonly totalBytes: number | null
  /** Bytes it holds against the quota. */
  readonly heldBytes: number
  /** Failures since it last made progress. */
  readonly failures: number
  /** Counts its runs: of two, only the later one may change it. */
  readonly run: number
  /** Where its bytes are stored; null before the first have arrived. */
  readonly storeKey: string | null
  /** The store's id of the upload in parts they go to, if they do. */
  readonly storageId: string | null
  /** The validator by which the server can tell that the rest still belongs to the stored parts; null when it can't. */
  readonly validator: string | null
  readonly found: DetectedFile | null
  /** The file it became. */
  readonly fileId: FileId | null
  readonly insertTime: DateTime.Utc
}

/** A new import. */
export type NewImport = Pick<
  Import,
  "id" | "accountId" | "url" | "wantedName" | "folderId" | "description" | "insertTime"
>

export type ImportState = "working" | "done" | "failed"

/** Why an import, or one run of it, failed. */
export interface Failure {
  readonly code: string
  /** A sentence for people. */
  readonly because: string
  readonly retryable: boolean
}

export type ImportEvent =
  | { readonly _tag: "Recorded" }
  | { readonly _tag: "Failed"; readonly failure: Failure }

export type NextState =
  | { readonly state: "done" }
  | { readonly state: "working"; readonly failures: number; readonly retryTime: DateTime.Utc }
  | { readonly state: "failed"; readonly failure: Failure }
  /** It had ended before. */
  | { readonly state: "ended" }

/** The next state of an import. */
export const next = (
  current: Pick<Import, "state" | "failures" | "insertTime" | "validator">,
  event: ImportEvent,
  now: DateTime.Utc
): NextState => {
  if (current.state !== "working") return { state: "ended" }
  if (event._tag === "Recorded") return { state: "done" }
  const delay = delaysOf(current, event.failure)[current.failures]
  if (!event.failure.retryable || delay === undefined) return { state: "failed", failure: event.failure }
  const retryTime = DateTime.addDuration(now, delay)
  return isOverdue(current, retryTime)
    ? { state: "failed", failure: overdue }
    : { state: "working", failures: current.failures + 1, retryTime }
}

/**
 * When an import is tried again. One that must begin again is retried less often: a server that stopped in the middle
 * stops there again or, if its connection broke, is asked once more.
 */
const delaysOf = (
  { validator }: Pick<Import, "validator">,
  { code }: Failure
): ReadonlyArray<Duration.Duration> => {
  if (validator !== null) return Limits.importRetryDelays
  switch (code) {
    case "server_stalled":
      return []
    case "connection_lost":
      return Limits.importRetryDelays.slice(0, 1)
    default:
      return Limits.importRetryDelays
  }
}

/** Whether an import that is working at `now` has taken too long. */
export const isOverdue = ({ insertTime }: Pick<Import, "insertTime">, now: DateTime.Utc): boolean =>
  Duration.isGreaterThanOrEqualTo(DateTime.distance(insertTime, now), Limits.importLifetime)

export const overdue: Failure = {
  code: "import_timed_out",
  because: `The file was not there after ${Duration.toDays(Limits.importLifetime)} days.`,
  retryable: false
}

export const storageFull: Failure = {
  code: "storage_limit_reached",
  because: "The account has no room for this file.",
  retryable: false
}

export const tooLarge: Failure = { code: "file_too_large", because: "Files may have up to 2 TB.", retryable: false }
