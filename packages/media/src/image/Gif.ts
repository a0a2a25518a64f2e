/** Reads the blocks of a GIF: its first picture by itself, and the XMP in it. */

const headBytes = 13
const [extension, picture] = [0x21, 0x2c]
const application = 0xff
const xmpName = "XMP DataXMP"
const blocksMax = 100_000

interface Block {
  readonly kind: number
  /** Of an extension. */
  readonly label: number | undefined
  readonly start: number
  /** Where its data begins, in pieces that each begin with their length. */
  readonly data: number
  readonly end: number
}

/** Bytes of a table of colours, by the byte that describes it. */
const tableBytes = (flags: number): number => (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)

/** The end of pieces that each begin with their length; null when they are not all there. */
const endOfPieces = (gif: Buffer, start: number): number | null => {
  for (let at = start; at < gif.length; at += 1 + gif[at]!) if (gif[at] === 0) return at + 1
  return null
}

/** The whole blocks, until the end or what is damaged. */
function* blocksOf(gif: Buffer): Generator<Block> {
  let at = headBytes + tableBytes(gif[10] ?? 0)
  for (let blocks = 0; blocks < blocksMax && at + 10 < gif.length; blocks++) {
    const kind = gif[at]!
    if (kind !== extension && kind !== picture) return
    const data = kind === extension ? at + 2 : at + 11 + tableBytes(gif[at + 9]!)
    const end = endOfPieces(gif, data)
    if (end === null) return
    yield { kind, label: kind === extension ? gif[at + 1] : undefined, start: at, data, end }
    at = end
  }
}

const isGif = (gif: Buffer): boolean => gif.toString("latin1", 0, 4) === "GIF8"

/** A picture of one pixel that is transparent. */
const clear = Buffer.from(
  "21f9040100000000" // The first of its colours is transparent.
    + "2c000000000100010080000000000000" // One pixel, at the corner, of two colours.
    + "0202440100",
  "hex"
)
const trailer = Buffer.of(0x3b)

/**
 * Its first picture alone. The canvas around it is transparent, as in browsers: libvips reads it so only where some picture
 * has a transparent colour, so a further picture has one.
 */
export const firstPicture = (bytes: Uint8Array): Uint8Array => {
  const gif = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const { end, kind } of isGif(gif) ? blocksOf(gif) : []) {
    if (kind === picture) return Buffer.concat([gif.subarray(0, end), clear, trailer])
  }
  return bytes
}

/** What follows XMP: wherever in the text a reader of pieces is, it leads on to the end. */
const afterXmp = Buffer.of(0x01, 0xff, 0xfe, 0xfd)

/** The XMP, which is not divided into pieces. */
export const xmpOfGif = (bytes: Uint8Array): Buffer | undefined => {
  const gif = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const { data, end, label } of isGif(gif) ? blocksOf(gif) : []) {
    const start = data + 1 + xmpName.length
    if (label !== application || gif.toString("latin1", data + 1, start) !== xmpName) continue
    const block = gif.subarray(start, end)
    const after = block.lastIndexOf(afterXmp)
    return block.subarray(0, after < 0 ? block.length : after)
  }
  return undefined
}
