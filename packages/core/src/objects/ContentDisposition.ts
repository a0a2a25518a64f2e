/**
 * The `Content-Disposition` a file is served with. Always an attachment: a
 * stored page or drawing is saved, never shown on the host's own origin.
 *
 * RFC 6266: `filename*` carries the name exactly, in UTF-8; `filename` is a
 * plain approximation for what does not know it.
 */

/** Names a file for the browser's save dialog. Every name gives a header of printable ASCII on one line. */
export const attachment = (fileName: string): string => {
  const name = safeName(fileName)
  const plain = plainName(name)
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${percentEncode(name)}`
}

// oxlint-disable-next-line no-control-regex
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f/\\]/g

/** Without path separators and control characters, and not a name like `..`; else as it is. */
const safeName = (fileName: string): string => {
  const name = fileName.toWellFormed().replace(unsafeCharacters, "_")
  return /^\.*$/.test(name) ? `${name.replaceAll(".", "_")}_` : name
}

/** What an ASCII-only reader sees; without quotes, and without `%`, which some readers decode. */
const plainName = (name: string): string => name.replace(/[^\u0020-\u007e]/gu, "_").replace(/["%]/g, "_")

/** RFC 8187 `attr-char` stay, every other byte becomes `%XX`. */
const percentEncode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
