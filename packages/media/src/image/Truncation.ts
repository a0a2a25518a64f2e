/** Detects truncated pictures of formats whose decoders show the rest as if it were the whole picture. */
import { isoBoxes } from "./IsoBoxes.ts"

/** Boxes that a picture needs: its parts, and their positions. */
const needed = new Set(["meta", "mdat", "jp2c"])
const endOfCodestream = Buffer.of(0xff, 0xd9)
/** Some writers fill up to a whole number of words. */
const paddingMax = 16

const endsAsCodestream = (bytes: Buffer): boolean => bytes.subarray(-paddingMax).includes(endOfCodestream)

const boxesAreTruncated = (bytes: Buffer): boolean => {
  for (const { end, isOpen, type } of isoBoxes(bytes)) {
    if (isOpen) return type === "jp2c" && !endsAsCodestream(bytes)
    if (end > bytes.length) return needed.has(type)
  }
  return false
}

/** Of HEIC and JPEG 2000, by the name that ImageMagick has for them. */
export const isTruncated = (bytes: Uint8Array, magickFormat: string): boolean => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  switch (magickFormat) {
    case "HEIC":
    case "JP2":
    case "JPM":
      return boxesAreTruncated(buffer)
    case "J2C":
      return !endsAsCodestream(buffer)
    default:
      return false
  }
}
