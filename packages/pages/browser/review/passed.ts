/** Which note the player is at. */
import type { Note } from "./OpenedReview.ts"

/** A note at a moment is shown as long as it takes to see it. */
const momentSeconds = 3

/** The last note whose moment has come and whose span has not ended. `notes`: in the order of the file. */
export const passedAt = (notes: ReadonlyArray<Note>, position: number): string | null => {
  let [low, high] = [0, notes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((notes[middle]!.seconds ?? -1) <= position) low = middle + 1
    else high = middle
  }
  const note = notes[low - 1]
  if (note === undefined || note.seconds === null) return null
  return position <= Math.max(note.endSeconds ?? 0, note.seconds + momentSeconds) ? note.id : null
}

/** The note before or behind the selected one, or the player's position; those on the whole file have no place to go to. */
export const neighbour = (
  notes: ReadonlyArray<Note>,
  direction: 1 | -1,
  { position, selected }: { readonly selected: string | null; readonly position: number }
): Note | undefined => {
  const placed = notes.filter(({ seconds }) => seconds !== null)
  const at = placed.findIndex(({ id, seconds }) => id === selected && seconds === position)
  if (at >= 0) return placed[at + direction]
  return direction > 0
    ? placed.find(({ seconds }) => seconds! > position)
    : placed.findLast(({ seconds }) => seconds! < position)
}
