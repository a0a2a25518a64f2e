/** Notes as comma-separated values (RFC 4180), a row for each note and each reply. */
import type { ExportedReview } from "./ExportedReview.ts"
import * as NoteFrames from "./NoteFrames.ts"
import type { NoteReply, ReviewNote } from "./ReviewNote.ts"
import * as Timecode from "./Timecode.ts"

const columns = [
  "Timecode",
  "Seconds",
  "End seconds",
  "Frame",
  "SMPTE timecode",
  "Author",
  "Text",
  "Resolved",
  "Added",
  "Reply to"
]

/**
 * What spreadsheets take for a formula when it begins a cell, also behind blanks and in the wide forms of East Asian writing; and
 * what moves on to another cell, where one may begin.
 * OWASP: "CSV Injection".
 */
const formula = /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212])/u

// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** A cell of somebody's text: an apostrophe before what would be a formula makes it a text. */
const textCell = (text: string): string => {
  const printable = text.replaceAll(unprintable, "")
  return `"${(formula.test(printable) ? `'${printable}` : printable).replaceAll("\"", "\"\"")}"`
}

const numberCell = (value: number | null): string => value === null ? "" : String(value)

export const write = ({ notes, rate }: ExportedReview): string => {
  const row = (
    { endSeconds, seconds, timecode }: ReviewNote,
    { author, insertTime, replyTo, resolved, text }: {
      readonly author: string
      readonly text: string
      readonly resolved: string
      readonly insertTime: string
      readonly replyTo: string
    }
  ) => {
    const frame = seconds === null || rate === null
      ? null
      : { rate, first: NoteFrames.of({ endSeconds, seconds }, rate).first }
    return [
      textCell(timecode ?? ""),
      numberCell(seconds),
      numberCell(endSeconds),
      frame === null ? "" : String(frame.first),
      frame === null ? "" : textCell(Timecode.format(frame.first, frame.rate)),
      textCell(author),
      textCell(text),
      resolved,
      insertTime,
      replyTo
    ].join(",")
  }
  const ofReply = (note: ReviewNote, { author, insertTime, text }: NoteReply) =>
    row(note, { author: author.name, text, resolved: "", insertTime, replyTo: note.id })
  const ofNote = (note: ReviewNote) => [
    row(note, {
      author: note.reviewer.name,
      text: note.text,
      resolved: note.resolved ? "yes" : "no",
      insertTime: note.insertTime,
      replyTo: ""
    }),
    ...note.replies.map((reply) => ofReply(note, reply))
  ]
  return [columns.join(","), ...notes.flatMap(ofNote)].map((line) => `${line}\r\n`).join("")
}
