/** Folders. Spec: "Other resources", Folder. */
import type { AccountId, FolderId } from "../shared/Ids.ts"

export interface Folder {
  readonly id: FolderId
  /** In the spelling its names were first given. */
  readonly path: string
}

/** A folder as callers see it. Spec: "Other resources", Folder. */
export interface FolderItem extends Folder {
  /** Files in view that are in it, not inside other folders of it. */
  readonly fileCount: number
}

/** The location of a folder in the tree. */
export interface FolderLocation {
  readonly parentId: FolderId | null
  readonly name: string
  readonly foldedName: string
  readonly path: string
  readonly foldedPath: string
  /** 1 at the top of the drive. */
  readonly depth: number
}

export interface StoredFolder extends Folder, FolderLocation {
  readonly accountId: AccountId
  /** Files in it, not inside other folders of it, that are in view. */
  readonly fileCount: number
}

/** A folder that has been moved or renamed, while not everything inside it has followed yet. */
export interface MovingFolder extends StoredFolder {
  readonly formerPath: string
  readonly formerFoldedPath: string
}

/** A folder found by its path. */
export interface ResolvedFolder extends StoredFolder {
  /** By how many levels it will be deeper, when it has followed the folder above it that is being moved; may be negative. */
  readonly lag?: number
}

/** A folder with what it is sorted by. */
export interface SortableFolder extends FolderItem {
  readonly folded: string
}
