/** What people type and what files are called, as the drive takes it: it refuses what can't be seen and what turns the direction of text. */

/** Behind these, joiners and the choice of a form are part of writing: emoji, and letters of scripts that join theirs. */
const joining =
  "[\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}]|(?![\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}])[\\p{L}\\p{M}]"

const hidden = new RegExp(
  `(?<!${joining})[\\u200c\\u200d\\ufe0f]|(?![\\u200c\\u200d\\ufe0f])\\p{Default_Ignorable_Code_Point}|[\\u2028-\\u202e\\ufff9-\\ufffb]`,
  "gu"
)

// oxlint-disable-next-line no-control-regex -- these are taken out
const controls = /[\u0000-\u001f\u007f-\u009f]/g
// oxlint-disable-next-line no-control-regex -- ends of lines and tabs stay
const controlsInLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const visible = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u

/** A line without what can't be seen in it; empty where nothing else is. */
export const line = (text: string): string => {
  const plain = text.toWellFormed().replaceAll(controls, " ").replaceAll(hidden, "").trim()
  return visible.test(plain) ? plain : ""
}

/** Lines of text. */
export const lines = (text: string): string => text.toWellFormed().replaceAll(controlsInLines, "").trim()

/** Most bytes of a file's name in UTF-8, as the drive has it. */
const nameMaxBytes = 1_024

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** A file's name. One that is too long loses the end of its stem, and keeps its extension. */
export const fileName = (name: string): string => {
  const plain = line(name) || "file"
  if (bytesOf(plain) <= nameMaxBytes) return plain
  const [, stem, extension] = /^(.+?)(\.[^.]{1,16})?$/.exec(plain)!
  const end = extension ?? ""
  let kept = [...stem!]
  while (bytesOf(kept.join("") + end) > nameMaxBytes) {
    const over = bytesOf(kept.join("") + end) - nameMaxBytes
    kept = kept.slice(0, kept.length - Math.max(1, Math.floor(over / 4)))
  }
  return line(kept.join("")) + end
}
