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

const beyondBmp = /[\ud800-\udfff]/

/** Surrogates behind all other code units, as the code points that they stand for. */
const rank = (unit: number): number => unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800

/** Order of texts by their code points, which is that of their UTF-8 bytes, and of the database's collation "C". */
export const byCodePoint = (a: string, b: string): number => {
  if (!beyondBmp.test(a) && !beyondBmp.test(b)) return a < b ? -1 : a > b ? 1 : 0
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

/** Whether `text` holds a C0 or C1 control character (a newline is one). */
export const hasControlCharacter = (text: string): boolean => controlCharacter.test(text)

const wellFormed = Schema.makeFilter<string>((text) =>
  text.isWellFormed() && !text.includes("\u0000") ? undefined : "must be valid Unicode without NUL characters"
)

/** Behind a letter or mark of a script that has joined or varied letters. */
const scripted = "(?![\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}])[\\p{L}\\p{M}]"

/**
 * Characters that are not seen and can make a name look like another: marks that turn the direction of text (with one
 * `exe.txt` is shown of what ends in `exe`), those without width, and those that nobody is to draw. ZWNJ and ZWJ stay where
 * writing needs them: behind an emoji, or a letter of a script whose letters join; so do the tags of a flag, and what chooses
 * a character's form, once and right behind it: behind a sign, an emoji or such a letter, in a keycap, behind a Han character.
 * Marks that are seen, like the Arabic number signs, are no part of it. A flag has at most eight tags: looking back any further
 * would take time that grows with the square of the text's length.
 */
const hidden = new RegExp(
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    + "\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}]"
    + `|(?<![\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}]|${scripted})[\\u200c\\u200d]`
    + `|(?<![\\p{Extended_Pictographic}\\p{S}\\u3000-\\u303f\\uff00-\\uffef]|${scripted}|[0-9#*](?=\\ufe0f\\u20e3))`
    + "(?<![\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]"
    + "|(?<=[\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]"
    + "|(?<!\\p{sc=Han})[\\u{e0100}-\\u{e01ef}]"
    + "|(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{0,7})[\\u{e0000}-\\u{e007f}]",
  "gu"
)

/** The text without invisible characters; for names that come from strangers. */
export const withoutHidden = (text: string): string => text.replace(hidden, "")

/** What can be seen: not blanks of any width, not what no font draws, and not code points that are no characters. */
const visible =
  /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{1d159}]/u

/** Whether anything of the text can be seen. */
export const isVisible = (text: string): boolean => visible.test(text)

/** Why a text is not a valid name, as the end of a sentence, or undefined when it is. Its length is checked elsewhere. */
export const nameFlaw = (text: string): string | undefined =>
  !text.isWellFormed() || hasControlCharacter(text)
    ? "must not contain control characters"
    : text !== "" && !isVisible(text)
    ? "must contain at least one visible character"
    : text.search(hidden) >= 0
    ? "must not contain invisible characters or marks that turn the direction of text"
    : undefined

const goodName = Schema.makeFilter<string>(nameFlaw)

/** Text of several lines: any Unicode but NUL and lone surrogates. */
export const Text = Schema.String.check(wellFormed)

// oxlint-disable-next-line no-control-regex
const controlInLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Text of several lines that others are shown: ends of lines and tabs are its only control characters. */
export const Lines = Text.check(
  Schema.makeFilter<string>((text) => controlInLines.test(text) ? "must not contain control characters" : undefined)
)

/** Text of one line, as names are: no control character at all, nothing hidden, and something to see. */
export const Line = Text.check(goodName)

/**
 * What a filter that bounds a text by its UTF-16 code units, or by bytes of UTF-8, says in OpenAPI, where lengths are in code points: whatever
 * fits is within these. A code point has at most two code units and four bytes.
 */
export const lengthInOpenApi = (
  { max, min }: { readonly min: number; readonly max: number },
  unitsOfCharacter: 2 | 4 = 2
) => ({
  toJsonSchema: () =>
    [{ ...min > 0 && { minLength: Math.ceil(min / unitsOfCharacter) }, maxLength: max }, true] as const
})

/** One line of `min` to `max` characters. */
export const LineOfLength = (min: number, max: number) =>
  Text.check(
    Schema.makeFilter<string>(
      (text) => text.length < min || text.length > max ? `must have ${min} to ${max} characters` : nameFlaw(text),
      lengthInOpenApi({ min, max })
    )
  )

/** One line of `min` to `max` UTF-8 bytes. */
export const LineOfBytes = (min: number, max: number) =>
  // Its length first: the other checks must not run on a text of any length.
  Text.check(Schema.makeFilter<string>((text) => {
    const bytes = utf8Length(text)
    return bytes >= min && bytes <= max ? undefined : `must be ${min} to ${max} bytes long in UTF-8`
  }, lengthInOpenApi({ min, max }, 4))).check(goodName)

/**
 * The form that two spellings of a name share which differ only in case or in
 * how accents are written. Upper case first: only there are `ß` and `SS`, or the two small sigmas, one.
 */
export const foldCase = (text: string): string => text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")
