/**
 * Strings that may come in from a caller. PostgreSQL stores no NUL and UTF-8
 * has no lone surrogate, so text with either is refused where it enters,
 * naming its field, and never changed on the way.
 */
import { Schema, SchemaTransformation } from "effect"

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

/**
 * Overrides, embeddings and isolates of direction. With one of them a file that ends in `exe` is shown as if it ended in `txt`, and no name needs
 * one. All other format characters (soft hyphens, word breaks of Thai and Khmer, marks of direction that phones put first) are part of real names.
 */
const overrides = /[\u202a-\u202e\u2066-\u2069]/g

/** The text without characters that turn the direction of what is around them. */
export const withoutOverrides = (text: string): string => text.replace(overrides, "")

/** What can be seen: not blanks of any width, not what no font draws, and not code points that are no characters. */
const visible =
  /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{1d159}]/u

/** Whether anything of the text can be seen. */
export const isVisible = (text: string): boolean => visible.test(text)

const invisible = "must contain at least one visible character"

/** Why a text is not a valid name, as the end of a sentence, or undefined when it is. Its length is checked elsewhere. */
export const nameFlaw = (text: string): string | undefined =>
  !text.isWellFormed() || hasControlCharacter(text)
    ? "must not contain control characters"
    : /[\u2028\u2029]/.test(text)
    ? "must not contain line separators"
    : text !== "" && !isVisible(text)
    ? invisible
    : undefined

/** Text of several lines: any Unicode but NUL and lone surrogates. */
export const Text = Schema.String.check(wellFormed)

// oxlint-disable-next-line no-control-regex
const controlInLines = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Text of several lines that others are shown: ends of lines and tabs are its only control characters. */
export const Lines = Text.check(
  Schema.makeFilter<string>((text) => controlInLines.test(text) ? "must not contain control characters" : undefined)
)

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

/** A name as it is kept: as it was given, but for overrides of direction. `flaw` tells what is wrong with what is kept. */
export const named = <S extends Schema.Codec<string, string>>(given: S, flaw: (kept: string) => string | undefined) =>
  given.pipe(
    Schema.decodeTo(
      Schema.String.check(Schema.makeFilter<string>(flaw)),
      SchemaTransformation.transform({ decode: withoutOverrides, encode: (kept: string) => kept })
    )
  )

/** Of names of a length: what is given is measured first, since the other checks must not run on a text of any length. */
const measured = (lengthFlaw: (text: string) => string | undefined, openApi: ReturnType<typeof lengthInOpenApi>) =>
  named(
    Text.check(Schema.makeFilter<string>(lengthFlaw, openApi)),
    (kept) => kept === "" && lengthFlaw("") !== undefined ? invisible : lengthFlaw(kept) ?? nameFlaw(kept)
  )

/** One line of `min` to `max` characters: a {@link named} text without control characters, in which something can be seen. */
export const LineOfLength = (min: number, max: number) =>
  measured(
    ({ length }) => length < min || length > max ? `must have ${min} to ${max} characters` : undefined,
    lengthInOpenApi({ min, max })
  )

/** One line of `min` to `max` UTF-8 bytes. */
export const LineOfBytes = (min: number, max: number) =>
  measured((text) => {
    const bytes = utf8Length(text)
    return bytes >= min && bytes <= max ? undefined : `must be ${min} to ${max} bytes long in UTF-8`
  }, lengthInOpenApi({ min, max }, 4))

/**
 * The form that two spellings of a name share which differ only in case or in
 * how accents are written. Upper case first: only there are `ß` and `SS`, or the two small sigmas, one.
 */
export const foldCase = (text: string): string => text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")
