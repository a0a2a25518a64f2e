/** Sizes, times and names as the reader writes them. */
import { locale } from "./texts.ts"

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

const formats = new Map<string, Intl.NumberFormat>()

const format = (key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const found = formats.get(key) ?? new Intl.NumberFormat(locale, options)
  formats.set(key, found)
  return found
}

/** Of a thousand bytes each, as the files of a system are shown. Nothing, and what is slow, is so many kilobytes. */
const scaled = (bytes: number, perSecond: boolean): string => {
  const scale = bytes < 1_000
    ? (bytes === 0 || perSecond ? 1 : 0)
    : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** scale
  const unit = `${units[scale]!}${perSecond ? "-per-second" : ""}`
  const maximumFractionDigits = value >= 100 || value === 0 ? 0 : 1
  return format(`${unit} ${maximumFractionDigits}`, {
    style: "unit",
    unit,
    // English has no plural of the short one.
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumFractionDigits
  })
    .format(value > 0 && value < 0.1 ? 0.1 : value)
}

export const size = (bytes: number): string => scaled(bytes, false)

export const speed = (bytesPerSecond: number): string => scaled(bytesPerSecond, true)

export const percent = (share: number): string => format("percent", { style: "percent" }).format(share)

const amount = (value: number, unit: string): string =>
  format(unit, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 }).format(value)

/** A span in its two largest units. */
export const span = (seconds: number): string => {
  if (seconds < 60) return amount(Math.max(1, Math.round(seconds)), "second")
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return amount(minutes, "minute")
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return amount(Math.round(hours / 24), "day")
  return minutes % 60 === 0 ? amount(hours, "hour") : `${amount(hours, "hour")} ${amount(minutes % 60, "minute")}`
}

export const dateTime = (iso: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(new Date(iso))

/** Several, as “a, b and c”. */
export const listed = (texts: ReadonlyArray<string>): string => new Intl.ListFormat(locale).format(texts)

const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name or a line of others', without the characters that turn the direction of text: they make `gpj.exe` of `exe.jpg`. */
export const shown = (text: string): string => text.replaceAll(turning, "")

/** A path where there are only words: the direction of each folder turns nothing around it. */
export const pathText = (path: string): string =>
  path.split("/").map((name) => name === "" ? "" : `\u2068${shown(name)}\u2069`).join("/")

/** About two lines of a phone; what is wide takes the place of two. */
const [nameStart, nameEnd] = [36, 18]
const widthOf = (character: string): number => character.codePointAt(0)! >= 0x1100 ? 2 : 1

/** A character with what stands on it and what is joined to it. Not every browser that the pages are for has `Intl.Segmenter`. */
const together = /^\p{M}+|\P{M}(?:\p{M}|\u200d\P{M})*/gu

/** As many of the first as have room. */
const fitting = (characters: ReadonlyArray<string>, room: number): ReadonlyArray<string> => {
  let width = 0
  const end = characters.findIndex((one) => (width += widthOf(one)) > room)
  return end === -1 ? characters : characters.slice(0, end)
}

/** A name that is too long without its middle. */
export const middleCut = (name: string): string => {
  const characters = name.match(together) ?? []
  if (fitting(characters, nameStart + nameEnd).length === characters.length) return name
  const start = fitting(characters, nameStart)
  const end = fitting(characters.toReversed(), nameEnd).toReversed()
  return `${start.join("").trimEnd()}…${end.join("").trimStart()}`
}
