/** The metadata of JPEG XL, which may be compressed with Brotli. */
import { brotliDecompressSync } from "node:zlib"
import { box } from "../mp4/Boxes.ts"
import { isoBoxes } from "./IsoBoxes.ts"

const mark = "\0\0\0\u000cJXL "
const signatureBytes = 12

/** Types of boxes with metadata. */
const metadata = new Set(["Exif", "xml "])
const compressed = "brob"
/** So many bytes of metadata are decompressed at most, of so many boxes. */
const metadataMaxBytes = 4_000_000
const compressedMax = 8

const decompressed = (bytes: Buffer): Buffer | null => {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: metadataMaxBytes })
  } catch {
    return null // It is damaged, or too long to be metadata.
  }
}

/** The same file with all of its metadata readable, and without its picture; null when it is of another format. */
export const jxlMetadata = (bytes: Buffer): Buffer | null => {
  if (bytes.toString("latin1", 0, mark.length) !== mark) return null
  const found: Array<Uint8Array> = []
  let compressedLeft = compressedMax
  for (const { bodyStart, end, type } of isoBoxes(bytes)) {
    const body = bytes.subarray(bodyStart, end)
    if (metadata.has(type)) found.push(box(type, body))
    const inner = type === compressed ? body.toString("latin1", 0, 4) : ""
    if (!metadata.has(inner) || compressedLeft-- <= 0) continue
    const content = decompressed(body.subarray(4))
    if (content !== null) found.push(box(inner, content))
  }
  return Buffer.concat([bytes.subarray(0, signatureBytes), ...found])
}
