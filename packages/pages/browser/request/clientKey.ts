/** The sender's own name of a file in a delivery: the same before and after a reload, and another for another file. */

/** FNV-1a, from both ends: not against forgers, but against mistakes. */
const hash = (text: string): string => {
  let [one, other] = [0x811c9dc5, 0x9dc5811c]
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
    other = Math.imul(other ^ text.charCodeAt(text.length - 1 - at), 0x01000193)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}

/** By what a browser knows of a file without reading it. */
export const clientKey = (
  folder: string,
  { lastModified, name, size }: Pick<File, "lastModified" | "name" | "size">
): string => `${size} ${lastModified} ${hash(`${folder}/${name}`)}`
