/** Reads the headers of JPEG 2000, for pictures of grey and opacity, which ImageMagick takes for one of the two. */
import { contentOf } from "./IsoBoxes.ts"

const startOfCodestream = 0xff4f
const componentsAt = 40
/** Of a definition of a channel: that it is opacity. */
const opacity = 1

/** Whether a definition of channels says that the second is opacity. */
const hasOpacity = (file: Buffer): boolean => {
  const definitions = contentOf(contentOf(file, "jp2h") ?? Buffer.alloc(0), "cdef") ?? Buffer.alloc(0)
  for (let at = 2; at + 6 <= definitions.length; at += 6) {
    if (definitions.readUInt16BE(at) === 1 && definitions.readUInt16BE(at + 2) === opacity) return true
  }
  return false
}

export interface TwoChannels {
  /** Its codestream by itself, whose channels ImageMagick keeps apart. */
  readonly codestream: Uint8Array
  readonly hasOpacity: boolean
}

/** Null when it has another number of channels. */
export const twoChannels = (bytes: Uint8Array): TwoChannels | null => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBare = file.length > componentsAt + 2 && file.readUInt16BE(0) === startOfCodestream
  const codestream = isBare ? file : contentOf(file, "jp2c")
  if (codestream === undefined || codestream.length < componentsAt + 2) return null
  return codestream.readUInt16BE(componentsAt) === 2 ? { codestream, hasOpacity: hasOpacity(file) } : null
}
