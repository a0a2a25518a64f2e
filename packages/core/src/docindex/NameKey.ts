/** The order of file names: case and accents are ignored, and numbers in a name compare by value. */
import { fold } from "./Words.ts"

/** Characters that count; names that differ only after them are in the order of their ids. */
const maxLength = 200

/** Longest number that is compared by value. */
const numberMaxLength = 40

/**
 * The text by whose characters' codes names are sorted. A number is preceded by how long it is, so `img 9` comes
 * before `img 10`; leading zeros are ignored.
 */
export const of = (fileName: string): string =>
  Array.from(
    fold(fileName).replace(/0*([0-9]+)/g, (_, digits: string) =>
      String.fromCharCode(0x30 + Math.min(digits.length, numberMaxLength)) + digits)
  ).slice(0, maxLength).join("")
