/** The sender's own name of a file in a delivery: the same before and after a reload, and another for another file. */

/** Most characters that the drive takes. */
const maxLength = 200

/** FNV-1a in two halves: not against forgers, but against mistakes. */
const hash = (text: string): string => {
  let [one, other] = [0x811c9dc5, 0x9dc5811c]
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - at), 0x01000193)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}

// oxlint-disable-next-line no-control-regex -- a key is one line
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

export const clientKey = (
  folder: string,
  { lastModified, name, size }: Pick<File, "lastModified" | "name" | "size">
) => {
  const whole = `${folder === "" ? "" : `${folder}/`}${name}`
  const mark = `${size} ${lastModified} ${hash(whole)}`
  // Cut between whole characters.
  const start = [...whole.replaceAll(controls, " ")].slice(0, 90).join("").slice(0, maxLength - mark.length - 1)
  return `${mark} ${start.replace(/[\ud800-\udbff]$/, "")}`.trim()
}
