/** The text of a note. A long one scrolls within its part of the page, and can be reached by the keyboard for that. */
import "./noteText.css"

const longLines = 10
const longCharacters = 800

const isLong = (text: string): boolean => text.length > longCharacters || text.split("\n").length > longLines

export const NoteText = ({ text }: { readonly text: string }) =>
  isLong(text)
    ? <p class="note-text note-long" dir="auto" tabIndex={0}>{text}</p>
    : <p class="note-text" dir="auto">{text}</p>
