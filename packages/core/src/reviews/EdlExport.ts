/**
 * Notes as an edit decision list (CMX 3600), an event for each note. The line below an event is the marker as DaVinci Resolve
 * writes it, `* LOC:` the same for programs that read locators.
 */
import type { FramedReview } from "./ExportedReview.ts"
import * as NoteFrames from "./NoteFrames.ts"
import type { ReviewNote } from "./ReviewNote.ts"
import * as Timecode from "./Timecode.ts"

/** One line of somebody's text: no ends of lines, which begin an event, and none of the marks that part a marker's fields. */
const inLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll("|", "/").trim()

const titleMaxLength = 70

const colours = {
  open: { resolve: "ResolveColorBlue", locator: "RED" },
  resolved: { resolve: "ResolveColorGreen", locator: "GREEN" }
} as const

/** A note with its replies as one line. */
const lineOf = ({ replies, reviewer, text }: ReviewNote): string =>
  [{ name: reviewer.name, text }, ...replies.map(({ author, text }) => ({ name: author.name, text }))]
    .map(({ name, text }) => `${inLine(name)}: ${inLine(text)}`)
    .join(" / ")

export const write = ({ fileName, notes, rate, type }: FramedReview): string => {
  const track = type === "Audio" ? "A" : "V"
  const events = notes.map((note, at) => {
    const { count, first } = NoteFrames.of(note, rate)
    const [begin, end] = [Timecode.format(first, rate), Timecode.format(first + count, rate)]
    const colour = colours[note.resolved ? "resolved" : "open"]
    const line = lineOf(note)
    return [
      `${String(at + 1).padStart(3, "0")}  AX       ${track}     C        ${begin} ${end} ${begin} ${end}`,
      ` |C:${colour.resolve} |M:${line} |D:${count}`,
      `* FROM CLIP NAME: ${inLine(fileName)}`,
      `* LOC: ${begin} ${colour.locator.padEnd(7)} ${line}`
    ]
  })
  return [
    `TITLE: ${[...inLine(fileName)].slice(0, titleMaxLength).join("")}`,
    `FCM: ${Timecode.isDropFrame(rate) ? "DROP FRAME" : "NON-DROP FRAME"}`,
    "",
    ...events.flatMap((lines) => [...lines, ""])
  ].join("\n")
}
