/**
 * The beginning of a multipart/form-data body: its fields, up to where the
 * file's bytes begin. The file itself is never scanned: its length is known
 * from the policy.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
import { StorageError } from "./StorageError.ts"

/** Most bytes of fields that are read before the file must begin. */
export const headMaxBytes = 64 * 1024

export interface FormHead {
  /** By lower-case name. */
  readonly fields: ReadonlyMap<string, string>
  /** Where in the body the file begins. */
  readonly fileStart: number
}

const malformed = (because: string) => new StorageError("MalformedPOSTRequest", because)

/** The boundary that a request's content type names. */
export const boundaryOf = (contentType: string | undefined): string => {
  const match = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? "")
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw malformed("The body must be multipart/form-data with a boundary.")
  return boundary
}

/** What follows a file that is the last of its form; a line break may come after it. */
export const closing = (boundary: string): Buffer => Buffer.from(`\r\n--${boundary}--`)

/**
 * The fault of the bytes `after` a file of the expected length, or undefined when they close the
 * form. When the file is too short, the first bytes of the closing were taken for the file's: only its rest is left.
 */
export const closingFlaw = (after: Buffer, closing: Buffer): StorageError | undefined => {
  const text = after.toString("latin1").replace(/\r\n$/, "")
  const whole = closing.toString("latin1")
  if (text === whole) return undefined
  return whole.endsWith(text)
    ? new StorageError("EntityTooSmall", "The body is shorter than the signature says.")
    : new StorageError("EntityTooLarge", "The form does not end where its file should.")
}

const headersEnd = Buffer.from("\r\n\r\n")

/** The fields before the file, or undefined while more of the body has to arrive. */
export const parse = (start: Buffer, boundary: string): FormHead | undefined => {
  const opening = Buffer.from(`--${boundary}\r\n`)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  if (!opening.subarray(0, start.length).equals(start.subarray(0, opening.length))) {
    throw malformed("The body does not begin with its boundary.")
  }
  const fields = new Map<string, string>()
  let at = opening.length
  for (;;) {
    const headers = start.indexOf(headersEnd, at)
    if (headers < 0) return undefined
    const value = headers + headersEnd.length
    const match = /^content-disposition:\s*form-data\s*;.*?\bname=(?:"([^"]*)"|([^\s;"]+))/im
      .exec(start.toString("utf8", at, headers))
    const name = (match?.[1] ?? match?.[2])?.toLowerCase()
    if (name === undefined) throw malformed("A part of the body has no name.")
    if (name === "file") return { fields, fileStart: value }
    const end = start.indexOf(delimiter, value)
    const next = end + delimiter.length + 2
    if (end < 0 || next > start.length) return undefined
    if (fields.has(name)) throw malformed("A field comes twice.")
    fields.set(name, start.toString("utf8", value, end))
    if (start.toString("latin1", next - 2, next) !== "\r\n") throw malformed("The form holds no file.")
    at = next
  }
}
