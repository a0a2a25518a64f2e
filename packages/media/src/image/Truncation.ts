/** Detects truncated pictures of formats whose decoders show the rest as if it were the whole picture. */

/** Boxes that a picture needs: its parts, and their positions. */
const needed = new Set(["meta", "mdat", "jp2c"])
const boxesMax = 1_000
const endOfCodestream = Buffer.of(0xff, 0xd9)
/** Some writers fill up to a whole number of words. */
const paddingMax = 16

const endsAsCodestream = (bytes: Buffer): boolean => bytes.subarray(-paddingMax).includes(endOfCodestream)

const boxesAreTruncated = (bytes: Buffer): boolean => {
  let at = 0
  for (let boxes = 0; boxes < boxesMax && at + 16 <= bytes.length; boxes++) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    // All that follows.
    if (size === 0) return type === "jp2c" && !endsAsCodestream(bytes)
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size
    if (length < 8) return false
    at += length
    if (at > bytes.length) return needed.has(type)
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
