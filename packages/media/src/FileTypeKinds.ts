/** {@link MediaKinds} by the signatures that the package `file-type` knows, and by the content of texts. */
import { MediaKinds } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { fileTypeFromBuffer } from "file-type"
import * as Signatures from "./Signatures.ts"
import { isText } from "./text/Encoding.ts"
import { ofText } from "./TextKind.ts"

/** Kinds for which `file-type` uses an unusual name: one kind, one name. */
const usualNames: Readonly<Record<string, string>> = {
  "application/x-rar-compressed": "application/vnd.rar",
  "audio/ogg; codecs=opus": "audio/ogg",
  "audio/wav": "audio/x-wav",
  "audio/x-m4a": "audio/mp4",
  "video/MP1S": "video/mpeg",
  "video/MP2P": "video/mpeg",
  "video/matroska": "video/x-matroska",
  "video/vnd.avi": "video/x-msvideo"
}

/** Containers whose kind does not tell what they contain. */
const vague = new Set(["application/xml"])

const bySignature = (head: Uint8Array): Effect.Effect<string | null> =>
  Effect.tryPromise(() => fileTypeFromBuffer(head)).pipe(
    Effect.map((found) => found === undefined ? null : usualNames[found.mime] ?? found.mime),
    // A head that ends in the middle of a structure has no known kind.
    Effect.orElseSucceed(() => null)
  )

/** A TIFF may have its directory, which `file-type` reads, at its end. */
const isTiff = (head: Uint8Array): boolean =>
  ["49,49,2a,0", "4d,4d,0,2a"].includes(Array.from(head.subarray(0, 4), (byte) => byte.toString(16)).join())

/** Each byte as a character, whatever its encoding. */
const letters = (head: Uint8Array): string => Buffer.from(head).toString("latin1")

/** Kinds whose files are texts, or begin with lines of text, and what these lines have: their first letters alone are no evidence. */
const written: Readonly<Record<string, RegExp>> = {
  "application/eps": /^%!PS-Adobe-\d/,
  "application/pgp-encrypted": /^-----BEGIN PGP MESSAGE-----\r?\n/,
  "application/postscript": /^%!PS(?:-Adobe-\d|[ \t]*[\r\n])/,
  "application/rtf": /^\{\\rtf\d*\\/,
  "application/x-deb": /^!<arch>\n[^\n]*`\n/,
  "application/x-ms-regedit": /^(?:\xff\xfe|\xef\xbb\xbf)?R\0?E\0?G\0?E|^(?:\xff\xfe|\xef\xbb\xbf)?W\0?i\0?n\0?d/,
  "application/x-unix-archive": /^!<arch>\n[^\n]*`\n/,
  "application/xml": /^/,
  "image/fits": /^SIMPLE {2}= {2,}T/,
  "model/stl": /^solid\b[^\n]*\n\s*facet\s+normal\s/,
  "text/calendar": /^/,
  "text/vcard": /^/,
  "text/vtt": /^/
}

/** Binary formats have something that is no character among their first bytes: lengths, versions, flags. */
const evidenceBytes = 64

const isPlainText = (head: Uint8Array): boolean => ofText(head) !== null || (!head.includes(0) && isText(head))

/** Letters that happen to be a signature (`BMW;price`, `Get free shipping`) with nothing but text behind them are no evidence of a binary format. */
const isEvident = (kind: string, head: Uint8Array): boolean =>
  written[kind]?.test(letters(head)) ?? (Signatures.isOfBytes(head)
    || !(isPlainText(head.subarray(0, evidenceBytes)) || isPlainText(head)))

/** Readers look for the header of a PDF in so many bytes: mail, servers and scanners put lines of their own before it. */
const pdfHeaderWithin = 1_024

/** With the objects that make one behind its header. Where all is text, as in what is written about PDFs, the header must be the first line. */
const isPdf = (head: Uint8Array): boolean => {
  const text = letters(head)
  const header = /(?:^|[\r\n\0]|\xef\xbb\xbf)%PDF-\d\.\d/.exec(text.slice(0, pdfHeaderWithin))
  if (header === null) return false
  // Behind the header comes a comment of bytes that are no characters, or the first object.
  const hasObjects = /[\r\n](?:\d{1,10} \d{1,5} obj\b|%[\x80-\xff])/.test(text.slice(header.index))
  return header.index === 0 && text.startsWith("%")
    ? hasObjects || !isPlainText(head.subarray(0, evidenceBytes))
    : hasObjects && ofText(head) === null
}

/** Decides by the bytes alone; bytes of no known kind are null. */
export const detect = (head: Uint8Array): Effect.Effect<string | null> =>
  Effect.map(bySignature(head), (known) => {
    const signed = known ?? Signatures.bySignature(head)
    const found = signed !== null && signed !== "application/pdf" && isEvident(signed, head) ? signed : null
    if (found !== null && !vague.has(found)) return found
    if (isTiff(head)) return "image/tiff"
    if (isPdf(head)) return "application/pdf"
    return ofText(head) ?? found ?? (isText(head) ? "text/plain" : null)
  })

export const layer: Layer.Layer<MediaKinds.MediaKinds> = Layer.succeed(
  MediaKinds.MediaKinds,
  MediaKinds.MediaKinds.of({ detect })
)
