/** Files as resources: `filedrive://files/{id}`, listed newest first and read like the tool `read_file`. */
import { type CurrentAccount, Operations } from "@filedrive/core"
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"

type Caller = CurrentAccount.CurrentAccount["Service"]

const prefix = "filedrive://files/"
const pageSize = 100

export const template = {
  uriTemplate: `${prefix}{id}`,
  name: "file",
  title: "A file of the drive",
  description: "The content of a file, by its id: text of texts and PDFs, a picture of images and videos."
}

/** A link to a file, as resources have it. */
export const uriOf = (id: string): string => prefix + id

const cursorOf = (offset: number): string => Base64.encode(`offset:${offset}`)

/** The offset of a cursor; null for a text that is none. */
const offsetOf = (cursor: unknown): number | null => {
  if (cursor === undefined) return 0
  if (typeof cursor !== "string") return null
  const text = Result.getOrElse(Base64.decodeString(cursor), () => "")
  const [, digits] = /^offset:(\d{1,15})$/.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}

/** A page of the files; null for a cursor that is not one of ours. Fails like `/search-files`. */
export const list = Effect.fnUntraced(function*(cursor: unknown, caller: Caller) {
  const offset = offsetOf(cursor)
  if (offset === null) return null
  const operations = yield* Operations.Operations
  const { files, nextOffset } = yield* operations.run("searchFiles", { limit: pageSize, offset }, caller)
  return {
    resources: files.map(({ description, fileName, fileSize, id, mimeType }) => ({
      uri: uriOf(id),
      name: fileName,
      ...description === null || description === "" ? {} : { description },
      mimeType,
      size: fileSize
    })),
    ...nextOffset === null ? {} : { nextCursor: cursorOf(nextOffset) }
  }
})

/** The content of a resource; null for an address that is not a file's. Fails like `/read-file`. */
export const read = Effect.fnUntraced(function*(uri: string, caller: Caller) {
  const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : ""
  if (!/^[0-9a-f-]{36}$/i.test(id)) return null
  const operations = yield* Operations.Operations
  const { image, mimeType, note, text } = yield* operations.run("readFile", { fileId: id }, caller)
  return {
    contents: [
      ...image === undefined ? [] : [{ uri, mimeType: image.mimeType, blob: image.data }],
      ...text === undefined ? [] : [{ uri, mimeType: mimeType.startsWith("text/") ? mimeType : "text/plain", text }],
      ...image === undefined && text === undefined ? [{ uri, mimeType: "text/plain", text: note }] : []
    ]
  }
})
