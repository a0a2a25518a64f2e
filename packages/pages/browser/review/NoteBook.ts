/** The notes that the page has: those that were read, with what has happened to them since. */
import { signal } from "@preact/signals"
import type { Note, Reply } from "./OpenedReview.ts"

/** The order of the edit list: on the whole file first, then by position, then by time. */
const inOrder = (a: Note, b: Note): number =>
  (a.seconds ?? -1) - (b.seconds ?? -1) || Date.parse(a.insertTime) - Date.parse(b.insertTime) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

export const makeNoteBook = () => {
  const list = signal<ReadonlyArray<Note>>([])
  /** Of a reviewer's own notes and replies: live news do not say whose they are. */
  const own = new Set<string>()
  const notes = new Map<string, Note>()
  /** When each note was last changed or deleted by news: pages that were asked for before are older. */
  const touched = new Map<string, number>()
  let time = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const publish = (): void => {
    clearTimeout(timer)
    timer = undefined
    list.value = [...notes.values()].toSorted(inOrder)
  }

  /** Of many changes at once the list is made once. */
  const changed = (): void => {
    timer ??= setTimeout(publish, 0)
  }

  const learn = (note: Note): void => {
    for (const one of [note, ...note.replies]) if (one.mine === true) own.add(one.id)
  }

  const parentOf = (replyId: string): Note | undefined =>
    [...notes.values()].find(({ replies }) => replies.some(({ id }) => id === replyId))

  const set = (note: Note): void => {
    learn(note)
    touched.set(note.id, ++time)
    notes.set(note.id, note)
    changed()
  }

  return {
    list,
    isOwn: (id: string): boolean => own.has(id),
    has: (id: string): boolean => notes.has(id),
    get: (id: string): Note | undefined => notes.get(id),

    /** Called before a page of notes is asked for. Takes the page: what has been changed meanwhile stays as it is. */
    reading: () => {
      const begun = time
      return (page: ReadonlyArray<Note>): void => {
        for (const note of page) {
          learn(note)
          if ((touched.get(note.id) ?? 0) <= begun) notes.set(note.id, note)
        }
        publish()
      }
    },

    set,

    reply: (noteId: string, reply: Reply): void => {
      const note = notes.get(noteId)
      if (reply.mine === true) own.add(reply.id)
      if (note === undefined) return
      // News of it may have come before: then it is another object, so that it is shown anew, now as one's own.
      const isThere = note.replies.some(({ id }) => id === reply.id)
      const replies = isThere ? note.replies.map((one) => one.id === reply.id ? reply : one) : [...note.replies, reply]
      set({ ...note, replies })
    },

    /** The text of a note or a reply. */
    edit: (id: string, text: string, editTime: string | null): void => {
      const note = notes.get(id)
      if (note !== undefined) return set({ ...note, text, editTime })
      const parent = parentOf(id)
      if (parent === undefined) return
      set({ ...parent, replies: parent.replies.map((one) => one.id === id ? { ...one, text } : one) })
    },

    /** A note with its replies, or a reply. */
    remove: (id: string): void => {
      touched.set(id, ++time)
      if (notes.delete(id)) return changed()
      const parent = parentOf(id)
      if (parent !== undefined) set({ ...parent, replies: parent.replies.filter((one) => one.id !== id) })
    },

    clear: (): void => {
      notes.clear()
      touched.clear()
      publish()
    }
  }
}

export type NoteBook = ReturnType<typeof makeNoteBook>
