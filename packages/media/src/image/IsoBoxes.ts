/** Boxes of image files (HEIF, JPEG 2000, JPEG XL), as far as they can be read. */

export interface IsoBox {
  readonly type: string
  readonly start: number
  /** Where its content begins. */
  readonly bodyStart: number
  /** Where it ends as it says: beyond the bytes when they are truncated. */
  readonly end: number
  /** Whether it takes all that follows, of whatever length. */
  readonly isOpen: boolean
}

const boxesMax = 1_000

export function* isoBoxes(bytes: Buffer, start = 0, end = bytes.length): Generator<IsoBox> {
  let at = start
  for (let boxes = 0; boxes < boxesMax && at + 8 <= end; boxes++) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    const isLong = size === 1 && at + 16 <= end
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? end - at : size
    if (length < (isLong ? 16 : 8)) return
    yield { type, start: at, bodyStart: at + (isLong ? 16 : 8), end: at + length, isOpen: size === 0 }
    at += length
  }
}

/** The content of the first box of a type, without the bytes that are missing. */
export const contentOf = (bytes: Buffer, type: string, skip = 0): Buffer | undefined => {
  for (const box of isoBoxes(bytes)) if (box.type === type) return bytes.subarray(box.bodyStart + skip, box.end)
  return undefined
}
