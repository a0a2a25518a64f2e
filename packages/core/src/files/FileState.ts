/**
 * The life of a file, as a function of (state, event). Who may see it and
 * whether it is in trash do not depend on each other.
 *
 * ```text
 *            Toggled                       Trashed                    Deleted, or Purged in trash
 *   private ◀───────▶ public        kept ◀─────────▶ in trash     any ───────────────────────────▶ gone
 *      │  ▲             │  ▲             Restored
 *      │  └──toPublic◀──┼──┘ a file too large for one copy is on its way meanwhile:
 *      └─────▶toPrivate ┘    Moved ends the move, Toggled calls it off
 * ```
 *
 * Spec: "States and transitions", File.
 */
import { Data, type DateTime } from "effect"

/** `toPublic` is private, and `toPrivate` public, until its move ends. */
export type Access = "private" | "public" | "toPublic" | "toPrivate"

export type FileState = Data.TaggedEnum<{
  Kept: { readonly access: Access; readonly trashTime: DateTime.Utc | null }
  Gone: {}
}>
export const FileState = Data.taggedEnum<FileState>()

export type FileEvent = Data.TaggedEnum<{
  Trashed: { readonly now: DateTime.Utc }
  Restored: {}
  /** Everything in trash is deleted. */
  Purged: {}
  Deleted: {}
  /** `inOneCopy`: whether storage copies the file in one step. */
  Toggled: { readonly inOneCopy: boolean }
  /** The move of a large file has ended. */
  Moved: {}
}>
export const FileEvent = Data.taggedEnum<FileEvent>()

/** The next state. Repeating an event that already happened changes nothing; a file that is gone stays so. */
export const step = (state: FileState, event: FileEvent): FileState => {
  if (state._tag === "Gone") return state
  switch (event._tag) {
    case "Trashed":
      return FileState.Kept({ ...state, trashTime: state.trashTime ?? event.now })
    case "Restored":
      return FileState.Kept({ ...state, trashTime: null })
    case "Purged":
      return state.trashTime === null ? state : FileState.Gone()
    case "Deleted":
      return FileState.Gone()
    case "Toggled":
      return FileState.Kept({ ...state, access: toggled(state.access, event.inOneCopy) })
    case "Moved":
      return FileState.Kept({ ...state, access: moved(state.access) })
  }
}

/** Where a toggle leads. Toggling a file that is on its way calls the move off. */
export const toggled = (access: Access, inOneCopy: boolean): Access => {
  switch (access) {
    case "private":
      return inOneCopy ? "public" : "toPublic"
    case "public":
      return inOneCopy ? "private" : "toPrivate"
    case "toPublic":
      return "private"
    case "toPrivate":
      return "public"
  }
}

const moved = (access: Access): Access => access === "toPublic" ? "public" : access === "toPrivate" ? "private" : access

/** Whether the file's lasting link works in this state. */
export const isPublic = (access: Access): boolean => access === "public" || access === "toPrivate"

/** The access of a stored file. */
export const accessOf = (
  file: { readonly isPublic: boolean; readonly moveToPublic: boolean | null }
): Access =>
  file.isPublic
    ? file.moveToPublic === false ? "toPrivate" : "public"
    : file.moveToPublic === true
    ? "toPublic"
    : "private"
