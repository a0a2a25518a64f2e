/**
 * Who can open a file, and in which bucket its bytes are, as a function of (state, event). Pure. Whether it is in trash does not
 * depend on it; but a lasting link must not work while its file is there, so the bytes leave the public bucket.
 *
 * ```text
 *   private ◀───── toggled ─────▶ public ◀── placed ──▶ withheld: public, its bytes in the private bucket
 *      ▲ └─▶ toPublic ──moved──────▲ │ ▲                    │ ▲ └─▶ returning ──moved──▶ public
 *      └──moved── toPrivate ◀────────┘ └─── withholding ◀───┼─┘ moved
 *   A file too large for one copy is on its way meanwhile.  └── toggled ──▶ private
 * ```
 *
 * | state       | Toggled     | in one copy | in trash | Trashed     | Restored    | Placed in trash | not in trash | Moved    |
 * |-------------|-------------|-------------|----------|-------------|-------------|-----------------|--------------|----------|
 * | private     | toPublic    | public      | withheld | private     | private     | private         | private      | private  |
 * | public      | toPrivate   | private     | as left  | public      | public      | withholding *   | public       | public   |
 * | withheld    | private     | private     | private  | withheld    | withheld    | withheld        | returning *  | withheld |
 * | toPublic    | private     | private     | private  | withheld    | toPublic    | toPublic        | toPublic     | public   |
 * | toPrivate   | public      | public      | public   | toPrivate   | toPrivate   | toPrivate       | toPrivate    | private  |
 * | returning   | private     | private     | private  | withheld    | returning   | returning       | returning    | public   |
 * | withholding | toPrivate   | toPrivate   | as left  | withholding | public      | withholding     | withholding  | withheld |
 *
 * \* At once, withheld or public, where storage copies the file in one step. Toggling a file that is on its way calls the move
 * off, and so does putting it in trash or restoring it when the move leads to a bucket where it should no longer be.
 *
 * Spec: "States and transitions", File.
 */
import { Data } from "effect"

export type Access = "private" | "public" | "withheld" | "toPublic" | "toPrivate" | "returning" | "withholding"

export type AccessEvent = Data.TaggedEnum<{
  /** `inOneCopy`: whether storage copies the file in one step. */
  Toggled: { readonly inOneCopy: boolean; readonly isTrashed: boolean }
  Trashed: {}
  Restored: {}
  /** After the file was put in trash or restored, its bytes are moved to the bucket where they should be. */
  Placed: { readonly inOneCopy: boolean; readonly isTrashed: boolean }
  /** The move of a large file has ended. */
  Moved: {}
}>
export const AccessEvent = Data.taggedEnum<AccessEvent>()

/** The next state. */
export const next = (access: Access, event: AccessEvent): Access => {
  switch (event._tag) {
    case "Toggled":
      return toggled(access, event)
    case "Trashed":
      return access === "toPublic" || access === "returning" ? "withheld" : access
    case "Restored":
      return access === "withholding" ? "public" : access
    case "Placed":
      if (access === "public" && event.isTrashed) return event.inOneCopy ? "withheld" : "withholding"
      if (access === "withheld" && !event.isTrashed) return event.inOneCopy ? "public" : "returning"
      return access
    case "Moved":
      return moved(access)
  }
}

const toggled = (
  access: Access,
  { inOneCopy, isTrashed }: { readonly inOneCopy: boolean; readonly isTrashed: boolean }
): Access => {
  switch (access) {
    case "private":
      return isTrashed ? "withheld" : inOneCopy ? "public" : "toPublic"
    case "public":
      return inOneCopy ? "private" : "toPrivate"
    case "withheld":
    case "toPublic":
    case "returning":
      return "private"
    case "toPrivate":
      return "public"
    case "withholding":
      return "toPrivate"
  }
}

const moved = (access: Access): Access => {
  switch (access) {
    case "toPublic":
    case "returning":
      return "public"
    case "toPrivate":
      return "private"
    case "withholding":
      return "withheld"
    default:
      return access
  }
}

/** The move of a file, as far as it decides whether the file is public then. */
interface Move {
  readonly toPublic: boolean
  readonly keepsLink: boolean
}

/** The access of a stored file, which `move` takes to the other bucket. */
export const accessOf = (
  { isPublic, publicKey }: { readonly isPublic: boolean; readonly publicKey: string | null },
  move: Move | null
): Access => {
  if (isPublic) return move === null || move.toPublic ? "public" : move.keepsLink ? "withholding" : "toPrivate"
  const isMoving = move !== null && move.toPublic
  return publicKey === null ? isMoving ? "toPublic" : "private" : isMoving ? "returning" : "withheld"
}

/** Whether the file is being moved to the other bucket. */
export const isMoving = (access: Access): boolean => moved(access) !== access

/** Whether an event ends the public's access to the file. */
export const closes = (after: Access): boolean => after === "private" || after === "toPrivate"
