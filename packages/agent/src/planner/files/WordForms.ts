/** Words of a request and words of a file's texts: the same but for plural and case endings. */
import { isNear } from "../grammar/Spelling.ts"
import { fold } from "../grammar/Token.ts"

/** The part that a noun's forms share, so that "invoices" finds invoice.pdf and "Rechnungen" Rechnung.pdf. */
export const stem = (word: string): string => {
  const plain = fold(word).replace(/['’]s$/, "")
  if (plain.length < 4 || /\d/.test(plain)) return plain
  if (plain.endsWith("ies")) return plain.slice(0, -3)
  if (/(?:sses|xes|ches|shes)$/.test(plain)) return plain.slice(0, -2)
  if (plain.endsWith("ungen")) return plain.slice(0, -2)
  if (plain.length > 5 && /(?:en|er)$/.test(plain)) return plain.slice(0, -2)
  if (/[^s]s$/.test(plain) || (plain.length > 4 && /[en]$/.test(plain))) return plain.slice(0, -1)
  return plain
}

/** Words of a text, as the drive's search cuts it. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").replaceAll(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " "))
    .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")

/** How closely a word of a request is in a text: as itself or another form of it, as a beginning, or with a typing error. */
export type Closeness = "form" | "beginning" | "near"

export const isIn = (word: string, text: ReadonlyArray<string>, closeness: Closeness): boolean =>
  wordsOf(word).every((part) => {
    const root = stem(part)
    if (closeness === "form") return text.some((known) => known === part || stem(known) === root)
    if (closeness === "beginning") return text.some((known) => known.startsWith(root))
    return text.some((known) => known.startsWith(root) || isNear(known, part) || isNear(stem(known), root))
  })
