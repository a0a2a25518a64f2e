/** {@link MediaKinds} by the signatures that the package `file-type` knows, and by the content of texts. */
import { MediaKinds } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { fileTypeFromBuffer } from "file-type"
import * as Signatures from "./Signatures.ts"
import { isText } from "./text/Encoding.ts"
import { ofText } from "./TextKind.ts"

/** Kinds for which `file-type` uses an unusual name: one kind, one name. */
const usualNames: Readonly<Record<string, string>> = {
  "application/x-rar-compressed": "application/vnd.rar",
  "audio/ogg; codecs=opus": "audio/ogg",
  "audio/wav": "audio/x-wav",
  "audio/x-m4a": "audio/mp4",
  "video/MP1S": "video/mpeg",
  "video/MP2P": "video/mpeg",
  "video/matroska": "video/x-matroska",
  "video/vnd.avi": "video/x-msvideo"
}

/** Containers whose kind does not tell what they contain. */
const vague = new Set(["application/xml"])

const bySignature = (head: Uint8Array): Effect.Effect<string | null> =>
  Effect.tryPromise(() => fileTypeFromBuffer(head)).pipe(
    Effect.map((found) => found === undefined ? null : usualNames[found.mime] ?? found.mime),
    // A head that ends in the middle of a structure has no known kind.
    Effect.orElseSucceed(() => null)
  )

/** A TIFF may have its directory, which `file-type` reads, at its end. */
const isTiff = (head: Uint8Array): boolean =>
  ["49,49,2a,0", "4d,4d,0,2a"].includes(Array.from(head.subarray(0, 4), (byte) => byte.toString(16)).join())

/** Decides by the bytes alone; bytes of no known kind are null. */
export const detect = (head: Uint8Array): Effect.Effect<string | null> =>
  Effect.map(bySignature(head), (known) => {
    const found = known ?? Signatures.bySignature(head)
    if (found !== null && !vague.has(found)) return found
    if (isTiff(head)) return "image/tiff"
    return ofText(head) ?? found ?? (isText(head) ? "text/plain" : null)
  })

export const layer: Layer.Layer<MediaKinds.MediaKinds> = Layer.succeed(
  MediaKinds.MediaKinds,
  MediaKinds.MediaKinds.of({ detect })
)
