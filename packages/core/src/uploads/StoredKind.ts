/** The kind of bytes that were sent. */
import { Effect, Stream } from "effect"
import * as DetectedKind from "../files/DetectedKind.ts"
import { headBytes, type MediaKinds } from "../ports/MediaKinds.ts"
import type { ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import { defaultMimeType } from "../shared/FileType.ts"
import type { FileInsert } from "./FileInput.ts"

/** As the bytes tell; as the sender declared it where they do not. */
export const of = Effect.fnUntraced(function*(
  kinds: MediaKinds["Service"],
  store: ObjectStore["Service"],
  at: ObjectAddress,
  file: FileInsert
) {
  const declared = { type: file.type, mimeType: file.mimeType ?? defaultMimeType }
  const head = file.fileSize === 0
    ? new Uint8Array(0)
    : yield* store.get(at, { start: 0, end: Math.min(headBytes, file.fileSize) - 1 }).pipe(
      Stream.runFold((): Uint8Array => new Uint8Array(0), concat)
    )
  return yield* DetectedKind.of(kinds, head, declared)
})

const concat = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  const all = new Uint8Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  return all
}
