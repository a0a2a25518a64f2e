/** What people type and what files are called, as the drive takes it: it refuses control characters and what can't be seen. */

/** They turn the direction of what is around them, so the drive leaves them out of names. */
const overrides = /[\u202a-\u202e\u2066-\u2069]/g

// oxlint-disable-next-line no-control-regex -- these are taken out
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g
// oxlint-disable-next-line no-control-regex -- ends of lines and tabs stay
const controlsInLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const visible = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u

/** A line without what can't be seen in it; empty where nothing else is. */
export const line = (text: string): string => {
  const plain = text.toWellFormed().replaceAll(controls, " ").replaceAll(overrides, "").trim()
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
