/** The previews in camera RAW files, beside the sensor's data. */

export interface EmbeddedJpeg {
  readonly start: number
  readonly width: number
  readonly height: number
}

const startOfImage = Uint8Array.of(0xff, 0xd8, 0xff)
/** Baseline, extended and progressive. Not lossless: that is how sensor data is packed. */
const framesShown = new Set([0xc0, 0xc1, 0xc2])
const frames = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const segmentsMax = 2_000

/** Size of the picture that begins at `start`, and where its data begins; null when these are not the segments of one. */
export const jpegAt = (bytes: Uint8Array, start: number): EmbeddedJpeg & { readonly data: number } | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let width = 0
  let height = 0
  let at = start + 2
  for (let segments = 0; segments < segmentsMax && at + 4 <= bytes.length && bytes[at] === 0xff; segments++) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at++ // filling
      continue
    }
    const length = view.getUint16(at + 2)
    if (marker === 0xd9 || length < 2) return null
    if (frames.has(marker)) {
      if (!framesShown.has(marker) || at + 9 > bytes.length) return null
      height = view.getUint16(at + 5)
      width = view.getUint16(at + 7)
    }
    at += 2 + length
    if (marker === 0xda) return width > 0 && height > 0 ? { start, width, height, data: at } : null
  }
  return null
}

/** Every picture in `bytes`, the largest first. */
export const embeddedJpegs = (bytes: Uint8Array): ReadonlyArray<EmbeddedJpeg> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Array<EmbeddedJpeg> = []
  for (let at = buffer.indexOf(startOfImage); at >= 0;) {
    const jpeg = jpegAt(bytes, at)
    if (jpeg !== null) found.push(jpeg)
    at = buffer.indexOf(startOfImage, jpeg?.data ?? at + 3)
  }
  return found.sort((a, b) => b.width * b.height - a.width * a.height)
}
