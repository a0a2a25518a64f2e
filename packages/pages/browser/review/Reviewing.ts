/** What a reviewer does with notes: leaves, answers, changes and deletes them. Each is shown at once when the drive has taken it. */
import type { RequestOf } from "@filedrive/client"
import { signal } from "@preact/signals"
import { client } from "../foundation/client.ts"
import { line, lines } from "../foundation/sendable.ts"
import { makeTyped } from "../foundation/Typed.ts"
import type { Span } from "./Draft.ts"
import type { Kept } from "./Kept.ts"
import type { NoteBook } from "./NoteBook.ts"
import type { Note } from "./OpenedReview.ts"
import { isGone, isWrongToken } from "./refusal.ts"

export interface ReviewingOptions {
  readonly reviewId: string
  readonly book: NoteBook
  readonly kept: Kept
  readonly access: () => string | null
}

export const makeReviewing = ({ access, book, kept, reviewId }: ReviewingOptions) => {
  const name = signal(kept.reviewer.read().name)
  const isSigned = signal(name.peek() !== "")
  const options = () => ({ access: access() })

  /** Another tab may have got it meanwhile. */
  const token = () => kept.reviewer.read().token

  const send = async (note: Omit<RequestOf<"leaveReviewNote">, "reviewId" | "reviewer" | "reviewerToken">) => {
    const reviewer = line(name.peek())
    const leave = (reviewerToken: string | null) =>
      client.leaveReviewNote({
        reviewId,
        reviewer,
        ...note,
        ...reviewerToken !== null && { reviewerToken }
      }, options())
    const known = token()
    let left
    try {
      left = await leave(known)
    } catch (error) {
      if (known === null || !isWrongToken(error)) throw error
      left = await leave(null)
    }
    const { replyTo: _, reviewerToken, ...shown } = left
    kept.reviewer.write({ name: reviewer, token: reviewerToken })
    isSigned.value = true
    return { ...shown, mine: true }
  }

  /** What is gone on the drive is gone here, also when the news of it has not come yet. */
  const unlessGone = async <A>(id: string, call: Promise<A>): Promise<A> => {
    try {
      return await call
    } catch (error) {
      if (isGone(error)) book.remove(id)
      throw error
    }
  }

  return {
    /** What is typed below a note and not sent yet: it is still there after a reload. */
    typed: makeTyped(kept.typed),

    /** By which the reviewer signs. */
    name,
    /** Whether the name is settled, and need not be asked for. */
    isSigned,
    token,

    leave: async (span: Span | null, text: string): Promise<Note> => {
      const note = await send({ seconds: span?.from ?? null, endSeconds: span?.to ?? null, text: lines(text) })
      book.set(note)
      return note
    },

    reply: async (noteId: string, text: string): Promise<void> => {
      const { id, insertTime, reviewer, text: written } = await send({ replyTo: noteId, text: lines(text) })
      book.reply(noteId, { id, insertTime, text: written, author: { name: reviewer.name, owner: false }, mine: true })
    },

    edit: async (noteId: string, text: string): Promise<void> => {
      const call = client.editReviewNote({ noteId, reviewerToken: token() ?? "", text: lines(text) }, options())
      const edited = await unlessGone(noteId, call)
      book.edit(noteId, edited.text, edited.editTime)
    },

    remove: async (noteId: string): Promise<void> => {
      try {
        await client.deleteOwnReviewNote({ noteId, reviewerToken: token() ?? "" }, options())
      } catch (error) {
        if (!isGone(error)) throw error
      }
      book.remove(noteId)
    }
  }
}

export type Reviewing = ReturnType<typeof makeReviewing>
