/**
 * What a JSON text may contain besides its length. Nesting and fields cost the parser many times as much as other
 * characters do: 4 MiB of brackets keep a process from everything else for half a second.
 */

/**
 * No body of the API is nested as deeply, and none has as many fields, or objects and arrays: an upload of 10,000 parts has
 * 20,000 and 10,000.
 */
export const [depthMax, fieldsMax, groupsMax] = [32, 50_000, 50_000] as const

/** How much of what a text may contain. */
export interface Bounds {
  readonly depth: number
  readonly fields: number
  /** Objects and arrays. */
  readonly groups: number
  /** Fields and elements of arrays, but for the first of each. */
  readonly values: number
}

const ofBodies: Bounds = { depth: depthMax, fields: fieldsMax, groups: groupsMax, values: Infinity }

/** A text that is shorter is parsed in a few milliseconds, whatever it contains. */
export const shortTextLength = 32_768

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c] as const
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d] as const

/** The end of the string whose first character is at `start`: where its closing quote is, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf("\"", start); end !== -1; end = text.indexOf("\"", end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/**
 * Whether a text, JSON or not, keeps to these bounds. Shorter texts are not looked at: `shortest` is 0 where values are kept as
 * they come, and what is nested thousands of times can't be written as JSON again.
 */
export const isWithinBounds = (text: string, shortest: number = shortTextLength, bounds = ofBodies): boolean => {
  if (text.length < shortest) return true
  let [depth, fields, groups, values] = [0, 0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at + 1)
        break
      case openBracket:
      case openBrace:
        if (++depth > bounds.depth || ++groups > bounds.groups) return false
        break
      case closeBracket:
      case closeBrace:
        depth--
        break
      case colon:
        if (++fields > bounds.fields) return false
        break
      case comma:
        if (++values > bounds.values) return false
    }
  }
  return true
}
