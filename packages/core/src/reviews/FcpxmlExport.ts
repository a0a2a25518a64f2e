/** Notes as markers of a clip in FCPXML 1.9 (Final Cut Pro, DaVinci Resolve). Times are fractions of a second, never rounded. */
import type { FramedReview } from "./ExportedReview.ts"
import * as NoteFrames from "./NoteFrames.ts"
import type { ReviewNote } from "./ReviewNote.ts"
import * as Timecode from "./Timecode.ts"

/** What XML 1.0 has no characters for. */
// oxlint-disable-next-line no-control-regex
const noCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&apos;",
  // A reader makes blanks of them where they are not escaped.
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;"
}

const escaped = (text: string): string =>
  text.replaceAll(noCharacter, "").replaceAll(/[&<>"'\n\r\t]/g, (character) => entities[character]!)

const element = (
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: ReadonlyArray<string>
): string => {
  const written = Object.entries(attributes)
    .flatMap(([name, value]) => value === undefined ? [] : [` ${name}="${escaped(String(value))}"`])
    .join("")
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>\n${children.join("\n")}\n</${name}>`
}

/** What a marker shows below its name: the replies. */
const remarks = ({ replies }: ReviewNote): string | undefined =>
  replies.length === 0 ? undefined : replies.map(({ author, text }) => `${author.name}: ${text}`).join("\n")

/** Where the file is, nobody knows: programs ask for it by its name. */
const sourceOf = (fileName: string): string => `file:///${encodeURIComponent(fileName)}`

export const write = ({ durationSeconds, fileName, height, notes, rate, type, width }: FramedReview): string => {
  /** So many frames as seconds. */
  const time = (frames: number): string => {
    const { over, under } = Timecode.beginOf(frames, rate)
    return over === 0n ? "0s" : under === 1n ? `${over}s` : `${over}/${under}s`
  }
  const exact = notes.map((note) => ({ note, ...NoteFrames.of(note, rate) }))
  // Of a file whose duration is not known, as much as the notes are about.
  const frames = durationSeconds === null
    ? exact.reduce((most, { count, first }) => Math.max(most, first + count), 1)
    : Math.max(1, Timecode.frameAt(durationSeconds, rate))
  const placed = exact.map(({ count, first, note }) => {
    const at = Math.min(first, frames - 1)
    return { note, first: at, count: Math.min(count, frames - at), isPastEnd: at < first, exactFirst: first }
  })
  const isVideo = type === "Video"
  const duration = time(frames)
  const markers = placed.map(({ count, exactFirst, first, isPastEnd, note }) =>
    element("marker", {
      start: time(first),
      duration: time(count),
      // A marker behind the end would be lost, so it is at the last frame, and says where it was left.
      value: `${note.reviewer.name}: ${note.text}${isPastEnd ? ` (at ${Timecode.format(exactFirst, rate)})` : ""}`,
      note: remarks(note),
      completed: note.resolved ? 1 : 0
    })
  )
  const clip = { offset: "0s", name: fileName, start: "0s", duration }
  const body = element(
    "fcpxml",
    { version: "1.9" },
    element(
      "resources",
      {},
      element("format", {
        id: "r1",
        frameDuration: time(1),
        width: width ?? undefined,
        height: height ?? undefined
      }),
      element(
        "asset",
        {
          id: "r2",
          name: fileName,
          start: "0s",
          duration,
          format: isVideo ? "r1" : undefined,
          hasVideo: isVideo ? 1 : undefined,
          hasAudio: 1
        },
        element("media-rep", { kind: "original-media", src: sourceOf(fileName) })
      )
    ),
    element(
      "library",
      {},
      element(
        "event",
        { name: "Reviews" },
        element(
          "project",
          { name: fileName },
          element(
            "sequence",
            { format: "r1", duration, tcStart: "0s", tcFormat: Timecode.isDropFrame(rate) ? "DF" : "NDF" },
            element("spine", {}, element("asset-clip", { ref: "r2", ...clip }, ...markers))
          )
        )
      )
    )
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE fcpxml>\n${body}\n`
}
