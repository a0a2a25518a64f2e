/**
 * What clients of A2A may write in different ways, brought to one. The protocol's JSON is ProtoJSON: names of fields are
 * camelCase or snake_case, and null or an empty text means that the field is not set. Pure.
 */

/** Fields whose values are the caller's own: nothing in them is changed. */
const free = new Set(["data", "metadata"])

/** Fields in which an empty text means that nothing is given. An empty `text`, `raw` or `url` of a part is what was given. */
const optionalTexts = new Set([
  "contextId",
  "filename",
  "id",
  "mediaType",
  "messageId",
  "pageToken",
  "status",
  "statusTimestampAfter",
  "taskId",
  "tenant",
  "token"
])

const camelCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const isUnset = (name: string, value: unknown): boolean =>
  value === null ? name !== "data" : value === "" && optionalTexts.has(name)

/** Parameters with names in camelCase and without fields that are not set. Of two spellings of a name the camelCase one counts. */
export const normalize = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(normalize)
  const fields = new Map<string, unknown>()
  for (const [given, inner] of Object.entries(value)) {
    const name = camelCase(given)
    if (isUnset(name, inner) || (name !== given && fields.has(name))) continue
    fields.set(name, free.has(name) ? inner : normalize(inner))
  }
  return Object.fromEntries(fields)
}
