/**
 * A ZIP archive of an account's choice of files, and its life as a function of
 * (state, event). Pure.
 *
 * ```text
 *   (asked for) ──▶ Working ──Completed────────────────▶ Done ───┐
 *                     │                                          ├─Lapsed, 7 days later─▶ (gone)
 *                     └──NothingLeft │ StoodStill 7 days──▶ Failed ──┘
 * ```
 *
 * Contract: "Files", `/create-archive-request`.
 */
import { DateTime, Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import type { AccountId, ArchiveId, FileId, FolderId } from "../shared/Ids.ts"
import { LineOfLength } from "../shared/Text.ts"

export type ArchiveStatus = "working" | "done" | "failed"

export const statuses = ["working", "done", "failed"] as const

/** Why a file is not in an archive: it can't be seen or was deleted, is in trash, or storage has lost its bytes or does not return them. */
export const skipReasons = ["not_found", "trashed", "bytes_missing", "unreadable"] as const
export type SkipReason = typeof skipReasons[number]

/** A file that was asked for and is not in the archive. */
export interface SkippedFile {
  readonly id: FileId
  readonly reason: SkipReason
}

/** An archive as it is kept. */
export interface Archive {
  readonly id: ArchiveId
  readonly accountId: AccountId
  /** That requested it; null where nothing is known of it. */
  readonly credential: string | null
  readonly title: string
  readonly status: ArchiveStatus
  /** A sentence for people about an archive that failed. */
  readonly error: string | null
  readonly fileCount: number
  /** What the archive has when it is done: known from its beginning, and less when a file is left out on the way. */
  readonly bytes: number
  readonly partSizeBytes: number
  readonly partsDone: number
  readonly receivedBytes: number
  readonly storeKey: string
  /** The store's id of the upload it is made by; empty until that is open. */
  readonly storageId: string
  readonly isOpening: boolean
  readonly progressTime: Date
  readonly expireTime: Date | null
}

/** An archive that is requested. */
export interface NewArchive
  extends
    Pick<Archive, "id" | "accountId" | "credential" | "title" | "fileCount" | "bytes" | "partSizeBytes" | "storeKey">
{
  /** The folder that the call was limited to. */
  readonly folderId: FolderId | null
  /** By which an equal one is found. */
  readonly request: string
}

export type ArchiveEvent =
  | { readonly _tag: "Completed" }
  /** The last of its files was left out. */
  | { readonly _tag: "NothingLeft" }
  | { readonly _tag: "Swept" }

/** The outcome for an archive: it stays as it is, ends, or is deleted with its bytes. */
export type Next =
  | { readonly _tag: "Stays" }
  | {
    readonly _tag: "Ends"
    readonly status: "done" | "failed"
    readonly error: string | null
    readonly expireTime: Date
  }
  | { readonly _tag: "Goes" }

const stays: Next = { _tag: "Stays" }

const ends = (now: DateTime.Utc, error: string | null): Next => ({
  _tag: "Ends",
  status: error === null ? "done" : "failed",
  error,
  expireTime: DateTime.toDateUtc(DateTime.addDuration(now, Limits.archiveLifetime))
})

export const next = (
  { expireTime, progressTime, status }: Pick<Archive, "status" | "progressTime" | "expireTime">,
  event: ArchiveEvent,
  now: DateTime.Utc
): Next => {
  const isOver = expireTime !== null && !DateTime.isGreaterThan(DateTime.fromDateUnsafe(expireTime), now)
  if (status !== "working") return event._tag === "Swept" && isOver ? { _tag: "Goes" } : stays
  switch (event._tag) {
    case "Completed":
      return ends(now, null)
    case "NothingLeft":
      return ends(now, "None of its files is left.")
    case "Swept": {
      const stalled = DateTime.addDuration(DateTime.fromDateUnsafe(progressTime), Limits.archiveStallLifetime)
      return DateTime.isGreaterThan(stalled, now) ? stays : ends(now, "It could not be built: storage did not answer.")
    }
  }
}

/** Most bytes that all kept archives of an account may have together; null for no limit. */
export const keptMaxBytes = (quotaBytes: number | null): number | null =>
  quotaBytes === null ? null : Math.max(Limits.archivesKeptBytes, quotaBytes)

/** The title of an archive, which it is saved as. */
export const ArchiveTitle = LineOfLength(Limits.archiveTitleLength.min, Limits.archiveTitleLength.max).pipe(
  Schema.brand("ArchiveTitle")
)
export type ArchiveTitle = typeof ArchiveTitle.Type

/** Of an archive that nobody named. */
export const untitled = ArchiveTitle.make("Archive")

/** What an archive is saved as. */
export const fileName = (title: string): string => /\.zip$/i.test(title) ? title : `${title}.zip`

/** Where an archive is, or is made. */
export const address = ({ storeKey }: Pick<Archive, "storeKey">) => StoreKey.inPrivate(storeKey)

/** Where an archive is stored, and what it is stored and handed out with. */
export const placed = (archive: Pick<Archive, "storeKey" | "title">) => ({
  at: address(archive),
  headers: ObjectHeaders.of({ fileName: fileName(archive.title), mimeType: "application/zip" }, "private")
})
