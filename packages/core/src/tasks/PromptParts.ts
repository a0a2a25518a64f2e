/** What a brain reads of a caller's message. Pure. */
import type { JsonObject, Part } from "./Task.ts"

/**
 * The content of a user's message of a prompt, encoded. A file and a link are text that names them; their `options` hold the same for
 * brains that are programs: `{ filedrive: { part: { kind, index, name, fileId? } } }`, where `index` is what `save_part` and
 * `import_part` take.
 */
export const entryOf = (parts: ReadonlyArray<Part>): ReadonlyArray<unknown> =>
  parts.map((part, index) => {
    if ("text" in part) return { type: "text", text: part.text }
    if ("data" in part) {
      return { type: "text", text: JSON.stringify(part.data), options: optionsOf({ kind: "data", index }) }
    }
    if ("url" in part) {
      return {
        type: "text",
        text: `[Part ${index} is a link: ${part.url}]`,
        options: optionsOf({ kind: "url", index, name: part.url })
      }
    }
    const { because, fileId, fileName, mimeType, sizeBytes } = part.raw
    const told = fileId === null ? `it was not saved: ${because}` : `it was saved with the id ${fileId}`
    return {
      type: "text",
      text: `[Part ${index} is the file ${JSON.stringify(fileName)}, ${mimeType}, ${sizeBytes} bytes; ${told}]`,
      options: optionsOf({ kind: "raw", index, name: fileName, fileId, because })
    }
  })

const optionsOf = (part: JsonObject) => ({ filedrive: { part } })

/** A call that a message asks for itself, without a brain: its only part is `data` with `{ tool, args? }`. */
export const directCall = (parts: ReadonlyArray<unknown>): { readonly name: string; readonly args: unknown } | null => {
  const [only] = parts as ReadonlyArray<
    { readonly text?: string; readonly options?: { filedrive?: { part?: { kind?: string } } } }
  >
  if (parts.length !== 1 || only?.options?.filedrive?.part?.kind !== "data") return null
  const data = JSON.parse(only.text!) as unknown
  if (typeof data !== "object" || data === null) return null
  const { args = {}, tool } = data as { readonly tool?: unknown; readonly args?: unknown }
  return typeof tool === "string" ? { name: tool, args } : null
}
