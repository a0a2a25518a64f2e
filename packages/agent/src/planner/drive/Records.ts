/** What of the drive's answers the planner reads. */
import type { FileType } from "../files/FileType.ts"

export interface FileRecord {
  readonly id: string
  readonly fileName: string
  readonly type: FileType
  readonly mimeType: string
  readonly fileSize: number
  readonly isPublic: boolean
  readonly downloadUrl: string | null
  readonly description: string | null
  readonly folder: { readonly id: string; readonly path: string } | null
  readonly tags: ReadonlyArray<{ readonly id: string; readonly text: string }>
  /** ISO 8601. */
  readonly insertTime: string
  /** When it was put in trash; ISO 8601. */
  readonly trashTime?: string | null
  readonly media: {
    readonly title?: string | null
    readonly artists?: ReadonlyArray<string>
    readonly album?: string | null
    readonly genre?: string | null
    readonly duration?: number | null
    readonly tempo?: number | null
    readonly key?: string | null
    readonly takenTime?: string | null
    readonly recordedTime?: string | null
    readonly width?: number | null
    readonly height?: number | null
    readonly location?: { readonly latitude: number; readonly longitude: number } | null
  } | null
}

export interface FilePage {
  readonly files: ReadonlyArray<FileRecord>
  readonly nextOffset: number | null
}

export interface FolderItem {
  readonly id: string
  readonly path: string
  readonly fileCount: number
}

/** A playlist or gallery. */
export interface ListItem {
  readonly id: string
  readonly title: string
  readonly isPublic: boolean
  readonly fileCount: number
}

export interface TagItem {
  readonly id: string
  readonly text: string
  readonly fileCount: number
}

export interface Collections {
  readonly folders: ReadonlyArray<FolderItem>
  readonly playlists: ReadonlyArray<ListItem>
  readonly galleries: ReadonlyArray<ListItem>
  readonly tags: ReadonlyArray<TagItem>
}

/** The answer of what adds to a list. */
export interface Additions extends ListItem {
  readonly added: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<string>
}

export interface Drop {
  readonly id: string
  readonly senderName: string
  readonly note: string | null
  readonly finishTime: string | null
  readonly files: ReadonlyArray<Pick<FileRecord, "id" | "fileName" | "fileSize" | "type">>
}

export interface RequestItem {
  readonly id: string
  readonly title: string
  readonly message: string | null
  readonly open: boolean
  readonly expireTime: string | null
  readonly maxBytes: number | null
  readonly receivedBytes: number
  readonly folder: { readonly id: string | null; readonly path: string }
  readonly drops: ReadonlyArray<Drop>
}

export interface NoteItem {
  readonly id: string
  readonly seconds: number | null
  readonly timecode: string | null
  readonly reviewer: { readonly name: string }
  readonly text: string
  readonly resolved: boolean
  readonly replies: ReadonlyArray<{ readonly author: { readonly name: string }; readonly text: string }>
}

export interface ReviewItem {
  readonly id: string
  readonly message: string | null
  readonly open: boolean
  readonly expireTime: string | null
  readonly file: { readonly id: string; readonly fileName: string; readonly type: FileType }
  readonly noteCount: number
  readonly notes: ReadonlyArray<NoteItem>
}

export interface ArchiveItem {
  readonly id: string
  readonly title: string
  readonly status: "working" | "done" | "failed"
  readonly error: string | null
  readonly fileCount: number
  readonly bytes: number
  readonly downloadUrl: string | null
}

export interface ImportItem {
  readonly id: string
  readonly url: string
  readonly status: "working" | "done" | "failed"
  readonly error: string | null
  readonly file: FileRecord | null
}

export interface GenerationItem {
  readonly id: string
  readonly status: "working" | "done" | "failed"
  readonly error: string | null
  readonly prompt: string | null
  readonly image: FileRecord | null
}
