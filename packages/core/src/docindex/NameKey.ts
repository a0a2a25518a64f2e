/** The order of file names: case and accents count for nothing, and numbers in a name by their value. */
import { fold } from "./Words.ts"

/** Characters that count; names that differ only after them are in the order of their ids. */
const maxLength = 200

/** Longest number that is put in its place among others. */
const numberMaxLength = 40

/**
 * The text by whose characters' codes names are sorted. A number is preceded by how long it is, so `img 9` comes
 * before `img 10`; zeros before it count for nothing.
 */
export const of = (fileName: string): string =>
  Array.from(
    fold(fileName).replace(/0*([0-9]+)/g, (_, digits: string) =>
      String.fromCharCode(0x30 + Math.min(digits.length, numberMaxLength)) + digits)
  ).slice(0, maxLength).join("")
