/** Opens of files, one by one and added up. */
import type { Limits } from "../accounts/CurrentAccount.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"

/** An open that is to be counted. */
export interface FileOpen {
  readonly fileId: FileId
  /** The file's owner. */
  readonly accountId: AccountId
  readonly day: string
  readonly time: Date
  /** Identifies the viewer on that day. */
  readonly viewer: string
  /** The viewer where they may be named. */
  readonly userId: AccountId | null
}

/** A file with how often it was opened. */
export interface ViewedFile {
  readonly id: FileId
  readonly fileName: string
  readonly isPublic: boolean
  /** Opens since the day asked. */
  readonly views: number
  readonly allViews: number
  readonly lastViewTime: Date | null
}

/** How often somebody opened a file who may be named. */
export interface NamedViewer {
  readonly fileId: FileId
  readonly userId: AccountId
  readonly lastDay: string
  readonly views: number
}

/** Which files: those a call sees, and of these those in a folder or inside it. */
export interface ViewsScope {
  readonly accountId: AccountId
  readonly limits: Limits
  /** Null: in any. */
  readonly foldedPath: string | null
}
