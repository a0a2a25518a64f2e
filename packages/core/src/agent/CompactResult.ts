/** What a brain is shown of a tool's answer: small, with ids and names. Pure. */
import * as Limits from "../limits/Limits.ts"

/** Entries of a list that are shown when the call did not ask for a number. */
const shownCount = 20

/** Characters of one text that are shown. */
const textLength = 50_000

/** What no brain needs of a file. */
const hidden: ReadonlySet<string> = new Set(["objectKey", "thumbnailUrl", "metadataStatus", "uploadUrl"])

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** `args`: a list is shown as long as its `limit`. */
export const compact = (result: unknown, args: unknown): unknown => {
  const limit = isObject(args) && typeof args["limit"] === "number" ? args["limit"] : shownCount
  const shown = shorten(result, limit)
  const listed = Array.isArray(shown) && Array.isArray(result) && result.length > limit
    ? { files: shown, count: result.length, left: result.length - limit }
    : shown
  const text = JSON.stringify(listed) ?? "null"
  return text.length <= Limits.transcript.resultLength
    ? listed
    : { cut: true, text: text.slice(0, Limits.transcript.resultLength).toWellFormed() }
}

const shorten = (value: unknown, limit: number): unknown => {
  if (typeof value === "string") {
    return value.length <= textLength ? value : `${value.slice(0, textLength).toWellFormed()}…`
  }
  if (Array.isArray(value)) return value.slice(0, limit).map((entry) => shorten(entry, limit))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]): Array<[string, unknown]> => {
      if (hidden.has(key)) return []
      const shown: [string, unknown] = [
        key,
        isPicture(key, value) ? "(an image, which is not shown)" : shorten(entry, limit)
      ]
      return Array.isArray(entry) && entry.length > limit ? [shown, [`${key}Left`, entry.length - limit]] : [shown]
    })
  )
}

/** The base64 of an image that `read_file` answers. */
const isPicture = (key: string, { type }: Json) => type === "image" && (key === "data" || key === "base64")
