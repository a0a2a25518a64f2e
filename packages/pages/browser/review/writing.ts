/** Below which notes somebody writes: they stay in the page, whatever becomes of the list. */
import type { Note } from "./OpenedReview.ts"

export const replyTo = (noteId: string): string => `reply ${noteId}`

/** Of a note, or of a reply. */
export const editOf = (id: string): string => `edit ${id}`

/** `open`: for what something is being written. */
export const isWrittenAt = ({ id, replies }: Note, open: ReadonlySet<string>): boolean =>
  open.has(replyTo(id)) || open.has(editOf(id)) || replies.some((reply) => open.has(editOf(reply.id)))
