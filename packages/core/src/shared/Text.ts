/**
 * Strings that may come in from a caller. PostgreSQL stores no NUL and UTF-8
 * has no lone surrogate, so text with either is refused where it enters,
 * naming its field, and never changed on the way.
 */
import { Schema } from "effect"

const encoder = new TextEncoder()

// oxlint-disable-next-line no-control-regex
const beyondAscii = /[^\u0000-\u007f]/

/** Length of `text` in UTF-8 bytes. */
export const utf8Length = (text: string): number => beyondAscii.test(text) ? encoder.encode(text).length : text.length

// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/** Whether `text` holds a C0 or C1 control character (a newline is one). */
export const hasControlCharacter = (text: string): boolean => controlCharacter.test(text)

const wellFormed = Schema.makeFilter<string>((text) =>
  text.isWellFormed() && !text.includes("\u0000") ? undefined : "must be valid Unicode without NUL characters"
)

const noControl = Schema.makeFilter<string>((text) =>
  hasControlCharacter(text) ? "must not hold control characters" : undefined
)

/** Text of several lines: any Unicode but NUL and lone surrogates. */
export const Text = Schema.String.check(wellFormed)

/** Text of one line: no control character at all. */
export const Line = Text.check(noControl)

/** One line of `min` to `max` UTF-8 bytes. */
export const LineOfBytes = (min: number, max: number) =>
  Line.check(Schema.makeFilter<string>((text) => {
    const bytes = utf8Length(text)
    return bytes >= min && bytes <= max ? undefined : `must be ${min} to ${max} bytes long in UTF-8`
  }))

/**
 * The form that two spellings of a name share which differ only in case or in
 * how accents are written. Upper case first: only there are `ß` and `SS`, or the two small sigmas, one.
 */
export const foldCase = (text: string): string => text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")
