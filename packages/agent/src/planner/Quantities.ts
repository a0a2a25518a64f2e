/** Sizes, lengths of time, tempos and plain numbers in a request. */
import { classAt, numberedAt, type Sentence } from "./grammar/Sentence.ts"

export interface Quantity {
  readonly kind: "bytes" | "seconds" | "tempo" | "count"
  readonly value: number
  /** In tokens. */
  readonly length: number
}

const units: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1e3,
  kilobyte: 1e3,
  kilobytes: 1e3,
  kib: 1024,
  mb: 1e6,
  meg: 1e6,
  megs: 1e6,
  megabyte: 1e6,
  megabytes: 1e6,
  mib: 1024 ** 2,
  gb: 1e9,
  gig: 1e9,
  gigs: 1e9,
  gigabyte: 1e9,
  gigabytes: 1e9,
  gib: 1024 ** 3,
  tb: 1e12,
  terabyte: 1e12,
  terabytes: 1e12
}

const times: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600 }

/** A number by digits or by a word; thousands may be separated, and a comma is a decimal point in German. */
export const numberAt = (
  sentence: Sentence,
  at: number,
  end: number
): { readonly value: number; readonly length: number } | null => {
  const token = sentence.tokens[at]
  if (token === undefined || at >= end) return null
  if (token.kind === "number") {
    const plain = /^\d+(?:[.,]\d{3})+$/.test(token.raw)
      ? token.raw.replaceAll(/[.,]/g, "")
      : token.raw.replace(",", ".")
    return { value: Number(plain), length: 1 }
  }
  return numberedAt(sentence, at, "number:", end)
}

const article = /^(?:a|an|ein|eine|einer|einem|einen)$/

/** What begins at `at`: "1.5 GB", "five minutes", "an hour", "half an hour", "3:30", "120 bpm", "20". */
export const quantityAt = (sentence: Sentence, at: number, end: number): Quantity | null => {
  const { tokens } = sentence
  const token = tokens[at]
  if (token === undefined || at >= end) return null
  if (token.kind === "timecode") {
    const value = token.raw.split(":").reduce((total, part) => total * 60 + Number(part), 0)
    return { kind: "seconds", value, length: 1 }
  }
  const isHalf = /^(?:half|halbe|halben)$/.test(token.norm)
  const afterHalf = isHalf ? at + 1 : at
  const number = numberAt(sentence, afterHalf, end) ??
    (isHalf || article.test(token.norm)
      ? { value: 1, length: article.test(tokens[afterHalf]?.norm ?? "") ? 1 : 0 }
      : null)
  if (number === null) return null
  const value = number.value * (isHalf ? 0.5 : 1)
  const next = afterHalf + number.length
  const unit = next < end ? units[tokens[next]!.norm] : undefined
  if (unit !== undefined) return { kind: "bytes", value: Math.round(value * unit), length: next + 1 - at }
  const tempo = classAt(sentence, next, "tempo", end)
  if (tempo > 0) return { kind: "tempo", value, length: next + tempo - at }
  for (const [name, seconds] of Object.entries(times)) {
    const length = classAt(sentence, next, name, end)
    if (length > 0) return { kind: "seconds", value: value * seconds, length: next + length - at }
  }
  if (isHalf || number.length === 0 || article.test(token.norm)) return null
  // A date or a number of days is no amount of files.
  return ["day", "week", "month", "year", "quarter"].some((name) => classAt(sentence, next, name, end) > 0)
    ? null
    : { kind: "count", value, length: next - at }
}
