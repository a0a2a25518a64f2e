/** Where notes are marked in the timeline. What would overlap is one marker together, so that each can be hit. */
import type { Note } from "./OpenedReview.ts"

export interface Marker {
  readonly notes: readonly [Note, ...ReadonlyArray<Note>]
  /** In pixels, of its middle. */
  readonly left: number
}

/** Notes that are `gapPixels` apart at least have markers of their own. `notes`: in the order of the file. */
export const markersOf = (
  notes: ReadonlyArray<Note>,
  { duration, gapPixels, width }: { readonly duration: number; readonly width: number; readonly gapPixels: number }
): ReadonlyArray<Marker> => {
  if (!(duration > 0) || !(width > 0)) return []
  const markers: Array<{ notes: [Note, ...Array<Note>]; left: number }> = []
  for (const note of notes) {
    if (note.seconds === null) continue
    // A note behind the end is at the end.
    const left = Math.min(1, note.seconds / duration) * width
    const last = markers.at(-1)
    if (last !== undefined && left - last.left < gapPixels) last.notes.push(note)
    else markers.push({ notes: [note], left })
  }
  return markers
}

/** The note that a press on a marker leads to: its first, or the one behind the note that was selected last. */
export const nextOf = ({ notes }: Marker, selected: string | null): Note => {
  const at = notes.findIndex(({ id }) => id === selected)
  return notes[(at + 1) % notes.length]!
}
