/** How much a request takes, as its field has it: a number and a unit. */

const units = { megabyte: 1e6, gigabyte: 1e9, terabyte: 1e12 } as const

export type SizeUnit = keyof typeof units

export const sizeUnits = Object.keys(units) as ReadonlyArray<SizeUnit>

/** Bytes in the largest unit of which they are one at least; nothing for no limit. */
export const amountOf = (
  bytes: number | null,
  locale: string
): { readonly amount: string; readonly unit: SizeUnit } => {
  if (bytes === null) return { amount: "", unit: "gigabyte" }
  const unit = sizeUnits.findLast((name) => bytes >= units[name]) ?? "megabyte"
  const written = new Intl.NumberFormat(locale, {
    useGrouping: false,
    maximumFractionDigits: 6,
    numberingSystem: "latn"
  })
  return { amount: written.format(bytes / units[unit]), unit }
}

/** Null for none; undefined for what is no amount of one byte or more. A decimal comma is a point. */
export const bytesOf = (amount: string, unit: SizeUnit): number | null | undefined => {
  const text = amount.trim()
  if (text === "") return null
  if (!/^\d{1,12}(?:[.,٫]\d{0,12})?$/.test(text)) return undefined
  const bytes = Math.round(Number(text.replace(/[,٫]/, ".")) * units[unit])
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined
}
