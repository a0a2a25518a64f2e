/** The kind of a file, by its bytes; as the sender declared it where they do not tell. Contract: "Files", FileType. */
import { Effect } from "effect"
import type { MediaKinds } from "../ports/MediaKinds.ts"
import * as FileType from "../shared/FileType.ts"

export interface Kind {
  readonly type: FileType.FileType
  readonly mimeType: string
}

/** The kind of a file that begins with `head`, and was declared as `declared` by its sender. */
export const of = Effect.fnUntraced(function*(kinds: MediaKinds["Service"], head: Uint8Array, declared: Kind) {
  if (head.length === 0) return declared
  const found = yield* kinds.detect(head)
  if (found === null) return declared
  // Characters don't tell a table from a poem: of which text it is, the sender knows more.
  const mimeType = found === "text/plain" && FileType.ofMimeType(declared.mimeType) === "Text"
    ? declared.mimeType
    : found
  return { type: FileType.ofMimeType(found), mimeType }
})
