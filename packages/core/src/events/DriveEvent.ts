/** What happens on a drive, as its owner reads it. Spec: "Events", Drive event feed. Contract: "Events". */
import type { FileType } from "../shared/FileType.ts"
import type { EventId, FileId, FolderId, GenerationId, NoteId, RequestId, ReviewId } from "../shared/Ids.ts"

/** The kinds of event, in the specification's order. */
export const eventKinds = ["drop", "note", "view", "file", "generation"] as const
export type EventKind = typeof eventKinds[number]

/** A file as an event names it: as it was when the event happened. */
export interface EventFile {
  readonly id: FileId
  readonly type: FileType
  readonly fileName: string
}

/** Somebody who opened a file, where they may be named. */
export interface EventViewer {
  readonly handle: string | null
  readonly displayName: string | null
}

/** A note or reply of a reviewer's. */
export interface EventNote {
  readonly reviewer: { readonly name: string }
  readonly text: string
  /** Its position in the file, of a reply that of the note; null for the whole file. */
  readonly seconds: number | null
  /** The note that a reply is to. */
  readonly replyTo: NoteId | null
  readonly review: { readonly id: ReviewId }
  readonly file: EventFile
}

/** A file of a drop. */
export interface DroppedFile extends EventFile {
  /** In bytes. */
  readonly fileSize: number
  readonly mimeType: string
}

/** What is told of a finished drop. */
export interface DropTold {
  readonly sender: { readonly name: string }
  readonly note: string | null
  readonly request: { readonly id: RequestId; readonly title: string }
  /** As many as 256 KiB of JSON have room for. */
  readonly files: ReadonlyArray<DroppedFile>
  /** All of them. */
  readonly fileCount: number
}

/** The file of a generated image, as a record. The feature that makes it adds its fields. */
export interface EventImage {
  readonly id: FileId
}

/** The end of a generation, with its image as it was then. */
export interface GenerationTold {
  readonly status: "done" | "failed"
  /** Why it failed, as a sentence; null when it is done. */
  readonly error: string | null
  readonly prompt: string
  readonly image: EventImage | null
}

interface Happening<Kind extends EventKind, Payload> {
  readonly kind: Kind
  /** The folder it happened in, by which the feed is narrowed; null at the top of the drive. */
  readonly folderId: FolderId | null
  /** What it is about, by which the feed is narrowed. */
  readonly fileId?: FileId
  readonly requestId?: RequestId
  readonly reviewId?: ReviewId
  readonly generationId?: GenerationId
  /** The fields of the kind's own, as they are answered. */
  readonly payload: Payload
}

/** An event that is to be appended. A feature that brings a kind adds its line. */
export type NewEvent =
  | Happening<"file", { readonly file: EventFile }>
  | Happening<"drop", DropTold>
  | Happening<"view", { readonly viewer: EventViewer | null; readonly file: EventFile }>
  | Happening<"note", EventNote>
  | Happening<"generation", GenerationTold>

/** An event of a feed as it is answered. A feature that brings a kind adds its line. */
export type DriveEvent =
  & {
    readonly id: EventId
    /** ISO 8601. */
    readonly time: string
  }
  & (
    | { readonly kind: "file"; readonly file: EventFile }
    | { readonly kind: "drop" } & DropTold
    | { readonly kind: "view"; readonly viewer: EventViewer | null; readonly file: EventFile }
    | ({ readonly kind: "note" } & EventNote)
    | ({ readonly kind: "generation" } & GenerationTold)
  )
