/** The kind of a text. Texts have no signature, so the content of the first lines decides. */

const byteOrderMarks = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] }
] as const

// Everything below a space but tab, line breaks, form feed and escape (terminal colours).
// oxlint-disable-next-line no-control-regex
const binary = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\ufffd]/

/** The text that `head` begins with, or null when these are not characters. The last one may be incomplete. */
const decode = (head: Uint8Array): string | null => {
  const mark = byteOrderMarks.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))
  try {
    // `stream` holds a cut character back rather than refusing it.
    return new TextDecoder(mark?.encoding ?? "utf-8", { fatal: true }).decode(head, { stream: true })
  } catch {
    return null
  }
}

const prolog = /^(?:\s|<\?xml[^>]*\?>|<!--[\s\S]*?-->|<!doctype\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)*/i

/** `image/svg+xml`, `text/html`, `application/xml` or `text/plain`; null when it is not text. */
export const ofText = (head: Uint8Array): string | null => {
  const text = decode(head)
  if (text === null || text.length === 0 || binary.test(text)) return null
  const body = text.replace(prolog, "")
  if (/^<(?:\w+:)?svg[\s>/]/i.test(body)) return "image/svg+xml"
  if (/^<(?:!doctype\s+html|html|head|body|script)\b/i.test(body)) return "text/html"
  return /^\s*<\?xml\s/i.test(text) ? "application/xml" : "text/plain"
}
