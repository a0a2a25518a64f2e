/**
 * The name of a fetched file: from its server (`Content-Disposition`, RFC 6266 and 8187), else from the path of its
 * link. Pure; whatever a server sends, the name is a good one. Rules of file names: META-2.
 */
import * as Limits from "../limits/Limits.ts"
import { isVisible, utf8Length, withoutOverrides } from "../shared/Text.ts"
import * as Extension from "./Extension.ts"

/** The name of a file that has none. */
const nameless = "download"

/**
 * A name of 1 to 1,024 UTF-8 bytes without control characters and path separators, never `.` or `..`; with the extension
 * of its kind when it has none. `disposition` has a byte in each character, as it came.
 */
export const of = (disposition: string | null, url: string, mimeType: string): string => {
  const stated = disposition === null ? null : fromDisposition(disposition)
  const name = clean(stated ?? "") || clean(fromPath(url)) || nameless
  return withExtension(name, Extension.ofMimeType(mimeType))
}

/** A parameter: its name, and its value quoted or plain. What is quoted may hold anything, an escaped quote too. */
const parameters = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs

/** The name a `Content-Disposition` states; `filename*` goes before `filename`. */
export const fromDisposition = (disposition: string): string | null => {
  // Some servers leave the type out.
  const text = /^\s*[\w-]+\s*=/.test(disposition) ? `;${disposition}` : disposition
  let plain: string | null = null
  for (const [, name = "", quoted, token] of text.matchAll(parameters)) {
    const value = quoted === undefined ? (token ?? "").trim() : quoted.replace(/\\(.)/gs, "$1")
    const key = name.toLowerCase()
    if (key === "filename*") {
      const extended = fromExtended(value)
      if (extended !== null) return extended
    }
    if (key === "filename") plain ??= fromPlain(value)
  }
  return plain
}

/** `UTF-8''na%C3%AFve`; null when it does not have this form, or its charset is unknown. */
const fromExtended = (value: string): string | null => {
  const [, charset, encoded] = /^([\w-]+)'[^']*'(.*)$/s.exec(value) ?? []
  if (charset === undefined || encoded === undefined) return null
  try {
    return new TextDecoder(charset, { fatal: true }).decode(percentDecoded(encoded))
  } catch {
    return null
  }
}

/** Should be ISO 8859-1; is UTF-8 as often, or percent-encoded, which browsers take too. */
const fromPlain = (value: string): string => {
  const bytes = /%[0-9a-f]{2}/i.test(value) ? percentDecoded(value) : bytesOf(value)
  return decoded(bytes)
}

const fromPath = (url: string): string => {
  const path = URL.parse(url)?.pathname ?? ""
  const last = path.slice(path.lastIndexOf("/") + 1)
  return decoded(percentDecoded(last))
}

const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)

const percentDecoded = (text: string): Uint8Array =>
  bytesOf(text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))

const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

// oxlint-disable-next-line no-control-regex
const separators = /[/\\\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** The name without characters that names can't have; empty when nothing is left. */
const clean = (text: string): string => {
  const name = withoutOverrides(text.toWellFormed().replace(separators, "_")).trim()
  return /^[._\s]*$/.test(name) || !isVisible(name) ? "" : shortened(name)
}

/** Truncated to the longest valid name; the extension is kept. */
const shortened = (name: string): string => {
  if (utf8Length(name) <= Limits.fileNameMaxBytes) return name
  const extension = /\.[\w-]{1,16}$/.exec(name)?.[0] ?? ""
  return cut(name.slice(0, name.length - extension.length), Limits.fileNameMaxBytes - extension.length) + extension
}

/** The longest start of `text` with at most `maxBytes` of UTF-8 that ends on a whole character. */
const cut = (text: string, maxBytes: number): string => {
  let kept = ""
  let bytes = 0
  for (const character of text) {
    bytes += utf8Length(character)
    if (bytes > maxBytes) break
    kept += character
  }
  return kept
}

const withExtension = (name: string, extension: string | null): string =>
  extension === null || /.\.[\w-]{1,16}$/.test(name)
    ? name
    : `${cut(name, Limits.fileNameMaxBytes - extension.length - 1)}.${extension}`
