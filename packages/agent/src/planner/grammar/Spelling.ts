/** How far two words are from each other when they are typed. */
import { fold } from "./Token.ts"

/** Letters to insert, leave out, replace or swap to make one word of the other; `limit + 1` when it takes more than `limit`. */
export const distance = (one: string, other: string, limit: number): number => {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let before: Array<number> = []
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      let best = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        best = Math.min(best, before[j - 2]! + 1)
      }
      row.push(best)
      least = Math.min(least, best)
    }
    if (least > limit) return limit + 1
    before = above
    above = row
  }
  return above[other.length]!
}

/** How many letters of a word may be wrong: none of a short one, one of four letters or more, two of eight or more. */
export const allowedErrors = (word: string): number => word.length < 4 ? 0 : word.length < 8 ? 1 : 2

const digits = (word: string): string => word.replaceAll(/\D/g, "")

/** Whether the words are one but for a typing error. Another number is another name. */
export const isNear = (one: string, other: string): boolean => {
  if (digits(one) !== digits(other)) return false
  const limit = allowedErrors(one.length < other.length ? one : other)
  return limit > 0 && distance(one, other, limit) <= limit
}

/** As two spellings of a name share it: without case, accents and separators. */
export const plainName = (name: string): string =>
  fold(name).replaceAll(/['’]s?\b/g, "").replaceAll(/[^\p{L}\p{N}/]+/gu, " ").trim()
